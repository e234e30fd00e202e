// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/hdf5/output_file.hpp"
#include "fluvia/output/fields.hpp"

// The two kinds of VTKHDF files; see vtkhdf.hpp. Layout:
// https://docs.vtk.org/en/latest/design_documents/VTKFileFormats.html
namespace fluvia {

/// Fills group `root` (/VTKHDF) with an ImageData.
void write_vtk_image(const HdfOutputFile& file, hid_t root, FieldEvaluator& evaluator, const Sampling& sampling,
                     int compression);

/// Fills group `root` with an UnstructuredGrid of the fluid cells.
void write_vtk_unstructured(const HdfOutputFile& file, hid_t root, FieldEvaluator& evaluator, const Sampling& sampling,
                            int compression);

}  // namespace fluvia
