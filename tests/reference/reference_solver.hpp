// SPDX-License-Identifier: Apache-2.0
// The oracle: a slow, obvious lattice Boltzmann solver in double precision. Two full arrays of absolute populations
// over the whole box, nested loops, one node at a time.
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "reference/opening_fit.hpp"
#include "reference/outflow.hpp"
#include "reference/plane_links.hpp"
#include "reference/reference_collision.hpp"
#include "reference/reference_domain.hpp"
#include "reference/wall_friction.hpp"

namespace reference {

class Solver {
 public:
  Solver(const Physics& physics, Domain domain)
      : collision_(physics), domain_(std::move(domain)), force_of_all_(physics.force) {
    const std::size_t nodes = static_cast<std::size_t>(domain_.size[0]) * domain_.size[1] * domain_.size[2];
    fluid_.resize(nodes);
    for_each_box_node([&](const Int3& x) { fluid_[index(x)] = domain_.fluid(x); });
    cut_.resize(nodes * lattice().size(), -1);
    for_each_box_node([&](const Int3& x) {
      if (!fluid_[index(x)]) return;
      for (int i = 0; i < lattice().size(); ++i) cut_[index(x) * lattice().size() + i] = find_cut(x, i);
    });
    f_.assign(nodes, Populations(lattice().size(), 0.0));
    next_ = f_;
    initialise([](const Int3&) { return NodeState{}; });
  }

  [[nodiscard]] const Lattice& lattice() const { return collision_.lattice(); }
  /// The populations that arrive at every node are in equilibrium.
  void initialise(const std::function<NodeState(const Int3&)>& state) {
    past_.clear();
    damped_.clear();
    history_.assign(fluid_.size(), {});
    step_ = 0;
    for_each_box_node([&](const Int3& x) {
      if (fluid_[index(x)]) f_[index(x)] = collision_.equilibrium(state(x));
    });
  }

  void step(int count) {
    for (; count > 0; --count) {
      for_each_box_node([&](const Int3& x) {
        if (fluid_[index(x)]) update(x);
      });
      std::swap(f_, next_);
      ++step_;
    }
  }
  /// What arrives at a node, before boundaries.
  [[nodiscard]] const Populations& arriving(const Int3& x) const { return f_[index(x)]; }
  /// The populations that arrive, with the boundary conditions applied.
  [[nodiscard]] Populations complete(const Int3& x, bool keep = false) const {
    Populations f = arriving(x);
    collision_.set_force(whole_force(x));
    apply_velocity(x, f);
    apply_sliding(x, f, keep);
    apply_pressure(x, f, keep);
    if (keep) history_[index(x)].push_back(collision_.state_of(f));
    apply_sponge(x, f, keep);
    return f;
  }
  [[nodiscard]] NodeState state(const Int3& x) const { return collision_.state_of(complete(x)); }
  [[nodiscard]] Tensor stress(const Int3& x) const { return collision_.stress_of(complete(x)); }

  /// Momentum and angular momentum about `center` that a surface takes from the fluid, without the pressure of the
  /// fluid at rest; acting on the cut links. The populations that now leave give -c_i left and those that
  /// entered took c_i entered; the mass that wall velocity lets in, 6 w c.u a step, brings along u (Wen et al. 2014).
  /// Faces without flow that meet share the links that leave through all of them.
  [[nodiscard]] std::pair<Real3, Real3> force_and_torque_on(int surface, const Real3& center) const {
    Real3 force{}, torque{};
    for_each_cut_link([&](const Int3& x, int i, int cut_surface) {
      const double share = share_of(x, i, cut_surface, surface);
      if (share == 0) return;
      const Populations before = complete(x), after = collide(x, before);
      const Int3& c = lattice().c[i];
      const double left = after[lattice().opposite[i]] - lattice().w[i], entered = before[i] - lattice().w[i];
      Real3 exchanged, arm, u{};
      const Real3 point = wall_point(x, i, cut_surface);
      if (domain_.surfaces[cut_surface].kind == Kind::velocity) u = velocity_at(x, i, cut_surface);
      const double let_in = 6 * lattice().w[i] * (c[0] * u[0] + c[1] * u[1] + c[2] * u[2]);
      for (int a = 0; a < 3; ++a) {
        exchanged[a] = share * (-c[a] * (left + entered) + u[a] * let_in);
        arm[a] = point[a] - center[a];
        force[a] += exchanged[a];
      }
      const Real3 turn = fluvia::cross(arm, exchanged);
      for (int a = 0; a < 3; ++a) torque[a] += turn[a];
    });
    return {force, torque};
  }
  /// Mass that enters through a surface in one step.
  [[nodiscard]] double inflow(int surface) const {
    double sum = 0;
    const int axis = surface / 2 % 3, beyond = surface % 2 == 0 ? -1 : domain_.size[axis];
    for_each_cut_link([&](const Int3& x, int i, int cut_surface) {  // with what slides past the corners of a face
      const bool slides = surface < 6 && domain_.surfaces[cut_surface].kind == Kind::half_slip;
      if (cut_surface == surface || (slides && x[axis] - lattice().c[i][axis] == beyond))
        sum += complete(x)[i] - arriving(x)[i];
    });
    return sum;
  }

 private:
  [[nodiscard]] std::size_t index(const Int3& x) const {
    return x[0] + static_cast<std::size_t>(domain_.size[0]) * (x[1] + static_cast<std::size_t>(domain_.size[1]) * x[2]);
  }
  template <class Body>
  void for_each_box_node(Body&& body) const {
    Int3 x;
    for (x[2] = 0; x[2] < domain_.size[2]; ++x[2])
      for (x[1] = 0; x[1] < domain_.size[1]; ++x[1])
        for (x[0] = 0; x[0] < domain_.size[0]; ++x[0]) body(x);
  }
  template <class Body>
  void for_each_cut_link(Body&& body) const {
    for_each_box_node([&](const Int3& x) {
      if (!fluid_[index(x)]) return;
      for (int i = 0; i < lattice().size(); ++i)
        if (const int surface = cut_by(x, i); surface >= 0) body(x, i, surface);
    });
  }

  /// Moves by `sign` c_i, around periodic axes and back from planes of symmetry, where `i` turns into its mirror image;
  /// false if that leaves the fluid, or a wall without thickness is in the way.
  [[nodiscard]] bool neighbour(Int3& x, int& i, int sign) const {
    Int3 c = lattice().c[i];
    if (domain_.is_barred && domain_.is_barred(x, {sign * c[0], sign * c[1], sign * c[2]})) return false;
    for (int a = 0; a < 3; ++a) {
      const int before = x[a];
      x[a] += sign * c[a];
      if (x[a] >= 0 && x[a] < domain_.size[a]) continue;
      if (domain_.periodic[a]) {
        x[a] = (x[a] + domain_.size[a]) % domain_.size[a];
      } else if (domain_.mirrors[2 * a + (x[a] < 0 ? 0 : 1)]) {
        x[a] = before;
        c[a] = -c[a];
      } else {
        return false;
      }
    }
    i = lattice().find(c);
    return fluid_[index(x)];
  }
  /// Surface that cuts the link from x - c_i to a fluid node x, or -1. Every condition asks at every step.
  [[nodiscard]] int cut_by(const Int3& x, int i) const { return cut_[index(x) * lattice().size() + i]; }
  [[nodiscard]] int find_cut(const Int3& x, int i) const {
    Int3 from = x;
    int direction = i;
    if (neighbour(from, direction, -1)) return -1;
    const Int3& c = lattice().c[i];
    return domain_.surface_of(x, {-c[0], -c[1], -c[2]});
  }
  [[nodiscard]] bool is_cut_by_kind(const Int3& x, int i, Kind kind) const {
    const int surface = cut_by(x, i);
    return surface >= 0 && domain_.surfaces[surface].kind == kind;
  }

  [[nodiscard]] Real3 own_force(const Int3& x) const { return domain_.own_force ? domain_.own_force(x) : Real3{}; }
  [[nodiscard]] Real3 whole_force(const Int3& x) const {
    const Real3 own = own_force(x);
    return {force_of_all_[0] + own[0], force_of_all_[1] + own[1], force_of_all_[2] + own[2]};
  }
  /// A node is given its own force; then its populations collide.
  [[nodiscard]] Populations collide(const Int3& x, const Populations& before) const {
    const Populations kicked = collision_.kicked(before, own_force(x));
    collision_.set_force(force_of_all_);
    Populations after = collision_.collide(kicked);
    collision_.set_force(whole_force(x));
    return after;
  }
  void update(const Int3& x) {
    const Populations before = complete(x, true), f = collide(x, before);
    for (int i = 0; i < lattice().size(); ++i) {
      Int3 to = x;
      int direction = i;
      if (neighbour(to, direction, +1))
        next_[index(to)][direction] = f[i];
      else
        next_[index(x)][lattice().opposite[i]] = returned(x, i, before, f);
    }
  }
  /// What comes back of what left along i towards a wall at rest.
  [[nodiscard]] double returned(const Int3& x, int i, const Populations& before, const Populations& after) const {
    if (!domain_.surfaces[cut_by(x, lattice().opposite[i])].interpolated) return after[i];
    return collision_.interpolated(before, after, i, domain_.distance_of(x, lattice().c[i]), domain_.kappa,
                                   domain_.own_force != nullptr) +
           domain_.supply * lattice().w[i];
  }
  /// Where the wall acts on the link that arrives along i.
  [[nodiscard]] Real3 wall_point(const Int3& x, int i, int surface) const {
    const Int3 c = lattice().c[i], to_wall = lattice().c[lattice().opposite[i]];
    const double q = domain_.surfaces[surface].interpolated ? domain_.distance_of(x, to_wall) : 0.5;
    return {x[0] + 0.5 - q * c[0], x[1] + 0.5 - q * c[1], x[2] + 0.5 - q * c[2]};
  }

  /// Part of what the link that arrives along i exchanges that acts on a surface; `owner` cuts it.
  [[nodiscard]] double share_of(const Int3& x, int i, int owner, int surface) const {
    std::vector<int> walls;
    for (int a = 0; a < 3; ++a) {
      const int there = x[a] - lattice().c[i][a], face = 2 * a + (there < 0 ? 0 : 1);
      const bool leaves = !domain_.periodic[a] && (there < 0 || there >= domain_.size[a]);
      if (leaves && !domain_.mirrors[face] && !domain_.surfaces[face].opening) walls.push_back(face);
    }
    const auto has = [&](int face) { return std::find(walls.begin(), walls.end(), face) != walls.end(); };
    if (walls.size() < 2 || !has(owner)) return owner == surface ? 1 : 0;
    return has(surface) ? 1.0 / static_cast<double>(walls.size()) : 0;
  }

  /// Velocity of what cuts a link. One that leaves the box through several faces has nothing along the normal of those
  /// that let nothing through, and of walls that meet the mean.
  [[nodiscard]] Real3 velocity_at(const Int3& x, int i, int owner) const {
    const Real3 point = wall_point(x, i, owner);
    Real3 u = domain_.surfaces[owner].velocity(point), of_walls{};
    std::vector<int> faces, walls;
    for (int a = 0; a < 3; ++a) {
      const int there = x[a] - lattice().c[i][a];
      if (domain_.periodic[a] || (there >= 0 && there < domain_.size[a])) continue;
      const int face = 2 * a + (there < 0 ? 0 : 1);
      const Surface& s = domain_.surfaces[face];
      faces.push_back(face);
      if (domain_.mirrors[face] || s.opening || s.kind == Kind::half_slip) continue;
      walls.push_back(face);
      if (s.kind == Kind::velocity)
        for (int k = 0; k < 3; ++k) of_walls[k] += s.velocity(point)[k];
    }
    if (faces.size() < 2) return u;
    if (!domain_.surfaces[owner].opening && walls.size() > 1)
      for (int k = 0; k < 3; ++k) u[k] = of_walls[k] / static_cast<double>(walls.size());
    for (const int face : faces)
      if (!domain_.surfaces[face].opening) u[face / 2] = 0;
    return u;
  }

  /// Ladd 1994: bounce-back plus 6 w c.u, u half-way along the link; half of that where the wall was interpolated.
  void apply_velocity(const Int3& x, Populations& f) const {
    for (int i = 0; i < lattice().size(); ++i) {
      if (!is_cut_by_kind(x, i, Kind::velocity)) continue;
      const Int3& c = lattice().c[i];
      const int wall = cut_by(x, i);
      const Real3 u = velocity_at(x, i, wall);
      f[i] +=
          (domain_.surfaces[wall].interpolated ? 3 : 6) * lattice().w[i] * (c[0] * u[0] + c[1] * u[1] + c[2] * u[2]);
    }
  }

  /// What conditions remember of a node and one of its surfaces.
  struct Past {
    double densities[2] = {0, 0};  ///< in the plane, of this step and the one before by turns
    double held = 0, mean_velocity = 0, mean_carried = 0;
    Bend shear;
    double rate = 0;       ///< of the shear stress one step ago
    double along[2] = {};  ///< running mean of the velocity along a wall with friction
  };

  /// How the speed out of an opening changes along it, one step ago: from neighbours that the opening cuts as well, and
  /// from walls half-way along the links, or where they are, but a quarter of a link away at least.
  [[nodiscard]] Bend bend(const Int3& x, int surface) const {
    if (step_ == 0 || lattice().name == "D3Q13") return {};
    const Surface& s = domain_.surfaces[surface];
    const int axes[2] = {(s.axis + 1) % 3, (s.axis + 2) % 3};
    const auto speed = [&](const Int3& node) { return s.outwards * history_[index(node)][step_ - 1].velocity[s.axis]; };
    std::vector<BendPoint> points;
    for (int i = 0; i < lattice().size(); ++i) {
      const Int3& c = lattice().c[i];
      double part = 1, there = 0;
      Int3 y = x;
      int direction = i;
      if (c == Int3{}) continue;
      if (neighbour(y, direction, -1)) {
        bool is_beside = false;
        for (int k = 0; k < lattice().size(); ++k) is_beside = is_beside || cut_by(y, k) == surface;
        if (!is_beside) continue;
        there = speed(y);
      } else {
        const int wall = cut_by(x, i);
        const Surface& w = domain_.surfaces[wall];
        if (!w.holds) continue;
        part = std::max(0.25, w.interpolated ? domain_.distance_of(x, {-c[0], -c[1], -c[2]}) : 0.5);
        if (w.velocity) there = s.outwards * w.velocity(wall_point(x, i, wall))[s.axis];
      }
      points.push_back({-part * c[axes[0]], -part * c[axes[1]], lattice().w[i], there - speed(x)});
    }
    return fit_bend(points);
  }

  /// Anti-bounce-back: f_i = -f_opposite + f_i^eq(rho, u) + f_opposite^eq(rho, u) , u the node's own velocity
  /// with the condition in place; one surface after the other. Where sound shall leave, rho follows the outgoing wave
  /// (Poinsot & Lele 1992).
  void apply_pressure(const Int3& x, Populations& f, bool keep) const {
    for (int surface = 0; surface < static_cast<int>(domain_.surfaces.size()); ++surface) {
      const Surface& s = domain_.surfaces[surface];
      if (s.kind != Kind::pressure && s.kind != Kind::non_reflecting) continue;
      FaceLinks links{lattice(), s.axis, s.outwards, {}};
      const std::vector<int>& cut = links.cut;
      for (int i = 0; i < lattice().size(); ++i)
        if (cut_by(x, i) == surface) links.cut.push_back(i);
      if (cut.empty()) continue;
      Past past = past_[{index(x), surface}];
      double density = s.density;
      if (s.kind == Kind::non_reflecting) density = 1 + follow_the_wave(x, surface, past);
      const Populations bounced = f;
      const Bend bent = bend(x, surface);
      const double tau = past.rate > 0 ? 1 / past.rate : collision_.physics().tau, viscosity = (tau - 0.5) / 3;
      past.shear.follow(bent, std::min(1.0, 0.25 / viscosity));
      Bend sheared = past.shear;
      if (collision_.viscosity_varies())
        sheared.add_viscosity_gradient(tau, [&](double product) { return collision_.tau_of(product); });
      const double speed = step_ > 0 ? s.outwards * history_[index(x)][step_ - 1].velocity[s.axis] : 0;
      density += bent.density_of(speed, domain_.curvature);
      const double heavy = collision_.physics().equilibrium == "incompressible" ? 1 : density;
      NodeState now;
      for (int pass = 0; pass < 200; ++pass) {
        for (const int i : cut) {
          const int o = lattice().opposite[i];
          const Int3& c = lattice().c[i];
          const double along[2] = {0.0 + c[(s.axis + 1) % 3], 0.0 + c[(s.axis + 2) % 3]}, out = s.outwards * c[s.axis];
          Real3 u = now.velocity;  // half-way along the link
          u[s.axis] -= s.outwards * bent.inclined(along) / 2;
          const Populations even = collision_.equilibrium({density, u});
          const double shear = sheared.inclined(along) - sheared.curved(along);
          f[i] = even[i] + even[o] - bounced[i] +
                 heavy * lattice().w[i] *
                     (bent.curvature_of(along, speed, domain_.curvature) - 18 * viscosity * out * shear);
        }
        const NodeState last = std::exchange(now, collision_.state_of(f));
        if (now.density == last.density && now.velocity == last.velocity) break;  // and would stay
      }
      double outwards = s.outwards * now.velocity[s.axis];
      const double heavy_now = collision_.physics().equilibrium == "incompressible" ? 1 : now.density;
      if (outwards < 0) {
        links.straighten(std::min(1.0, -6 * outwards), heavy_now, now.velocity, f);
      } else if (lattice().name != "D3Q13") {
        links.take_stress(FaceLinks::share_of_stress(outwards, viscosity), heavy_now, collision_.corrected_stress(f),
                          tau, sheared.b, f);
        outwards = s.outwards * collision_.state_of(f).velocity[s.axis];
      }
      past.rate = collision_.omega_of(f);
      if (step_ == 0) past.mean_velocity = outwards;
      if (keep) past_[{index(x), surface}] = past;
    }
  }
  /// The mean of the densities in the plane one step ago over neighbours that the opening cuts as well; `own` if there
  /// are none.
  [[nodiscard]] double mean_beside(const Int3& x, int surface, double own) const {
    double sum = 0, count = 0;
    for (int i = 0; i < lattice().size() && lattice().name != "D3Q13"; ++i) {
      Int3 y = x;
      int direction = i;
      // A step over a mirror or a periodic face may lead to the node itself, which counts; the rest does not.
      if (lattice().c[i] == Int3{} || !neighbour(y, direction, -1)) continue;
      const auto there = past_.find({index(y), surface});
      if (there == past_.end()) continue;
      sum += there->second.densities[(step_ + 1) % 2];
      ++count;
    }
    return count > 0 ? sum / count : own;
  }
  /// rho - 1 of a non-reflecting outlet: what sound going out makes of it, in the frame of the mean flow.
  double follow_the_wave(const Int3& x, int surface, Past& past) const {
    const Surface& s = domain_.surfaces[surface];
    const double c = std::sqrt(1.0 / 3), target = s.density - 1;
    const double longest = longest_edge(domain_.size, domain_.periodic, domain_.mirrors);
    const double before = past.densities[(step_ + 1) % 2];
    double rho = step_ > 0 ? before : target;
    if (step_ > 3) {
      const auto speed = [&](const Int3& node, int ago) {
        return s.outwards * history_[index(node)][step_ - ago].velocity[s.axis];
      };
      Int3 inwards{}, up = x;
      inwards[s.axis] = -static_cast<int>(s.outwards);
      int direction = lattice().find(inwards);
      double change, carried = 0;
      if (direction >= 0 && neighbour(up, direction, +1)) {
        change = (speed(x, 2) - speed(x, 3) + speed(up, 2) - speed(up, 3)) / 2;
        const double slope = (speed(x, 2) - speed(up, 2) + speed(x, 3) - speed(up, 3)) / 2;
        const double rho_up = history_[index(up)][step_ - 1].density - 1;
        carried = std::max(0.0, past.mean_velocity) * ((1 + rho) * slope / c - (rho - rho_up) / 1.5);
      } else {
        const double share = 0.5 / (c + speed(x, 1)) - 0.5;
        change = (1 - share) * (speed(x, 1) - speed(x, 2)) + share * (speed(x, 2) - speed(x, 3));
      }
      const double rate = (std::abs(speed(x, 1)) + 0.01) / (3 * longest), speed_before = past.mean_velocity;
      past.mean_velocity += rate * (speed(x, 1) - past.mean_velocity);
      past.mean_carried += rate * (carried - past.mean_carried);
      const double beside = past.held / (1.5 * speed_before * speed_before + 1e-12);
      const double pull = s.relaxation * c / longest * (1 + 9 * std::min(1.0, beside * beside));
      past.held += 2 * pull / (1 + 2 * pull) * (rho - target - past.held);
      rho += (1 + rho) * change / c + carried - past.mean_carried - pull / 2 * past.held;
      rho += mean_beside(x, surface, before) - before;
    }
    past.densities[step_ % 2] = rho;
    return rho;
  }

  /// f -= chi (f^eq of the node - f^eq of its running means), chi = 12 c_s / depth (d / depth)^3, at most 1/2; not
  /// where the face cuts a link.
  void apply_sponge(const Int3& x, Populations& f, bool keep) const {
    for (int surface = 0; surface < static_cast<int>(domain_.surfaces.size()); ++surface) {
      const Surface& s = domain_.surfaces[surface];
      if (s.sponge <= 0) continue;
      const double before = s.outwards > 0 ? domain_.size[s.axis] - x[s.axis] - 0.5 : x[s.axis] + 0.5;
      bool is_cut = false;
      for (int i = 1; i < lattice().size(); ++i) is_cut = is_cut || cut_by(x, i) == surface;
      if (before >= s.sponge || is_cut) continue;
      const NodeState now = collision_.state_of(f);
      NodeState& kept = damped_[{index(x), surface}];
      NodeState mean = step_ == 0 ? now : kept;
      const double c = std::sqrt(1.0 / 3), rate = std::min(1.0, c / (2 * s.sponge));
      mean.density += rate * (now.density - mean.density);
      for (int a = 0; a < 3; ++a) mean.velocity[a] += rate * (now.velocity[a] - mean.velocity[a]);
      if (keep) kept = mean;
      const Populations from = collision_.equilibrium(now), to = collision_.equilibrium(mean);
      const double share = 1 - before / s.sponge;
      const double chi =
          static_cast<float>(std::min(0.5, 12 * c / s.sponge) * share * share * share);  // that is how it is kept
      for (int i = 0; i < lattice().size(); ++i) f[i] += chi * (to[i] - from[i]);
    }
  }

  /// On a plane normal to an axis part of what was bounced back along it is taken away. Navier's slip: as much as makes
  /// L / (L + tau - 1/2) of the momentum that it carries along the plane go on. With friction: all, and then what
  /// follows from the velocity of the node beyond, one step ago.
  void apply_sliding(const Int3& x, Populations& f, bool keep) const {
    for (int surface = 0; surface < static_cast<int>(domain_.surfaces.size()); ++surface) {
      const Surface& s = domain_.surfaces[surface];
      if (s.kind != Kind::half_slip && s.kind != Kind::friction) continue;
      PlaneLinks links(lattice(), s.axis);
      for (int i = 0; i < lattice().size(); ++i)
        if (cut_by(x, i) == surface) links.add(i);
      if (links.empty()) continue;
      double share = s.slip_length / (s.slip_length + collision_.physics().tau - 0.5), stress[2] = {};
      if (s.kind == Kind::friction) share = friction_at(x, surface, links, keep, stress) ? 1 : 0;
      if (share == 0) continue;
      const auto carried = links.carried(f);
      links.take({2 * share * carried[0] + stress[0], 2 * share * carried[1] + stress[1]}, 1e-13, f);
    }
  }
  /// What friction takes of a node; false where the layer is resolved.
  bool friction_at(const Int3& x, int surface, const PlaneLinks& links, bool keep, double (&stress)[2]) const {
    if (step_ == 0) return false;
    const Surface& s = domain_.surfaces[surface];
    Int3 inwards{}, up = x;
    inwards[s.axis] = -static_cast<int>(s.outwards);
    int direction = lattice().find(inwards);
    const bool above = direction >= 0 && neighbour(up, direction, +1);
    const Real3 u = history_[index(above ? up : x)][step_ - 1].velocity;
    const double y = above ? 1.5 : 0.5, area = std::abs(links.area());
    const int axes[2] = {links.axis(0), links.axis(1)};
    Past past = past_[{index(x), surface}];
    for (int a = 0; a < 2 && step_ == 1; ++a) past.along[a] = u[axes[a]];
    const double speed = std::hypot(past.along[0], past.along[1]);
    const double friction = friction_velocity(speed, y, (collision_.physics().tau - 0.5) / 3, s.grain);
    const double rate = friction > 0 ? friction / (y + friction) : 1;
    for (int a = 0; a < 2; ++a) {
      if (friction > 0) stress[a] = friction * friction * area * u[axes[a]] / speed;
      past.along[a] += rate * (u[axes[a]] - past.along[a]);
    }
    if (keep) past_[{index(x), surface}] = past;
    return friction > 0;
  }

  mutable Collision collision_;  ///< with the body force of the node that was asked about last
  Domain domain_;
  Real3 force_of_all_;
  std::vector<bool> fluid_;
  std::vector<int> cut_;  ///< by node and direction
  std::vector<Populations> f_, next_;
  mutable std::map<std::pair<std::size_t, int>, Past> past_;
  mutable std::map<std::pair<std::size_t, int>, NodeState> damped_;
  mutable std::vector<std::vector<NodeState>> history_;  ///< of every node before its sponge, one a step
  int step_ = 0;
};

}  // namespace reference
