// SPDX-License-Identifier: Apache-2.0
// Whole runs that write between steps, to be compared with each other.
#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "fluvia/backend/backend.hpp"
#include "fluvia/case/validate.hpp"
#include "fluvia/run/simulation.hpp"
#include "fluvia/solver/plan/half_lattice.hpp"
#include "support/program.hpp"

namespace fluvia::test {

/// A solver that hands everything on; of snapshots it has none.
class ForwardingSolver : public Solver {
 public:
  explicit ForwardingSolver(Solver& inner) : inner_(inner) {}
  void step(std::int64_t count) override { inner_.step(count); }
  [[nodiscard]] std::int64_t time_step() const override { return inner_.time_step(); }
  [[nodiscard]] const Plan& plan() const override { return inner_.plan(); }
  [[nodiscard]] const Geometry& geometry() const override { return inner_.geometry(); }
  void moments(std::uint64_t first, std::uint64_t count, bool with_stress, Moments& out) const override {
    inner_.moments(first, count, with_stress, out);
  }
  [[nodiscard]] Observation measure(const Observable& what) const override { return inner_.measure(what); }
  double apply(const FlowChange& change) override { return inner_.apply(change); }
  void initialise(const InitialState& state) override { inner_.initialise(state); }
  [[nodiscard]] std::span<const NodeArray> arrays() const override { return inner_.arrays(); }
  void save(const ArrayRange& range, std::span<std::byte> out) const override { inner_.save(range, out); }
  void load(const ArrayRange& range, std::span<const std::byte> in) override { inner_.load(range, in); }
  void resume_at(std::int64_t time_step) override { inner_.resume_at(time_step); }

 protected:
  Solver& inner_;
};

/// A channel whose inflow changes with time, so that openings of a later step would show in files of an earlier one.
/// Fields, pictures, checkpoints and averages fall due at different steps and together.
inline const char* const written_channel = R"(title = "Written channel"
[units]
system = "lattice"
viscosity = 0.02
reference_velocity = 0.1
reference_length = 20
[domain]
dimension = 2
nodes = [46, 20]
[[boundary]]
surface = "x_min"
type = "velocity"
series = "inflow.csv"
series_quantity = "speed"
[[boundary]]
surface = "x_max"
type = "pressure"
[run]
steps = 60
check_every = 15
[monitor]
every = 10
average_from = 10
[output]
every = 20
fields = ["pressure", "wall_shear_stress", "vorticity", "average_velocity"]
[[output.slice]]
field = "velocity"
[checkpoint]
every = 30
)";

/// The half lattice, of which files show the full one.
inline const char* const written_half_box = R"(title = "Written half box"
[units]
system = "lattice"
viscosity = 0.02
[domain]
nodes = [18, 14, 12]
[[boundary]]
surface = "z_max"
type = "moving_wall"
velocity = [0.05, 0.02, 0.0]
[numerics]
lattice = "D3Q13"
collision = "mrt"
scheme = "fcc"
[run]
steps = 30
[output]
every = 10
fields = ["pressure", "velocity"]
[checkpoint]
every = 15
)";

/// A case as `fluvia run` sees it, whose runs go into folders of their own.
class WrittenFlow {
 public:
  WrittenFlow(const std::string& text, const std::string& device, const std::string& settings = "") {
    write_text(folder_ / "inflow.csv", "0,0\n20,0.1\n45,0.03\n60,0.08\n");
    std::vector<std::string> all = {"numerics.device=" + device, "numerics.threads=1"};
    if (!settings.empty()) all.push_back(settings);
    case_ = parse_case(text, folder_ / "case.toml", all);
    validate(case_);
    grid_ = make_grid(case_);
    units_ = make_units(case_, grid_.spacing);
  }
  [[nodiscard]] std::unique_ptr<Solver> make_solver() const {
    return fluvia::make_solver({case_, units_, build_geometry(case_, grid_)});
  }
  [[nodiscard]] std::filesystem::path folder(const std::string& name) const {
    std::filesystem::create_directories(folder_ / name);
    return folder_ / name;
  }
  /// Runs into folder(name). Throws what the run throws.
  RunResult run(Solver& solver, const std::string& name, const std::atomic<bool>* interrupt = nullptr) const {
    RunOptions options;
    options.output = folder(name);
    options.interrupt = interrupt;
    std::optional<FullView> full;
    if (stores_half(case_)) full.emplace(solver, build_geometry(case_, grid_));
    Simulation simulation(case_, grid_, units_, solver, full ? static_cast<const Solver&>(*full) : solver, options);
    return simulation.run(*case_.run.steps, {});
  }
  /// Files of folder(name), without the summary, which holds times.
  [[nodiscard]] std::map<std::string, std::string> files(const std::string& name) const {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder(name)))
      if (entry.is_regular_file() && entry.path().filename() != "summary.json")
        files[entry.path().filename().string()] = read_text(entry.path());
    return files;
  }

 private:
  Folder folder_;
  Case case_;
  Grid grid_;
  Units units_;
};

/// Expects that two folders hold the same files with the same bytes.
inline void expect_same_files(const WrittenFlow& flow, const std::string& a, const std::string& b) {
  const auto first = flow.files(a), second = flow.files(b);
  EXPECT_GT(first.size(), 4u);
  for (const auto& [name, bytes] : first) {
    ASSERT_TRUE(second.contains(name)) << name << " is missing in " << b;
    EXPECT_TRUE(second.at(name) == bytes) << name << " differs";
  }
  EXPECT_EQ(first.size(), second.size());
}

}  // namespace fluvia::test
