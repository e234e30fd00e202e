// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "fluvia/geometry/image/image_survey.hpp"
#include "fluvia/geometry/mesh/surface_survey.hpp"
#include "fluvia/output/pictures/figure.hpp"

namespace fluvia {

/// The middle layer along z of an image: a colour for each of a few labels, with their shares in the whole image, or a
/// colour bar for grey values. `voxel`: the edge of a voxel, m, where it is known. Reads the image again: throws
/// Error(input), Error(resource).
Figure image_figure(const geometry::ImageSurvey& survey, std::optional<double> voxel, const std::string& title);

/// A surface as it is seen along the axis in which it is shortest, from above: parts in colours of their own, the
/// darker the more they are inclined.
Figure surface_figure(const geometry::SurfaceSurvey& survey, const std::string& title);

}  // namespace fluvia
