// SPDX-License-Identifier: Apache-2.0
// The only file that knows all backends.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fluvia/backend/trial.hpp"
#include "fluvia/solver/blocks/block_solver.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia {

namespace cuda {
class KernelCache;
}
namespace domain {
struct RankParts;
}
struct WholeLevels;

/// Where a case will run.
struct DeviceChoice {
  std::string device;       ///< "cpu" or "cuda"
  std::string name;         ///< name of the GPU; empty on a CPU
  std::string reason;       ///< why not on a GPU; empty if it is on one or if the case asked for the CPU
  std::vector<int> gpus{};  ///< GPUs that share the domain in this process, or the one of this rank; none on a CPU
  Domain domain{};          ///< whole, or the blocks that ranks or GPUs have
  /// Bytes of the GPUs of all ranks together, taken as many times the least of one: the free memory differs, but the
  /// choice must not.
  std::uint64_t memory_of_ranks = 0;
};

/// Where a case runs: resolves numerics.device. Throws Error(resource) with the reason if the case asks for a GPU and
/// there is none.
DeviceChoice choose_device(const Case& c);

/// The plan of a case on the device it will run on, with the memory that its solver will take there. `trial`: the
/// result of a trial of the scheme and steps a pass that the case leaves open. Members of a communicator all call it
/// within together(); the first one finds out what GPUs need.
Plan plan_case(const Problem& problem, const Trial& trial = {});

/// Builds the solver, at rest unless the case says otherwise; on several ranks (ranks/ranks.hpp) it is called by the
/// first, and is the solver of all of them. Throws Error(resource) when memory does not suffice.
std::unique_ptr<Solver> make_solver(OwningProblem problem, const Trial& trial = {});

/// Builds a solver for a measurement on one GPU: its steps leave out what `omitted` names (core/scheme/omission.hpp),
/// so that most compute another flow. Throws Error(input) where the scheme, or the device, has no such steps.
std::unique_ptr<Solver> make_solver_without(const std::string& omitted, OwningProblem problem);

/// The solver of one of `parts` blocks; on CPUs. Each member of a communicator makes the part of its own number;
/// afterwards members but the first hold only those nodes of the geometry that are around their part. Throws as
/// make_solver(), and Error(input) for cases that do not run in parts.
std::unique_ptr<BlockSolver> make_block_solver(OwningProblem problem, int part, int parts);
/// The solver of this rank's part of the domain, or of each level of refinement, on its GPU or its processors; made
/// together with those of the other ranks. `whole` gets what the first rank needs of levels.
domain::RankParts make_rank_parts(OwningProblem problem, WholeLevels* whole = nullptr);
/// The solvers of all blocks in this process, joined to one.
std::unique_ptr<Solver> make_domain_solver(const Problem& problem, int parts);

/// Compiles the kernels that a solver of the case would need and keeps them on disk; does nothing on a CPU. May be
/// called from several threads at a time. `omitted` as for make_solver_without().
void compile_kernels(OwningProblem problem, const std::string& omitted = "");

/// Kernels of the GPUs of this process, compiled and kept.
cuda::KernelCache& gpu_kernels();

/// Name of a GPU, and its copy bandwidth (bytes per second, read plus written). Throw Error(resource) if there is none.
std::string gpu_name(int ordinal = 0);
double measure_gpu_copy_bandwidth(int ordinal = 0);
/// Bytes per second between a GPU and pinned host memory, each way: one way at a time, and both at once.
struct LinkBandwidth {
  double one_way = 0, both_ways = 0;
};
LinkBandwidth measure_gpu_link_bandwidth(int ordinal = 0);
/// Seconds that it takes to rearrange populations from those of a node together to those of a direction together, and
/// back: `directions` values of so many bytes at each node. Throws Error(resource) if there is no room for two copies.
std::pair<double, double> measure_gpu_transposes(int directions, int bytes, std::uint64_t nodes, int ordinal = 0);

}  // namespace fluvia
