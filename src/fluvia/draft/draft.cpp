// SPDX-License-Identifier: Apache-2.0
#include "fluvia/draft/draft.hpp"

#include "fluvia/base/error.hpp"
#include "fluvia/base/quantity.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/case/case.hpp"
#include "fluvia/draft/image.hpp"
#include "fluvia/draft/tunnel/tunnel.hpp"
#include "fluvia/draft/vessel.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/geometry/image/files/image_file.hpp"
#include "fluvia/geometry/input_file.hpp"
#include "fluvia/geometry/mesh/surface_file.hpp"
#include "fluvia/units/units.hpp"

namespace fluvia {

namespace {

enum class Kind { vessel, tunnel, voxels, mask };

Kind kind_of(const DraftRequest& request) {
  const std::string file = request.files.front().string(), extension = geometry::extension_of(request.files.front());
  if (geometry::is_surface_file(request.files.front())) return request.wind ? Kind::tunnel : Kind::vessel;
  if (geometry::is_voxel_image(request.files.front())) return Kind::voxels;
  if (geometry::is_mask(request.files.front())) return Kind::mask;
  const std::string known =
      geometry::surface_extensions() + ", " + geometry::image_extensions() + ", " + geometry::mask_extensions();
  if (extension == ".toml")
    throw Error(ExitCode::usage, "--from: '" + file + "' is a case already; `fluvia plan` looks at it");
  throw Error(ExitCode::usage, "--from: '" + file + "' is none of the shapes that Fluvia reads: " + known);
}

/// Refuses an option that the kind of flow has no use for, so that nothing is silently left out.
void refuse(bool given, const std::string& option, const std::string& meaning) {
  if (given) throw Error(ExitCode::usage, option + ": is for " + meaning + ", which --from does not name here");
}

void check_request(const DraftRequest& r, Kind kind) {
  const bool vessel = kind == Kind::vessel, tunnel = kind == Kind::tunnel, stl = vessel || tunnel;
  const bool raw = kind == Kind::voxels, image = raw || kind == Kind::mask;
  refuse(r.flow_rate && !vessel, "--flow", "a vessel (a surface without --wind)");
  refuse(r.speed && !vessel, "--speed", "a vessel (a surface without --wind)");
  refuse(!r.waveform.empty() && !vessel, "--waveform", "a vessel (a surface without --wind)");
  refuse(r.windkessel && !vessel, "--windkessel", "a vessel (a surface without --wind)");
  refuse(r.age && !vessel, "--age", "a vessel (a surface without --wind)");
  const auto needs_waveform = [&](bool given, const char* option) {
    if (given && r.waveform.empty())
      throw Error(ExitCode::usage, std::string(option) + ": is for a flow that beats; give --waveform, too");
  };
  needs_waveform(r.windkessel, "--windkessel");
  needs_waveform(!r.unit_of_flow.empty(), "--unit-of-flow");
  needs_waveform(r.cycles.has_value(), "--cycles");
  refuse(r.wind && !tunnel, "--wind", "a body from a surface");
  refuse(!r.inlet.empty() && !vessel, "--inlet", "a vessel (a surface without --wind)");
  refuse((r.ends || !r.end_points.empty()) && !vessel, "--ends and --end", "a vessel (a surface without --wind)");
  if (r.ends && !r.end_points.empty()) throw Error(ExitCode::usage, "--end: contradicts --ends; give one of them");
  if ((r.ends || !r.end_points.empty()) && r.files.size() > 1)
    throw Error(ExitCode::usage, "--ends and --end: the patches beside the wall are its openings already");
  refuse(r.unit && !stl, "--unit", "a surface");
  refuse(r.spacing && !stl, "--spacing", "a surface");
  refuse(r.nodes_across && !stl, "--nodes-across", "a surface");
  refuse((r.direction != "x" || r.ground != "none" || r.roughness) && !tunnel, "--direction, --ground and --roughness",
         "a body with --wind");
  refuse(r.heat && !tunnel, "--heat", "a body with --wind");
  refuse(r.spin && !tunnel, "--spin", "a body with --wind");
  refuse(r.levels > 0 && !stl, "--levels", "a surface");
  refuse(!r.up.empty() && !tunnel, "--up", "a body with --wind");
  refuse(r.voxel && !image, "--voxel", "an image of voxels or mask");
  refuse(!r.axis.empty() && !image, "--axis", "an image of voxels or mask");
  refuse(!r.voxels.shape.empty() && !raw, "--shape", "an image of voxels");
  refuse(!r.voxels.labels.empty() && !raw, "--labels", "an image of voxels");
  refuse((r.voxels.below || r.voxels.above) && !raw, "--below and --above", "an image of voxels");
  refuse(r.dark && kind != Kind::mask, "--dark", "a mask");
  if (r.flow_rate && r.speed) throw Error(ExitCode::usage, "--speed: contradicts --flow; give one of them");
  if (r.spacing && r.nodes_across)
    throw Error(ExitCode::usage, "--nodes-across: contradicts --spacing; give one of them");
  if (r.files.size() > 1 && !stl)
    throw Error(ExitCode::usage,
                "--from: several files are surfaces, the wall of a vessel and its patches or, with --wind, bodies");
  for (const auto& file : r.files)
    if (r.files.size() > 1 && !geometry::is_surface_file(file))
      throw Error(ExitCode::usage,
                  "--from: '" + file.string() +
                      "' is no surface; several files are a wall and its patches or, with --wind, bodies");
}

/// Throws unless the draft can be read as a case: if not, it is a bug, or a file name that TOML cannot hold.
void check_draft(const Draft& draft, const std::filesystem::path& folder) {
  Case c = parse_case(draft.text, folder / (draft.name + ".toml"));
  validate(c);
  make_units(c, c.spacing().value_or(1));
}

}  // namespace

std::vector<std::string> draft_grounds() {
  return draft::tunnel_grounds();
}

Draft make_draft(const DraftRequest& asked) {
  if (asked.files.empty()) throw Error(ExitCode::usage, "--from: no file");
  DraftRequest request = asked;
  const Kind kind = kind_of(request);
  if (const auto* surface = geometry::surface_format(request.files.front());
      surface != nullptr && *surface->unit != '\0' && !request.unit)
    request.unit = parse_length_unit(surface->unit, "--unit");
  check_request(request, kind);
  const Draft draft = kind == Kind::vessel   ? draft::draft_vessel(request)
                      : kind == Kind::tunnel ? draft::draft_tunnel(request)
                      : kind == Kind::voxels ? draft::draft_voxels(request)
                                             : draft::draft_mask(request);
  check_draft(draft, request.folder);
  return draft;
}

}  // namespace fluvia
