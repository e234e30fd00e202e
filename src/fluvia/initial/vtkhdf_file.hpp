// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

#include "fluvia/initial/regular_samples.hpp"

namespace fluvia {

/// Reads a field of a VTKHDF file (https://docs.vtk.org/en/latest/design_documents/VTKFileFormats.html): an ImageData
/// whose axes are x, y, z, by points or cells, or an UnstructuredGrid of equal cells along the axes with data by cells,
/// both as Fluvia writes them. Points that vtkGhostType hides have no value. `name`: "velocity", in whatever case;
/// `components`: 1 or 3. Throws Error(input) that starts with the file's name, Error(resource).
RegularSamples read_vtkhdf(const std::filesystem::path& file, const std::string& name, int components);

/// Reads a VTKHDF file as read_vtkhdf() does, in this process, which a file may end that is no sound HDF5.
RegularSamples read_sound_vtkhdf(const std::filesystem::path& file, const std::string& name, int components);

}  // namespace fluvia
