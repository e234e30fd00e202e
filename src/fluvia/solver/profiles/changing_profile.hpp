// SPDX-License-Identifier: Apache-2.0
// Openings whose velocity profile changes its shape in time. The normal speed of a link is a sum over modes m of
// shape_m(link) weight_m(t), or what does not change with turbulence on top. The host adds these up before each step
// and gives the links their velocities, as those of a constant profile: kernels, conditions and recorded steps know
// nothing of modes, all backends and schemes get the same bits, and cases without such an opening pay nothing. Nothing
// is kept from step to step, since the time follows from the step. The price is one upload of the records of cut links
// a step where a GPU has them; a pass of several steps gets those of all of them.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "fluvia/case/case.hpp"
#include "fluvia/solver/links/cut_links.hpp"
#include "fluvia/solver/profiles/turbulent_inflow.hpp"
#include "fluvia/solver/solver.hpp"
#include "fluvia/units/units.hpp"

namespace fluvia {

/// An opening whose profile changes its shape; lattice units, times in those of the case.
struct ChangingProfile {
  struct Weight {
    std::size_t mode;
    double value;
  };
  int surface = 0;
  Real3 inwards{};                         ///< unit vector into the fluid; the direction of all speeds
  std::vector<std::uint32_t> links;        ///< indices of its links in BoundarySetup::links
  std::vector<double> flux;                ///< [link], the flow that a speed of 1 lets in
  std::vector<Real3> points;               ///< [link], point where its boundary acts
  std::vector<std::vector<double>> modes;  ///< [mode][link], speeds of the shape
  std::vector<Real3> steady;               ///< [link], what does not change; none beside modes
  TurbulentInflow turbulence;              ///< added to what is steady
  /// Weights, at a time, of the modes that are not zero. What a time series multiplies (SurfaceState::scale) is not in
  /// them.
  std::function<std::vector<Weight>(double time)> weights;
  std::string description;    ///< one line for `fluvia plan`
  std::vector<double> times;  ///< times at which the speeds are as large as they get, or nearly so

  /// Normal speeds of the links at a time by the modes.
  [[nodiscard]] std::vector<double> speeds(double time) const;
  /// Velocities of the links at a time. `frames`: of earlier calls, or new ones.
  [[nodiscard]] std::vector<Real3> velocities(double time, TurbulentInflow::Frames& frames) const;
  /// What BoundarySetup::carried is with these velocities.
  [[nodiscard]] SurfaceForce carried(const std::vector<Real3>& velocities) const;
};

/// True if the flow of a boundary's series is in the profile already, so that it does not multiply it.
inline bool takes_series(const Case::Boundary& b) {
  return b.profile == "womersley";
}
/// True for boundaries whose profile, without turbulence, changes its shape. Throws Error(input) if the file of a table
/// cannot be read.
bool changes_shape(const Case& c, const Case::Boundary& b, int dimension);
/// True for boundaries that need a ChangingProfile. Throws as changes_shape() does.
bool changes_in_time(const Case& c, const Case::Boundary& b, int dimension);

/// What the shapes of an opening follow from.
struct OpeningPlane {
  const Geometry& geometry;
  const Opening& opening;
  const std::vector<CutLink>& links;    ///< cut links of all surfaces
  const std::vector<Int3>& velocities;  ///< velocities of the lattice
  const std::vector<bool>& sticks;      ///< [surface], whether the fluid at it has its velocity
};
/// Adds modes and weights to a profile that has its links, flux and points. Throws Error(input) if it cannot have them.
void add_modes(const Case& c, const Case::Boundary& b, const Units& units, const OpeningPlane& plane,
               ChangingProfile& profile);

/// Makes of a profile one of turbulence, about velocities that do not change, one of each of its links. `rates`: what
/// velocities of 1 along each axis let in through them; `shape`: normal speed at points, empty where the velocity is
/// the same everywhere. Throws Error(input) if there can be no turbulence.
void add_turbulence(const Case::Boundary& b, const Units& units, const OpeningPlane& plane,
                    const std::function<double(const Real3&)>& shape, std::vector<Real3> steady,
                    std::vector<Real3> rates, ChangingProfile& profile);

/// Bytes that a backend keeps of each link of a boundary that needs a ChangingProfile, nearly; 0 of others. Throws
/// Error(input) if a file cannot be read.
std::uint64_t bytes_per_link(const Case& c, const Case::Boundary& b, int dimension);

/// The changing profiles of a case as a backend keeps them, whose records of links are in an order of its own.
class ProfileRecords {
 public:
  static constexpr std::uint32_t no_link = 0xffffffffu;

  ProfileRecords() = default;
  /// `links`: for each record of the backend the number in BoundarySetup::links, if it is a link of a profile.
  ProfileRecords(std::vector<ChangingProfile> profiles, std::span<const std::uint32_t> links);
  [[nodiscard]] bool empty() const { return profiles_.empty(); }
  [[nodiscard]] std::size_t size() const { return profiles_.size(); }
  /// Gives records the velocities of this time, and surfaces what these carry (BoundarySetup::carried).
  template <class Record>
  void set_time(double time, std::vector<Record>& records, std::vector<SurfaceForce>& carried) {
    for (std::size_t p = 0; p < profiles_.size(); ++p) {
      const ChangingProfile& profile = profiles_[p];
      const std::vector<Real3> velocities = profile.velocities(time, frames_[p]);
      for (std::size_t k = 0; k < velocities.size(); ++k)
        for (std::size_t a = 0; a < 3 && records_[p][k] != no_link; ++a)
          records[records_[p][k]].links.velocity[a] = velocities[k][a];
      carried[static_cast<std::size_t>(profile.surface)] = profile.carried(velocities);
    }
  }

 private:
  std::vector<ChangingProfile> profiles_;
  std::vector<TurbulentInflow::Frames> frames_;  ///< [profile]; they follow from the time
  std::vector<std::vector<std::uint32_t>>
      records_;  ///< [profile][link of it], number of the record; no_link: another block's
};

}  // namespace fluvia
