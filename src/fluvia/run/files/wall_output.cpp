// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/files/wall_output.hpp"

#include "fluvia/backend/levels.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/output/vtk/vtp.hpp"
#include "fluvia/solver/links/surface_roles.hpp"

namespace fluvia {
namespace {

const std::string wall_count_key = "wall_average_count", wall_sums_key = "wall_averages";

/// Adds one value to the array for all triangles of a patch.
void add(TriangleSurface::Array& array, const WallMesh::Patch& patch, const double* values) {
  for (int triangle = 0; triangle < (patch.is_triangle() ? 1 : 2); ++triangle) {
    for (int a = 0; a < array.components; ++a) array.values.push_back(static_cast<float>(values[a]));
  }
}

/// What a patch of a body takes at a time: at rest, and where it is with its fit to the flow.
std::uint64_t bytes_of_patch_of_body(bool averages) {
  constexpr std::uint64_t nodes_of_fit = 80, sums = 5;
  return 3 * sizeof(WallMesh::Patch) + sizeof(WallLoad) + nodes_of_fit * 2 * sizeof(double) +
         (averages ? sums * sizeof(double) : 0);
}

/// The mesh of the walls beside nodes of a map; without one, of all.
WallMesh mesh_beside(const Geometry& geometry, const NodeMap* own) {
  WallMesh mesh = make_wall_mesh(geometry);
  if (own != nullptr)
    std::erase_if(mesh.patches, [&](const WallMesh::Patch& patch) { return !own->is_fluid(patch.node); });
  return mesh;
}

}  // namespace

WallOutput::Part::Part(const Geometry& geometry, double of_grid, const NodeMap* own, std::optional<FlowView> of_level)
    : view(std::move(of_level)), spacing(of_grid), mesh(mesh_beside(geometry, own)), stress(geometry, mesh) {}

WallOutput::WallOutput(const OutputContext& output, const Case& c) : units_(output.units), grid_(output.grid) {
  const auto levels = output.state.levels();
  if (levels.empty()) parts_.emplace_back(output.state.geometry(), output.grid.spacing, nullptr, std::nullopt);
  for (std::size_t l = 0; l < levels.size(); ++l) {
    FlowView view = FlowView::of_level(output.state, static_cast<int>(l));
    const Geometry& geometry = view.state().geometry();
    parts_.emplace_back(geometry, levels[l].grid.spacing, &levels[l].state->geometry().nodes, std::move(view));
  }
  for (std::size_t k = 0; k < c.bodies.size(); ++k) {
    const std::string& surface = c.bodies[k].surface;
    const int number = find_surface(output.state.geometry(), surface);
    const Grid& grid = levels.empty() ? output.grid : levels.back().grid;
    bodies_.push_back({static_cast<int>(k), make_body_mesh(c, grid, surface, number)});
  }
  if (levels.empty() && LawStress::is_needed(c))
    law_.emplace(Problem{c, units_, output.state.geometry()}, output.state.plan(), parts_.front().mesh);
  for (const Part& part : parts_) patches_ += part.mesh.patches.size();
  for (const BodyPart& part : bodies_) patches_ += part.mesh.patches.size();
}

WallOutput::Walls WallOutput::evaluate(const FlowState& state) const {
  Walls all;
  for (const Part& part : parts_) {
    const std::vector<WallLoad> loads = part.stress.evaluate(part.view ? part.view->state() : state);
    all.loads.insert(all.loads.end(), loads.begin(), loads.end());
  }
  if (law_) law_->replace(state, all.loads);
  for (const BodyPart& part : bodies_) {
    const FlowState& around = parts_.back().view ? parts_.back().view->state() : state;  // on the finest level
    const MovingBodies& bodies = *around.bodies();
    std::vector<bool> has_fluid;
    WallMesh& placed =
        all.of_bodies.emplace_back(place_body_mesh(part.mesh, around.geometry(), bodies, part.body, has_fluid));
    WallMesh beside;  // fluid
    for (std::size_t k = 0; k < has_fluid.size(); ++k)
      if (has_fluid[k]) beside.patches.push_back(placed.patches[k]);
    const std::vector<WallLoad> loads =
        WallStress(around.geometry(), beside, WallFit(around.geometry(), bodies)).evaluate(around);
    auto next = loads.begin();
    for (const bool has : has_fluid) all.loads.push_back(has ? *next++ : WallLoad{});
    all.seen_from.insert(all.seen_from.end(), has_fluid.size(), &bodies.pose(part.body));
  }
  return all;
}

WallOutput::Size WallOutput::planned(const Geometry& geometry, bool averages) {
  WallMesh mesh = make_wall_mesh(geometry);
  std::erase_if(mesh.patches, [&](const WallMesh::Patch& patch) { return patch.surface == geometry.level_surface; });
  Size size;
  size.patches = mesh.patches.size();
  for (const WallMesh::Patch& patch : mesh.patches) size.triangles += patch.is_triangle() ? 1 : 2;
  const std::uint64_t of_patch =
      sizeof(WallMesh::Patch) + sizeof(WallLoad) + (averages ? sums_of_patch * sizeof(double) : 0);
  size.bytes =
      WallStress::planned_bytes(geometry, mesh) + mesh.points.size() * sizeof(Real3) + mesh.patches.size() * of_patch;
  return size;
}

WallOutput::Size WallOutput::planned(const Problem& problem) {
  const bool averages = problem.settings.monitors.average_from.has_value();
  Size all;
  const auto add_level = [&](const Problem& level) {
    const Size size = planned(level.geometry, averages);
    all.patches += size.patches;
    all.triangles += size.triangles;
    all.bytes += size.bytes;
    if (LawStress::is_needed(level.settings)) all.bytes += LawStress::planned_bytes(level, size.patches);
    for (const Case::Body& body : level.settings.bodies) {
      const WallMesh mesh = make_body_mesh(level.settings, level.grid(), body.surface, 0);
      all.patches += mesh.patches.size();
      for (const WallMesh::Patch& patch : mesh.patches) all.triangles += patch.is_triangle() ? 1 : 2;
      all.bytes += mesh.points.size() * 2 * sizeof(Real3) + mesh.patches.size() * bytes_of_patch_of_body(averages);
    }
  };
  if (!has_levels(problem.settings)) {
    add_level(problem);
    return all;
  }
  for (const LevelProblem& level : divide_into_levels(problem, "cpu").levels) add_level(level.problem());
  return all;
}

void WallOutput::sample(const FlowState& state) {
  const Walls walls = evaluate(state);
  const std::vector<WallLoad>& loads = walls.loads;
  const std::size_t at_rest = loads.size() - walls.seen_from.size();
  sums_.resize(sums_of_patch * loads.size(), 0.0);
  for (std::size_t k = 0; k < loads.size(); ++k) {
    double* const sum = &sums_[sums_of_patch * k];
    const Real3& shear = loads[k].shear;
    for (std::size_t a = 0; a < 3; ++a)
      sum[a] += k < at_rest ? shear[a] : dot(shear, walls.seen_from[k - at_rest]->axes[a]);
    sum[3] += norm(shear);
    sum[4] += loads[k].pressure;
  }
  ++count_;
}

void WallOutput::write(const FlowState& state, const std::filesystem::path& path) const {
  const Walls walls = evaluate(state);
  const std::vector<WallLoad>& loads = walls.loads;
  TriangleSurface surface;
  std::vector<const WallMesh::Patch*> patches;
  const auto append = [&](const WallMesh& mesh, double spacing) {
    const auto first = static_cast<std::uint32_t>(surface.points.size());
    for (const Real3& p : mesh.points) surface.points.push_back(grid_.origin + spacing * p);
    for (const WallMesh::Patch& patch : mesh.patches) {
      const auto& [a, b, c, d] = patch.rim;
      surface.triangles.push_back({first + a, first + b, first + c});
      if (!patch.is_triangle()) surface.triangles.push_back({first + a, first + c, first + d});
      patches.push_back(&patch);
    }
  };
  for (const Part& part : parts_) append(part.mesh, part.spacing);
  for (const WallMesh& mesh : walls.of_bodies) append(mesh, parts_.back().spacing);
  const std::size_t at_rest = loads.size() - walls.seen_from.size();
  surface.arrays = {{"wall_shear_stress", 3, {}}, {"pressure", 1, {}}, {"normal", 3, {}}, {"surface", 1, {}}};
  if (count_ > 0) {
    for (const auto& [name, components] :
         {std::pair{"average_wall_shear_stress", 3}, std::pair{"average_shear_magnitude", 1},
          std::pair{"average_pressure", 1}, std::pair{"oscillatory_shear_index", 1},
          std::pair{"relative_residence_time", 1}})
      surface.arrays.push_back({name, components, {}});
  }
  const double stress = units_.si_stress(1.0), pressure = units_.si_pressure(1.0),
               reference = units_.reference_pressure;
  for (std::size_t k = 0; k < loads.size(); ++k) {
    auto array = surface.arrays.begin();
    const auto put = [&](const Real3& values) { add(*array++, *patches[k], values.data()); };
    put(stress * loads[k].shear);
    put({pressure * loads[k].pressure + reference, 0, 0});
    put(patches[k]->normal);
    put({1.0 * patches[k]->surface, 0, 0});
    if (count_ == 0) continue;
    const double* const sum = &sums_[sums_of_patch * k];
    const double share = 1 / static_cast<double>(count_), magnitude = stress * share * sum[3];
    const Real3 seen{sum[0], sum[1], sum[2]};
    const Real3 mean = (stress * share) * (k < at_rest ? seen : walls.seen_from[k - at_rest]->turned(seen));
    put(mean);
    put({magnitude, 0, 0});
    put({pressure * share * sum[4] + reference, 0, 0});
    put({magnitude > 0 ? 0.5 * (1 - norm(mean) / magnitude) : 0, 0, 0});
    put({norm(mean) > 0 ? 1 / norm(mean) : 0, 0, 0});
  }
  write_vtp(surface, units_.si_time(static_cast<double>(state.time_step())), path);
}

void WallOutput::save(MonitorState& state) const {
  if (count_ == 0) return;
  state[wall_count_key] = {static_cast<double>(count_)};
  state[wall_sums_key] = sums_;
}

void WallOutput::restore(const MonitorState& state) {
  const auto count = state.find(wall_count_key), sums = state.find(wall_sums_key);
  if (count == state.end()) return;
  if (sums == state.end() || sums->second.size() != sums_of_patch * patches_)
    throw_input("checkpoint: its averages at the walls are of another geometry; resume with the case of that run");
  sums_ = sums->second;
  count_ = static_cast<std::uint64_t>(count->second.at(0));
}

}  // namespace fluvia
