// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/domain_solver.hpp"

namespace fluvia::domain {

namespace {

/// The shares of all parts, which own ascending tiles.
template <class Value>
TileSums<Value> joined(const std::vector<Answer>& answers) {
  TileSums<Value> sums;
  for (const Answer& answer : answers) answer.reader().append_all(sums);
  return sums;
}

ByteWriter begin(Request request) {
  ByteWriter writer;
  writer.put(request);
  return writer;
}

}  // namespace

void DomainSolver::step_with(std::span<const BoundaryValues> values) {
  while (!values.empty()) {
    const int steps = solver_group_->own().next_steps(static_cast<std::int64_t>(values.size()));
    ByteWriter request = begin(Request::set_values_ahead);
    request.put(static_cast<std::uint64_t>(steps));
    for (const BoundaryValues& of_step : values.first(static_cast<std::size_t>(steps)))
      request.put(of_step.values).put(of_step.profile_time);
    solver_group_->tell(request.take());
    solver_group_->step(steps);
    values = values.subspan(static_cast<std::size_t>(steps));
  }
}

void DomainSolver::moments(std::uint64_t first_tile, std::uint64_t tile_count, bool with_stress, Moments& out) const {
  out.clear();
  for (const Answer& answer :
       solver_group_->ask(begin(Request::moments).put(first_tile).put(tile_count).put(with_stress).take())) {
    ByteReader reader = answer.reader();
    Moments::for_each_array(out, [&](auto& array) { reader.append_all(array); });
  }
}

ObservableSums DomainSolver::sums_of(const Observable& what) const {
  const std::vector<Answer> answers = solver_group_->ask(begin(Request::observable).put(what).take());
  return std::visit([&]<class Row>(const Row&) -> ObservableSums { return joined<typename Row::Sum>(answers); }, what);
}

Observation DomainSolver::measure(const Observable& what) const {
  return solver_group_->own().result_of(what, sums_of(what));
}

double DomainSolver::apply(const FlowChange& change) {
  return solver_group_->tell(begin(Request::change).put(change).take()).reader().get<double>();
}

void DomainSolver::resume_at(std::int64_t time_step) {
  solver_group_->tell(begin(Request::resume_at).put(time_step).take());
}

}  // namespace fluvia::domain
