// SPDX-License-Identifier: Apache-2.0
// The processes that mpirun, srun or the like started as one program, and messages between them. The one folder that
// knows MPI: without it, or where nobody started several, there is one rank and nothing to send.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "fluvia/base/bytes.hpp"
#include "fluvia/base/error.hpp"

namespace fluvia::ranks {

/// Joins the other processes of this program, if a launcher of MPI started it. Ranks but the first then write nothing
/// to standard output and error.
void start(int& argc, char**& argv);
/// Parts from them; no messages after that. All ranks call it.
void finish();
/// Ends all ranks at once, with one message; for what nobody can answer for any more.
[[noreturn]] void abort(ExitCode code, const char* message) noexcept;

/// 1 and 0 before start() and without MPI.
[[nodiscard]] int count();
[[nodiscard]] int rank();
/// Processors for each rank: those that the launcher bound it to, or its share of the machine's.
[[nodiscard]] int threads();
/// Number of this rank among those on the same machine, and how many these are.
[[nodiscard]] int local_rank();
[[nodiscard]] int local_count();
/// "Open MPI 4.1.4" or the like; empty in a build without MPI.
[[nodiscard]] const char* library();
/// True if a launcher started several processes that this build, which has no MPI, cannot join.
[[nodiscard]] bool launched_without_mpi();

/// From the first rank to all, who call this alike.
void broadcast(Bytes& bytes);
/// From all, who call this alike, to the first in their order; nothing elsewhere.
std::vector<Bytes> gather(Bytes bytes);
/// From all, who call this alike, to all, in their order.
std::vector<Bytes> share(Bytes bytes);
/// Gathers at the first rank, as gather() does, without messages of their own: what comes from all ranks lies one after
/// the other in `out`, which is empty elsewhere; `own` of the first rank lies there already. Ends all ranks if it does
/// not fit.
void gather_into(std::span<const std::byte> own, std::span<std::byte> out);

/// Messages between pairs of ranks that are under way together.
class Messages {
 public:
  Messages();
  ~Messages();
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;
  /// The bytes must stay until wait() returns.
  void receive(int from, std::byte* bytes, std::size_t size);
  void send(int to, const std::byte* bytes, std::size_t size);
  void wait();

 private:
  struct Pending;
  std::unique_ptr<Pending> pending_;
};

}  // namespace fluvia::ranks
