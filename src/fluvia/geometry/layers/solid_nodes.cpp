// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/layers/solid_nodes.hpp"

#include <algorithm>
#include <utility>

#include "fluvia/geometry/mesh/stl_layers.hpp"

namespace fluvia::geometry {

std::function<bool(const Int3&)> find_outside(std::shared_ptr<const LayerStack> layers, std::vector<bool> encloses) {
  if (!layers->base_solid() && std::find(encloses.begin(), encloses.end(), true) == encloses.end()) return {};
  return [layers = std::move(layers), encloses = std::move(encloses)](const Int3& node) {
    const LayerStack::Verdict verdict = layers->decide(node);
    if (verdict.layer < 0) return layers->base_solid();
    const auto layer = static_cast<std::size_t>(verdict.layer);
    return verdict.decision == Decision::solid && layer < encloses.size() && encloses[layer];
  };
}

std::function<int(const Int3&)> find_bodies(const Case& c, const std::vector<LayerInput>& inputs, SurfaceNames& names,
                                            std::shared_ptr<const LayerStack> layers) {
  if (c.solids.empty()) return {};
  std::vector<int> of_files, surfaces;
  for (const Case::Stl& stl : c.geometry.stl)
    if (!encloses_fluid(stl) && !c.moves(stl.name)) of_files.push_back(names.add(stl.name));
  for (const LayerInput& input : inputs) {
    surfaces.push_back(-1);
    if (input.kind == LayerInput::Kind::body) surfaces.back() = of_files[input.index];
    if (input.kind == LayerInput::Kind::shape) surfaces.back() = names.add(c.geometry.shapes[input.index].name);
  }
  return [layers = std::move(layers), surfaces = std::move(surfaces)](const Int3& node) {
    const LayerStack::Verdict verdict = layers->decide(node);
    const bool solid = verdict.layer >= 0 && verdict.decision == Decision::solid;
    return solid ? surfaces[static_cast<std::size_t>(verdict.layer)] : -1;
  };
}

}  // namespace fluvia::geometry
