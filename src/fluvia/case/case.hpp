// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "fluvia/base/vector.hpp"

namespace fluvia {

/// A plain description of one simulation. TOML files, Python and tests all fill this struct; nothing else reaches the
/// solver. Quantities are in *case units*: SI if `units.system == "si"`, lattice units otherwise.
struct Case {
  std::string title = "untitled";
  std::filesystem::path directory = ".";  ///< relative paths in the case start here
  std::uint64_t hash = 0;                 ///< case_hash() of a case that was read from text; 0 if built in code
  /// The text of the case as one file: with its comments if it includes nothing and had no settings, else with includes
  /// and settings carried out. Empty if built in code.
  std::string text;
  /// "FILE:LINE:COLUMN" of every key that was given ("boundary[0].speed"); "" holds the file. Empty if built in code.
  std::map<std::string, std::string> where;

  /// "FILE:LINE:COLUMN" of a key for messages: its own, else that of the nearest table around it, else the file; "case"
  /// if built in code.
  [[nodiscard]] std::string place(const std::string& key) const;
  /// True if the case file gives `key` (false for cases built in code).
  [[nodiscard]] bool given(const std::string& key) const { return where.contains(key); }

  /// Exactly one of time_step, lattice_velocity, tau closes an SI case. In lattice units give viscosity or tau.
  struct Units {
    std::string system = "lattice";        ///< "si" or "lattice"
    std::optional<double> spacing;         ///< m per node of the coarsest level (si)
    std::optional<double> finest_spacing;  ///< or m per node of the finest level that [[refine]] asks for
    double density = 1.0;                  ///< kg/m3 (si), else 1
    std::optional<double> viscosity;       ///< kinematic viscosity; m2/s (si) or lattice
    std::optional<double>
        physical_viscosity;  ///< kinematic viscosity of the real fluid, where `viscosity` is one that the grid bears
    std::optional<double> time_step;           ///< s
    std::optional<double> lattice_velocity;    ///< lattice speed that reference_velocity maps to
    std::optional<double> tau;                 ///< relaxation time, lattice units
    std::optional<double> reference_velocity;  ///< case units; for Re, Mach and lattice_velocity
    std::optional<double> reference_length;    ///< case units; for Re
    /// Gauge pressure of the fluid whose density is that at rest; none: reference_pressure() finds it.
    std::optional<double> reference_pressure;
  } units;

  struct Domain {
    int dimension = 3;
    std::optional<Int3> nodes;    ///< box in nodes ...
    std::optional<Real3> size;    ///< ... or in case units
    std::optional<Real3> origin;  ///< corner of the box, case units; default 0, or the file's corner
    Bool3 periodic{};
    int padding = 1;  ///< nodes added around an STL, voxel or mask box that sets the domain
  } domain;

  /// One shape; lengths in case units. `operation` says what happens inside it: "solid" or "fluid"; later entries win.
  struct Shape {
    std::string name;  ///< surface name for forces and boundaries; empty = "wall"
    std::string kind;  ///< box, sphere, cylinder, cone, capsule, half_space, channel
    std::string operation = "solid";
    Real3 center{}, size{};  ///< sphere: centre; box: centre and size
    Real3 from{}, to{};      ///< cylinder, cone, capsule axis ends; channel/half_space: `from` is a point on the plane
    Real3 normal{0, 0, 1};   ///< half_space (outward from the solid), channel (wall normal)
    double radius = 0, end_radius = 0;  ///< cone: at `from`, at `to`
    double height = 0;                  ///< gap of the plane channel
  };
  struct Stl {
    std::filesystem::path file;    ///< .stl, .stl.gz (ASCII or binary), .obj, .ply, ...
    std::string part;              ///< name of the solid or group of the file that is meant; empty = all
    std::string name;              ///< surface name; empty = "wall"
    double unit = 1.0;             ///< metres per file unit (si) or lattice units per file unit
    Real3 translate{};             ///< case units, after scaling
    std::string fluid = "inside";  ///< "inside", "outside", or "both": a sheet, whose two sides are walls
    std::string role = "wall";     ///< "wall", or "opening" for patches that close the wall and carry a boundary
  };
  struct Voxels {
    std::filesystem::path file;  ///< .raw, .raw.gz, or of a format that says itself what it is (.nrrd, .mhd, .tif, ...)
    Int3 shape{};                ///< voxels along x, y, z of the image; 0: as the header of the file says
    int bits = 8;                ///< this, type, endian and order: images without a header only
    std::string type = "auto";   ///< of their numbers; auto: unsigned of that many bits, or text, by the file's name
    std::string endian = "little";
    std::string order = "x-fastest";                 ///< or "z-fastest"
    std::optional<std::vector<int>> fluid_labels;    ///< voxels with one of these labels are fluid ...
    std::optional<double> fluid_below, fluid_above;  ///< ... or by threshold
    int refine = 1;                                  ///< nodes per voxel edge
    std::optional<Int3> crop_from, crop_size;        ///< the part that is used: first voxel and voxels; none = all
    Bool3 mirror{};                                  ///< per axis: the mirror image follows, the box is twice as long
  };
  struct Mask {
    std::filesystem::path file;  ///< .png, .pgm
    bool white_is_fluid = true;
    int threshold = 128;
    int depth = 1;  ///< nodes along z (1 = 2D)
    int refine = 1;
    std::optional<Int3> crop_from,
        crop_size;   ///< part of the image to read, pixels from the lower left one; z has no meaning
    Bool3 mirror{};  ///< axes along which the mirror image is added; not z
  };
  struct Generator {
    std::string kind;  ///< sphere_packing, pipe, aneurysm, coarctation, network
    std::uint64_t seed = 1;
    double porosity = 0.5;          ///< sphere_packing
    bool centers_in_fluid = false;  ///< sphere_packing: no sphere is centred inside an earlier one
    double diameter = 0;            ///< sphere / vessel diameter, case units; network: width of the narrow channels
    double length = 0;              ///< vessel length, case units
    double bend_radius = 0;         ///< aneurysm, coarctation: radius of the vessel's bend
    double sac_diameter = 0;        ///< aneurysm
    double severity = 0.5;          ///< coarctation: fraction of the diameter closed at the throat
    int generations = 5;            ///< network: how often vessels branch; 2^generations channels are in the middle
  };
  struct GeometryInput {
    std::vector<Shape> shapes;
    std::vector<Stl> stl;
    std::optional<Voxels> voxels;
    std::optional<Mask> mask;
    std::optional<Generator> generator;
    bool keep_isolated = false;           ///< keep fluid components that touch no opening
    bool allow_defects = false;           ///< run although the STL has holes that no opening names
    std::optional<int> percolating_axis;  ///< keep only fluid that runs on without end along this periodic axis
  } geometry;

  /// Where an opening that is not a box face, shape or STL patch lies: nearest detected hole or a disc.
  struct OpeningInput {
    std::string name;
    std::optional<Real3> center;   ///< case units; nearest hole of the STL, or the disc's centre with radius
    std::optional<Real3> normal;   ///< disc: direction out of the fluid
    std::optional<double> radius;  ///< disc: case units
  };
  std::vector<OpeningInput> openings;

  /// A region that is computed on a finer level: its nodes are 1 / 2^level of units.spacing apart and take 2^level
  /// steps in one of the coarsest. Tiles that it touches belong to it (geometry/levels/level_map.hpp).
  struct Refine {
    int level = 1;
    std::optional<std::array<Real3, 2>> box;  ///< lower, upper corner, case units
    std::string around;                       ///< or what lies near a surface of this name ...
    double distance = 0;                      ///< ... at most so far away, case units
    std::optional<Shape> shape;               ///< or the inside of a shape, which changes no wall
    std::filesystem::path surface;            ///< or that of the closed surface in a file ...
    double unit = 1;                          ///< ... with so many metres (si) or lattice units per file unit
    /// Or passages that are narrower than so many nodes: each gets as many as it needs, at most those of `level`.
    std::optional<double> gap;
  };
  std::vector<Refine> refine;

  /// Number of the finest level that [[refine]] asks for; 0: there is none.
  [[nodiscard]] int finest_level() const;
  /// Metres per node of the coarsest level, whichever spacing is given; none: neither is.
  [[nodiscard]] std::optional<double> spacing() const;
  /// The key that holds the spacing, and what it has to be for this one of the coarsest level.
  [[nodiscard]] std::pair<std::string, double> spacing_setting(double coarsest) const;

  /// How walls are found: the method for curved ones and what it is tuned for.
  struct Walls {
    std::string method = "auto";       ///< auto, interpolated, half-way
    std::string accuracy = "default";  ///< default, viscosity-independent
    bool smooth = false;               ///< voxels and masks: a smooth surface through the staircase
    std::string model = "none";        ///< of the friction: none, or spalding on all walls at rest (add_wall_models())
    double sand_grain = 0;             ///< of these, roughness; case units
  } walls;

  /// A number that is prescribed: one for all times, or one that changes.
  struct Prescribed {
    double number = 0;
    std::string formula;           ///< of the time t instead (initial/formula.hpp); empty: none
    std::filesystem::path series;  ///< or CSV time,value; empty: none
    bool periodic = false;         ///< the series repeats; else its last value stays

    [[nodiscard]] bool changes() const { return !formula.empty() || !series.empty(); }
  };

  struct Boundary {
    std::string surface;          ///< x_min .. z_max, shape/STL/opening name, or "wall"
    std::string type;             ///< a registered condition: wall, moving_wall, velocity, pressure, ...
    bool by_default = false;      ///< follows from `walls.model`, so the surface need not touch the fluid
    Real3 velocity{};             ///< velocity of a moving wall, or of an opening without a normal speed; case units
    std::optional<double> speed;  ///< mean normal speed into the fluid, case units
    std::optional<double> flow_rate;  ///< volume per time into the fluid, case units
    std::string profile = "uniform";  ///< one of opening_profiles()
    std::string ground;  ///< profiles above a ground: the face of the box that it is; empty: as ground_of() finds it
    std::filesystem::path profile_file;  ///< profile `table`: CSV x,y,z,speed (2D: x,y,speed), case units
    double sponge = 0;                   ///< depth of the layer before an opening that damps; case units
    std::filesystem::path series;  ///< CSV time,value: the value is the speed, flow rate or pressure itself, no factor
    std::string series_quantity;   ///< speed, flow_rate or pressure
    double series_scale = 1.0;
    bool series_periodic = true;
    std::optional<double>
        series_period;  ///< time after which the series repeats, case units; none: it keeps its last value
    double ramp = 0;    ///< time over which what is prescribed rises from 0; case units
    /// Random eddies in what a velocity opening lets in (solver/profiles/random_field.hpp).
    struct Turbulence {
      double intensity = 0;  ///< root mean square of a component over the mean speed
      double length = 0;     ///< integral length, case units
      std::uint64_t seed = 1;
    };
    std::optional<Turbulence> turbulence;
    std::optional<Real3> rotation_center, angular_velocity;  ///< moving_wall that spins
    std::map<std::string, double> values;  ///< keys that the boundary condition or the profile has of its own
                                           ///< (core::ConditionFacts::keys, OpeningProfile::keys), case units
    /// What the surface does to a scalar; exactly one of value, flux, exchange and adiabatic.
    struct ScalarCondition {
      std::optional<Prescribed> value;    ///< that the scalar has there, unit of the scalar
      std::optional<Prescribed> flux;     ///< into the fluid per area, unit of the scalar x velocity
      std::optional<double> exchange;     ///< coefficient h of a flux h (ambient - T), velocity
      std::optional<Prescribed> ambient;  ///< value outside, beside `exchange`
      std::optional<bool> adiabatic;      ///< nothing passes, which is what walls do by default
    };
    std::map<std::string, ScalarCondition> scalars;  ///< by the name of the scalar
  };
  std::vector<Boundary> boundaries;

  /// What the flow carries along and spreads by itself: a temperature, a species, an age.
  struct Scalar {
    std::string name;
    std::string unit = "1";                  ///< what fields, tables and pictures call its unit
    std::optional<double> diffusivity;       ///< case units; or ...
    std::optional<double> prandtl;           ///< ... viscosity / diffusivity
    double initial = 0;                      ///< everywhere at the start, unit of the scalar
    std::string initial_formula;             ///< added to that (initial/formula.hpp)
    std::filesystem::path initial_file;      ///< added as well: values of a file
    std::optional<double> reference;         ///< value without buoyancy, from which numbers are stored; none: `initial`
    double expansion = 0;                    ///< buoyancy per mass -expansion (T - reference) gravity; 0: passive
    std::string source;                      ///< formula of place and time, unit of the scalar per time; "age": 1
    std::string lattice = "auto";            ///< one of scalar_lattice_names()
    double magic = 0.25;                     ///< magic parameter
    std::optional<double> reference_length;  ///< of Nusselt and Sherwood numbers, case units
    std::optional<double> reference_difference;  ///< of these as well, unit of the scalar

    /// The value from which numbers are stored, and without buoyancy.
    [[nodiscard]] double reference_value() const { return reference.value_or(initial); }
  };
  std::vector<Scalar> scalars;

  /// What a body is made of through which a scalar spreads; to the flow it is a wall. Its nodes are those in the shapes
  /// with the name of its surface, or behind the cut links of that surface (solver/scalars/scalar_solids.hpp).
  struct Solid {
    std::string surface;
    std::string scalar;         ///< name of the scalar; empty: the only one
    double diffusivity = 0;     ///< case units
    double capacity_ratio = 1;  ///< heat capacity of a volume, over that of the fluid
    std::string source;         ///< in the solid, formula of place and time, unit of the scalar per time
  };
  std::vector<Solid> solids;

  /// A rigid body that moves through the fluid: the shapes with the name of its surface, which give its place at rest.
  /// It goes as it is told (solver/bodies/rigid_motion.hpp), or is free (solver/bodies/free_motion.hpp).
  struct Body {
    std::string surface;
    struct Motion {
      std::optional<Real3> center;           ///< point about which it turns, and that velocities are of; case units
      Real3 velocity{}, angular_velocity{};  ///< constant; case units
      std::vector<std::string> displacement_formula;  ///< components of what is added to its place, of the time t
      std::filesystem::path series;  ///< instead of all that: its course (solver/bodies/motion_table.hpp)
      bool series_periodic = false;
    } motion;
    /// What moves it otherwise: the fluid, its weight, springs. Case units; in 2D all that counts is that of a unit of
    /// depth.
    struct Free {
      std::optional<double> mass, density;   ///< one of these
      std::optional<Real3> inertia;          ///< moments about axes through the center; default: those of its surface
      std::optional<Real3> center;           ///< of mass; default: that of its surface
      std::optional<Real3> hinge;            ///< a point of it that stays where it is
      bool gravity = true;                   ///< whether physics.gravity draws it, less its buoyancy
      std::vector<std::string> fixed;        ///< names of motions that it has not
      Real3 velocity{}, angular_velocity{};  ///< with which it begins
      /// Springs and dampers along the axes of the box, and about them.
      Real3 stiffness{}, damping{}, turn_stiffness{}, turn_damping{};
      std::optional<Real3> anchor;  ///< where its center feels no spring; default: where it begins
    };
    std::optional<Free> free;
  };
  std::vector<Body> bodies;

  /// Points that go with the flow (solver/tracers).
  struct Tracer {
    std::string name;
    std::string from;                         ///< opening through whose area they come in, as the flow does ...
    std::optional<std::array<Real3, 2>> box;  ///< or where they appear: lower, upper corner, case units ...
    struct Sphere {
      Real3 center{};
      double radius = 0;
    };
    std::optional<Sphere> sphere;       ///< or in a sphere (2D: a circle), case units
    std::optional<double> rate;         ///< points per time, from `start` to `end`; case units
    std::optional<std::int64_t> count;  ///< or so many at once, at `start`
    double start = 0;                   ///< case units
    std::optional<double> end;
    int every = 4;                   ///< steps of the flow between two moves
    double diffusivity = 0;          ///< of their random walk, case units
    std::vector<std::string> stick;  ///< surfaces to which they stick
    double radius = 0;               ///< distance at which they touch a surface, case units
  };
  std::vector<Tracer> tracers;

  /// Whether the surface of this name is that of a body that moves, and so not solid at a fixed place.
  [[nodiscard]] bool moves(const std::string& surface) const {
    return !surface.empty() &&
           std::any_of(bodies.begin(), bodies.end(), [&](const Body& body) { return body.surface == surface; });
  }

  struct Physics {
    Real3 acceleration{};  ///< body force per mass, case units
    Real3 gravity{};       ///< what drives buoyancy (Scalar::expansion), case units
    /// Body force per mass that differs from node to node and is added to that: formulas of the position
    /// (initial/formula.hpp), values of a file (initial/acceleration_field.hpp); case units.
    std::vector<std::string> acceleration_formula;
    std::filesystem::path acceleration_file;
    double smagorinsky = 0.0;                ///< constant Cs; 0 = off
    Real3 initial_velocity{};                ///< case units
    std::string initial_flow = "uniform";    ///< or a name of initial_flows(), on top of initial_velocity
    double initial_speed = 0;                ///< speed U of initial_flow, case units
    std::optional<double> initial_pressure;  ///< gauge; none: see case/reference_pressure.hpp
    /// Velocity and pressure that are added to the initial ones, in case units: formulas of the position
    /// (initial/formula.hpp), values of files, or the last fields in the folder of a run.
    std::vector<std::string> initial_velocity_formula;
    std::string initial_pressure_formula;
    std::filesystem::path initial_velocity_file, initial_pressure_file;
    /// A fluid whose viscosity follows from the shear rate (case/physics/rheology.hpp); dynamic viscosities, case
    /// units.
    struct Rheology {
      std::optional<std::string> model;      ///< a registered model of a fluid; none: the model of `fluid`
      std::optional<std::string> fluid;      ///< one of named_fluids()
      std::map<std::string, double> values;  ///< keys that the model has of its own (core::ViscosityFacts::keys)
      std::optional<double> least_viscosity, most_viscosity;  ///< limits of the dynamic viscosity, case units
    };
    std::optional<Rheology> rheology;

    /// Whether a body force may differ from node to node.
    [[nodiscard]] bool has_acceleration_field() const {
      return !acceleration_formula.empty() || !acceleration_file.empty();
    }
    /// Whether a body force acts, at all nodes or at some.
    [[nodiscard]] bool has_acceleration() const { return norm(acceleration) != 0 || has_acceleration_field(); }
  } physics;

  struct Numerics {
    std::string lattice = "auto";                    ///< or D2Q9, D3Q13, D3Q15, D3Q19, D3Q27
    std::string collision = "auto";                  ///< or bgk, trt, mrt, regularized, ...
    std::string equilibrium = "quasi-compressible";  ///< or incompressible, improved
    double magic = 3.0 / 16.0;                       ///< magic parameter Lambda of TRT
    std::map<std::string, double> mrt_rates;         ///< free relaxation rates of MRT by name
    /// No key: one level of a flow that has others, beside which collisions may relax nothing slowly
    /// (docs/decisions/0051-levels-exchange-populations-that-cross.md).
    bool is_level = false;
    std::string scheme = "auto";  ///< pull, aa, esoteric-pull, compact-pull, compact-aa, ...
    int tile = 0;                 ///< nodes along an edge of a tile, for schemes that have tiles; 0 = the scheme's own
    /// Time steps of a pass over memory, for schemes that have a choice; 0 = the measured best.
    int steps_per_pass = 0;
    bool trial = true;              ///< whether long runs first try the schemes that the model finds promising
    std::string format = "fp32";    ///< one of registered_formats()
    std::string rounding = "auto";  ///< nearest, stochastic; auto: stochastic
    std::string device = "auto";    ///< cpu, cuda, auto
    int threads = 0;                ///< threads of a run on CPUs; 0 = all
    int gpu_threads = 0;            ///< threads of a block; 0 = default
    int gpu_rows = 0;               ///< rows of nodes that a block of threads is high; 0 = default
    int gpu_blocks = 0;             ///< blocks of threads that shall fit on a multiprocessor; 0 = measured default
    double memory_limit = 0;        ///< MiB of its device that a run may take; 0 = all that is free
  } numerics;

  struct Run {
    std::optional<std::int64_t> steps;
    std::optional<double> time;  ///< case units
    struct Steady {
      /// One of kinetic_energy, max_velocity, flow_rate:NAME, force:NAME, permeability.
      std::string quantity = "kinetic_energy";
      double tolerance = 1e-6;     ///< relative change of the quantity over the window
      std::int64_t window = 1000;  ///< steps
    };
    std::optional<Steady> steady;
    std::int64_t check_every = 100;  ///< steps between NaN/Mach checks
    double max_mach = 0.6;           ///< largest Mach number that the guard allows
  } run;

  /// A straight line through the flow.
  struct Line {
    std::string name;
    Real3 from{}, to{};  ///< case units
    int points = 0;      ///< number of points; 0: about one a node
  };
  /// A plane through the flow, or a part of one.
  struct Plane {
    std::string name;
    Real3 center{}, normal{};  ///< centre in case units; normal of any length
    double radius = 0;  ///< how far the part of the plane reaches from the centre, case units; 0: as far as the flow
    bool connected = true;  ///< whether only what hangs together with the centre counts: one vessel of several
  };

  struct Monitors {
    std::int64_t every = 100;              ///< steps between rows
    std::vector<std::string> forces;       ///< names of surfaces
    std::vector<std::string> force_parts;  ///< exchange, integral: pressure and viscous part of each force
    std::optional<double> reference_area;  ///< area that makes forces coefficients: m2 (2D: m), case units
    std::optional<Real3> drag_axis;        ///< direction of drag: record C_d
    std::optional<Real3> lift_axis;        ///< direction of lift: record C_l
    std::optional<Real3> torque_center;
    bool openings = true;                  ///< flow rate and mean pressure of each opening
    std::optional<int> permeability_axis;  ///< 0, 1, 2
    struct Probe {
      std::string name;
      Real3 position{};
    };
    std::vector<Probe> probes;
    std::vector<Plane> planes;  ///< planes through which the flow rate is recorded
    /// A value known from elsewhere; the summary compares the last value of the column with it.
    struct Expectation {
      std::string column;  ///< name of a column of the CSV file, without its unit
      double value = 0;    ///< in the column's unit
      std::string source;
    };
    std::vector<Expectation> expectations;
    std::optional<std::int64_t> average_from;  ///< step from which time averages are taken
  } monitors;

  struct Output {
    std::filesystem::path directory;  ///< default: out/ and the name of the case
    std::int64_t every = 0;           ///< steps between field files; 0 = only at the end
    /// Also density, vorticity, strain_rate, viscosity, wall_shear_stress, and average_ + name.
    std::vector<std::string> fields = {"pressure", "velocity"};
    /// Form of field files: the whole box (image), cells of fluid alone (unstructured), whichever of them suits the
    /// case (auto), or none.
    std::string vtk = "auto";
    bool wall = false;  ///< the walls as triangles with what acts on them
    int stride = 1;
    std::optional<std::array<Real3, 2>> region;  ///< lower, upper corner, case units
    int compression = 4;                         ///< 0..9
    struct Slice {
      std::string field = "velocity";
      int axis = 2;
      std::optional<double> position;
      int arrows = 0, streamlines = 0;             ///< how many along the picture's longer side; 0 = none
      std::optional<std::array<double, 2>> range;  ///< ends of the colour bar; none: from the values
      std::vector<std::string> formats = {"png"};  ///< png, svg, pdf

      /// The field without a component that its name ends in: velocity of velocity_x.
      [[nodiscard]] std::string quantity() const;
      /// The component that the field's name ends in: 0, 1, 2 for x, y, z.
      [[nodiscard]] std::optional<int> component() const;
      [[nodiscard]] bool shows_flow() const { return arrows > 0 || streamlines > 0; }
      /// The velocity that arrows and streamlines show: the average one in pictures of averages.
      [[nodiscard]] std::string flow_field() const;
    };
    std::vector<Slice> slices;
    std::vector<Line> lines;    ///< lines along which tables of the fields are written
    std::vector<Plane> planes;  ///< planes over which tables of the fields are written

    /// Names, without `average_` and each once, of the fields of which time averages are written or drawn.
    [[nodiscard]] std::vector<std::string> averaged_fields() const;
    /// This output without time averages, as it is written while nothing was averaged yet.
    [[nodiscard]] Output without_averages() const;
  } output;

  struct Checkpoint {
    std::int64_t every = 0;  ///< steps between checkpoints; 0 = only on interruption and at the end
    bool at_end = true;
  } checkpoint;
};

/// Reads, checks and returns a case file. Throws Error(input) with file, line, column, the value and the nearest valid
/// name. `include = "other.toml"` is merged first; cycles are refused.
/// `settings` are texts "key=value" (`--set` on the command line) that replace values of the file.
Case read_case(const std::filesystem::path& file, const std::vector<std::string>& settings = {});
/// Parses a case from text; `origin` is used in messages.
Case parse_case(const std::string& text, const std::filesystem::path& origin,
                const std::vector<std::string>& settings = {});
/// Checks that do not need files: ranges, contradictions, names. Throws Error(input).
void validate(const Case& c);
/// Refuses a monitor.average_from after which no row of the monitors is due up to `last_step`. Throws Error(input).
void check_averages(const Case& c, std::int64_t last_step);
/// Checks every surface name of boundaries, forces and steady-state quantities against those that the geometry turned
/// out to have. Throws Error(input) with the nearest valid name.
void check_names(const Case& c, const std::vector<std::string>& surfaces);
/// Hash (FNV-1a) of everything that decides the flow itself: without title, [run], [monitor], [output], [checkpoint]
/// and how numerics says to compute it (threads, scheme, device, ...), so that a run can be resumed with other ones.
/// Stable across machines.
std::uint64_t case_hash(const Case& c);

}  // namespace fluvia
