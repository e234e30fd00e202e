// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <vector>

#include "fluvia/output/fields.hpp"

namespace fluvia {

/// Writes the chosen fields of the current state as a VTKHDF 1.0 file (ParaView 5.11 and later, `vtkHDFReader`), whole
/// or not at all; `path` should end in ".vtkhdf". Every node is one cell, fields are cell data.
///
/// settings.vtk: "image" = ImageData, solid cells hold 0 and are hidden by a vtkGhostType array; "unstructured" =
/// UnstructuredGrid of the fluid cells alone; "auto" = image where more than half of the written nodes are fluid.
/// 2D domains are one layer of cells, one spacing thick, in images and pixels in unstructured grids.
/// Uses settings.fields, vtk, stride, region, compression. The time is stored as field data "TimeValue".
///
/// `extra` adds fields that settings.fields may name (time averages). Throws Error(input) for unknown fields and an
/// empty region, Error(resource) if the file cannot be written.
void write_vtkhdf(const OutputContext& output, const Case::Output& settings, const std::filesystem::path& path,
                  const std::vector<Field>& extra = {});

/// The kind that "auto" stands for: "image" or "unstructured".
std::string choose_vtk_kind(const NodeMap& nodes, const Sampling& sampling, const std::string& requested);

}  // namespace fluvia
