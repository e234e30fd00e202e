// SPDX-License-Identifier: Apache-2.0
#include "fluvia/initial/vtkhdf_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "fluvia/base/apart.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/base/machine/memory.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/hdf5/input_file.hpp"

namespace fluvia {

namespace {

constexpr std::int64_t most_points = 1 << 20;  ///< points along an axis, as many as nodes of a box

class VtkHdfReader {
 public:
  VtkHdfReader(const std::filesystem::path& path, std::string name, int components)
      : file_(path), path_(path.string()), name_(std::move(name)), components_(components) {}

  RegularSamples read() {
    const HdfHandle root = file_.open_group("VTKHDF");
    const std::string type = file_.text(root.get(), "Type");
    if (file_.has(root.get(), "Steps")) file_.fail("holds several times; give a file of one");
    if (type == "ImageData") return read_image(root);
    if (type == "UnstructuredGrid") return read_cells(root);
    file_.fail("holds a data set of type '" + shorten(type) + "'; expected ImageData or UnstructuredGrid");
  }

 private:
  /// An array and the group that it is in.
  struct Found {
    std::string group;
    HdfHandle dataset;
  };

  /// The array with that name, in whatever case, in the first of the groups that has one.
  Found find(const HdfHandle& root, std::initializer_list<const char*> groups) {
    std::vector<std::string> there;
    for (const char* group : groups) {
      if (!file_.has(root.get(), group)) continue;
      const HdfHandle opened = file_.open_group(std::string("VTKHDF/") + group);
      for (const std::string& name : file_.names(opened)) {
        there.push_back("'" + shorten(name) + "'");
        if (edit_distance(name, name_) == 0) return {group, file_.open_dataset(opened.get(), name)};
      }
    }
    file_.fail(fmt::format("has no array '{}' (it has: {})", name_, there.empty() ? "none" : join(there)));
  }

  void check_shape(const HdfHandle& dataset, std::vector<hsize_t> expected, const std::string& what) {
    if (file_.shape(dataset) == expected) return;
    std::vector<std::string> texts;
    for (const hsize_t extent : expected) texts.push_back(std::to_string(extent));
    file_.fail(fmt::format("{} does not have the shape ({}) that the rest of the file means", what, join(texts)));
  }

  /// Reads all of a dataset whose shape is known.
  template <class T>
  std::vector<T> read_all(const HdfHandle& dataset, const std::vector<hsize_t>& shape) {
    const hsize_t count = std::accumulate(shape.begin(), shape.end(), hsize_t{1}, std::multiplies<>());
    require_memory(count * sizeof(T), path_ + ": its values", "is this the right file?");
    std::vector<T> values(count);
    if (count > 0) file_.read(dataset, hdf_type<T>(), std::vector<hsize_t>(shape.size(), 0), shape, values.data());
    return values;
  }

  template <class T>
  std::vector<T> read_attribute(const HdfHandle& root, const char* name, std::size_t count) {
    std::vector<T> values = file_.attribute<T>(root.get(), name);
    if (values.size() != count) file_.fail(fmt::format("attribute '{}' does not hold {} numbers", name, count));
    return values;
  }

  RegularSamples read_image(const HdfHandle& root) {
    const auto extent = read_attribute<std::int64_t>(root, "WholeExtent", 6);
    const auto origin = read_attribute<double>(root, "Origin", 3);
    const auto spacing = read_attribute<double>(root, "Spacing", 3);
    if (file_.has_attribute(root.get(), "Direction") &&
        read_attribute<double>(root, "Direction", 9) != std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1})
      file_.fail("has axes other than x, y, z ('Direction')");
    const Found found = find(root, {"PointData", "CellData"});
    const bool by_cells = found.group == "CellData";
    RegularSamples samples;
    samples.components = components_;
    std::vector<hsize_t> shape(3);
    for (std::size_t a = 0; a < 3; ++a) {
      const std::int64_t low = extent[2 * a], high = extent[2 * a + 1];
      if (low < -most_points || high > 2 * most_points || high < low || high - low >= most_points)
        file_.fail(fmt::format("'WholeExtent' {} to {} along {}: expected at most {} points", low, high, "xyz"[a],
                               most_points));
      if (!std::isfinite(origin[a]) || !(spacing[a] > 0) || !std::isfinite(spacing[a]))
        file_.fail("'Origin' and 'Spacing' are no finite numbers, spacings above 0");
      const int axis = static_cast<int>(a);
      samples.count[a] = by_cells ? std::max<std::int64_t>(high - low, 1) : high - low + 1;
      samples.spacing[axis] = spacing[a];
      samples.first[axis] = origin[a] + spacing[a] * (static_cast<double>(low) + (by_cells && high > low ? 0.5 : 0));
      shape[2 - a] = static_cast<hsize_t>(samples.count[a]);
    }
    const std::vector<hsize_t> points = shape;
    if (components_ > 1) shape.push_back(static_cast<hsize_t>(components_));
    check_shape(found.dataset, shape, "'" + name_ + "'");
    samples.values = read_all<float>(found.dataset, shape);
    hide(file_.open_group("VTKHDF/" + found.group), points, samples);
    return samples;
  }

  /// Takes the values away from points that VTK does not show.
  void hide(const HdfHandle& group, const std::vector<hsize_t>& points, RegularSamples& samples) {
    constexpr const char* ghosts = "vtkGhostType";
    if (!file_.has(group.get(), ghosts)) return;
    const HdfHandle dataset = file_.open_dataset(group.get(), ghosts);
    check_shape(dataset, points, "'vtkGhostType'");
    const std::vector<std::uint8_t> hidden = read_all<std::uint8_t>(dataset, points);
    const auto depth = static_cast<std::size_t>(components_);
    for (std::size_t i = 0; i < hidden.size(); ++i)
      if (hidden[i] != 0)
        std::fill_n(samples.values.begin() + static_cast<std::ptrdiff_t>(i * depth), depth,
                    std::numeric_limits<float>::quiet_NaN());
  }

  /// A cell: the box of its corners.
  struct Cell {
    Real3 center{}, size{};
  };

  std::vector<Cell> read_corners(const HdfHandle& root, hsize_t count) {
    const HdfHandle points_set = file_.open_dataset(root.get(), "Points"),
                    ids_set = file_.open_dataset(root.get(), "Connectivity"),
                    offsets_set = file_.open_dataset(root.get(), "Offsets");
    const std::vector<hsize_t> points_shape = file_.shape(points_set), ids_shape = file_.shape(ids_set);
    if (points_shape.size() != 2 || points_shape[1] != 3 || ids_shape.size() != 1)
      file_.fail("'Points' or 'Connectivity' have another shape than those of VTK");
    check_shape(offsets_set, {count + 1}, "'Offsets'");
    const std::vector<double> points = read_all<double>(points_set, points_shape);
    const std::vector<std::int64_t> ids = read_all<std::int64_t>(ids_set, ids_shape);
    const std::vector<std::int64_t> offsets = read_all<std::int64_t>(offsets_set, {count + 1});
    require_memory(count * sizeof(Cell), path_ + ": its cells", "is this the right file?");
    std::vector<Cell> cells(count);
    for (hsize_t i = 0; i < count; ++i) {
      const std::int64_t from = offsets[i], to = offsets[i + 1];
      if (from < 0 || to <= from || static_cast<std::uint64_t>(to) > ids.size())
        file_.fail(fmt::format("'Offsets' of cell {} mean no corners", i));
      Real3 low{}, high{};
      for (std::int64_t k = from; k < to; ++k) {
        const std::int64_t id = ids[static_cast<std::size_t>(k)];
        if (id < 0 || static_cast<std::uint64_t>(id) >= points_shape[0])
          file_.fail(fmt::format("cell {} has a corner {}, of {} points", i, id, points_shape[0]));
        for (int axis = 0; axis < 3; ++axis) {
          const double x = points[3 * static_cast<std::size_t>(id) + static_cast<std::size_t>(axis)];
          if (!(std::abs(x) < 1e30)) file_.fail(fmt::format("point {} is nowhere", id));
          low[axis] = k == from ? x : std::min(low[axis], x);
          high[axis] = k == from ? x : std::max(high[axis], x);
        }
      }
      for (int axis = 0; axis < 3; ++axis) {
        cells[i].center[axis] = 0.5 * (low[axis] + high[axis]);
        cells[i].size[axis] = high[axis] - low[axis];
      }
    }
    return cells;
  }

  RegularSamples read_cells(const HdfHandle& root) {
    const Found found = find(root, {"CellData"});
    const std::vector<hsize_t> shape = file_.shape(found.dataset);
    if (shape.empty()) file_.fail("'" + name_ + "' has no rows");
    const hsize_t count = shape[0];
    std::vector<hsize_t> expected{count};
    if (components_ > 1) expected.push_back(static_cast<hsize_t>(components_));
    check_shape(found.dataset, expected, "'" + name_ + "'");
    if (count == 0) file_.fail("has no cells");
    const std::vector<Cell> cells = read_corners(root, count);
    RegularSamples samples;
    samples.components = components_;
    const std::vector<std::pair<std::uint64_t, std::size_t>> order = number(cells, samples);
    const std::vector<float> values = read_all<float>(found.dataset, expected);
    const auto depth = static_cast<std::size_t>(components_);
    require_memory(count * (sizeof(std::uint64_t) + depth * sizeof(float)), path_ + ": its cells",
                   "is it the right file?");
    samples.numbers.reserve(count);
    samples.values.reserve(values.size());
    for (const auto& [place, cell] : order) {
      samples.numbers.push_back(place);
      for (std::size_t k = 0; k < depth; ++k) samples.values.push_back(values[cell * depth + k]);
    }
    return samples;
  }

  /// Finds the lattice that the cells are on. Returns each cell's number there, ascending, with its number in the file.
  std::vector<std::pair<std::uint64_t, std::size_t>> number(const std::vector<Cell>& cells, RegularSamples& samples) {
    constexpr double tolerance = 1e-3;
    Real3 low = cells[0].center, high = low;
    for (const Cell& cell : cells)
      for (int axis = 0; axis < 3; ++axis) {
        low[axis] = std::min(low[axis], cell.center[axis]);
        high[axis] = std::max(high[axis], cell.center[axis]);
        if (std::abs(cell.size[axis] - cells[0].size[axis]) > tolerance * cells[0].size[axis])
          file_.fail("has cells of different sizes; resample it to an image");
      }
    for (int axis = 0; axis < 3; ++axis) {
      const double size = cells[0].size[axis];
      const auto a = static_cast<std::size_t>(axis);
      samples.first[axis] = low[axis];
      samples.spacing[axis] = size > 0 ? size : 1;
      const double places = (high[axis] - low[axis]) / samples.spacing[axis];
      if (!(places < static_cast<double>(most_points)))
        file_.fail(
            fmt::format("reaches over {:.3g} cells along {}; expected at most {}", places, "xyz"[axis], most_points));
      samples.count[a] = static_cast<std::int64_t>(std::lround(places)) + 1;
    }
    require_memory(cells.size() * 16, path_ + ": its cells", "is this the right file?");
    std::vector<std::pair<std::uint64_t, std::size_t>> order(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      std::array<std::int64_t, 3> place{};
      for (int axis = 0; axis < 3; ++axis) {
        const double exact = (cells[i].center[axis] - low[axis]) / samples.spacing[axis];
        const auto a = static_cast<std::size_t>(axis);
        place[a] = std::min<std::int64_t>(std::lround(exact), samples.count[a] - 1);
        if (std::abs(exact - static_cast<double>(place[a])) > 0.1)
          file_.fail("has cells that do not lie on one lattice; resample it to an image");
      }
      order[i] = {static_cast<std::uint64_t>(place[0] + samples.count[0] * (place[1] + samples.count[1] * place[2])),
                  i};
    }
    std::sort(order.begin(), order.end());
    const auto twice =
        std::adjacent_find(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first == b.first; });
    if (twice != order.end()) file_.fail(fmt::format("has two cells in one place, {} the second", (twice + 1)->second));
    return order;
  }

  HdfInputFile file_;
  std::string path_, name_;
  int components_;
};

/// RegularSamples on their way from one process to another.
struct Header {
  Real3 first{}, spacing{};
  std::array<std::int64_t, 3> count{};
  std::uint64_t values = 0, numbers = 0;
};

}  // namespace

RegularSamples read_sound_vtkhdf(const std::filesystem::path& file, const std::string& name, int components) {
  return VtkHdfReader(file, name, components).read();
}

RegularSamples read_vtkhdf(const std::filesystem::path& file, const std::string& name, int components) {
  require_regular_file(file);
  const std::vector<std::byte> bytes = read_apart(file, "HDF5", [&](ByteSink& sink) {
    const RegularSamples samples = read_sound_vtkhdf(file, name, components);
    const Header header{samples.first, samples.spacing, samples.count, samples.values.size(), samples.numbers.size()};
    sink.put(std::as_bytes(std::span(&header, 1)));
    sink.put(samples.values);
    sink.put(samples.numbers);
  });
  Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  RegularSamples samples{header.first, header.spacing, header.count, components, {}, {}};
  samples.values.resize(header.values);
  samples.numbers.resize(header.numbers);
  const std::byte* at = bytes.data() + sizeof header;
  std::copy_n(at, header.values * sizeof(float), reinterpret_cast<std::byte*>(samples.values.data()));
  at += header.values * sizeof(float);
  std::copy_n(at, header.numbers * sizeof(std::uint64_t), reinterpret_cast<std::byte*>(samples.numbers.data()));
  return samples;
}

}  // namespace fluvia
