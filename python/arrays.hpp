// SPDX-License-Identifier: Apache-2.0
// Arrays between C++ and Python: C-ordered with x fastest, [z, y, x] or [z, y, x, component]; in 2D without z.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "fluvia/base/vector.hpp"
#include "fluvia/solver/device_fields.hpp"

namespace fluvia {
class Session;
}

namespace fluvia::python {

namespace nb = nanobind;

/// A dictionary, dict[str, Any] in Python.
using Dict = nb::typed<nb::dict, nb::str, nb::any>;

/// The shape of a box's arrays: z, y, x, or y, x in 2D, and the components of vectors.
inline std::vector<std::size_t> shape_of(const std::array<std::size_t, 3>& nodes, int dimension, int components = 1) {
  std::vector<std::size_t> shape(nodes.begin() + (dimension == 2 ? 1 : 0), nodes.end());
  if (components > 1) shape.push_back(static_cast<std::size_t>(components));
  return shape;
}
inline std::vector<std::size_t> shape_of(const Int3& size, int dimension, int components = 1) {
  const auto along = [&](std::size_t axis) { return static_cast<std::size_t>(size[axis]); };
  return shape_of(std::array<std::size_t, 3>{along(2), along(1), along(0)}, dimension, components);
}

/// Gives an array to Python, which then owns its memory: nothing is copied.
template <class T>
nb::ndarray<nb::numpy, T, nb::c_contig> hand_over(std::vector<T>&& values, const std::vector<std::size_t>& shape) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T, nb::c_contig>(kept->data(), shape.size(), shape.data(), owner);
}

/// Hands an array in the memory of a GPU over to Python, for libraries that take such arrays by DLPack.
using GpuArray = nb::ndarray<nb::array_api, float, nb::c_contig, nb::device::cuda>;
inline GpuArray hand_over(DeviceArray&& array, const std::vector<std::size_t>& shape) {
  auto* kept = new std::shared_ptr<void>(std::move(array.owner));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::shared_ptr<void>*>(p); });
  return {array.values, shape.size(), shape.data(), owner, nullptr, nb::dtype<float>(), nb::device::cuda::value,
          array.device};
}

/// Adds to the module all that fluvia.geometry calls.
void bind_geometry(nb::module_& m);
/// Adds to the class all that fluvia.Simulation asks of bodies that move.
void bind_bodies(nb::class_<Session>& session);
/// Adds to it what it asks of points that go with the flow.
void bind_tracers(nb::class_<Session>& session);

}  // namespace fluvia::python
