// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace fluvia::geometry {

/// The files with one of these extensions (".tif") in a folder whose files are the slices of one image, in the order of
/// the numbers in their names: slice_2 comes before slice_10. Hidden files are not looked at. Throws Error(input) where
/// there are none, or those of several series, or where one is missing between others.
std::vector<std::filesystem::path> slices_of(const std::filesystem::path& folder,
                                             const std::vector<std::string>& extensions);

}  // namespace fluvia::geometry
