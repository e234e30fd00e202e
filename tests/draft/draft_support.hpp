// SPDX-License-Identifier: Apache-2.0
// Requests for drafts, and what they make.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "fluvia/case/templates.hpp"
#include "fluvia/draft/draft.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/units/units.hpp"
#include "geometry/test_support.hpp"
#include "support/errors.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {

inline const std::filesystem::path data = std::filesystem::path(FLUVIA_SOURCE_DIR) / "cases" / "data";

inline DraftRequest request_for(const std::filesystem::path& file) {
  DraftRequest request;
  request.files = {file};
  request.folder = std::filesystem::temp_directory_path();
  return request;
}

inline DraftRequest bend() {
  DraftRequest request = request_for(data / "bend.stl");
  request.unit = 1e-3;
  return request;
}

/// The case of a draft, and that case's numbers.
struct Made {
  Draft draft;
  Case c;
  Units units;
};

inline Made make(const DraftRequest& request) {
  Made made{make_draft(request), {}, {}};
  made.c = parse_case(made.draft.text, request.folder / (made.draft.name + ".toml"));
  validate(made.c);
  made.units = make_units(made.c, make_grid(made.c).spacing);
  return made;
}

inline const Case::Boundary& boundary_at(const Case& c, const std::string& surface) {
  for (const Case::Boundary& b : c.boundaries)
    if (b.surface == surface) return b;
  ADD_FAILURE() << surface;
  return c.boundaries.front();
}

/// Expects that a request for one body is refused once it asks for two and
/// once the surface of the body is open.
inline void expect_one_closed_body(const DraftRequest& request, const TemporaryFolder& folder,
                                   const std::string& part) {
  DraftRequest two = request, open = request;
  two.files.push_back(folder.write("other.stl", binary_stl(box_soup({60, 20, 30}, {70, 40, 40}))));
  EXPECT_CONTAINS(error_of(ExitCode::usage, [&] { make_draft(two); }), part + ", and there are 2");
  geometry::TriangleSoup soup = box_soup({10, 20, 30}, {50, 40, 40});
  soup.pop_back();
  open.files = {folder.write("open.stl", binary_stl(soup))};
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { make_draft(open); }), "the body has 1 holes");
}

/// The message of the Error(usage) that a request causes.
inline std::string refusal(const DraftRequest& request) {
  try {
    make_draft(request);
    ADD_FAILURE() << "was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage) << error.what();
    return error.what();
  }
  return "";
}

inline void expect_parts(const std::string& message, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    EXPECT_NE(message.find(part), std::string::npos) << "\"" << part << "\" is missing in: " << message;
}

}  // namespace fluvia::test
