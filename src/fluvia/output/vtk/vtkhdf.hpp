// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <vector>

#include "fluvia/output/fields.hpp"

namespace fluvia {

/// Writes the chosen fields of the current state as a VTKHDF 1.0 file (ParaView 5.11 and later, `vtkHDFReader`), whole
/// or not at all; `path` should end in ".vtkhdf".
///
/// settings.vtk: "image" = ImageData whose points are the nodes (point data), solid nodes hold 0 and are hidden by a
/// vtkGhostType array (2D: two equal planes, one spacing apart); "unstructured" = UnstructuredGrid in which every fluid
/// node is one cell (cell data): voxels, in 2D pixels; "auto" = image where more than half of the written nodes are
/// fluid. Uses settings.fields, vtk, stride, region, compression. The time is stored as field data "TimeValue".
///
/// `extra` adds fields that settings.fields may name (time averages). Throws Error(input) for unknown fields and an
/// empty region, Error(resource) if the file cannot be written.
void write_vtkhdf(const OutputContext& output, const Case::Output& settings, const std::filesystem::path& path,
                  const std::vector<Field>& extra = {});

/// The kind of file that a request stands for: "image" or "unstructured", "auto" resolved.
std::string choose_vtk_kind(const NodeMap& nodes, const Sampling& sampling, const std::string& requested);

}  // namespace fluvia
