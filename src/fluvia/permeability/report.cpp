// SPDX-License-Identifier: Apache-2.0
#include "fluvia/permeability/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "fluvia/geometry/image/files/image_file.hpp"
#include "fluvia/permeability/principal.hpp"

namespace fluvia {

namespace {

using Json = nlohmann::json;

std::string axis_name(int axis) {
  return {"xyz"[axis]};
}

std::string grid_text(const AxisPermeability& result) {
  const Extrapolation& e = result.extrapolation;
  if (result.flows.size() < 2) return "not extrapolated";
  if (e.order == 0) return "not extrapolated: the grids go up and down";
  return fmt::format("extrapolated, order {:.2f} {}", e.order,
                     e.observed                   ? "as observed"
                     : e.order > 1 && e.order < 2 ? "between 1 and 2"
                                                  : "as far as grids can tell");
}

Json flow_json(const PermeabilityFlow& flow, int axis) {
  return {{"refine", flow.refine},
          {"nodes", flow.nodes},
          {"fluid_nodes", flow.fluid_nodes},
          {"steps", flow.steps},
          {"steady", flow.steady},
          {"remaining_change", flow.remaining},
          {"permeability_m2", flow.permeability[axis]},
          {"tensor_row_m2", flow.permeability},
          {"tortuosity", flow.tortuosity},
          {"hydraulic_diameter_m", flow.hydraulic_diameter},
          {"reynolds", flow.reynolds},
          {"mach", flow.mach},
          {"mflups", flow.mflups}};
}

Json axis_json(const AxisPermeability& result) {
  Json flows = Json::array();
  for (const PermeabilityFlow& flow : result.flows) flows.push_back(flow_json(flow, result.axis));
  Json json = {{"axis", axis_name(result.axis)},
               {"percolates", result.percolates()},
               {"porosity", result.porosity},
               {"percolating_porosity", result.percolating_porosity},
               {"permeability_m2", result.permeability[result.axis]},
               {"permeability_darcy", result.permeability[result.axis] / darcy_in_m2},
               {"relative_error", result.error},
               {"within_tolerance", result.within_tolerance},
               {"interrupted", result.interrupted},
               {"extrapolated", result.extrapolation.previous != 0},
               {"order", nullptr},
               {"order_observed", result.extrapolation.observed},
               {"tortuosity", nullptr},
               {"reynolds", nullptr},
               {"flows", flows},
               {"notes", result.notes}};
  if (result.extrapolation.order > 0) json["order"] = result.extrapolation.order;
  if (result.flows.empty()) return json;
  json["tortuosity"] = result.flows.back().tortuosity;
  json["reynolds"] = result.flows.back().reynolds;
  return json;
}

Json image_json(const Case& c) {
  const auto with_part = [](Json json, const auto& image) {
    json["file"] = image.file.string();
    json["crop_from"] = image.crop_from ? Json(*image.crop_from) : Json();
    json["crop_size"] = image.crop_size ? Json(*image.crop_size) : Json();
    return json;
  };
  if (c.geometry.mask) {
    const Case::Mask& mask = *c.geometry.mask;
    return with_part({{"white_is_fluid", mask.white_is_fluid}, {"threshold", mask.threshold}}, mask);
  }
  const Case::Voxels& voxels = *c.geometry.voxels;
  Json json = {{"shape", voxels.shape}};
  if (geometry::image_format(voxels.file) == nullptr)
    voxels.type == "auto" ? json["bits"] = voxels.bits : json["type"] = voxels.type;
  json["fluid_labels"] = voxels.fluid_labels ? Json(*voxels.fluid_labels) : Json();
  json["fluid_below"] = voxels.fluid_below ? Json(*voxels.fluid_below) : Json();
  json["fluid_above"] = voxels.fluid_above ? Json(*voxels.fluid_above) : Json();
  return with_part(json, voxels);
}

class Text {
 public:
  template <class... Arguments>
  void line(const char* label, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), "  {:<22}", label);
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
    text_ += '\n';
  }
  void title(const std::string& text) { text_ += text + "\n"; }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace

std::string permeability_text(const PermeabilitySettings& settings, const AxisPermeability& result) {
  Text text;
  const double k = result.permeability[result.axis];
  text.title(fmt::format("along {}", axis_name(result.axis)));
  text.line("porosity", "{:.5g}, percolating {:.5g}", result.porosity, result.percolating_porosity);
  if (!result.percolates()) {
    text.line("permeability", "0: no fluid connects one end with the other");
    return text.take();
  }
  for (const PermeabilityFlow& flow : result.flows)
    text.line("", "refine {}: {:.5g} m2, {} x {} x {} nodes, {} steps", flow.refine, flow.permeability[result.axis],
              flow.nodes[0], flow.nodes[1], flow.nodes[2], flow.steps);
  text.line("permeability", "{:.5g} m2 = {:.5g} darcy, {} ({})", k, k / darcy_in_m2,
            std::isfinite(result.error) ? fmt::format("+- {:.2g}%", 100 * result.error) : "error unknown",
            grid_text(result));
  if (settings.ends == "periodic")
    text.line("flux along x, y, z", "{:.5g} {:.5g} {:.5g} m2", result.permeability[0], result.permeability[1],
              result.permeability[2]);
  const PermeabilityFlow& last = result.flows.back();
  text.line("tortuosity", "{:.5g}", last.tortuosity);
  text.line("Reynolds number", "{:.2g} (hydraulic diameter {:.3g} m)", last.reynolds, last.hydraulic_diameter);
  for (const std::string& note : result.notes) text.line("note", "{}", note);
  return text.take();
}

std::string principal_text(const PermeabilitySettings& settings, const std::vector<AxisPermeability>& results) {
  const auto principal = principal_permeability(settings, results);
  if (!principal) return {};
  Text text;
  text.title("principal permeabilities");
  for (std::size_t i = 0; i < principal->values.size(); ++i) {
    const Real3& d = principal->directions[i];
    text.line("", "{:.5g} m2 = {:.5g} darcy along ({:.3f}, {:.3f}, {:.3f})", principal->values[i],
              principal->values[i] / darcy_in_m2, d[0], d[1], d[2]);
  }
  text.line("anisotropy", "{:.4g}, largest over smallest", principal->anisotropy());
  if (settings.ends == "periodic" && settings.sides == "periodic")
    text.line("asymmetry", "{:.2g}% of the largest; of the exact tensor 0", 100 * principal->asymmetry);
  return text.take();
}

nlohmann::json permeability_json(const PermeabilitySettings& s, const std::vector<AxisPermeability>& results) {
  Json tensor = Json::array({nullptr, nullptr, nullptr}), axes = Json::array();
  for (const AxisPermeability& result : results) {
    tensor[result.axis] = result.permeability;
    axes.push_back(axis_json(result));
  }
  Json principal;
  if (const auto p = principal_permeability(s, results)) {
    principal = {
        {"values_m2", p->values}, {"directions", p->directions}, {"anisotropy", nullptr}, {"asymmetry", p->asymmetry}};
    if (std::isfinite(p->anisotropy())) principal["anisotropy"] = p->anisotropy();
  }
  const bool complete = results.size() == s.axes.size() &&
                        std::none_of(results.begin(), results.end(), [](const auto& r) { return r.interrupted; });
  const bool within =
      complete && std::all_of(results.begin(), results.end(), [](const auto& r) { return r.within_tolerance; });
  return {{"tensor_m2", tensor},
          {"tensor_rows", "axis of the force; entries: mean flux along x, y, z"},
          {"units", {{"permeability", "m2"}, {"length", "m"}, {"m2_per_darcy", darcy_in_m2}}},
          {"principal", principal},
          {"complete", complete},
          {"within_tolerance", within},
          {"axes", axes},
          {"image", image_json(s.image)},
          {"settings",
           {{"voxel_m", s.voxel},
            {"ends", s.ends},
            {"sides", s.sides},
            {"tolerance", s.tolerance},
            {"refine", s.refine > 0 ? Json(s.refine) : Json("auto")},
            {"largest_refine", s.largest_refine},
            {"tau", s.tau},
            {"magic", s.magic},
            {"largest_steps", s.largest_steps},
            {"lattice", s.image.numerics.lattice},
            {"format", s.image.numerics.format},
            {"device", s.image.numerics.device}}}};
}

}  // namespace fluvia
