// SPDX-License-Identifier: Apache-2.0
// The processes that mpirun, srun or the like started as one program, and messages between them. The only folder that
// knows MPI: without it, or where only one process was started, there is one rank and nothing to send.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "fluvia/base/bytes.hpp"
#include "fluvia/base/error.hpp"

namespace fluvia::ranks {

/// Joins the other processes of this program, if a launcher of MPI started it. Ranks but the first then print nothing
/// to standard output and error.
void start(int& argc, char**& argv);
/// Parts from the other ranks; no messages after that. All ranks call it.
void finish();
/// Ends all ranks at once, with one message; for failures after which ranks cannot agree any more.
[[noreturn]] void abort(ExitCode code, const char* message) noexcept;

/// Number of ranks, and of this rank; 1 and 0 before start() and without MPI.
[[nodiscard]] int count();
[[nodiscard]] int rank();
/// Processors for each rank: those that the launcher bound it to, or its part of the machine's.
[[nodiscard]] int threads();
/// Number of this rank among those on the same machine, and how many these are.
[[nodiscard]] int local_rank();
[[nodiscard]] int local_count();
/// Name and version of the library, "Open MPI 4.1.4"; empty in a build without MPI.
[[nodiscard]] const char* library();
/// True if a launcher started several processes that this build, which has no MPI, cannot join.
[[nodiscard]] bool launched_without_mpi();

/// Sends bytes of the first rank to all ranks, which call this alike.
void broadcast(Bytes& bytes);
/// Sends bytes of all ranks, which call this alike, to the first, in the order of ranks; returns nothing at the others.
std::vector<Bytes> gather(Bytes bytes);
/// Sends bytes of all ranks, which call this alike, to all, in the order of ranks.
std::vector<Bytes> share(Bytes bytes);
/// Gathers at the first rank, as gather() does, without a list of messages: the bytes of all ranks lie one after the
/// other in `out`, which is empty at other ranks; `own` of the first rank lies there already. Ends all ranks if they do
/// not fit.
void gather_into(std::span<const std::byte> own, std::span<std::byte> out);

/// Messages between pairs of ranks, several of which are under way together.
class Messages {
 public:
  Messages();
  ~Messages();
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;
  /// Receives into bytes that must stay until wait() returns.
  void receive(int from, std::byte* bytes, std::size_t size);
  void send(int to, const std::byte* bytes, std::size_t size);
  void wait();

 private:
  struct Pending;
  std::unique_ptr<Pending> pending_;
};

}  // namespace fluvia::ranks
