// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/levels/level_share.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "fluvia/base/error.hpp"

namespace fluvia::domain {

namespace {

using Numbers = std::vector<std::uint32_t>;

/// Which items of lists a part needs.
struct Needs {
  std::vector<bool> links, children, reads, places;
};

/// The part that owns each place.
std::vector<int> owners_of(const std::vector<HaloPopulation>& places, const std::vector<std::uint64_t>& cuts) {
  std::vector<int> owners;
  owners.reserve(places.size());
  for (const HaloPopulation& place : places) owners.push_back(part_with(cuts, place.tile));
  return owners;
}

class Shares {
 public:
  Shares(const LevelLinks& all, const LevelCuts& cuts)
      : all_(all),
        coarse_cuts_(cuts.coarse),
        readers_(owners_of(all.coarse_reads, cuts.coarse)),
        writers_(owners_of(all.coarse_writes, cuts.coarse)),
        placers_(owners_of(all.fine_places, cuts.fine)),
        source_of_(all.children.size()) {
    writers_.resize(all.links.size() - 1, cuts.parts());  // sums belong to no part
    for (std::uint32_t n = 0; n + 1 < all.sources.size(); ++n)
      for (std::uint32_t k = all.sources[n].first_child; k < all.sources[n + 1].first_child; ++k) source_of_[k] = n;
  }

  /// What a part needs to make all that arrives at its own nodes.
  [[nodiscard]] Needs needs_of(int part) const {
    Needs needs;
    needs.reads.resize(readers_.size());
    needs.children.resize(all_.children.size());
    needs.places.resize(placers_.size());
    add_links(part, needs);
    for (std::uint32_t k = 0; k < all_.children.size(); ++k)
      if (arrives_at(all_.children[k], part)) needs.children[k] = true;
    for (const LevelLinks::WallForce& force : all_.forces.of_children)
      if (counts(force, part)) needs.children[force.number] = true;
    for (std::uint32_t k = 0; k < all_.children.size(); ++k)
      if (needs.children[k]) add_source(all_.sources[source_of_[k]], needs);
    for (const LevelLinks::Passing& passing : all_.passing)
      if (placers_[passing.to] == part) needs.places[passing.from] = true;
    for (std::size_t s = 0; s < 2; ++s)
      for (const LevelLinks::WallForce& force : all_.forces.of_leaving[s])
        if (counts(force, part)) needs.places[force.number] = true;
    for (const LevelLinks::Continued& continued : all_.continued) {
      if (placers_[continued.place] != part) continue;
      needs.places[continued.near] = true;
      if (continued.far != LevelLinks::none) needs.places[continued.far] = true;
    }
    return needs;
  }
  [[nodiscard]] bool arrives_at(const LevelLinks::Child& child, int part) const {
    return child.place != LevelLinks::none && placers_[child.place] == part;
  }
  /// Whether a part adds up what walls get there.
  [[nodiscard]] bool counts(const LevelLinks::WallForce& force, int part) const {
    return part_with(coarse_cuts_, force.tile) == part;
  }
  [[nodiscard]] const std::vector<int>& readers() const { return readers_; }
  [[nodiscard]] const std::vector<int>& writers() const { return writers_; }
  [[nodiscard]] const std::vector<int>& placers() const { return placers_; }
  [[nodiscard]] std::uint32_t source_of(std::uint32_t child) const { return source_of_[child]; }

 private:
  /// Own links, and those at the other ends of their transfers, which take part of the sums of each other.
  void add_links(int part, Needs& needs) const {
    needs.links.resize(writers_.size());
    for (std::size_t k = 0; k < writers_.size(); ++k) needs.links[k] = writers_[k] == part;
    for (const LevelLinks::Transfer& transfer : all_.transfers)
      if (writers_[transfer.from] == part || writers_[transfer.to] == part)
        needs.links[transfer.from] = needs.links[transfer.to] = true;
    for (std::size_t k = 0; k < writers_.size(); ++k) {
      if (!needs.links[k]) continue;
      const LevelLinks::CoarseLink &link = all_.links[k], &next = all_.links[k + 1];
      if (link.streamed != LevelLinks::none) needs.reads[link.streamed] = true;
      for (std::uint32_t n = link.first_child; n < next.first_child; ++n)
        needs.children[all_.link_children[n].child] = true;
      for (std::size_t s = 0; s < 2; ++s)
        for (std::uint32_t n = link.first_leaving[s]; n < next.first_leaving[s]; ++n)
          needs.places[all_.leaving[s][n]] = true;
    }
  }
  static void add_source(const LevelLinks::Source& source, Needs& needs) {
    needs.reads[source.at] = true;
    for (std::size_t a = 0; a < 3; ++a) needs.reads[source.upper[a]] = needs.reads[source.lower[a]] = true;
  }

  const LevelLinks& all_;
  std::vector<std::uint64_t> coarse_cuts_;
  std::vector<int> readers_, writers_, placers_;
  Numbers source_of_;
};

/// A list of a part: which items of the whole list it has, own ones first, then those of each other part, and the
/// number here of each.
struct Chosen {
  Numbers items, number;
  std::size_t own = 0;
  [[nodiscard]] Numbers below(std::size_t end) const {
    Numbers some;
    std::copy_if(items.begin(), items.end(), std::back_inserter(some), [&](std::uint32_t k) { return k < end; });
    return some;
  }
};
template <class IsWanted>
Chosen choose(const std::vector<int>& owners, int part, const IsWanted& is_wanted) {
  Chosen chosen;
  chosen.number.assign(owners.size(), LevelLinks::none);
  for (std::uint32_t k = 0; k < owners.size(); ++k) {
    if (owners[k] == part) ++chosen.own;
    if (owners[k] == part || is_wanted(k)) chosen.items.push_back(k);
  }
  const auto place_of = [&](std::uint32_t k) { return owners[k] == part ? -1 : owners[k]; };
  std::stable_sort(chosen.items.begin(), chosen.items.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return place_of(a) < place_of(b); });
  for (std::uint32_t n = 0; n < chosen.items.size(); ++n) chosen.number[chosen.items[n]] = n;
  return chosen;
}

template <class Item>
std::vector<Item> picked(const std::vector<Item>& all, const Numbers& items) {
  std::vector<Item> list;
  list.reserve(items.size());
  for (const std::uint32_t k : items) list.push_back(all[k]);
  return list;
}

/// The lists of a part, of those of the whole.
class Cutter {
 public:
  Cutter(const LevelLinks& all, const Shares& shares, const Needs& needs, int part)
      : all_(all),
        shares_(shares),
        part_(part),
        reads_(choose(shares.readers(), part, [&](std::uint32_t k) { return needs.reads[k]; })),
        writes_(choose(shares.writers(), part, [&](std::uint32_t k) { return needs.links[k]; })),
        places_(choose(shares.placers(), part, [&](std::uint32_t k) { return needs.places[k]; })) {
    share_.own_reads = reads_.own;
    share_.own_writes = writes_.own;
    share_.own_places = places_.own;
    LevelLinks& own = share_.links;
    own.coarse_reads = picked(all.coarse_reads, reads_.items);
    own.coarse_writes = picked(all.coarse_writes, writes_.below(all.coarse_writes.size()));
    own.fine_places = picked(all.fine_places, places_.items);
    cut_sources(needs);
    cut_links();
    for (const LevelLinks::Passing& passing : all.passing)
      if (is_own_place(passing.to)) own.passing.push_back({place(passing.from), place(passing.to)});
    for (const LevelLinks::Continued& c : all.continued)
      if (is_own_place(c.place)) own.continued.push_back({place(c.place), place(c.near), place(c.far)});
    for (const LevelLinks::WallGain& gain : all.place_gains)
      if (is_own_place(gain.to)) own.place_gains.push_back({place(gain.to), gain.surface, gain.value});
    for (const LevelLinks::WallGain& gain : all.link_gains)
      if (const std::uint32_t to = writes_.number[gain.to]; to != LevelLinks::none)
        own.link_gains.push_back({to, gain.surface, gain.value});
    cut_forces();
    for (const LevelLinks::Transfer& transfer : all.transfers)
      if (is_own_link(transfer.from) || is_own_link(transfer.to))
        own.transfers.push_back({writes_.number[transfer.from], writes_.number[transfer.to], transfer.part});
  }

  /// Adds what goes to another part and comes from it.
  void add_messages(int other, const Needs& own, const Needs& theirs) {
    add(other, shares_.readers(), own.reads, theirs.reads, reads_, share_.coarse);
    add(other, shares_.placers(), own.places, theirs.places, places_, share_.fine);
  }
  LevelShare take() { return std::move(share_); }

 private:
  void cut_sources(const Needs& needs) {
    LevelLinks& own = share_.links;
    children_.assign(all_.children.size(), LevelLinks::none);
    std::uint32_t last = LevelLinks::none;
    for (std::uint32_t k = 0; k < all_.children.size(); ++k) {
      if (!needs.children[k]) continue;
      const std::uint32_t n = shares_.source_of(k);
      if (n != last) own.sources.push_back(renumbered(all_.sources[n]));
      last = n;
      children_[k] = static_cast<std::uint32_t>(own.children.size());
      LevelLinks::Child child = all_.children[k];
      child.place = shares_.arrives_at(child, part_) ? place(child.place) : LevelLinks::none;
      own.children.push_back(child);
    }
    LevelLinks::Source end{};
    end.first_child = static_cast<std::uint32_t>(own.children.size());
    own.sources.push_back(end);
  }
  [[nodiscard]] LevelLinks::Source renumbered(LevelLinks::Source source) const {
    source.at = reads_.number[source.at];
    for (std::size_t a = 0; a < 3; ++a) {
      source.upper[a] = reads_.number[source.upper[a]];
      source.lower[a] = reads_.number[source.lower[a]];
    }
    source.first_child = static_cast<std::uint32_t>(share_.links.children.size());
    return source;
  }
  void cut_forces() {
    LevelLinks::WallForces& own = share_.links.forces;
    const LevelLinks::WallForces& all = all_.forces;
    const auto cut = [&](const std::vector<LevelLinks::WallForce>& from, std::vector<LevelLinks::WallForce>& to,
                         const auto& number_of) {
      for (LevelLinks::WallForce force : from) {
        if (!shares_.counts(force, part_)) continue;
        force.number = number_of(force.number);
        to.push_back(force);
      }
    };
    cut(all.of_children, own.of_children, [&](std::uint32_t k) { return children_[k]; });
    for (std::size_t s = 0; s < 2; ++s)
      cut(all.of_leaving[s], own.of_leaving[s], [&](std::uint32_t k) { return place(k); });
    cut(all.of_links, own.of_links, [&](std::uint32_t k) { return writes_.number[k]; });
    const auto same = [](std::uint32_t k) { return k; };
    cut(all.of_gains, own.of_gains, same);
    cut(all.of_motion, own.of_motion, same);
  }
  void cut_links() {
    LevelLinks& own = share_.links;
    for (const std::uint32_t k : writes_.items) {
      const LevelLinks::CoarseLink &link = all_.links[k], &next = all_.links[k + 1];
      LevelLinks::CoarseLink& here = own.links.emplace_back(ends());
      if (link.streamed != LevelLinks::none) here.streamed = reads_.number[link.streamed];
      for (std::uint32_t n = link.first_child; n < next.first_child; ++n)
        own.link_children.push_back({children_[all_.link_children[n].child], all_.link_children[n].gained});
      for (std::size_t s = 0; s < 2; ++s)
        for (std::uint32_t n = link.first_leaving[s]; n < next.first_leaving[s]; ++n)
          own.leaving[s].push_back(place(all_.leaving[s][n]));
    }
    own.links.push_back(ends());
  }
  [[nodiscard]] LevelLinks::CoarseLink ends() const {
    const LevelLinks& own = share_.links;
    const auto size = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
    return {LevelLinks::none, size(own.link_children), {size(own.leaving[0]), size(own.leaving[1])}};
  }
  void add(int other, const std::vector<int>& owners, const std::vector<bool>& own, const std::vector<bool>& theirs,
           const Chosen& chosen, PlaceMessages& messages) const {
    PlaceMessages::With with{other, {}, {}};
    for (std::uint32_t k = 0; k < owners.size(); ++k) {
      if (owners[k] == part_ && theirs[k]) with.leaving.push_back(chosen.number[k]);
      if (owners[k] == other && own[k]) with.arriving.push_back(chosen.number[k]);
    }
    if (!with.leaving.empty() || !with.arriving.empty()) messages.parts.push_back(std::move(with));
  }
  [[nodiscard]] std::uint32_t place(std::uint32_t k) const { return k == LevelLinks::none ? k : places_.number[k]; }
  [[nodiscard]] bool is_own_place(std::uint32_t k) const { return shares_.placers()[k] == part_; }
  [[nodiscard]] bool is_own_link(std::uint32_t k) const { return shares_.writers()[k] == part_; }

  const LevelLinks& all_;
  const Shares& shares_;
  int part_;
  Chosen reads_, writes_, places_;
  Numbers children_;  ///< number here of each
  LevelShare share_;
};

}  // namespace

std::vector<LevelShare> shares_of(const LevelLinks& all, const LevelCuts& cuts, const std::vector<int>& parts) {
  const Shares shares(all, cuts);
  std::vector<Needs> needs;
  for (int part = 0; part < cuts.parts(); ++part) needs.push_back(shares.needs_of(part));
  std::vector<LevelShare> result;
  for (const int part : parts) {
    const Needs& own = needs[static_cast<std::size_t>(part)];
    Cutter cutter(all, shares, own, part);
    for (int other = 0; other < cuts.parts(); ++other)
      if (other != part) cutter.add_messages(other, own, needs[static_cast<std::size_t>(other)]);
    result.push_back(cutter.take());
  }
  for (const LevelLinks& of_scalar : all.scalars) {
    std::vector<LevelShare> of_parts = shares_of(of_scalar, cuts, parts);
    for (std::size_t k = 0; k < parts.size(); ++k) result[k].scalars.push_back(std::move(of_parts[k]));
  }
  return result;
}

namespace {

void add_level_neighbours(const LevelShare& share, int scalar, Block& coarse, Block& fine) {
  const auto first = [](const std::vector<HaloPopulation>& list, std::size_t count) {
    return std::vector<HaloPopulation>(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(count));
  };
  Neighbour finer, coarser;
  finer.scalar = coarser.scalar = scalar;
  finer.block = fine.number;
  finer.link = ExchangeLink::fine_to_coarse;
  finer.arrives = first(share.links.coarse_writes, share.own_writes);
  finer.leaves = first(share.links.coarse_reads, share.own_reads);
  coarser.block = coarse.number;
  coarser.link = ExchangeLink::coarse_to_fine;
  coarser.arrives = coarser.leaves = first(share.links.fine_places, share.own_places);
  coarse.neighbours.push_back(std::move(finer));
  fine.neighbours.push_back(std::move(coarser));
}

}  // namespace

void add_level_neighbours(const LevelShare& share, Block& coarse, Block& fine) {
  for (int scalar = Neighbour::of_flow; scalar < share.scalar_count(); ++scalar)
    add_level_neighbours(share.of(scalar), scalar, coarse, fine);
}

namespace {

void add_value_neighbours(const LevelShare& share, int scalar, Block& coarse, Block& fine) {
  const auto add = [&](const PlaceMessages& messages, const std::vector<HaloPopulation>& places, ExchangeLink link,
                       Block& block) {
    for (const PlaceMessages::With& with : messages.parts) {
      Neighbour& other = block.neighbours.emplace_back();
      other.block = with.part;
      other.link = link;
      other.scalar = scalar;
      for (const std::uint32_t k : with.leaving) other.leaves.push_back(places[k]);
    }
  };
  add(share.coarse, share.links.coarse_reads, ExchangeLink::coarse_values, coarse);
  add(share.fine, share.links.fine_places, ExchangeLink::fine_values, fine);
}

}  // namespace

void add_value_neighbours(const LevelShare& share, Block& coarse, Block& fine) {
  for (int scalar = Neighbour::of_flow; scalar < share.scalar_count(); ++scalar)
    add_value_neighbours(share.of(scalar), scalar, coarse, fine);
}

void MemoryValues::wait(std::span<const std::span<double>> values) {
  for (std::size_t p = 0; p < messages_.size(); ++p)
    for (const PlaceMessages::With& with : messages_[p].parts) {
      const auto other = static_cast<std::size_t>(with.part);
      const auto& back = messages_[other].parts;
      const auto theirs =
          std::find_if(back.begin(), back.end(), [&](const auto& w) { return w.part == static_cast<int>(p); });
      if (theirs == back.end() || theirs->leaving.size() != with.arriving.size())
        throw Error(ExitCode::internal, "two parts do not agree about what crosses between levels");
      for (std::size_t k = 0; k < with.arriving.size(); ++k)
        values[p][with.arriving[k]] = values[other][theirs->leaving[k]];
    }
}

}  // namespace fluvia::domain
