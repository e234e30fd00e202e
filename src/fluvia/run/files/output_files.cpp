// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/files/output_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "fluvia/output/levels/flow_view.hpp"
#include "fluvia/output/sections.hpp"
#include "fluvia/output/vtk/vtkhdf.hpp"
#include "fluvia/output/vtk/vtkhdf_blocks.hpp"
#include "fluvia/run/files/pictures.hpp"
#include "fluvia/run/run.hpp"
#include "fluvia/solver/plan/half_lattice.hpp"

namespace fluvia {

namespace {

const std::string checkpoint_name = "checkpoint", good_name = "last-good";
/// Begins what checkpoints call the ranges of pictures.
const std::string range_prefix = "range_of_colors_";

/// Adds the time that the object lives to a sum.
class Timer {
 public:
  explicit Timer(double& seconds) : seconds_(seconds) {}
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;
  ~Timer() { seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

OutputFiles::OutputFiles(const Case& c, const Units& units, const Grid& grid, Solver& solver, const Solver& seen,
                         std::filesystem::path folder)
    : case_(c),
      units_(units),
      grid_(grid),
      solver_(solver),
      seen_(seen),
      folder_(std::move(folder)),
      averages_(c.output.averaged_fields(), {seen, units, grid}),
      level_averages_(c.output.averaged_fields(), seen),
      picture_averages_(c.output.slices, {seen, units, grid}) {
  if (c.output.wall) walls_.emplace(OutputContext{seen, units, grid}, c);
}

void OutputFiles::make(OutputTask task) {
  task.average = task.average && (!averages_.empty() || walls_);
  task.good_state = task.good_state && good_state_due();
  // A step with nothing else to write does not wait for a second state to fall back on.
  const bool spare = !task.average && !task.fields && !task.checkpoint && kept_at_ != Clock::time_point{};
  if (task.empty() || (spare && background_.busy())) return;
  const Timer timer(seconds_waited_);
  background_.finish();
  if (task.good_state) {
    kept_at_ = Clock::now();
    keep_seconds_ = std::numeric_limits<double>::infinity();  // no state is due again until this one is done
  }
  std::shared_ptr<FlowState> snapshot = solver_.snapshot();
  if (!snapshot) return perform(solver_, task);
  background_.start([this, task = std::move(task), snapshot = std::move(snapshot)]() mutable {
    // The snapshot is given back when the job ends and not when its result is asked for.
    const std::shared_ptr<FlowState> state = std::move(snapshot);
    perform(*state, task);
  });
}

void OutputFiles::make_at_once(const OutputTask& task) {
  finish();
  perform(solver_, task);
}

void OutputFiles::finish() {
  const Timer timer(seconds_waited_);
  background_.finish();
}

void OutputFiles::restore(const MonitorState& monitors) {
  finish();
  averages_.restore(monitors);
  level_averages_.restore(monitors);
  picture_averages_.restore(monitors);
  for (const auto& [key, values] : monitors)
    if (key.starts_with(range_prefix) && values.size() == 2)
      ranges_[key.substr(range_prefix.size())] = {values[0], values[1]};
  if (walls_) walls_->restore(monitors);
}

std::filesystem::path OutputFiles::good_state() {
  finish();
  return good_state_;
}

void OutputFiles::remove_good_states() {
  finish();
  rotate_checkpoints(folder_, good_name, 0);
}

std::filesystem::path OutputFiles::keep_initial_state(MonitorState monitors) {
  finish();
  return save_checkpoint(folder_, good_name, solver_, {version(), case_.title, case_.hash, std::move(monitors)});
}

std::filesystem::path OutputFiles::checkpoint() {
  finish();
  return checkpoints_.empty() ? std::filesystem::path() : checkpoints_.back();
}

std::vector<std::filesystem::path> OutputFiles::files() {
  finish();
  std::vector<std::filesystem::path> all = files_;
  all.insert(all.end(), checkpoints_.begin(), checkpoints_.end());
  return all;
}

bool OutputFiles::good_state_due() const {
  if (kept_at_ == Clock::time_point{}) return true;
  return std::chrono::duration<double>(Clock::now() - kept_at_).count() >= 51 * keep_seconds_;
}

void OutputFiles::perform(const FlowState& stored, const OutputTask& task) {
  std::optional<FullState> full;
  if (&seen_ != &solver_) full.emplace(stored, seen_.geometry());
  const FlowState& seen = full ? static_cast<const FlowState&>(*full) : stored;
  if (task.average) {  // averages come first: checkpoints hold them
    averages_.sample(seen);
    level_averages_.sample();
    picture_averages_.sample();
    if (walls_) walls_->sample(seen);
  }
  if (task.fields) write_fields(seen, task.in_series);
  for (const PointCloud& cloud : task.clouds) {
    const auto path = folder_ / fmt::format("tracers_{}-{:09}.vtkhdf", cloud.name, seen.time_step());
    write_point_cloud(path, cloud);
    add_file(path);
  }
  if (task.good_state) {
    const auto start = Clock::now();
    good_state_ = write_checkpoint(stored, good_name, task.monitors);
    keep_seconds_ = std::chrono::duration<double>(Clock::now() - start).count();
  }
  if (task.checkpoint) add_checkpoint(write_checkpoint(stored, checkpoint_name, task.monitors));
}

void OutputFiles::write_fields(const FlowState& seen, bool in_series) {
  const OutputContext output{seen, units_, grid_};
  const Case::Output wanted = averages_.sampled() ? case_.output : case_.output.without_averages();
  const std::vector<Field> extra = averages_.fields();
  const std::string suffix = fmt::format("-{:09}", seen.time_step());
  if (wanted.vtk != "none") {
    const auto path = folder_ / ("fields" + suffix + ".vtkhdf");
    write_vtkhdf(output, wanted, path, extra);
    add_file(path);
    write_levels(seen, wanted, suffix);
  }
  if (walls_) {
    const auto path = folder_ / ("wall" + suffix + ".vtp");
    walls_->write(seen, path);
    add_file(path);
  }
  const double time = units_.si_time(static_cast<double>(seen.time_step()));
  const WallVelocities velocity_of = [&](const OutputContext& reader) {
    return wall_velocities({case_, reader.units, reader.state.geometry()}, time);
  };
  for (const auto& path : write_sections(output, wanted, velocity_of, folder_, suffix, extra)) add_file(path);
  SeriesRanges ranges = ranges_;
  const FieldsOfPicture own = [&](std::size_t slice) { return picture_averages_.fields(slice); };
  for (const auto& path :
       write_slices(output, wanted.slices, case_.title, folder_, suffix, extra, own, velocity_of, ranges))
    add_file(path);
  // A picture of the step at which a run happened to be stopped is none of a run that was not.
  if (in_series) ranges_ = std::move(ranges);
}

namespace {

/// Whether a level computes a node that is written with such a stride and region.
bool has_samples(const FlowLevel& level, const Case::Output& wanted) {
  const std::optional<Sampling> sampling = find_sampling(level.grid, wanted.stride, wanted.region);
  const NodeMap& nodes = level.state->geometry().nodes;
  return sampling && std::any_of(nodes.tiles.begin(), nodes.tiles.end(), [&](const NodeMap::Tile& tile) {
           Int3 sample;
           for (std::uint64_t rest = tile.mask; rest != 0; rest &= rest - 1)
             if (sampling->find(nodes.node_position(tile, std::countr_zero(rest)), sample)) return true;
           return false;
         });
}

}  // namespace

/// A file for each level of refinement, with the cells that it computes, and one that refers to all of them; none for
/// levels beside the region.
void OutputFiles::write_levels(const FlowState& seen, Case::Output wanted, const std::string& suffix) {
  wanted.vtk = "unstructured";
  std::vector<VtkBlock> blocks;
  for (std::size_t l = 0; l < seen.levels().size(); ++l) {
    const FlowLevel& level = seen.levels()[l];
    if (!has_samples(level, wanted)) continue;
    const auto path = folder_ / fmt::format("level-{}{}.vtkhdf", l, suffix);
    std::vector<Field> fields = level_averages_.fields(l);
    for (const std::string& name : wanted.fields) {
      if (name.starts_with("average_")) continue;
      const Field field = find_field(name, OutputContext{*level.state, level.units, level.grid});
      if (!field.needs_neighbours && !field.needs_walls) continue;
      const auto values =
          std::make_shared<const std::vector<double>>(values_of_level(seen, static_cast<int>(l), field));
      fields.push_back(make_array_field(
          name, field.components, field.unit, [values, depth = field.components](std::uint64_t index, double* out) {
            std::copy_n(values->begin() + static_cast<std::ptrdiff_t>(depth * index), depth, out);
          }));
    }
    write_vtkhdf({*level.state, level.units, level.grid}, wanted, path, fields);
    add_file(path);
    blocks.push_back({fmt::format("level_{}", l), path});
  }
  if (blocks.empty()) return;
  const auto all = folder_ / fmt::format("levels{}.vtkhdf", suffix);
  write_vtkhdf_blocks(all, blocks, units_.si_time(static_cast<double>(seen.time_step())));
  add_file(all);
}

std::filesystem::path OutputFiles::write_checkpoint(const FlowState& stored, const std::string& name,
                                                    MonitorState monitors) const {
  averages_.save(monitors);
  level_averages_.save(monitors);
  picture_averages_.save(monitors);
  if (walls_) walls_->save(monitors);
  for (const auto& [picture, range] : ranges_) monitors[range_prefix + picture] = {range[0], range[1]};
  return save_checkpoint(folder_, name, stored, {version(), case_.title, case_.hash, std::move(monitors)});
}

void OutputFiles::add_checkpoint(std::filesystem::path file) {
  if (checkpoints_.empty() || checkpoints_.back() != file) checkpoints_.push_back(std::move(file));
  if (checkpoints_.size() > kept_checkpoints) checkpoints_.erase(checkpoints_.begin());
}

void OutputFiles::add_file(const std::filesystem::path& file) {
  if (std::find(files_.begin(), files_.end(), file) == files_.end()) files_.push_back(file);
}

}  // namespace fluvia
