// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "fluvia/case/physics/initial_flows.hpp"
#include "fluvia/case/physics/opening_profiles.hpp"
#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/case/physics/registered_scalars.hpp"
#include "fluvia/case/physics/rheology.hpp"
#include "fluvia/core/scheme/registry.hpp"

/// Every name that a case file may use, in one place. The schema checks against these lists, messages and the
/// reference quote them.
namespace fluvia::names {

using List = std::vector<std::string>;

inline const List unit_systems = {"si", "lattice"};
inline const List axes = {"x", "y", "z"};
inline const List faces = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};
inline const std::string wall = "wall";  ///< surface of every solid without a name of its own

inline const List shape_kinds = {"box", "sphere", "cylinder", "cone", "capsule", "half_space", "channel"};
inline const List shape_operations = {"solid", "fluid"};
inline const List stl_fluid = {"inside", "outside", "both"};
inline const List stl_roles = {"wall", "opening"};
inline const List voxel_types = {"auto",   "uint8", "int8",    "uint16",  "int16",
                                 "uint32", "int32", "float32", "float64", "text"};
inline const List endians = {"little", "big"};
inline const List voxel_orders = {"x-fastest", "z-fastest"};
inline const List generator_kinds = {"sphere_packing", "pipe", "aneurysm", "coarctation", "network"};

/// Ways in which a free body does not move: along axes, about axes, about all of them.
inline const List fixed_motions = {"x", "y", "z", "rotation_x", "rotation_y", "rotation_z", "rotation"};

inline const List wall_methods = {"auto", "interpolated", "half-way"};
inline const List wall_accuracies = {"default", "viscosity-independent"};
inline const List wall_models = {"none", "spalding"};

inline const List boundary_types = boundary_names();
inline const List initial_flows = [] {
  List names = {"uniform"};
  for (const InitialFlow& flow : fluvia::initial_flows()) names.emplace_back(flow.name);
  return names;
}();
inline const List profiles = [] {
  List names;
  for (const OpeningProfile& profile : opening_profiles()) names.emplace_back(profile.name);
  return names;
}();
inline const List series_quantities = fluvia::series_quantities();

inline const List rheologies = rheology_names();
inline const List fluids = [] {
  List names;
  for (const NamedFluid& fluid : named_fluids()) names.emplace_back(fluid.name);
  return names;
}();

inline const List lattices = [] {
  List list = lattice_names();
  list.insert(list.begin(), "auto");
  return list;
}();
inline const List collisions = [] {
  List list = collision_names();
  list.insert(list.begin(), "auto");
  return list;
}();
inline const List equilibria = equilibrium_names();
inline const List scalar_lattices = [] {
  List list = scalar_lattice_names();
  list.insert(list.begin(), "auto");
  return list;
}();
inline const List schemes = [] {
  List names = {"auto"};
  for (const core::Scheme& scheme : core::schemes) names.emplace_back(scheme.name);
  return names;
}();
inline const List formats = format_names();
inline const List roundings = {"auto", "nearest", "stochastic"};
inline const List devices = {"auto", "cpu", "cuda"};

/// Steady-state quantities; those that end in ':' are followed by the name of a surface, `scalar:` by that of a scalar.
inline const List steady_quantities = {"kinetic_energy", "max_velocity", "permeability",
                                       "flow_rate:",     "force:",       "scalar:"};
/// Ways to split a force into what pressure and what friction contributes.
inline const List force_parts = {"exchange", "integral"};
inline const List fields = {"pressure",          "density",
                            "velocity",          "vorticity",
                            "strain_rate",       "viscosity",
                            "wall_shear_stress", "average_pressure",
                            "average_density",   "average_velocity",
                            "average_vorticity", "average_strain_rate",
                            "average_viscosity", "average_wall_shear_stress"};
/// Fields that pictures may show: those of files, and the components of vectors.
inline const List slice_fields = [] {
  List names = fields;
  for (const char* vector : {"velocity", "vorticity", "average_velocity", "average_vorticity"})
    for (const std::string& axis : axes) names.push_back(std::string(vector) + "_" + axis);
  return names;
}();
inline const List picture_formats = {"png", "svg", "pdf"};
inline const List vtk_kinds = {"auto", "image", "unstructured", "none"};

}  // namespace fluvia::names
