// SPDX-License-Identifier: Apache-2.0
// Part of fluvia._core: the points that go with a flow.
#include "fluvia/run/tracers/tracers.hpp"

#include <nanobind/stl/string.h>

#include "arrays.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/run/session.hpp"

namespace fluvia::python {

namespace {

nb::object vectors(const std::vector<Real3>& of) {
  std::vector<double> numbers;
  for (const Real3& row : of) numbers.insert(numbers.end(), row.begin(), row.end());
  return nb::cast(hand_over(std::move(numbers), {of.size(), 3}));
}

template <class T>
nb::object numbers(std::vector<T>&& of) {
  const std::size_t count = of.size();
  return nb::cast(hand_over(std::move(of), {count}));
}

Dict tracers(const Session& session, const std::string& name) {
  PointCloud cloud;
  DepartedPoints left;
  {
    const nb::gil_scoped_release free;
    if (session.tracers() == nullptr) throw_input("tracers: this case has no [[tracer]]");
    cloud = session.tracers()->cloud(name);
    left = session.tracers()->departed(name);
  }
  nb::dict result, of_left;
  result["id"] = numbers(std::move(cloud.ids));
  result["position"] = vectors(cloud.places);
  result["age"] = numbers(std::move(cloud.ages));
  result["velocity"] = vectors(cloud.velocities);
  result["stuck"] = numbers(std::move(cloud.stuck));
  nb::list openings;
  for (const int surface : left.openings)
    openings.append(session.geometry().surfaces[static_cast<std::size_t>(surface)]);
  of_left["id"] = numbers(std::move(left.ids));
  of_left["time"] = numbers(std::move(left.times));
  of_left["age"] = numbers(std::move(left.ages));
  of_left["position"] = vectors(left.places);
  of_left["opening"] = openings;
  result["left"] = of_left;
  return Dict(result);
}

}  // namespace

void bind_tracers(nb::class_<Session>& session) {
  session.def("tracers", &tracers, nb::arg("name"));
}

}  // namespace fluvia::python
