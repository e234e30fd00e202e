// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/profiles/changing_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>
#include <numbers>
#include <unordered_map>

#include "fluvia/base/error.hpp"
#include "fluvia/solver/profiles/developed_profile.hpp"
#include "fluvia/solver/profiles/opening_of_levels.hpp"
#include "fluvia/solver/profiles/prescribed_flux.hpp"
#include "fluvia/solver/profiles/table_profile.hpp"
#include "fluvia/solver/profiles/waveform.hpp"

namespace fluvia {

namespace {

/// Flux of one mode over all links of an opening, those on other levels of refinement, too; `speeds` at its own links.
template <class T>
T flow(const ChangingProfile& profile, const OpeningPlane& plane, const std::function<T(const Real3&)>& shape,
       const std::vector<T>& speeds) {
  T sum = 0;
  for (std::size_t k = 0; k < speeds.size(); ++k) sum += profile.flux[k] * speeds[k];
  for_each_link_elsewhere(plane.geometry, plane.opening,
                          [&](const Real3& point, double flux) { sum += flux * shape(point); });
  return sum;
}

template <class T>
std::vector<T> at_links(const ChangingProfile& profile, const std::function<T(const Real3&)>& shape) {
  std::vector<T> speeds(profile.points.size());
  for (std::size_t k = 0; k < speeds.size(); ++k) speeds[k] = shape(profile.points[k]);
  return speeds;
}

/// Mode 0 is the developed profile with a flux of 1; it takes the mean and whatever of the flow the harmonics leave, so
/// that the flow is that of the series to the last digits. Then two modes for each harmonic, those of its cosine and
/// minus its sine.
void add_womersley(const Case& c, const Case::Boundary& b, const Units& units, const OpeningPlane& plane,
                   ChangingProfile& profile) {
  const TimeSeries series = read_series(c, b);
  const Waveform wave = find_waveform(series);
  if (wave.harmonics.empty())
    throw_input(
        fmt::format("boundary '{}': profile = \"womersley\" needs a flow that changes, and the values of '{}' do not; "
                    "use profile = \"developed\"",
                    b.surface, b.series.string()));
  const auto& [geometry, opening, links, velocities, sticks] = plane;
  const auto steady = developed_profile(geometry, opening, links, velocities, sticks);
  std::vector<double> developed = at_links(profile, steady);
  const double developed_flow = flow(profile, plane, steady, developed);
  if (!(developed_flow > 0))
    throw_input(fmt::format("boundary '{}': its profile lets nothing in; check its place and size", b.surface));
  for (double& speed : developed) speed /= developed_flow;
  profile.modes = {std::move(developed)};
  // Angular frequency of the period, lattice units.
  const double w = 2 * std::numbers::pi * units.time_step / wave.period;
  for (const Waveform::Harmonic& harmonic : wave.harmonics) {
    const auto pulsating =
        pulsating_profile(geometry, opening, links, velocities, sticks, w * harmonic.number / units.viscosity);
    const std::vector<std::complex<double>> shape = at_links(profile, pulsating);
    const std::complex<double> scale = 1.0 / flow(profile, plane, pulsating, shape);
    std::vector<double> cosine(shape.size()), sine(shape.size());
    for (std::size_t k = 0; k < shape.size(); ++k) {
      cosine[k] = (scale * shape[k]).real();
      sine[k] = (scale * shape[k]).imag();
    }
    profile.modes.push_back(std::move(cosine));
    profile.modes.push_back(std::move(sine));
  }
  const double unit = b.series_scale * prescribed_flux(b, units, opening, geometry.nodes.dimension);
  profile.weights = [series, wave, unit](double time) {
    std::vector<ChangingProfile::Weight> weights = {{0, unit * series.at(time)}};
    for (const Waveform::Harmonic& harmonic : wave.harmonics) {
      const std::complex<double> flow = unit * wave.at(harmonic, time);
      weights.front().value -= flow.real();
      weights.push_back({weights.size(), flow.real()});
      weights.push_back({weights.size(), -flow.imag()});
    }
    return weights;
  };
  const double radius = geometry.nodes.dimension == 2 ? opening.area / 2 : std::sqrt(opening.area / std::numbers::pi);
  profile.description = fmt::format(
      "{}: womersley, Womersley number {:.3g} on a radius of {:.3g} nodes; {} harmonics up to number {}, "
      "without {:.1g} of the variance",
      b.surface, radius * std::sqrt(w / units.viscosity), radius, wave.harmonics.size(), wave.harmonics.back().number,
      wave.left);
  constexpr int samples = 8 * most_harmonics;
  profile.times = series.times();
  for (int k = 0; k < samples; ++k) profile.times.push_back(wave.start + wave.period * k / samples);
}

/// Scales the sum of the two snapshots around a time, which are linear in between, to what the case prescribes.
void add_table_over_time(const Case& c, const Case::Boundary& b, const Units& units, const OpeningPlane& plane,
                         ChangingProfile& profile) {
  const auto file = profile_file(c, b);
  const TableOverTime table = table_over_time(file, plane.geometry, plane.opening, units.spacing);
  const bool scaled = prescribes_flux(b);
  std::vector<double> flows;
  for (std::size_t k = 0; k < table.times.size(); ++k) {
    profile.modes.push_back(at_links(profile, table.speeds[k]));
    flows.push_back(flow(profile, plane, table.speeds[k], profile.modes.back()));
    if (scaled && !(flows.back() > 0))
      throw_input(fmt::format(
          "{}: the speeds of t = {} let nothing in on the whole, so that they cannot be scaled to the prescribed flow; "
          "give speeds into the fluid, or leave out speed, flow_rate and series",
          file.string(), table.times[k]));
  }
  const double target =
      scaled ? prescribed_flux(b, units, plane.opening, plane.geometry.nodes.dimension) : units.velocity(1);
  profile.weights = [times = table.times, periodic = b.series_periodic, flows, scaled, target](double time) {
    const TimeInterval interval = interval_at(times, periodic, time);
    const std::size_t k = interval.next - 1;
    const double first = 1 - interval.fraction, second = interval.fraction;
    const double scale = scaled ? target / (first * flows[k] + second * flows[k + 1]) : target;
    std::vector<ChangingProfile::Weight> weights;
    if (first != 0) weights.push_back({k, scale * first});
    if (second != 0) weights.push_back({k + 1, scale * second});
    return weights;
  };
  profile.times = table.times;
  profile.description =
      fmt::format("{}: {} tables from t = {:.6g} to {:.6g}, {}", b.surface, table.times.size(), table.times.front(),
                  table.times.back(), b.series_periodic ? "repeated" : "the last one kept");
}

}  // namespace

std::vector<double> ChangingProfile::speeds(double time) const {
  const std::vector<Weight> now = weights(time);
  const std::size_t count = links.size();
  std::vector<double> result(count, 0.0);
#pragma omp parallel for schedule(static) if (count * now.size() > 100000)
  for (std::size_t k = 0; k < count; ++k)
    for (const Weight& weight : now) result[k] += weight.value * modes[weight.mode][k];
  return result;
}

std::vector<Real3> ChangingProfile::velocities(double time, TurbulentInflow::Frames& frames) const {
  std::vector<Real3> result = steady;
  if (!turbulence.empty()) turbulence.add(time, frames, result);
  if (modes.empty()) return result;
  for (const double speed : speeds(time)) result.push_back(speed * inwards);
  return result;
}

SurfaceForce ChangingProfile::carried(const std::vector<Real3>& velocities) const {
  SurfaceForce sum;
  for (std::size_t k = 0; k < velocities.size(); ++k) {
    const Real3& u = velocities[k];
    const double rate = turbulence.empty() ? flux[k] * dot(u, inwards) : dot(turbulence.rates()[k], u);
    const Real3 momentum = rate * u;
    sum.force = sum.force + momentum;
    sum.torque = sum.torque + cross(points[k], momentum);
  }
  return sum;
}

bool changes_shape(const Case& c, const Case::Boundary& b, int dimension) {
  return b.profile == "womersley" || (b.profile == "table" && has_time_column(profile_file(c, b), dimension));
}

bool changes_in_time(const Case& c, const Case::Boundary& b, int dimension) {
  return b.turbulence || changes_shape(c, b, dimension);
}

void add_modes(const Case& c, const Case::Boundary& b, const Units& units, const OpeningPlane& plane,
               ChangingProfile& profile) {
  if (b.profile == "womersley")
    add_womersley(c, b, units, plane, profile);
  else
    add_table_over_time(c, b, units, plane, profile);
}

void add_turbulence(const Case::Boundary& b, const Units& units, const OpeningPlane& plane,
                    const std::function<double(const Real3&)>& shape, std::vector<Real3> steady,
                    std::vector<Real3> rates, ChangingProfile& profile) {
  profile.steady = std::move(steady);
  if (profile.links.empty()) return;
  Real3 flow{};
  double area = 0, own_speed = 0, own_shape = 0;
  for (std::size_t k = 0; k < profile.links.size(); ++k) {
    flow = flow + profile.flux[k] * profile.steady[k];
    area += profile.flux[k];
    own_speed += profile.flux[k] * dot(profile.steady[k], profile.inwards);
    if (shape) own_shape += profile.flux[k] * shape(profile.points[k]);
  }
  // What the links of other levels have is in the same ratio to the shape as here.
  if (shape && own_shape != 0)
    for_each_link_elsewhere(plane.geometry, plane.opening, [&](const Real3& point, double flux) {
      flow = flow + flux * shape(point) * own_speed / own_shape * profile.inwards;
      area += flux;
    });
  profile.turbulence =
      TurbulentInflow(b, units, plane.geometry, plane.opening, (1 / area) * flow, profile.points, std::move(rates));
  profile.description = b.surface + ": " + profile.turbulence.description();
  profile.times = profile.turbulence.times();
}

std::uint64_t bytes_per_link(const Case& c, const Case::Boundary& b, int dimension) {
  if (b.turbulence) return TurbulentInflow::bytes_per_link(dimension);
  if (!changes_shape(c, b, dimension)) return 0;
  const std::size_t modes = b.profile == "womersley" ? 1 + 2 * find_waveform(read_series(c, b)).harmonics.size()
                                                     : count_times(profile_file(c, b), dimension);
  return (modes + 1) * sizeof(double) + sizeof(Real3) + 2 * sizeof(std::uint32_t);
}

ProfileRecords::ProfileRecords(std::vector<ChangingProfile> profiles, std::span<const std::uint32_t> links)
    : profiles_(std::move(profiles)), frames_(profiles_.size()) {
  std::unordered_map<std::uint32_t, std::uint32_t> record_of;
  for (std::size_t r = 0; r < links.size(); ++r)
    if (links[r] != no_link) record_of[links[r]] = static_cast<std::uint32_t>(r);
  for (const ChangingProfile& profile : profiles_) {
    std::vector<std::uint32_t>& records = records_.emplace_back();
    for (const std::uint32_t link : profile.links) {
      const auto found = record_of.find(link);
      records.push_back(found == record_of.end() ? no_link : found->second);
    }
  }
}

}  // namespace fluvia
