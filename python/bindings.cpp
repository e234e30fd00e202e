// SPDX-License-Identifier: Apache-2.0
// fluvia._core: what the Python package (python/fluvia) is made on. What it says of types becomes _core.pyi.
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <exception>
#include <map>
#include <optional>
#include <span>
#include <sstream>
#include <utility>

#include "arrays.hpp"
#include "fluvia/backend/backend.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/base/quantity.hpp"
#include "fluvia/case/schema.hpp"
#include "fluvia/case/toml/load.hpp"
#include "fluvia/case/toml/toml_text.hpp"
#include "fluvia/output/fields.hpp"
#include "fluvia/output/geometry_json.hpp"
#include "fluvia/permeability/report.hpp"
#include "fluvia/run/run.hpp"
#include "fluvia/run/session.hpp"
#include "fluvia/run/sweep.hpp"

namespace nb = nanobind;
using namespace fluvia;
using python::Dict;
using python::hand_over;

namespace {

using Input = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
using Integers = nb::ndarray<nb::numpy, std::int32_t, nb::c_contig>;
using Numbers = nb::ndarray<nb::numpy, double, nb::c_contig>;
template <class Value>
using Output = nb::ndarray<Value, nb::c_contig, nb::device::cpu>;

/// The shape of arrays of one value, or `components`, at every node of a session's box.
std::vector<std::size_t> populations_shape(const Session& s, int level) {
  const NodeShape shape = s.populations_shape(level);
  return python::shape_of(shape.nodes, s.grid().dimension, shape.components);
}

std::vector<std::size_t> shape_of(const Session& s, int components) {
  return python::shape_of(s.grid().size, s.grid().dimension, components);
}

std::vector<double> take(const std::optional<Input>& values, const std::vector<std::size_t>& shape, const char* name) {
  if (!values) return {};
  bool fits = values->ndim() == shape.size();
  for (std::size_t k = 0; fits && k < shape.size(); ++k) fits = values->shape(k) == shape[k];
  if (!fits) {
    std::ostringstream text;
    text << name << ": an array of shape (";
    for (std::size_t k = 0; k < values->ndim(); ++k) text << (k ? ", " : "") << values->shape(k);
    text << ") was given; expected (";
    for (std::size_t k = 0; k < shape.size(); ++k) text << (k ? ", " : "") << shape[k];
    throw Error(ExitCode::input, text.str() + ")");
  }
  return {values->data(), values->data() + values->size()};
}

/// A field in an array of its own.
template <class Value>
nb::ndarray<nb::numpy, Value, nb::c_contig> field_of(const Session& s, const std::string& name) {
  const NodeShape shape = s.field_shape(name);
  std::vector<Value> values(shape.count());
  {
    const nb::gil_scoped_release free;
    s.field(name, values);
  }
  return hand_over(std::move(values), python::shape_of(shape.nodes, s.grid().dimension, shape.components));
}

template <class Value>
void field_into(const Session& s, const std::string& name, Output<Value> out) {
  const nb::gil_scoped_release free;
  s.field(name, std::span<Value>(out.data(), out.size()));
}

/// The lattice of a flow: its name, velocities [direction, axis] and weights [direction].
nb::tuple lattice_of(const Session& s) {
  const LatticeFacts& lattice = *s.plan().flow().lattice;
  std::vector<std::int32_t> velocities;
  for (const Int3& c : lattice.velocities)
    velocities.insert(velocities.end(), c.begin(), c.begin() + lattice.dimension);
  const auto directions = static_cast<std::size_t>(lattice.directions);
  return nb::make_tuple(lattice.name,
                        hand_over(std::move(velocities), {directions, static_cast<std::size_t>(lattice.dimension)}),
                        hand_over(std::vector<double>(lattice.weights), {directions}));
}

/// Python's own signals (Ctrl-C), and what a caller wants to stop for.
struct Interruption {
  bool seen = false;
  bool operator()() {
    const nb::gil_scoped_acquire gil;
    return seen = PyErr_CheckSignals() != 0;
  }
};

Dict to_dict(const Plan& plan) {
  Dict d;
  d["lattice"] = plan.flow().lattice->name;
  d["collision"] = plan.flow().collision->name;
  d["equilibrium"] = plan.flow().equilibrium->name;
  d["scheme"] = plan.scheme_name();
  d["format"] = plan.format->name;
  d["device"] = plan.device;
  d["device_name"] = plan.device_name;
  d["threads"] = plan.threads;
  d["omega"] = plan.flow().omega();
  d["bytes"] = plan.total_bytes();
  d["bytes_per_update"] = plan.bytes_per_update;
  d["scheme_reason"] = plan.reason;
  d["collision_reason"] = plan.flow().collision_reason;
  return d;
}

Dict to_dict(const Units& units) {
  Dict d;
  d["si"] = units.si;
  d["spacing"] = units.spacing;
  d["time_step"] = units.time_step;
  d["density"] = units.density;
  d["viscosity"] = units.viscosity;
  d["tau"] = units.tau;
  d["reference_pressure"] = units.reference_pressure;
  d["mach"] = units.mach();
  d["reynolds"] = units.reynolds();
  d["physical_reynolds"] = units.physical_reynolds();
  return d;
}

Dict to_dict(const Progress& p) {
  Dict d;
  d["step"] = p.step;
  d["last_step"] = p.last_step;
  d["seconds"] = p.seconds;
  d["mflups"] = p.mflups;
  d["seconds_left"] = p.eta_seconds;
  d["residual"] = p.residual;
  d["max_mach"] = p.max_mach;
  return d;
}

Case with_numerics(Case c, const std::string& device, int threads) {
  if (!device.empty()) c.numerics.device = device;
  if (threads > 0) c.numerics.threads = threads;
  return c;
}

/// Gives keys that name one of these files the path where it is. The hash of the case stays that of the names.
using Files = std::map<std::string, std::filesystem::path>;
class Finder final : public schema::Visitor {
 public:
  explicit Finder(const Files& files) : files_(files) {}
  void key(const std::string&, const schema::Slot& slot, const schema::Rule& rule, const std::string&) override {
    if (!rule.input_file) return;
    const schema::Value value = slot.get();
    const auto* name = std::get_if<std::string>(&value);
    const auto found = name == nullptr ? files_.end() : files_.find(std::filesystem::path(*name).filename().string());
    if (found != files_.end()) slot.set(found->second.string());
  }
  bool wants_table(const std::string&, bool filled) override { return filled; }
  std::size_t array_size(const std::string&, std::size_t filled) override { return filled; }
  void enter(const std::string& name, int index, const std::string&) override { push(name, index); }
  void leave() override { pop(); }

 private:
  const Files& files_;
};

/// The case of a text. `arrays`: where the files are that stand for arrays, by the names that the text has for them.
Case parse(const std::string& text, const std::filesystem::path& origin, const std::vector<std::string>& settings,
           const Files& arrays) {
  Case c = parse_case(text, origin, settings);
  Finder finder(arrays);
  schema::describe(finder, c);
  return c;
}

/// The words of the interpreter's own command line: the script, or whatever Python was started with.
std::vector<std::string> python_command() {
  return nb::cast<std::vector<std::string>>(nb::module_::import_("sys").attr("orig_argv"));
}

/// Requests that runs look for while they go on: Python's Ctrl-C and callbacks. For one run or several, one after the
/// other.
class Attendance {
 public:
  Attendance(nb::object on_progress, nb::object on_message)
      : on_progress_(std::move(on_progress)), on_message_(std::move(on_message)), command_(python_command()) {}
  void attend(RunOptions& options) {
    options.command = command_;
    options.interrupt = &interrupt_;
    options.on_progress = [this](const Progress& p) {
      const nb::gil_scoped_acquire gil;
      if (!signalled_ && PyErr_CheckSignals() != 0) {
        PyErr_Clear();
        interrupt_ = signalled_ = true;
      }
      // Nothing and None go on; only what is False itself ends the run.
      if (call(on_progress_, [&] { return to_dict(p); }).is(nb::handle(Py_False))) interrupt_ = true;
    };
    options.on_message = options.on_warning = [this](const std::string& text) { say(text); };
  }
  void say(const std::string& text) {
    const nb::gil_scoped_acquire gil;
    call(on_message_, [&] { return nb::str(text.c_str(), text.size()); });
  }
  /// Raises what a callback raised, or KeyboardInterrupt.
  void end() {
    if (raised_) std::rethrow_exception(raised_);
    if (!signalled_) return;
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw nb::python_error();
  }

 private:
  template <class Argument>
  nb::object call(const nb::object& callback, const Argument& argument) {
    if (callback.is_none() || raised_) return nb::none();
    try {
      return callback(argument());
    } catch (...) {  // the run ends as by Ctrl-C; then the caller sees what its callback threw
      raised_ = std::current_exception();
      interrupt_ = true;
      return nb::none();
    }
  }
  nb::object on_progress_, on_message_;
  std::vector<std::string> command_;
  std::atomic<bool> interrupt_ = false;
  bool signalled_ = false;
  std::exception_ptr raised_;
};

/// A sweep as `fluvia sweep` makes it; sweep.json of its folder has the results.
void sweep(const std::string& text, const std::filesystem::path& origin, const std::vector<std::string>& settings,
           const Files& arrays, const std::vector<std::pair<std::string, std::vector<std::string>>>& vary,
           const std::filesystem::path& output, const std::string& device, int threads, const nb::object& on_message) {
  Attendance attendance(nb::none(), on_message);
  std::vector<Variation> variations;
  for (const auto& [key, values] : vary) variations.push_back({key, values});
  const auto read = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = settings;
    all.insert(all.end(), more.begin(), more.end());
    return with_numerics(parse(text, origin, all, arrays), device, threads);
  };
  std::string common;
  for (const std::string& setting : settings) common += setting + "\n";
  {
    const nb::gil_scoped_release free;
    Sweep runs(std::move(variations), read, output, common);
    RunOptions options;
    attendance.attend(options);
    runs.run(options, [&](std::size_t k) { attendance.say(runs.runs()[k].name); });
  }
  attendance.end();
}

std::string permeability(const Case& image, double voxel, const std::vector<int>& axes, const std::string& ends,
                         const std::string& sides, double tolerance, int refine, int largest_refine,
                         const nb::object& on_message) {
  Attendance attendance(nb::none(), on_message);
  PermeabilitySettings settings;
  settings.image = image;
  settings.voxel = voxel;
  settings.axes = axes;
  settings.ends = ends;
  settings.sides = sides;
  settings.tolerance = tolerance;
  settings.refine = refine;
  settings.largest_refine = largest_refine;
  settings.on_message = [&](const std::string& line) { attendance.say(line); };
  std::string result;
  {
    const nb::gil_scoped_release free;
    result = permeability_json(settings, measure_permeability(settings)).dump();
  }
  attendance.end();
  return result;
}

/// run_case() with Python's Ctrl-C and callbacks.
Dict run(const Case& c, const std::filesystem::path& output, bool resume, const std::string& resume_from,
         double try_seconds, bool refine_check, const nb::object& on_progress, const nb::object& on_message) {
  Attendance attendance(on_progress, on_message);
  RunOptions options;
  options.output = output;
  options.resume = resume;
  options.resume_from = resume_from;
  options.try_seconds = try_seconds;
  options.refine_check = refine_check;
  attendance.attend(options);
  RunResult result;
  {
    const nb::gil_scoped_release free;
    result = run_case(c, options);
  }
  attendance.end();
  Dict d;
  d["steps"] = result.steps;
  d["steady"] = result.steady;
  d["interrupted"] = result.interrupted;
  d["checkpoint"] = result.checkpoint;
  d["files"] = result.files;
  d["results"] = result.results.dump();
  return d;
}

}  // namespace

NB_MODULE(_core, m) {
  m.def("version", &version, "Of Fluvia.");
  m.def(
      "parse_length",
      [](const std::string& text, const std::string& place) {
        return parse_quantity(text, QuantityKind::length, place);
      },
      nb::arg("text"), nb::arg("place"),
      "A length with its unit, such as 5um, in metres. Raises InputError, beginning with the place.");
  m.def("length_units", &length_units, "Names of units of length.");
  m.def("field_names", &field_names, "Names that Session.field takes.");

  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const Error& error) {
      // fluvia.errors has a class for each code.
      const nb::object make = nb::module_::import_("fluvia.errors").attr("from_code");
      const nb::object value = make(static_cast<int>(error.code()), error.what());
      PyErr_SetObject(value.type().ptr(), value.ptr());
    }
  });

  m.def(
      "merge_toml",
      [](const std::string& text, const std::filesystem::path& origin, const std::vector<std::string>& settings) {
        return schema::toml_text(schema::load_text(text, origin, settings));
      },
      nb::arg("text"), nb::arg("origin"), nb::arg("settings"));

  nb::class_<Case>(m, "Case", "A case that was checked; see fluvia.Case.")
      .def_static("parse", &parse, nb::arg("text"), nb::arg("origin"), nb::arg("settings"), nb::arg("arrays"))
      .def_ro("title", &Case::title)
      .def_prop_ro("dimension", [](const Case& c) { return c.domain.dimension; });

  python::bind_geometry(m);

  m.def("run", &run, nb::arg("case"), nb::arg("output"), nb::arg("resume"), nb::arg("resume_from"),
        nb::arg("try_seconds"), nb::arg("refine_check"), nb::arg("on_progress").none(), nb::arg("on_message").none());
  m.def("with_numerics", &with_numerics, nb::arg("case"), nb::arg("device"), nb::arg("threads"));

  m.def("sweep", &sweep, nb::arg("text"), nb::arg("origin"), nb::arg("settings"), nb::arg("arrays"), nb::arg("vary"),
        nb::arg("output"), nb::arg("device"), nb::arg("threads"), nb::arg("on_message").none());
  m.def("permeability", &permeability, nb::arg("image"), nb::arg("voxel"), nb::arg("axes"), nb::arg("ends"),
        nb::arg("sides"), nb::arg("tolerance"), nb::arg("refine"), nb::arg("largest_refine"),
        nb::arg("on_message").none());

  nb::class_<Session> session(m, "Session", "A flow in memory; see fluvia.Simulation.");
  session.def(nb::init<Case>(), nb::arg("case"), nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("plan", [](const Session& s) { return to_dict(s.plan()); })
      .def_prop_ro("units", [](const Session& s) { return to_dict(s.units()); })
      .def_prop_ro("warnings", &Session::warnings)
      .def_prop_ro("shape",
                   [](const Session& s) -> nb::typed<nb::tuple, int, nb::ellipsis> {
                     return nb::tuple(nb::cast(shape_of(s, 1)));
                   })
      .def_prop_ro("origin",
                   [](const Session& s) { return std::vector<double>(s.grid().origin.begin(), s.grid().origin.end()); })
      .def(
          "geometry", [](const Session& s) { return geometry_json(s.geometry(), s.grid()).dump(); },
          "The domain as summary.json has it, as JSON.")
      .def_prop_ro("fluid_nodes", [](const Session& s) { return s.geometry().nodes.fluid_nodes; })
      .def_prop_ro("time_step", &Session::time_step)
      .def_prop_ro("time", &Session::time)
      .def(
          "advance",
          [](Session& s, std::int64_t count) {
            Interruption interruption;
            {
              const nb::gil_scoped_release free;
              s.advance(count, std::ref(interruption));
            }
            if (interruption.seen) throw nb::python_error();
          },
          nb::arg("count"))
      .def_prop_ro("monitor_names", &Session::monitor_names)
      .def("monitors", &Session::monitors, nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("is_double", [](const Session& s) { return s.plan().format->storage_bytes == sizeof(double); })
      .def("field", &field_of<float>, nb::arg("name"), "A field in an array of its own.")
      .def("field_double", &field_of<double>, nb::arg("name"), "A field in double precision.")
      .def(
          "field_of_level",
          [](const Session& s, const std::string& name, int level, bool own_only) {
            const NodeShape shape = s.level_shape(name, level);
            std::vector<double> values;
            {
              const nb::gil_scoped_release free;
              values = s.field_of_level(name, level, own_only);
            }
            return hand_over(std::move(values), python::shape_of(shape.nodes, s.grid().dimension, shape.components));
          },
          nb::arg("name"), nb::arg("level"), nb::arg("own_only"), "A field at all nodes of a level of refinement.")
      .def_prop_ro("level_count", &Session::level_count)
      .def("field_into", &field_into<float>, nb::arg("name"), nb::arg("out").noconvert(),
           "A field into an array with as many values.")
      .def("field_double_into", &field_into<double>, nb::arg("name"), nb::arg("out").noconvert(),
           "A field into an array of double precision.")
      .def(
          "lattice",
          [](const Session& s) -> nb::typed<nb::tuple, std::string, Integers, Numbers> { return lattice_of(s); },
          "Name, velocities [direction, axis] and weights.")
      .def(
          "populations",
          [](const Session& s, int level) {
            std::vector<double> values;
            {
              const nb::gil_scoped_release free;
              values = s.populations(level);
            }
            return hand_over(std::move(values), populations_shape(s, level));
          },
          nb::arg("level"), "Deviations f_i - w_i, with the direction last.")
      .def(
          "set_populations",
          [](Session& s, const Input& values, int level) {
            const std::vector<double> deviations = take(values, populations_shape(s, level), "populations");
            const nb::gil_scoped_release free;
            s.set_populations(deviations, level);
          },
          nb::arg("deviations"), nb::arg("level"))
      .def(
          "populations_shape",
          [](const Session& s, int level) -> nb::typed<nb::tuple, int, nb::ellipsis> {
            return nb::tuple(nb::cast(populations_shape(s, level)));
          },
          nb::arg("level"), "Of the array of populations of a level.")
      .def("change_case", &Session::change_case, nb::arg("case"), nb::call_guard<nb::gil_scoped_release>())
      .def(
          "points_of",
          [](const Session& s, const std::string& surface) {
            std::vector<double> points = s.points_of(surface);
            const std::size_t count = points.size() / 3;
            return hand_over(std::move(points), {count, 3});
          },
          nb::arg("surface"), "Points of an opening, one for each of its nodes.")
      .def(
          "device_field",
          [](const Session& s, const std::string& name) {
            DeviceArray array;
            {
              const nb::gil_scoped_release free;
              array = s.device_field(name);
            }
            const NodeShape field = s.field_shape(name);
            const auto address = reinterpret_cast<std::uintptr_t>(array.values);
            return std::pair(python::hand_over(std::move(array),
                                               python::shape_of(field.nodes, s.grid().dimension, field.components)),
                             address);
          },
          nb::arg("name"), "A field in an array of GPU memory, and its address.")
      .def(
          "field_shape",
          [](const Session& s, const std::string& name) -> nb::typed<nb::tuple, int, nb::ellipsis> {
            const NodeShape field = s.field_shape(name);
            return nb::tuple(nb::cast(python::shape_of(field.nodes, s.grid().dimension, field.components)));
          },
          nb::arg("name"), "Of the array of a field.")
      .def(
          "unit", [](const Session& s, const std::string& name) { return s.field_shape(name).unit; }, nb::arg("name"),
          "Of a field.")
      .def("fluid", [](const Session& s) { return hand_over(s.fluid(), shape_of(s, 1)); })
      .def(
          "set_state",
          [](Session& s, const std::optional<Input>& pressure, const std::optional<Input>& velocity) {
            const std::vector<double> p = take(pressure, shape_of(s, 1), "pressure");
            const std::vector<double> u = take(velocity, shape_of(s, 3), "velocity");
            const nb::gil_scoped_release free;
            s.set_state(p, u);
          },
          nb::arg("pressure").none(), nb::arg("velocity").none())
      .def("set_boundary", &Session::set_boundary, nb::arg("surface"), nb::arg("quantity"), nb::arg("value"))
      .def("save", &Session::save, nb::arg("file"), nb::call_guard<nb::gil_scoped_release>())
      .def("restore", &Session::restore, nb::arg("file"), nb::call_guard<nb::gil_scoped_release>());
  python::bind_bodies(session);
  python::bind_tracers(session);
}
