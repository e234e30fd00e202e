// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fluvia/case/case.hpp"
#include "fluvia/run/bodies/body_reports.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia {

class Tracers;

/// An array over all nodes of the box: `components` numbers for each node, which vary fastest, then x, y, z.
struct NodeShape {
  std::array<std::size_t, 3> nodes{};  ///< number of nodes along z, y, x
  int components = 1;
  std::string unit;  ///< "Pa", ...; "lattice" for cases in lattice units
  [[nodiscard]] std::size_t count() const {
    return nodes[0] * nodes[1] * nodes[2] * static_cast<std::size_t>(components);
  }
};
struct NodeValues : NodeShape {
  std::vector<float> values;  ///< NaN where there is no fluid
};

/// A flow in the hands of a program, which steps it, looks at it and changes it at will: `fluvia run` without its
/// schedule and its files. All quantities are in the units of the case. Not for several threads at a time.
class Session {
 public:
  /// Reads the files that the case names and makes its flow ready for the first step. Throws Error: input (case,
  /// geometry), resource (memory, device).
  explicit Session(Case c);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  [[nodiscard]] const Case& flow_case() const;
  [[nodiscard]] const Grid& grid() const;
  [[nodiscard]] const Units& units() const;
  [[nodiscard]] const Geometry& geometry() const;
  [[nodiscard]] const Plan& plan() const;
  /// What `fluvia run` would warn of before the first step.
  [[nodiscard]] const std::vector<std::string>& warnings() const;

  /// Steps done from the beginning of the flow; time() is the time that they stand for.
  [[nodiscard]] std::int64_t time_step() const;
  [[nodiscard]] double time() const;

  /// Advances `count` steps, with time series, outlets that react and all else that belongs to the flow. `stop` is
  /// asked a few times a second; the result is false if it ended the stepping. Throws Error(unstable), saying where and
  /// why, if the flow diverged; that is checked as often as in a run, and by whatever looks at the flow below.
  bool advance(std::int64_t count, const std::function<bool()>& stop = {});

  /// Columns of monitors.csv with their units, e.g. "flow_rate_inlet [m3/s]", and their values now.
  [[nodiscard]] std::vector<std::string> monitor_names() const;
  [[nodiscard]] std::vector<double> monitors() const;

  /// A field by its name (field_names()) at all nodes. Throws Error(input) naming the choices.
  [[nodiscard]] NodeValues field(const std::string& name) const;
  /// A field into an array at hand, which must have as many values: no other memory of that size is taken. Fields are
  /// computed in double precision; single precision rounds them.
  void field(const std::string& name, std::span<float> values) const;
  void field(const std::string& name, std::span<double> values) const;
  /// A field at all nodes of a level of refinement, everywhere: `level` computes them, finer ones are averaged, and
  /// what coarser ones compute is interpolated; with `own_only` NaN where other levels compute. x fastest, over the box
  /// of level_shape(). Throws Error(input) for levels that there are not.
  [[nodiscard]] std::vector<double> field_of_level(const std::string& name, int level, bool own_only) const;
  /// The shape of such an array.
  [[nodiscard]] NodeShape level_shape(const std::string& name, int level) const;
  /// Levels of refinement, the coarsest included.
  [[nodiscard]] int level_count() const;
  /// A field in the memory of the GPU that all of the flow is on: pressure, density and velocity are computed there,
  /// others on the host and then uploaded. Throws Error(input) for flows elsewhere, naming the device.
  [[nodiscard]] DeviceArray device_field(const std::string& name) const;
  /// The shape of such an array and its unit, without computing the field.
  [[nodiscard]] NodeShape field_shape(const std::string& name) const;
  /// Which nodes are fluid: 1 or 0, x fastest.
  [[nodiscard]] std::vector<std::uint8_t> fluid() const;
  /// The populations that have arrived at each node of a level of refinement, before boundary conditions act on them:
  /// their deviations f_i - w_i from those of the fluid at rest, which are what is stored. The number of the direction
  /// varies fastest, then x, y, z; NaN at nodes that the level does not store. Throws Error(input) for levels that
  /// there are not.
  [[nodiscard]] std::vector<double> populations(int level = 0) const;
  /// The shape of such an array, without a unit.
  [[nodiscard]] NodeShape populations_shape(int level = 0) const;
  /// Replaces them, rounded to the storage format; time and what boundary conditions keep stay. Numbers at nodes that
  /// are not stored mean nothing. Throws Error(input) for sizes that do not fit and numbers that are not finite.
  void set_populations(std::span<const double> deviations, int level = 0);

  /// Begins again at step 0 from a gauge pressure and three velocity components at every node, in equilibrium; x
  /// fastest, either may be empty (0). Values where there is no fluid mean nothing. Throws Error(input) for sizes that
  /// do not fit, values that are not finite, densities not above 0 and speeds beyond run.max_mach.
  void set_state(const std::vector<double>& pressure, const std::vector<double>& velocity);

  /// Goes on with another case of the same nodes, e.g. one with other boundary values: the flow stays as it is, and the
  /// rest is set up anew, which takes as long and as much memory as at the beginning. Checkpoints stay those of the
  /// case that the session began with. Throws Error(input), and nothing changes, if the case is wrong, or has other
  /// nodes, another lattice or storage format, or conditions that keep something else.
  void change_case(Case c);

  /// Points of an opening: for each node beside it, x fastest, three coordinates of the place on the plane of the
  /// opening that is nearest to the node. Throws Error(input) naming the openings for other names.
  [[nodiscard]] std::vector<double> points_of(const std::string& surface) const;

  /// Gives a boundary another value from now on. `quantity`: speed, flow_rate or pressure, whichever the case has for
  /// this boundary, or the name of a scalar: its value, flux or ambient value there. Throws Error(input) if it has
  /// another, a time series, or none.
  void set_boundary(const std::string& surface, const std::string& quantity, double value);

  /// The bodies that move, as they are now; none if the case has none.
  [[nodiscard]] std::vector<BodyReport> bodies() const;
  /// Lets a body go on with these velocities from where it is, in units of the case, radians per time; a free one goes
  /// on freely. Checkpoints keep it. Throws Error(input), naming the bodies, for other names, and for what is faster
  /// than Mach 0.3.
  void set_motion(const std::string& body, const Real3& velocity, const Real3& angular_velocity);

  /// The points that go with the flow; null if the case has no [[tracer]].
  [[nodiscard]] const Tracers* tracers() const;

  /// Writes a checkpoint with which a session, or `fluvia run --resume FILE`, goes on. Throws Error(resource).
  void save(const std::filesystem::path& file) const;
  /// Goes on from a checkpoint of the same flow. Throws Error(input) as read_checkpoint() does. Returns a sentence on
  /// what was lost if the storage format differs, else an empty text.
  std::string restore(const std::filesystem::path& file);

 private:
  /// Throws Error(input), beginning with `what`, if there is no such level.
  void require_level(const std::string& what, int level) const;
  template <class Value>
  void compute_field(const std::string& name, std::span<Value> values) const;
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace fluvia
