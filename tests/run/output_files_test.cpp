// SPDX-License-Identifier: Apache-2.0
// Files that another thread writes while the solver steps on, against those written between steps. A GPU's part is
// played by a second solver of the CPU, which holds the state to write from.
#include "fluvia/run/files/output_files.hpp"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "fluvia/base/error.hpp"
#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/output/checkpoint/checkpoint.hpp"
#include "output/fake_solver.hpp"
#include "support/temporary_folder.hpp"
#include "support/written_flow.hpp"

namespace fluvia::test {
namespace {

/// Long enough for any machine; only a run that hangs waits for so long.
constexpr std::chrono::seconds patience{30};

/// A solver with snapshots.
class KeepingSolver : public ForwardingSolver {
 public:
  KeepingSolver(Solver& inner, Solver& spare) : ForwardingSolver(inner), spare_(spare) {}
  std::function<void()> on_read = [] {};  ///< called by whoever reads a snapshot
  int taken = 0;

  void step(std::int64_t count) override {
    const std::lock_guard lock(mutex_);
    ForwardingSolver::step(count);
    stepped_.notify_all();
  }
  double apply(const FlowChange& change) override {
    if (const auto* const boundary = std::get_if<BoundaryValue>(&change)) values_[boundary->surface] = boundary->value;
    return ForwardingSolver::apply(change);
  }
  std::unique_ptr<FlowState> snapshot() override {
    EXPECT_FALSE(alive_) << "a second snapshot beside the first";
    const std::uint64_t tiles = geometry().nodes.tiles.size();
    for (std::size_t array = 0; array < arrays().size(); ++array) {
      const NodeArray& row = arrays()[array];
      std::vector<std::byte> numbers(row.size *
                                     static_cast<std::size_t>(storage_bytes(row.format(plan().format->name))));
      for (int component = 0; component < row.components; ++component) {
        inner_.save({array, component, 0, tiles}, numbers);
        spare_.load({array, component, 0, tiles}, numbers);
      }
    }
    spare_.resume_at(time_step());
    for (const auto& [surface, value] : values_) spare_.set_boundary_value(surface, value);
    ++taken;
    return std::make_unique<Kept>(*this);
  }
  /// Waits until `ready`, which is looked at after every call of step(); false if that does not come.
  bool wait_for_steps(const std::function<bool()>& ready) {
    std::unique_lock lock(mutex_);
    return stepped_.wait_for(lock, patience, ready);
  }

 private:
  class Kept : public FlowState {
   public:
    explicit Kept(KeepingSolver& owner) : owner_(owner) { owner.alive_ = true; }
    ~Kept() override { owner_.alive_ = false; }
    Kept(const Kept&) = delete;
    Kept& operator=(const Kept&) = delete;
    [[nodiscard]] std::int64_t time_step() const override { return owner_.spare_.time_step(); }
    [[nodiscard]] const Plan& plan() const override { return owner_.plan(); }
    [[nodiscard]] const Geometry& geometry() const override { return owner_.geometry(); }
    void moments(std::uint64_t first, std::uint64_t count, bool with_stress, Moments& out) const override {
      owner_.on_read();
      owner_.spare_.moments(first, count, with_stress, out);
    }
    [[nodiscard]] std::span<const NodeArray> arrays() const override { return owner_.spare_.arrays(); }
    void save(const ArrayRange& range, std::span<std::byte> out) const override {
      owner_.on_read();
      owner_.spare_.save(range, out);
    }

   private:
    KeepingSolver& owner_;
  };

  Solver& spare_;
  std::map<int, double> values_;
  std::atomic<bool> alive_ = false;
  std::mutex mutex_;
  std::condition_variable stepped_;
};

class WrittenMeanwhile : public testing::Test {
 protected:
  explicit WrittenMeanwhile(const char* text = written_channel, const std::string& settings = "")
      : flow_(text, "cpu", settings) {}
  WrittenFlow flow_;
  std::unique_ptr<Solver> inner_ = flow_.make_solver(), spare_ = flow_.make_solver(), other_ = flow_.make_solver();
  KeepingSolver solver_{*inner_, *spare_};
};

TEST_F(WrittenMeanwhile, FilesAreThoseWrittenBetweenSteps) {
  flow_.run(*other_, "between");
  const auto start = std::chrono::steady_clock::now();
  flow_.run(solver_, "meanwhile");
  const double whole_run = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_GE(solver_.taken, 6);  // rows with averages; fields and checkpoints share them
  expect_same_files(flow_, "between", "meanwhile");
  const auto summary = nlohmann::json::parse(read_text(flow_.folder("meanwhile") / "summary.json"));
  // At least for the last files, after which there is nothing to compute.
  const double waited = summary["results"]["seconds_waited_for_output"].get<double>();
  EXPECT_GT(waited, 0);
  EXPECT_LT(waited, whole_run);
  EXPECT_EQ(summary["files"], nlohmann::json::parse(read_text(flow_.folder("between") / "summary.json"))["files"]);
}

class HalfWrittenMeanwhile : public WrittenMeanwhile {
 protected:
  HalfWrittenMeanwhile() : WrittenMeanwhile(written_half_box) {}
};

TEST_F(HalfWrittenMeanwhile, FilesShowTheFullLattice) {
  flow_.run(*other_, "between");
  flow_.run(solver_, "meanwhile");
  EXPECT_GE(solver_.taken, 4);
  expect_same_files(flow_, "between", "meanwhile");
}

TEST_F(WrittenMeanwhile, SteppingGoesOn) {
  std::atomic<int> overtaken = 0;
  solver_.on_read = [&, stepping = std::this_thread::get_id()] {
    const std::int64_t written = spare_->time_step();
    if (written == 60 || overtaken < 0 || overtaken > 2) return;  // nothing follows the last step
    EXPECT_NE(std::this_thread::get_id(), stepping);
    overtaken += solver_.wait_for_steps([&] { return solver_.time_step() > written; }) ? 1 : -100;
  };
  flow_.run(solver_, "meanwhile");
  EXPECT_GT(overtaken, 2) << "the solver waited for its files";
}

/// A folder in the place of a file: it cannot be replaced.
void block(const std::filesystem::path& file) {
  std::filesystem::create_directories(file / "not empty");
}

TEST_F(WrittenMeanwhile, FailuresAreReportedAsIfWrittenBetweenSteps) {
  for (const int step : {20, 60}) {
    SCOPED_TRACE(step);
    const std::unique_ptr<Solver> inner = flow_.make_solver(), spare = flow_.make_solver(), plain = flow_.make_solver();
    KeepingSolver solver(*inner, *spare);
    const std::string file = fmt::format("fields-{:09}.vtkhdf", step), a = fmt::format("a{}", step),
                      b = fmt::format("b{}", step);
    block(flow_.folder(a) / file);
    block(flow_.folder(b) / file);
    std::string expected = error_of(ExitCode::resource, [&] { flow_.run(*plain, a); });
    const std::string found = error_of(ExitCode::resource, [&] { flow_.run(solver, b); });
    ASSERT_NE(expected.find(flow_.folder(a).string()), std::string::npos) << expected;
    expected.replace(expected.find(flow_.folder(a).string()), flow_.folder(a).string().size(),
                     flow_.folder(b).string());
    EXPECT_EQ(found, expected);
    EXPECT_LE(solver.time_step(), std::min(step + 20, 60)) << "the next output is where it must show at the latest";
    for (const auto& [name, bytes] : flow_.files(b)) EXPECT_EQ(name.find(".tmp"), std::string::npos) << name;
    EXPECT_FALSE(flow_.files(b).contains("summary.json"));
  }
}

TEST_F(WrittenMeanwhile, AFullDiskEndsTheRun) {
  const SmallDisk disk(flow_.folder("meanwhile"), "size=100k");
  if (!disk.mounted()) GTEST_SKIP() << "this user may not mount a small tmpfs";
  EXPECT_CONTAINS(error_of(ExitCode::resource, [&] { flow_.run(solver_, "meanwhile"); }), "No space left on device");
}

TEST_F(WrittenMeanwhile, InterruptionWaitsForEverythingPending) {
  std::atomic<bool> interrupt = false;
  solver_.on_read = [&] {
    if (spare_->time_step() != 20 || interrupt) return;
    EXPECT_TRUE(solver_.wait_for_steps([&] { return solver_.time_step() > 20; }));
    interrupt = true;  // while the files of this step are being made
  };
  const RunResult result = flow_.run(solver_, "meanwhile", &interrupt);
  ASSERT_TRUE(result.interrupted);
  EXPECT_LT(result.steps, 60);
  const auto files = flow_.files("meanwhile");
  EXPECT_TRUE(files.contains("fields-000000020.vtkhdf"));
  EXPECT_TRUE(files.contains("slice-velocity-z-000000020.png"));
  std::vector<std::string> warnings;
  EXPECT_EQ(find_latest_checkpoint(flow_.folder("meanwhile"), warnings), result.checkpoint);
  EXPECT_EQ(inspect_checkpoint(result.checkpoint).step, result.steps);
}

class UnstableMeanwhile : public WrittenMeanwhile {
 protected:
  /// Passes at the check of step 15, and not at step 20.
  UnstableMeanwhile() : WrittenMeanwhile(written_channel, "run.max_mach=0.13") {}
};

TEST_F(UnstableMeanwhile, TheLastGoodStateIsWhole) {
  solver_.on_read = [&] {
    if (spare_->time_step() != 15) return;
    EXPECT_TRUE(solver_.wait_for_steps([&] { return solver_.time_step() > 15; }));
  };
  const std::string message = error_of(ExitCode::unstable, [&] { flow_.run(solver_, "meanwhile"); });
  EXPECT_CONTAINS(message, "unstable at step 20");
  EXPECT_CONTAINS(message, "the last good state, step 15, is in ");
  std::vector<std::string> warnings;
  const auto kept = find_latest_checkpoint(flow_.folder("meanwhile"), warnings);
  ASSERT_TRUE(kept.has_value());
  EXPECT_EQ(inspect_checkpoint(*kept).step, 15);
  EXPECT_TRUE(flow_.files("meanwhile").contains("fields-000000015.vtkhdf"));
}

/// A solver that takes its time to hand out each direction's populations.
class SlowSolver : public FakeSolver {
 public:
  explicit SlowSolver(std::chrono::milliseconds time) : FakeSolver(2, {8, 8, 1}, everywhere), time_(time) { fill(1); }
  void save(const ArrayRange& range, std::span<std::byte> out) const override {
    std::this_thread::sleep_for(time_);
    FakeSolver::save(range, out);
  }

 private:
  std::chrono::milliseconds time_;
};

/// Fifty times as long as one takes passes before the next.
TEST(GoodStates, AreKeptSoRarelyThatTheyCostLittle) {
  const TemporaryFolder folder;
  const Case c;
  const Units units;
  OutputTask task;
  task.good_state = true;
  const auto kept = [](OutputFiles& files) { return inspect_checkpoint(files.good_state()).step; };
  SlowSolver slow(std::chrono::milliseconds(25)), quick(std::chrono::milliseconds(0));
  const Grid grid = grid_of(slow);
  std::filesystem::create_directory(folder.path() / "rare");
  std::filesystem::create_directory(folder.path() / "often");
  OutputFiles rare(c, units, grid, slow, slow, folder.path() / "rare");
  EXPECT_TRUE(rare.good_state_due());
  for (slow.now = 10; slow.now <= 30; slow.now += 10) {
    rare.make(task);
    EXPECT_EQ(kept(rare), 10);
  }
  OutputFiles often(c, units, grid, quick, quick, folder.path() / "often");
  quick.now = 10;
  often.make(task);
  quick.now = 20;
  for (const auto start = std::chrono::steady_clock::now();
       kept(often) == 10 && std::chrono::steady_clock::now() - start < patience;)
    often.make(task);
  EXPECT_EQ(kept(often), 20);
}

TEST(Background, DoesOneJobAtATimeAndHandsErrorsOn) {
  Background background;
  std::atomic<int> running = 0, done = 0;
  const auto job = [&] {
    EXPECT_EQ(++running, 1);
    std::this_thread::yield();
    --running;
    ++done;
  };
  for (int k = 0; k < 20; ++k) background.start(job);
  background.finish();
  EXPECT_EQ(done, 20);
  background.start([] { throw_resource("the first"); });
  EXPECT_EQ(error_of(ExitCode::resource, [&] { background.start(job); }), "the first");
  EXPECT_EQ(done, 20) << "what follows an error is not begun";
  background.finish();  // an error shows once
  background.start([] { throw_resource("the second"); });
  std::string found;
  while (found.empty()) found = error_of(ExitCode::resource, [&] { background.check(); });
  EXPECT_EQ(found, "the second");
}

TEST(Background, WaitsForItsJobAtTheEnd) {
  bool done = false;
  {
    Background background;
    background.start([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      done = true;
    });
    background.check();
  }
  EXPECT_TRUE(done);
}

}  // namespace
}  // namespace fluvia::test
