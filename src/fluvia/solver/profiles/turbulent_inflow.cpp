// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/profiles/turbulent_inflow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <utility>

#include "fluvia/base/error.hpp"
#include "fluvia/solver/profiles/opening_of_levels.hpp"
#include "fluvia/solver/profiles/random_field.hpp"

namespace fluvia {

namespace {

constexpr std::size_t points_of_block = 64;  ///< points of a block
constexpr std::size_t phases_of_group = 2;   ///< cosine and sine
constexpr std::size_t shapes_of_point = static_cast<std::size_t>(RandomField::groups) * phases_of_group;
constexpr std::size_t block_size = shapes_of_point * 3 * points_of_block;

std::size_t blocks_of(std::size_t points) {
  return (points + points_of_block - 1) / points_of_block;
}

/// Place of a component among the shapes.
std::size_t index_of(std::size_t point, std::size_t shape, std::size_t axis) {
  return (point / points_of_block) * block_size + (shape * 3 + axis) * points_of_block + point % points_of_block;
}

std::vector<float> shapes_at(const RandomField& field, std::span<const Real3> points) {
  std::vector<float> shapes(blocks_of(points.size()) * block_size, 0.0f);
#pragma omp parallel for schedule(static)
  for (std::size_t p = 0; p < points.size(); ++p)
    for (std::size_t g = 0; g < static_cast<std::size_t>(RandomField::groups); ++g) {
      const RandomField::Shape shape = field.shape(static_cast<int>(g), points[p]);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        shapes[index_of(p, phases_of_group * g, axis)] = static_cast<float>(shape.cosine[axis]);
        shapes[index_of(p, phases_of_group * g + 1, axis)] = static_cast<float>(shape.sine[axis]);
      }
    }
  return shapes;
}

/// Sums over the links of an opening, per shape.
struct OpeningSums {
  Real3 inwards;
  double area = 0;
  std::array<double, shapes_of_point> flux{};    ///< that it lets in
  std::array<double, shapes_of_point> normal{};  ///< component into the fluid, times area
  std::array<double, shapes_of_point> square{};  ///< of all components, times area

  void add(const std::vector<float>& shapes, std::size_t point, const Real3& rates) {
    const double part = dot(rates, inwards);
    area += part;
    for (std::size_t s = 0; s < shapes_of_point; ++s) {
      const Real3 u = {shapes[index_of(point, s, 0)], shapes[index_of(point, s, 1)], shapes[index_of(point, s, 2)]};
      flux[s] += dot(rates, u);
      normal[s] += part * dot(u, inwards);
      square[s] += part * dot(u, u);
    }
  }
  /// Mean of the square of the velocity over the opening and all times, without what is taken away of the normal speed.
  [[nodiscard]] double mean_square() const {
    double sum = 0;
    for (std::size_t s = 0; s < shapes_of_point; ++s) {
      const double taken = flux[s] / area;
      sum += 0.5 * (square[s] - 2 * taken * normal[s] + taken * taken * area) / area;
    }
    return sum;
  }
};

void add_elsewhere(const RandomField& field, const Geometry& geometry, const Opening& opening, double to_coarse,
                   OpeningSums& sums) {
  std::vector<Real3> points, rates;
  const auto flush = [&] {
    const std::vector<float> shapes = shapes_at(field, points);
    for (std::size_t p = 0; p < points.size(); ++p) sums.add(shapes, p, rates[p]);
    points.clear();
    rates.clear();
  };
  constexpr std::size_t at_once = 256 * points_of_block;
  for_each_rates_elsewhere(geometry, opening, [&](const Real3& point, const Real3& of_link) {
    points.push_back(to_coarse * point);
    rates.push_back(of_link);
    if (points.size() == at_once) flush();
  });
  flush();
}

/// Nodes of a level in one of the coarsest level that has links of an opening.
double nodes_in_coarsest(const Geometry& geometry, const Opening& opening) {
  int coarsest = geometry.level;
  if (opening.of_levels)
    for (const OpeningOfLevels::Link& link : opening.of_levels->links) coarsest = std::min(coarsest, link.level);
  return std::exp2(geometry.level - coarsest);
}

}  // namespace

TurbulentInflow::TurbulentInflow(const Case::Boundary& b, const Units& units, const Geometry& geometry,
                                 const Opening& opening, const Real3& mean, const std::vector<Real3>& points,
                                 std::vector<Real3> rates)
    : rates_(std::move(rates)), inwards_(-1.0 * opening.normal) {
  const double finer = nodes_in_coarsest(geometry, opening), speed = norm(mean);
  intensity_ = b.turbulence->intensity;
  length_ = units.length(b.turbulence->length) / finer;
  if (!(dot(mean, inwards_) > 0))
    throw_input(
        fmt::format("boundary '{}': turbulence comes in with a flow into the fluid, and this velocity has none "
                    "through the opening; remove it, or turn the velocity round",
                    b.surface));
  if (length_ < least_length)
    throw_input(fmt::format(
        "boundary '{}': turbulence.length = {:.4g} is {:.3g} nodes, fewer than {}, which is too short for the nodes "
        "there; give at least {:.4g}, or a smaller spacing",
        b.surface, b.turbulence->length, length_, least_length, least_length * finer * units.spacing));
  speed_ = speed / finer / units.time_step;

  RandomField::Input input;
  input.dimension = geometry.nodes.dimension;
  input.along = (1 / speed) * mean;
  input.deviation = 1;
  input.length = length_;
  input.seed = b.turbulence->seed;
  for (std::size_t a = 0; a < 3; ++a)
    if (geometry.nodes.periodic[a]) input.period[a] = geometry.nodes.size[a] / finer;
  const RandomField field(input);
  for (int g = 0; g < RandomField::groups; ++g) along_.push_back(field.along_of(g));

  std::vector<Real3> different;
  std::map<std::array<double, 3>, std::uint32_t> known;
  for (const Real3& point : points) {
    const auto [found, is_new] = known.emplace(point, static_cast<std::uint32_t>(different.size()));
    if (is_new) different.push_back((1 / finer) * point);
    links_.push_back(found->second);
  }
  points_ = different.size();
  const auto shapes = std::make_shared<const std::vector<float>>(shapes_at(field, different));
  OpeningSums sums{inwards_};
  for (std::size_t k = 0; k < links_.size(); ++k) sums.add(*shapes, links_[k], rates_[k]);
  add_elsewhere(field, geometry, opening, 1 / finer, sums);
  for (const double flux : sums.flux) surplus_.push_back(flux / sums.area);
  scale_ = intensity_ * speed * std::sqrt(input.dimension / sums.mean_square());
  shapes_ = shapes;
}

void TurbulentInflow::fill(std::int64_t number, std::vector<Real3>& velocities) const {
  std::array<double, shapes_of_point> weights;
  double taken = 0;
  for (std::size_t g = 0; g < along_.size(); ++g) {
    const double phase = along_[g] * distance_of_frames * static_cast<double>(number);
    weights[phases_of_group * g] = scale_ * std::cos(phase);
    weights[phases_of_group * g + 1] = scale_ * std::sin(phase);
  }
  for (std::size_t s = 0; s < weights.size(); ++s) taken += weights[s] * surplus_[s];
  velocities.resize(points_);
  const std::size_t blocks = blocks_of(points_);
#pragma omp parallel for schedule(static) if (blocks > 16)
  for (std::size_t b = 0; b < blocks; ++b) {
    double sum[3][points_of_block] = {};
    const float* const shapes = shapes_->data() + b * block_size;
    for (std::size_t s = 0; s < shapes_of_point; ++s)
      for (std::size_t axis = 0; axis < 3; ++axis)
        for (std::size_t place = 0; place < points_of_block; ++place)
          sum[axis][place] += weights[s] * static_cast<double>(shapes[(s * 3 + axis) * points_of_block + place]);
    for (std::size_t place = 0; place < points_of_block && b * points_of_block + place < points_; ++place)
      for (std::size_t axis = 0; axis < 3; ++axis)
        velocities[b * points_of_block + place][axis] = sum[axis][place] - taken * inwards_[axis];
  }
}

void TurbulentInflow::add(double time, Frames& frames, std::vector<Real3>& velocities) const {
  const double gone = speed_ * time / distance_of_frames;
  const auto number = static_cast<std::int64_t>(std::floor(gone));
  if (frames.at[1].empty() || (frames.first != number && frames.first + 1 != number)) {
    fill(number, frames.at[0]);
    fill(number + 1, frames.at[1]);
  } else if (frames.first + 1 == number) {
    std::swap(frames.at[0], frames.at[1]);
    fill(number + 1, frames.at[1]);
  }
  frames.first = number;
  const double second = gone - static_cast<double>(number), first = 1 - second;
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const std::uint32_t p = links_[k];
    velocities[k] = velocities[k] + first * frames.at[0][p] + second * frames.at[1][p];
  }
}

std::string TurbulentInflow::description() const {
  constexpr double mebibyte = 1024 * 1024;
  const double products = 3.0 * shapes_of_point * static_cast<double>(points_);
  return fmt::format(
      "turbulence of {:.3g}% with a length of {:.3g} nodes, {} modes in {} groups; every {:.3g} node that the flow "
      "goes "
      "{:.3g} million products of the host, {:.3g} MiB",
      100 * intensity_, length_, RandomField::groups * RandomField::modes_of_group, RandomField::groups,
      distance_of_frames, products / 1e6, static_cast<double>(shapes_->size() * sizeof(float)) / mebibyte);
}

std::vector<double> TurbulentInflow::times() const {
  constexpr int lengths = 16, of_each = 4;
  std::vector<double> times;
  for (int k = 0; k < lengths * of_each; ++k) times.push_back(k * length_ / (of_each * speed_));
  return times;
}

std::uint64_t TurbulentInflow::bytes_per_link(int dimension) {
  // Links share points: in 2D a node has two for three links; in 3D three for five (D3Q19), four for nine (D3Q27).
  const double points = dimension == 2 ? 0.7 : 0.6;
  constexpr double of_point = shapes_of_point * 3 * sizeof(float) + 2 * sizeof(Real3);
  return static_cast<std::uint64_t>(points * of_point) + 2 * sizeof(Real3) + sizeof(std::uint32_t);
}

}  // namespace fluvia
