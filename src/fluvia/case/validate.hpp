// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "fluvia/case/case.hpp"

/// The parts of validate(): contradictions between keys. Each throws Error(input).
namespace fluvia::validation {

[[noreturn]] void fail(const Case& c, const std::string& key, const std::string& problem);
/// Refuses keys of the table `path` that were given but mean nothing for its kind, e.g. the radius of a box.
void refuse_unused(const Case& c, const std::string& path, const std::vector<std::string>& unused,
                   const std::string& why);
/// Throws unless `name` can be used in file names and table headings.
void check_name(const Case& c, const std::string& key, const std::string& name);
/// Refuses a z component in 2D.
void check_flat(const Case& c, const std::string& key, const Real3& vector);
bool is_face(const std::string& name);

void check_units(const Case& c);
void check_domain(const Case& c);
void check_geometry(const Case& c);
/// Checks the keys of a table that say where a shape is.
void check_form(const Case& c, const Case::Shape& shape, const std::string& path);
void check_openings(const Case& c);
void check_walls(const Case& c);
void check_boundaries(const Case& c);
void check_rheology(const Case& c);
void check_refine(const Case& c);
/// What the case says of scalars, and the names of fields that files and pictures ask for.
void check_scalars(const Case& c);
void check_bodies(const Case& c);
void check_tracers(const Case& c);

}  // namespace fluvia::validation
