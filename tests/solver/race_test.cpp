// SPDX-License-Identifier: Apache-2.0
// The proof that streamings are race-free and right, from their four pure functions alone: every access of every fluid
// node of a small box is enumerated. Nothing of a backend takes part.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "fluvia/core/lattice/registry.hpp"
#include "fluvia/core/streaming/registry.hpp"

namespace fluvia::core {
namespace {

using Node = std::array<int, 3>;

/// A box of nodes, some of them solid.
struct Box {
  Node size;
  std::array<bool, 3> periodic;
  std::vector<bool> fluid;

  [[nodiscard]] int index(const Node& x) const { return x[0] + size[0] * (x[1] + size[1] * x[2]); }
  /// Storage is that of the node wrapped around the box, whether the axis is periodic or not.
  [[nodiscard]] Node wrapped(Node x) const {
    for (int a = 0; a < 3; ++a) x[a] = (x[a] + size[a]) % size[a];
    return x;
  }
  [[nodiscard]] bool is_fluid(const Node& x) const {
    for (int a = 0; a < 3; ++a)
      if (!periodic[a] && (x[a] < 0 || x[a] >= size[a])) return false;
    return fluid[index(wrapped(x))];
  }
  template <class Body>
  void for_each_fluid(Body&& body) const {
    Node x;
    for (x[2] = 0; x[2] < size[2]; ++x[2])
      for (x[1] = 0; x[1] < size[1]; ++x[1])
        for (x[0] = 0; x[0] < size[0]; ++x[0])
          if (is_fluid(x)) body(x);
  }
};

template <class Lattice>
Node neighbour(const Node& x, int i, int side) {
  return {x[0] + side * Lattice::c[i][0], x[1] + side * Lattice::c[i][1], x[2] + side * Lattice::c[i][2]};
}

/// A population's place: (node, slot).
using Place = std::pair<int, int>;

template <class Lattice>
Place place_of(const Box& box, const Node& x, int i, const Access& access) {
  return {box.index(box.wrapped(neighbour<Lattice>(x, i, access.side))), access.slot};
}

template <class Streaming, class Lattice>
Place read_place(const Box& box, int step, const Node& x, int i) {
  const int parity = step % Streaming::parities;
  const bool is_there = box.is_fluid(neighbour<Lattice>(x, i, -1));
  return place_of<Lattice>(box, x, i, is_there ? Streaming::read_from(parity, i) : Streaming::read_cut(parity, i));
}

template <class Streaming, class Lattice>
Place write_place(const Box& box, int step, const Node& x, int i) {
  const int parity = step % Streaming::parities;
  const bool is_there = box.is_fluid(neighbour<Lattice>(x, i, +1));
  return place_of<Lattice>(box, x, i, is_there ? Streaming::write_to(parity, i) : Streaming::write_cut(parity, i));
}

/// No place belongs to two nodes within a step, nor to two populations of one node.
template <class Streaming, class Lattice>
void expect_no_race(const Box& box, int step) {
  std::map<Place, int> readers, writers;
  box.for_each_fluid([&](const Node& x) {
    for (int i = 0; i < Lattice::Q; ++i) {
      const auto reader = readers.emplace(read_place<Streaming, Lattice>(box, step, x, i), box.index(x));
      const auto writer = writers.emplace(write_place<Streaming, Lattice>(box, step, x, i), box.index(x));
      ASSERT_TRUE(writer.second) << "two populations are written to one place, direction " << i;
      ASSERT_TRUE(reader.second) << "one place is read as two populations, direction " << i;
    }
  });
  if constexpr (Streaming::copies == 1) {
    // In place: a node writes exactly where it has read, so no other node's read can come too late.
    ASSERT_EQ(readers, writers);
  }
}

/// What step `step` leaves for x + c_i is what the next step finds there; on a cut link it comes back reversed.
template <class Streaming, class Lattice>
void expect_delivery(const Box& box, int step) {
  box.for_each_fluid([&](const Node& x) {
    for (int i = 0; i < Lattice::Q; ++i) {
      const Place left = write_place<Streaming, Lattice>(box, step, x, i);
      const Node target = neighbour<Lattice>(x, i, +1);
      const Place found = box.is_fluid(target) ? read_place<Streaming, Lattice>(box, step + 1, box.wrapped(target), i)
                                               : read_place<Streaming, Lattice>(box, step + 1, x, opposite(i));
      ASSERT_EQ(left, found) << "direction " << i << " of node " << x[0] << ' ' << x[1] << ' ' << x[2];
    }
  });
}

/// Compact addressing has no storage in solid nodes, so streamings that claim to need none must never touch any.
template <class Streaming, class Lattice>
void expect_fluid_storage_only(const Box& box, int step) {
  std::set<int> fluid;
  box.for_each_fluid([&](const Node& x) { fluid.insert(box.index(x)); });
  box.for_each_fluid([&](const Node& x) {
    for (int i = 0; i < Lattice::Q; ++i) {
      const int read_node = read_place<Streaming, Lattice>(box, step, x, i).first;
      const int written_node = write_place<Streaming, Lattice>(box, step, x, i).first;
      ASSERT_TRUE(fluid.contains(read_node));
      ASSERT_TRUE(fluid.contains(written_node));
    }
  });
}

std::vector<Box> boxes(int dimension) {
  std::vector<Box> result;
  std::mt19937 random(5);
  const std::vector<Node> sizes = dimension == 2 ? std::vector<Node>{{7, 5, 1}, {3, 11, 1}, {2, 2, 1}, {1, 4, 1}}
                                                 : std::vector<Node>{{5, 3, 7}, {4, 5, 3}, {2, 2, 2}, {1, 3, 2}};
  for (const Node& size : sizes)
    for (int axes = 0; axes < 8; ++axes)
      for (const double solid : {0.0, 0.3, 0.7}) {
        Box box{size, {(axes & 1) != 0, (axes & 2) != 0, (axes & 4) != 0}, {}};
        box.fluid.resize(static_cast<std::size_t>(size[0]) * size[1] * size[2]);
        for (auto node : box.fluid) node = std::uniform_real_distribution<>(0, 1)(random) >= solid;
        result.push_back(box);
      }
  return result;
}

template <class Visitor>
void for_each_streaming(Visitor&& visit) {
  for_each_type(Lattices{}, [&]<class Lattice>(Lattice lattice) {
    for (const Box& box : boxes(Lattice::D))
      for_each_type(Streamings{}, [&]<class Streaming>(Streaming streaming) {
        for (int step = 0; step < 2 * Streaming::parities; ++step) {
          SCOPED_TRACE(testing::Message() << Streaming::name << ' ' << Lattice::name << " step " << step << " box "
                                          << box.size[0] << 'x' << box.size[1] << 'x' << box.size[2] << " periodic "
                                          << box.periodic[0] << box.periodic[1] << box.periodic[2]);
          visit(streaming, lattice, box, step);
          if (testing::Test::HasFatalFailure()) return;
        }
      });
  });
}

TEST(Streamings, HaveNoRace) {
  for_each_streaming([]<class Streaming, class Lattice>(Streaming, Lattice, const Box& box, int step) {
    expect_no_race<Streaming, Lattice>(box, step);
  });
}

TEST(Streamings, DeliverEveryPopulation) {
  for_each_streaming([]<class Streaming, class Lattice>(Streaming, Lattice, const Box& box, int step) {
    expect_delivery<Streaming, Lattice>(box, step);
  });
}

TEST(Streamings, StayInFluidStorageIfTheySaySo) {
  for_each_streaming([]<class Streaming, class Lattice>(Streaming, Lattice, const Box& box, int step) {
    if constexpr (needs_fluid_storage_only<Streaming, Lattice>())
      expect_fluid_storage_only<Streaming, Lattice>(box, step);
  });
}

}  // namespace
}  // namespace fluvia::core
