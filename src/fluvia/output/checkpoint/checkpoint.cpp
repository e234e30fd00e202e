// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/checkpoint/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fluvia/base/checksum.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/hdf5/input_file.hpp"
#include "fluvia/hdf5/output_file.hpp"
#include "fluvia/output/checkpoint/checkpoint_formats.hpp"
#include "fluvia/output/checkpoint/checkpoint_seal.hpp"
#include "fluvia/output/fields.hpp"

namespace fluvia {
namespace {

/// Populations pass through a buffer of about this many nodes.
constexpr std::uint64_t buffer_nodes = 1u << 18;

/// Stored bits: IEEE floats as such, the 16-bit formats as integers; always little endian.
hid_t file_type(const std::string& format) {
  const std::size_t bytes = format_bytes(format);
  return bytes == 8 ? H5T_IEEE_F64LE : bytes == 4 ? H5T_IEEE_F32LE : H5T_STD_U16LE;
}
hid_t memory_type(const std::string& format) {
  const std::size_t bytes = format_bytes(format);
  return bytes == 8 ? H5T_NATIVE_DOUBLE : bytes == 4 ? H5T_NATIVE_FLOAT : H5T_NATIVE_UINT16;
}

/// Calls `visit(first_tile, tile_count, first_node, node_count)` for consecutive ranges of tiles.
template <class Visit>
void for_tile_ranges(const NodeMap& nodes, const Visit& visit) {
  constexpr std::uint64_t step = buffer_nodes / nodes_per_tile;
  const std::uint64_t tiles = nodes.tiles.size();
  for (std::uint64_t first = 0; first < tiles; first += step) {
    const std::uint64_t last = std::min(first + step, tiles);
    const std::uint64_t begin = nodes.tiles[first].first_node;
    const std::uint64_t end = last < tiles ? nodes.tiles[last].first_node : nodes.fluid_nodes;
    visit(first, last - first, begin, end - begin);
  }
}

void write_populations(const HdfOutputFile& file, const FlowState& state) {
  const Plan& plan = state.plan();
  const NodeMap& nodes = state.geometry().nodes;
  const int directions = plan.directions();
  const std::size_t bytes = format_bytes(plan.format);
  HdfDataset dataset(file, file.id(), "populations", file_type(plan.format),
                     {.shape = {static_cast<hsize_t>(directions), nodes.fluid_nodes}, .chunk = {}},
                     memory_type(plan.format));
  std::vector<std::byte> buffer;
  for (int i = 0; i < directions; ++i) {
    for_tile_ranges(nodes, [&](std::uint64_t tile, std::uint64_t tiles, std::uint64_t node, std::uint64_t count) {
      buffer.resize(count * bytes);
      state.save_populations(i, tile, tiles, buffer);
      dataset.write({static_cast<hsize_t>(i), node}, {1, count}, buffer.data());
    });
  }
}

void write_monitors(const HdfOutputFile& file, const MonitorState& monitors) {
  // Names may hold any character, also '/', so they are attributes of numbered datasets.
  const HdfHandle group = file.create_group(file.id(), "monitors");
  file.scalar<std::int64_t>(group.get(), "count", static_cast<std::int64_t>(monitors.size()));
  int number = 0;
  for (const auto& [name, values] : monitors) {
    const HdfHandle entry = file.create_group(group.get(), std::to_string(number++));
    file.attribute(entry.get(), "name", name);
    write_dataset(file, entry.get(), "values", values);
  }
}

/// `bytes`: of the whole file, which no list in it exceeds.
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

void write_condition_memory(const HdfOutputFile& file, const FlowState& state) {
  const std::vector<double> memory = state.condition_memory();
  if (!memory.empty()) write_dataset(file, file.id(), "conditions", memory);
}

std::vector<double> read_condition_memory(const HdfInputFile& file, const Solver& solver,
                                          const CheckpointReadOptions& options) {
  const std::size_t size = solver.condition_memory().size();
  if (size == 0) return {};
  std::vector<double> memory;
  if (H5Lexists(file.id(), "conditions", H5P_DEFAULT) > 0) {
    const HdfHandle dataset = file.open_dataset(file.id(), "conditions");
    const std::vector<hsize_t> shape = file.shape(dataset);
    if (shape.size() == 1 && shape[0] <= size) {
      memory.resize(shape[0]);
      file.read(dataset, H5T_NATIVE_DOUBLE, {0}, shape, memory.data());
    }
  }
  if (memory.size() != size && options.memory_of_earlier) memory = options.memory_of_earlier(memory);
  if (memory.size() != size) file.fail("the memory of its boundary conditions has the wrong extent");
  return memory;
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
  if (header.lattice != solver.plan().lattice) {
    file.fail(fmt::format("it was written with lattice {}, this run uses {}", header.lattice, solver.plan().lattice));
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
    file.fail("its geometry differs: as many fluid nodes as in this run, but in other places, or another periodicity");
  }
  if (!options.accept_other_case && header.case_hash != options.case_hash) {
    file.fail(
        fmt::format("it belongs to another case ('{}', case hash {:016x}; this case has {:016x}): physics, "
                    "geometry or numerics were changed since",
                    header.title, header.case_hash, options.case_hash));
  }
}

void load_populations(const HdfInputFile& file, const CheckpointHeader& header, Solver& solver) {
  const std::string& target = solver.plan().format;
  const std::size_t stored_bytes = format_bytes(header.format), bytes = format_bytes(target);
  const int directions = facts_of_lattice(header.lattice).directions;
  const HdfHandle dataset = file.open_dataset(file.id(), "populations");
  if (file.shape(dataset) != std::vector<hsize_t>{static_cast<hsize_t>(directions), header.fluid_nodes}) {
    file.fail("the populations have the wrong extents");
  }
  std::vector<std::byte> stored, converted;
  for (int i = 0; i < directions; ++i) {
    for_tile_ranges(
        solver.geometry().nodes, [&](std::uint64_t tile, std::uint64_t tiles, std::uint64_t node, std::uint64_t count) {
          stored.resize(count * stored_bytes);
          file.read(dataset, memory_type(header.format), {static_cast<hsize_t>(i), node}, {1, count}, stored.data());
          if (header.format == target) {
            solver.load_populations(i, tile, tiles, stored);
            return;
          }
          converted.resize(count * bytes);
          convert_populations(header.format, stored, target, converted);
          solver.load_populations(i, tile, tiles, converted);
        });
  }
}

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
  return sum.value();
}

void write_checkpoint(const std::filesystem::path& path, const FlowState& state, const CheckpointInfo& info) {
  const Plan& plan = state.plan();
  const NodeMap& nodes = state.geometry().nodes;
  HdfOutputFile file(path, seal_bytes);
  file.attribute(file.id(), "version", info.version);
  file.attribute(file.id(), "title", info.title);
  file.attribute(file.id(), "lattice", plan.lattice);
  file.attribute(file.id(), "format", plan.format);
  file.attribute(file.id(), "scheme", plan.scheme);
  file.scalar<std::uint64_t>(file.id(), "case_hash", info.case_hash);
  file.scalar<std::uint64_t>(file.id(), "geometry_hash", hash_nodes(nodes));
  file.scalar<std::uint64_t>(file.id(), "fluid_nodes", nodes.fluid_nodes);
  file.scalar<std::int64_t>(file.id(), "step", state.time_step());
  file.attribute(file.id(), "size", std::vector<std::int64_t>(nodes.size.begin(), nodes.size.end()));
  write_monitors(file, info.monitors);
  write_condition_memory(file, state);
  write_populations(file, state);
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
  const std::vector<double> memory = read_condition_memory(file, solver, options);
  load_populations(file, result.header, solver);
  solver.set_condition_memory(memory);
  solver.resume_at(result.header.step);
  result.note = conversion_note(result.header.format, solver.plan().format);
  return result;
}

CheckpointHeader inspect_checkpoint(const std::filesystem::path& path) {
  verify_seal(path);
  return read_header(HdfInputFile(path, "checkpoint "));
}

}  // namespace fluvia
