// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/tracers/tracers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "fluvia/base/error.hpp"
#include "fluvia/base/numbers/quantile.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/solver/links/surface_roles.hpp"

namespace fluvia {

namespace {

using Json = nlohmann::json;

const std::string state_prefix = "tracer_";
constexpr int bins_of_distribution = 40;
/// Part of the ages that lie in the bins; the rest is older.
constexpr double part_in_bins = 0.98;

/// Points that stick to a surface; -1: one that the geometry has not.
std::uint64_t count_on(const TracerCloud& cloud, int surface) {
  return surface < 0 ? 0 : cloud.stuck_to(surface);
}

Json distribution(const std::vector<double>& ages) {
  const double most = quantile(ages, part_in_bins), width = most / bins_of_distribution;
  if (!(width > 0)) return nullptr;
  std::vector<double> edges, density(bins_of_distribution, 0.0);
  for (int k = 0; k <= bins_of_distribution; ++k) edges.push_back(k * width);
  for (const double age : ages)
    if (const auto bin = static_cast<std::size_t>(age / width); bin < density.size())
      density[bin] += 1 / (width * static_cast<double>(ages.size()));
  return {{"edges", edges}, {"density", density}};
}

}  // namespace

Tracers::Tracers(const Case& c, const Units& units, const Solver& seen)
    : case_(c),
      seen_(seen),
      level_(std::max(0, static_cast<int>(seen.levels().size()) - 1)),
      view_(level_ > 0 ? seen.seen_at(level_, [](const Int3&) { return true; }) : nullptr),
      units_(units.of_level(level_)),
      cells_({c, units_, flow().geometry()}),
      near_(flow().geometry().nodes) {
  for (std::size_t k = 0; k < c.tracers.size(); ++k)
    clouds_.emplace_back(Problem{c, units_, flow().geometry()}, cells_, k);
}

const FlowState& Tracers::flow() const {
  return view_ ? *view_ : seen_;
}

void Tracers::read_velocities(const std::vector<TracerCloud*>& moving, std::int64_t step) {
  near_.clear();
  for (const TracerCloud* cloud : moving) cloud->want(near_, step);
  near_.read(flow());
  cells_.set_time(units_.si_time(static_cast<double>(step)));
}

void Tracers::begin() {
  if (begun_) return;
  begun_ = true;
  const std::int64_t step = step_of_flow();
  std::vector<TracerCloud*> all;
  for (TracerCloud& cloud : clouds_) all.push_back(&cloud);
  read_velocities(all, step);
  for (TracerCloud* cloud : all) cloud->begin(step, near_.values());
}

void Tracers::advance() {
  const std::int64_t step = step_of_flow();
  std::vector<TracerCloud*> due;
  for (TracerCloud& cloud : clouds_)
    if (cloud.due(step)) due.push_back(&cloud);
  if (due.empty()) return;
  read_velocities(due, step);
  for (TracerCloud* cloud : due) cloud->advance(step, near_.values());
}

std::int64_t Tracers::next_after(std::int64_t step) const {
  std::int64_t next = std::numeric_limits<std::int64_t>::max();
  for (const Case::Tracer& tracer : case_.tracers) next = std::min(next, (step / tracer.every + 1) * tracer.every);
  return next;
}

std::vector<MonitorColumn> Tracers::columns() const {
  std::vector<MonitorColumn> columns;
  const auto add = [&](const std::string& name, std::size_t k, std::function<std::uint64_t(const TracerCloud&)> count) {
    columns.push_back({name, "-", [this, k, count = std::move(count)](FlowSample&) {
                         return static_cast<double>(count(clouds_[k]));
                       }});
  };
  for (std::size_t k = 0; k < clouds_.size(); ++k) {
    const std::string& name = case_.tracers[k].name;
    add("appeared_" + name, k, [](const TracerCloud& cloud) { return cloud.appeared(); });
    add("moving_" + name, k, [](const TracerCloud& cloud) { return cloud.moving(); });
    for (const Opening& opening : flow().geometry().openings)
      add("left_" + name + "_" + opening.name, k,
          [surface = opening.surface](const TracerCloud& cloud) { return cloud.left_by(surface); });
    for (const std::string& surface : case_.tracers[k].stick) {
      const int number = find_surface(flow().geometry(), surface);
      add("stuck_" + name + "_" + surface, k, [number](const TracerCloud& cloud) { return count_on(cloud, number); });
    }
  }
  return columns;
}

std::vector<std::string> Tracers::names() const {
  std::vector<std::string> names;
  for (const Case::Tracer& tracer : case_.tracers) names.push_back(tracer.name);
  return names;
}

PointCloud Tracers::make_cloud(std::size_t tracer) const {
  PointCloud cloud;
  cloud.name = case_.tracers[tracer].name;
  const auto now = static_cast<double>(clouds_[tracer].step());
  cloud.time = units_.si_time(now);
  const double speed = units_.si_velocity(1);
  for (const TracerPoint& point : clouds_[tracer].points()) {
    cloud.places.push_back(flow().geometry().origin + units_.spacing * point.place);
    cloud.ids.push_back(static_cast<std::int64_t>(point.id));
    cloud.ages.push_back(units_.si_time(now - point.born));
    cloud.velocities.push_back(speed * point.velocity);
    cloud.stuck.push_back(point.stuck_to >= 0 ? 1 : 0);
  }
  return cloud;
}

std::size_t Tracers::find(const std::string& name) const {
  const std::vector<std::string> all = names();
  const auto found = std::find(all.begin(), all.end(), name);
  if (found == all.end())
    throw_input("tracers: '" + shorten(name) + "' is no tracer of this case" + did_you_mean(name, all) +
                " (tracers: " + join(all) + ")");
  return static_cast<std::size_t>(found - all.begin());
}

PointCloud Tracers::cloud(const std::string& name) const {
  return make_cloud(find(name));
}

DepartedPoints Tracers::departed(const std::string& name) const {
  DepartedPoints points;
  for (const TracerDeparture& left : clouds_[find(name)].departures()) {
    points.ids.push_back(static_cast<std::int64_t>(left.id));
    points.times.push_back(units_.si_time(left.time));
    points.ages.push_back(units_.si_time(left.time - left.born));
    points.places.push_back(flow().geometry().origin + units_.spacing * left.place);
    points.openings.push_back(left.surface);
  }
  return points;
}

std::vector<PointCloud> Tracers::clouds() const {
  std::vector<PointCloud> all;
  for (std::size_t k = 0; k < clouds_.size(); ++k) all.push_back(make_cloud(k));
  return all;
}

std::vector<ResidenceTimes> Tracers::residence_times(std::size_t tracer) const {
  std::vector<ResidenceTimes> all;
  for (const Opening& opening : flow().geometry().openings) {
    ResidenceTimes times{opening.name, {}, 0, 0};
    for (const TracerDeparture& left : clouds_[tracer].departures())
      if (left.surface == opening.surface) times.ages.push_back(units_.si_time(left.time - left.born));
    if (times.ages.empty()) continue;
    std::sort(times.ages.begin(), times.ages.end());
    const auto count = static_cast<double>(times.ages.size());
    times.mean = std::accumulate(times.ages.begin(), times.ages.end(), 0.0) / count;
    double squares = 0;
    for (const double age : times.ages) squares += (age - times.mean) * (age - times.mean);
    times.deviation = std::sqrt(squares / count);
    all.push_back(std::move(times));
  }
  return all;
}

Json Tracers::json() const {
  Json all = Json::object();
  for (std::size_t k = 0; k < clouds_.size(); ++k) {
    Json& of = all[case_.tracers[k].name];
    of["appeared"] = clouds_[k].appeared();
    of["moving"] = clouds_[k].moving();
    of["left"] = Json::object();
    for (const ResidenceTimes& times : residence_times(k))
      of["left"][times.opening] = {{"points", times.ages.size()},
                                   {"mean_age", times.mean},
                                   {"deviation", times.deviation},
                                   {"least_age", times.ages.front()},
                                   {"median_age", quantile(times.ages, 0.5)},
                                   {"age_of_90_percent", quantile(times.ages, 0.9)},
                                   {"distribution", distribution(times.ages)}};
    for (const std::string& surface : case_.tracers[k].stick)
      of["stuck"][surface] = count_on(clouds_[k], find_surface(flow().geometry(), surface));
  }
  return all;
}

void Tracers::open_tables(const std::filesystem::path& folder) {
  const auto unit = [&](const char* si) { return std::string(" [") + (units_.si ? si : "lattice") + "]"; };
  std::string openings;
  for (const Opening& opening : flow().geometry().openings)
    openings += fmt::format("{}{} = {}", openings.empty() ? "" : "; ", opening.surface, opening.name);
  const std::vector<std::string> columns = {
      "time" + unit("s"), "id [-]",        "age" + unit("s"),           "x" + unit("m"),
      "y" + unit("m"),    "z" + unit("m"), "opening [" + openings + "]"};
  tables_.clear();
  for (const Case::Tracer& tracer : case_.tracers)
    tables_.push_back(std::make_unique<Table>(Table{CsvWriter(folder / ("tracers_" + tracer.name + ".csv"), columns)}));
  write_tables();
}

void Tracers::write_tables() {
  for (std::size_t k = 0; k < tables_.size(); ++k) {
    const std::vector<TracerDeparture>& left = clouds_[k].departures();
    Table& table = *tables_[k];
    table.file.keep();
    for (; table.rows < left.size(); ++table.rows) {
      const TracerDeparture& row = left[table.rows];
      const Real3 place = flow().geometry().origin + units_.spacing * row.place;
      const double values[] = {units_.si_time(row.time),
                               static_cast<double>(row.id),
                               units_.si_time(row.time - row.born),
                               place[0],
                               place[1],
                               place[2],
                               static_cast<double>(row.surface)};
      table.file.row(static_cast<std::int64_t>(std::ceil(std::ldexp(row.time, -level_))), values);
    }
    table.file.flush();
  }
}

std::vector<std::filesystem::path> Tracers::tables() const {
  std::vector<std::filesystem::path> files;
  for (const auto& table : tables_) files.push_back(table->file.path());
  return files;
}

void Tracers::save(MonitorState& state) const {
  for (std::size_t k = 0; k < clouds_.size(); ++k) state[state_prefix + case_.tracers[k].name] = clouds_[k].state();
}

void Tracers::restore(const MonitorState& state) {
  for (std::size_t k = 0; k < clouds_.size(); ++k)
    if (const auto it = state.find(state_prefix + case_.tracers[k].name); it != state.end())
      begun_ = clouds_[k].restore(it->second) || begun_;
}

}  // namespace fluvia
