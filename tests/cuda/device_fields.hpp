// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "fluvia/cuda/runtime/memory.hpp"
#include "fluvia/geometry/map/box_array.hpp"
#include "fluvia/solver/solver.hpp"
#include "reference/scenes.hpp"

namespace fluvia::test {

/// What is in the memory of a GPU, on the host.
inline std::vector<float> read(const DeviceArray& array, std::size_t count) {
  std::vector<float> values(count);
  const cuda::Device device(array.device);
  const cuda::Stream stream(device);
  static_cast<const cuda::DeviceBuffer*>(array.owner.get())
      ->download(stream, values.data(), values.size() * sizeof(float));
  stream.synchronize();
  return values;
}

/// Fields that a solver keeps on its GPU are, bit by bit, those that follow from its moments on the host.
inline void expect_fields_on_device(const Solver& solver) {
  const DeviceFields* const fields = solver.device_fields();
  ASSERT_NE(fields, nullptr);
  const NodeMap& nodes = solver.geometry().nodes;
  const BoxArray box(nodes.size);
  const Moments moments = scene::moments(solver, false);
  for (const LinearField& field :
       {LinearField{LinearField::Moment::density, 1, 1234.5 / 3}, LinearField{LinearField::Moment::density, 0, 998.2},
        LinearField{LinearField::Moment::velocity, 0.01, -0.37}}) {
    const std::size_t components = field.components(), count = box.count() * components;
    const std::vector<float> found = read(fields->compute(field), count);
    std::vector<float> expected(count, std::nanf(""));
    std::uint64_t k = 0;
    for (const NodeMap::Tile& tile : nodes.tiles)
      for (std::uint64_t bits = tile.mask; bits; bits &= bits - 1, ++k)
        for (std::size_t a = 0; a < components; ++a)
          expected[box(nodes.node_position(tile, std::countr_zero(bits))) * components + a] = static_cast<float>(
              field.at(field.moment == LinearField::Moment::density ? moments.density[k] : moments.velocity[k][a]));
    std::size_t different = 0;
    for (std::size_t i = 0; i < count; ++i)
      different += !(found[i] == expected[i] || (std::isnan(found[i]) && std::isnan(expected[i])));
    EXPECT_EQ(different, 0U) << "of " << count << " values of a field of " << components << " components";
  }
  const std::vector<float> values{1, -2.5f, 3};
  EXPECT_EQ(read(fields->upload(values), values.size()), values);
}

}  // namespace fluvia::test
