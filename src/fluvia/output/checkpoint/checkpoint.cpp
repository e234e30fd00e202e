// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/checkpoint/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fluvia/base/checksum.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/hdf5/input_file.hpp"
#include "fluvia/hdf5/output_file.hpp"
#include "fluvia/output/checkpoint/array_ranges.hpp"
#include "fluvia/output/checkpoint/checkpoint_formats.hpp"
#include "fluvia/output/checkpoint/checkpoint_seal.hpp"
#include "fluvia/output/fields.hpp"

namespace fluvia {
namespace {

/// Type of the stored numbers: IEEE floats as such, the 16-bit formats as integers; always little endian.
hid_t file_type(const std::string& format) {
  const std::size_t bytes = format_bytes(format);
  return bytes == 8 ? H5T_IEEE_F64LE : bytes == 4 ? H5T_IEEE_F32LE : H5T_STD_U16LE;
}
hid_t memory_type(const std::string& format) {
  const std::size_t bytes = format_bytes(format);
  return bytes == 8 ? H5T_NATIVE_DOUBLE : bytes == 4 ? H5T_NATIVE_FLOAT : H5T_NATIVE_UINT16;
}

/// True for arrays that are written to a file.
bool is_written(const NodeArray& array) {
  return array.checkpointed && array.size > 0;
}

/// Extents of an array's dataset: one component makes a list, several a table with a row for each.
std::vector<hsize_t> shape_of(const NodeArray& array) {
  if (array.components == 1) return {array.size};
  return {static_cast<hsize_t>(array.components), array.size};
}

/// A range of the numbers of one component in the dataset of an array.
struct Selection {
  std::vector<hsize_t> start, count;
  Selection(const NodeArray& array, int component, const EntryRange& entries)
      : start{entries.first}, count{entries.count} {
    if (array.components == 1) return;
    start.insert(start.begin(), static_cast<hsize_t>(component));
    count.insert(count.begin(), 1);
  }
};

void write_array(const HdfOutputFile& file, const FlowState& state, std::size_t array) {
  const NodeArray& row = state.arrays()[array];
  if (!is_written(row)) return;
  const std::string format = row.format(state.plan().format->name);
  HdfDataset dataset(file, file.id(), row.name, file_type(format), {.shape = shape_of(row), .chunk = {}},
                     memory_type(format));
  std::vector<std::byte> buffer;
  for_each_range(state, array, [&](const ArrayRange& range, const EntryRange& entries) {
    buffer.resize(entries.count * format_bytes(format));
    state.save(range, buffer);
    const Selection selection(row, range.component, entries);
    dataset.write(selection.start, selection.count, buffer.data());
  });
}

/// Writes the arrays, the last row first, so that the largest ends the file.
void write_arrays(const HdfOutputFile& file, const FlowState& state) {
  for (std::size_t array = state.arrays().size(); array-- > 0;) write_array(file, state, array);
}

void write_monitors(const HdfOutputFile& file, const MonitorState& monitors) {
  // Names of monitors may hold any character, also '/', so they are attributes of numbered datasets.
  const HdfHandle group = file.create_group(file.id(), "monitors");
  file.scalar<std::int64_t>(group.get(), "count", static_cast<std::int64_t>(monitors.size()));
  int number = 0;
  for (const auto& [name, values] : monitors) {
    const HdfHandle entry = file.create_group(group.get(), std::to_string(number++));
    file.attribute(entry.get(), "name", name);
    write_dataset(file, entry.get(), "values", values);
  }
}

/// State of the monitors. `bytes`: length of the whole file, which no list in it exceeds.
MonitorState read_monitors(const HdfInputFile& file, std::uint64_t bytes) {
  MonitorState monitors;
  const HdfHandle group = file.open_group("monitors");
  const auto count = file.scalar<std::int64_t>(group.get(), "count");
  for (std::int64_t number = 0; number < count; ++number) {
    const HdfHandle entry = file.open_group(fmt::format("monitors/{}", number));
    const HdfHandle dataset = file.open_dataset(entry.get(), "values");
    const std::vector<hsize_t> shape = file.shape(dataset);
    if (shape.size() != 1) file.fail("monitor state is not a list of numbers");
    if (shape[0] > bytes / sizeof(double)) file.fail("monitor state is longer than the file");
    std::vector<double> values(shape[0]);
    if (!values.empty()) file.read(dataset, H5T_NATIVE_DOUBLE, {0}, shape, values.data());
    monitors.emplace(file.text(entry.get(), "name"), std::move(values));
  }
  return monitors;
}

CheckpointHeader read_header(const HdfInputFile& file) {
  CheckpointHeader header;
  const hid_t root = file.id();
  header.version = file.text(root, "version");
  header.title = file.text(root, "title");
  header.lattice = file.text(root, "lattice");
  header.format = file.text(root, "format");
  header.scheme = file.text(root, "scheme");
  header.case_hash = file.scalar<std::uint64_t>(root, "case_hash");
  header.geometry_hash = file.scalar<std::uint64_t>(root, "geometry_hash");
  header.fluid_nodes = file.scalar<std::uint64_t>(root, "fluid_nodes");
  header.step = file.scalar<std::int64_t>(root, "step");
  const auto size = file.attribute<std::int64_t>(root, "size");
  if (size.size() != 3) file.fail("attribute 'size' does not hold three numbers");
  for (std::size_t i = 0; i < 3; ++i) header.size[i] = static_cast<int>(size[i]);
  return header;
}

std::string size_text(const Int3& size) {
  return fmt::format("{} x {} x {}", size[0], size[1], size[2]);
}

/// Refuses a checkpoint that does not belong to this solver.
void compare(const HdfInputFile& file, const CheckpointHeader& header, const Solver& solver,
             const CheckpointReadOptions& options) {
  const NodeMap& nodes = solver.geometry().nodes;
  if (header.lattice != solver.plan().flow().lattice->name) {
    file.fail(fmt::format("it was written with lattice {}, this run uses {}", header.lattice,
                          solver.plan().flow().lattice->name));
  }
  if (header.size != nodes.size) {
    file.fail(fmt::format("its geometry differs: a box of {} nodes, this run has {}", size_text(header.size),
                          size_text(nodes.size)));
  }
  if (header.fluid_nodes != nodes.fluid_nodes) {
    file.fail(
        fmt::format("its geometry differs: {} fluid nodes, this run has {}", header.fluid_nodes, nodes.fluid_nodes));
  }
  if (header.geometry_hash != hash_nodes(nodes)) {
    file.fail(
        "its geometry differs: as many fluid nodes as in this run, but in other places, other sheets, or "
        "another periodicity");
  }
  if (!options.accept_other_case && header.case_hash != options.case_hash) {
    file.fail(
        fmt::format("it belongs to another case ('{}', case hash {:016x}; this case has {:016x}): physics, "
                    "geometry or numerics were changed since",
                    header.title, header.case_hash, options.case_hash));
  }
}

/// Numbers of an array whose extents in the file are not those of this run, as an earlier version wrote it, turned into
/// those that this version has.
std::vector<double> array_of_earlier(const HdfInputFile& file, const NodeArray& array,
                                     const CheckpointReadOptions& options) {
  std::vector<double> numbers;
  if (file.has(file.id(), array.name)) {
    const HdfHandle dataset = file.open_dataset(file.id(), array.name);
    const std::vector<hsize_t> shape = file.shape(dataset);
    if (shape.size() == 1 && shape[0] <= array.size) {
      numbers.resize(shape[0]);
      file.read(dataset, H5T_NATIVE_DOUBLE, {0}, shape, numbers.data());
    }
  }
  return options.of_earlier(numbers);
}

/// The arrays of `solver` that a file has; opened and checked before anything is loaded.
class StoredArrays {
 public:
  StoredArrays(const HdfInputFile& file, const Solver& solver, const CheckpointReadOptions& options) : file_(file) {
    for (std::size_t a = 0; a < solver.arrays().size(); ++a) {
      const NodeArray& array = solver.arrays()[a];
      if (!is_written(array) || (array.dispensable && !file.has(file.id(), array.name))) continue;
      Stored stored{.array = a};
      const bool may_differ = array.over == Over::stateful_nodes && options.of_earlier;
      if (!may_differ || file.has(file.id(), array.name)) stored.dataset = file.open_dataset(file.id(), array.name);
      if (!stored.dataset.valid() || file.shape(stored.dataset) != shape_of(array)) {
        if (may_differ) stored.converted = array_of_earlier(file, array, options);
        if (stored.converted.size() != array.size)
          file.fail(fmt::format("the array '{}' has the wrong extents", array.name));
      }
      stored_.push_back(std::move(stored));
    }
  }

  void load_into(Solver& solver, const std::string& stored_format) const {
    for (const Stored& stored : stored_) {
      const NodeArray& array = solver.arrays()[stored.array];
      const std::string from = array.format(stored_format), to = array.format(solver.plan().format->name);
      std::vector<std::byte> read, converted;
      for_each_range(solver, stored.array, [&](const ArrayRange& range, const EntryRange& entries) {
        if (!stored.converted.empty())
          return solver.load(range, std::as_bytes(std::span(stored.converted).subspan(entries.first, entries.count)));
        read.resize(entries.count * format_bytes(from));
        const Selection selection(array, range.component, entries);
        file_.read(stored.dataset, memory_type(from), selection.start, selection.count, read.data());
        if (from == to) return solver.load(range, read);
        converted.resize(entries.count * format_bytes(to));
        convert_populations(from, read, to, converted);
        solver.load(range, converted);
      });
    }
  }

 private:
  struct Stored {
    std::size_t array;
    HdfHandle dataset{};
    std::vector<double> converted{};  ///< numbers to load instead of the dataset, if an earlier version wrote that
  };
  const HdfInputFile& file_;
  std::vector<Stored> stored_;
};

}  // namespace

std::uint64_t hash_nodes(const NodeMap& nodes) {
  Checksum sum;
  sum.update(static_cast<std::uint64_t>(nodes.dimension));
  for (std::size_t i = 0; i < 3; ++i) {
    sum.update(static_cast<std::uint64_t>(nodes.size[i]));
    sum.update(nodes.periodic[i] ? 1 : 0);
  }
  for (const NodeMap::Tile& tile : nodes.tiles) {
    sum.update(nodes.directory_index(tile.position));
    sum.update(tile.mask);
  }
  if (nodes.barred)
    for (const BarredLinks::Node& node : nodes.barred->nodes()) {
      sum.update(node.tile);
      sum.update(static_cast<std::uint64_t>(node.bit) << 32 | node.offsets);
    }
  return sum.value();
}

void write_checkpoint(const std::filesystem::path& path, const FlowState& state, const CheckpointInfo& info) {
  const Plan& plan = state.plan();
  const NodeMap& nodes = state.geometry().nodes;
  HdfOutputFile file(path, seal_bytes);
  file.attribute(file.id(), "version", info.version);
  file.attribute(file.id(), "title", info.title);
  file.attribute(file.id(), "lattice", plan.flow().lattice->name);
  file.attribute(file.id(), "format", plan.format->name);
  file.attribute(file.id(), "scheme", plan.scheme_name());
  file.scalar<std::uint64_t>(file.id(), "case_hash", info.case_hash);
  file.scalar<std::uint64_t>(file.id(), "geometry_hash", hash_nodes(nodes));
  file.scalar<std::uint64_t>(file.id(), "fluid_nodes", nodes.fluid_nodes);
  file.scalar<std::int64_t>(file.id(), "step", state.time_step());
  file.attribute(file.id(), "size", std::vector<std::int64_t>(nodes.size.begin(), nodes.size.end()));
  write_monitors(file, info.monitors);
  write_arrays(file, state);
  file.close();
  seal_checkpoint(file.file());
  file.commit();
}

LoadedCheckpoint read_checkpoint(const std::filesystem::path& path, Solver& solver,
                                 const CheckpointReadOptions& options) {
  verify_seal(path);
  const HdfInputFile file(path, "checkpoint ");
  LoadedCheckpoint result;
  result.header = read_header(file);
  compare(file, result.header, solver, options);
  result.monitors = read_monitors(file, std::filesystem::file_size(path));
  StoredArrays(file, solver, options).load_into(solver, result.header.format);
  solver.resume_at(result.header.step);
  result.note = conversion_note(result.header.format, solver.plan().format->name);
  return result;
}

CheckpointHeader inspect_checkpoint(const std::filesystem::path& path) {
  verify_seal(path);
  return read_header(HdfInputFile(path, "checkpoint "));
}

}  // namespace fluvia
