// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/vtk/vtkhdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "fluvia/base/error.hpp"
#include "fluvia/case/scalars/material_field.hpp"
#include "fluvia/output/vtk/vtkhdf_parts.hpp"

namespace fluvia {
namespace {

/// Fluid nodes among the samples, over all samples.
double sampled_porosity(const NodeMap& nodes, const Sampling& sampling) {
  if (sampling.samples() == nodes.box_nodes()) return nodes.porosity();
  std::uint64_t fluid = 0;
  for (const NodeMap::Tile& tile : nodes.tiles) {
    for (std::uint64_t mask = tile.mask; mask != 0; mask &= mask - 1) {
      Int3 sample{};
      fluid += sampling.find(nodes.node_position(tile, std::countr_zero(mask)), sample);
    }
  }
  return static_cast<double>(fluid) / static_cast<double>(sampling.samples());
}

/// The fields that were asked for, and what solids consist of if there are any in which one of them has values.
std::vector<Field> fields_of_files(const std::vector<std::string>& names, const OutputContext& output,
                                   const std::vector<Field>& extra) {
  std::vector<Field> fields = select_fields(names, output, extra);
  if (std::any_of(fields.begin(), fields.end(), [](const Field& field) { return bool(field.in_solids); }) &&
      std::none_of(fields.begin(), fields.end(),
                   [](const Field& field) { return field.name == names::material_field; }))
    fields.push_back(find_field(names::material_field, output));
  return fields;
}

}  // namespace

std::string choose_vtk_kind(const NodeMap& nodes, const Sampling& sampling, const std::string& requested) {
  if (requested == "image" || requested == "unstructured") return requested;
  if (requested != "auto") {
    throw_input(fmt::format("output.vtk = '{}': choose auto, image, unstructured or none", requested));
  }
  return sampled_porosity(nodes, sampling) > 0.5 ? "image" : "unstructured";
}

void write_vtkhdf(const OutputContext& output, const Case::Output& settings, const std::filesystem::path& path,
                  const std::vector<Field>& extra) {
  const Sampling sampling = make_sampling(output.grid, settings.stride, settings.region);
  const std::string kind = choose_vtk_kind(output.state.geometry().nodes, sampling, settings.vtk);
  FieldEvaluator evaluator(output, sampling, fields_of_files(settings.fields, output, extra));
  evaluator.include_solids();

  HdfOutputFile file(path);
  const HdfHandle root = file.create_group(file.id(), "VTKHDF");
  file.attribute(root.get(), "Version", std::vector<std::int64_t>{1, 0});
  file.attribute(root.get(), "Type", kind == "image" ? "ImageData" : "UnstructuredGrid");
  const HdfHandle field_data = file.create_group(root.get(), "FieldData");
  const double time = output.units.si_time(static_cast<double>(output.state.time_step()));
  write_dataset(file, field_data.get(), "TimeValue", std::vector<double>{time});
  if (kind == "image") {
    write_vtk_image(file, root.get(), evaluator, sampling, settings.compression);
  } else {
    write_vtk_unstructured(file, root.get(), evaluator, sampling, settings.compression);
  }
  file.commit();
}

}  // namespace fluvia
