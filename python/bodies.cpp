// SPDX-License-Identifier: Apache-2.0
// Part of fluvia._core: the bodies that move through a flow.
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "fluvia/run/session.hpp"

namespace fluvia::python {

namespace {

template <std::size_t rows>
nb::object array_of(const std::array<Real3, rows>& of) {
  std::vector<double> numbers;
  for (const Real3& row : of) numbers.insert(numbers.end(), row.begin(), row.end());
  return nb::cast(rows == 1 ? hand_over(std::move(numbers), {3}) : hand_over(std::move(numbers), {rows, 3}));
}

nb::typed<nb::list, Dict> bodies(const Session& session) {
  std::vector<BodyReport> reports;
  {
    const nb::gil_scoped_release free;
    reports = session.bodies();
  }
  nb::list all;
  for (const BodyReport& report : reports) {
    nb::dict body;
    body["surface"] = report.surface;
    body["position"] = array_of<1>({report.position});
    body["axes"] = array_of(report.axes);
    body["angle"] = array_of<1>({report.angle});
    body["velocity"] = array_of<1>({report.velocity});
    body["angular_velocity"] = array_of<1>({report.angular_velocity});
    body["force"] = array_of<1>({report.force});
    body["torque"] = array_of<1>({report.torque});
    all.append(body);
  }
  return nb::typed<nb::list, Dict>(all);
}

}  // namespace

void bind_bodies(nb::class_<Session>& session) {
  session.def("bodies", &bodies)
      .def("set_motion", &Session::set_motion, nb::arg("body"), nb::arg("velocity"), nb::arg("angular_velocity"),
           nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace fluvia::python
