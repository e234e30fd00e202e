// SPDX-License-Identifier: Apache-2.0
// A flow whose surfaces do all that they can do to a scalar.
#pragma once
#include <fmt/format.h>

#include <string>

#include "fluvia/case/case.hpp"

namespace fluvia::test {

/// A channel around a post that keeps a value, with an inlet that keeps another, walls that heat and exchange, a
/// source, and an outlet. Numbers of nodes are no multiples of tiles or vectors.
struct ChannelCase {
  std::string lattice = "auto", scheme = "pull", format = "fp64", walls = "interpolated", extra;
  std::string inlet = "3", post = "4", of_post = "value", flux = "0.002", ambient = "1.5", source = "1e-4*x";
  int dimension = 2, threads = 2;
  double diffusivity = 0.04, magic = 0.25;

  [[nodiscard]] std::string text() const {
    const bool flat = dimension == 2;
    return fmt::format(
        R"case(
[units]
system = "lattice"
viscosity = 0.06
[domain]
dimension = {}
nodes = {}
periodic = [false, false, {}]
[walls]
method = "{}"
[[geometry.shape]]
name = "post"
kind = "{}"
{}
radius = 3.3
[[boundary]]
surface = "x_min"
type = "velocity"
velocity = {}
scalars = {{ heat = {{ value = {inlet} }} }}
[[boundary]]
surface = "x_max"
type = "pressure"
[[boundary]]
surface = "y_min"
type = "wall"
scalars = {{ heat = {{ flux = {flux} }} }}
[[boundary]]
surface = "y_max"
type = "wall"
scalars = {{ heat = {{ exchange = 0.03, ambient = {ambient} }} }}
[[boundary]]
surface = "post"
type = "wall"
scalars = {{ heat = {{ {of_post} = {post} }} }}
[[scalar]]
name = "heat"
diffusivity = {}
magic = {}
lattice = "{}"
reference = 0
initial = 2
initial_formula = "0.3*sin(0.2*x)*cos(0.3*y)"
source = "{source}"
[numerics]
lattice = "{}"
scheme = "{}"
format = "{}"
threads = {}
device = "cpu"
trial = false
{}
[run]
steps = 100
)case",
        dimension, flat ? "[37, 19]" : "[23, 13, 5]", flat ? "false" : "true", walls, flat ? "cylinder" : "cylinder",
        flat ? "from = [14.2, 9.6]\nto = [14.2, 9.6]" : "from = [9.2, 6.6, -9]\nto = [9.2, 6.6, 99]",
        flat ? "[0.03, 0]" : "[0.03, 0, 0]", diffusivity, magic, lattice, flat ? "D2Q9" : "D3Q19", scheme, format,
        threads, extra, fmt::arg("inlet", inlet), fmt::arg("post", post), fmt::arg("of_post", of_post),
        fmt::arg("flux", flux), fmt::arg("ambient", ambient), fmt::arg("source", source));
  }
  [[nodiscard]] Case made() const { return parse_case(text(), "channel.toml"); }
};

}  // namespace fluvia::test
