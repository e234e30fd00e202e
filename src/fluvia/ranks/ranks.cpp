// SPDX-License-Identifier: Apache-2.0
#include "fluvia/ranks/ranks.hpp"

#include <fcntl.h>
#include <omp.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#ifdef FLUVIA_MPI
// MPI without the C++ bindings, which were removed from it long ago.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>
#endif

namespace fluvia::ranks {

bool launched_without_mpi() {
#ifdef FLUVIA_MPI
  return false;
#else
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"})
    if (const char* size = std::getenv(name); size != nullptr && std::atoi(size) > 1) return true;
  return false;
#endif
}

#ifdef FLUVIA_MPI

namespace {

/// Variables of launchers: any of them says that there are, or may be, other processes.
const char* const launchers[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"};

bool is_launched() {
  return std::any_of(std::begin(launchers), std::end(launchers),
                     [](const char* name) { return std::getenv(name) != nullptr; });
}

/// State of MPI in this process; there is one for the process, as MPI is.
struct World {
  int count = 1, rank = 0, threads = 0;
  int local_count = 1, local_rank = 0;
  int standard_error = STDERR_FILENO;  ///< for abort(), where the usual one was silenced
  bool joined = false;
};
World world;

/// Makes a rank other than the first print nothing and ignore signals: users read the messages of the first, and a
/// signal that asks it for an end must not end the others.
void fall_silent() {
  world.standard_error = ::dup(STDERR_FILENO);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) {
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    ::close(nowhere);
  }
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR1}) std::signal(signal, SIG_IGN);
}

/// Number of processors for each rank: those that this rank may run on, divided evenly among the ranks of this machine
/// that may run on any of them. Launchers bind ranks to cores, to sockets, several to one, or not at all.
int processors_for_each() {
  MPI_Comm here;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, world.rank, MPI_INFO_NULL, &here);
  MPI_Comm_size(here, &world.local_count);
  MPI_Comm_rank(here, &world.local_rank);
  cpu_set_t own;
  CPU_ZERO(&own);
  ::sched_getaffinity(0, sizeof(own), &own);
  std::vector<cpu_set_t> all(static_cast<std::size_t>(world.local_count));
  MPI_Allgather(&own, sizeof(own), MPI_BYTE, all.data(), sizeof(own), MPI_BYTE, here);
  MPI_Comm_free(&here);
  int sharing = 0;
  for (const cpu_set_t& other : all) {
    cpu_set_t both;
    CPU_AND(&both, &own, &other);
    if (CPU_COUNT(&both) > 0) ++sharing;
  }
  return std::max(1, omp_get_num_procs() / std::max(1, sharing));
}

constexpr std::size_t largest_piece = std::size_t{1} << 30;  // MPI counts by int

/// Makes room for a message. Other ranks are about to send or receive it, so a failure ends all of them.
void make_room(Bytes& bytes, std::size_t size) {
  try {
    bytes.resize(size);
  } catch (const std::exception&) {
    abort(ExitCode::resource, "memory ran out for a message between ranks; use more machines or a coarser spacing");
  }
}

template <class Transfer>
void in_pieces(std::size_t size, const Transfer& transfer) {
  for (std::size_t at = 0; at < size; at += largest_piece)
    transfer(at, static_cast<int>(std::min(largest_piece, size - at)));
}

}  // namespace

void start(int& argc, char**& argv) {
  if (!is_launched()) return;
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  world.joined = true;
  MPI_Comm_size(MPI_COMM_WORLD, &world.count);
  MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
  if (world.count == 1) return;
  world.threads = processors_for_each();
  omp_set_num_threads(world.threads);
  if (world.rank > 0) fall_silent();
}

void finish() {
  if (!world.joined) return;
  MPI_Finalize();
  world = {};
}

void abort(ExitCode code, const char* message) noexcept {
  if (world.count > 1) {
    char text[1024];
    const int length = std::snprintf(text, sizeof(text), "fluvia: rank %d: %s\n", world.rank, message);
    if (length > 0) {
      const auto size = std::min(static_cast<std::size_t>(length), sizeof(text) - 1);
      [[maybe_unused]] const ssize_t done = ::write(world.standard_error, text, size);
    }
    MPI_Abort(MPI_COMM_WORLD, static_cast<int>(code));
  }
  ::_exit(static_cast<int>(code));
}

int count() {
  return world.count;
}

int rank() {
  return world.rank;
}

int local_rank() {
  return world.local_rank;
}

int local_count() {
  return world.local_count;
}

int threads() {
  return world.threads > 0 ? world.threads : omp_get_num_procs();
}

const char* library() {
  static const std::string text = [] {
    char name[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(name, &length);
    const std::string all(name, static_cast<std::size_t>(length));
    return all.substr(0, all.find_first_of(",\n"));
  }();
  return text.c_str();
}

void broadcast(Bytes& bytes) {
  if (world.count == 1) return;
  // Most messages are short and go with their size.
  struct Head {
    std::uint64_t size;
    std::byte first[1016];
  } head{};
  if (world.rank == 0) {
    head.size = bytes.size();
    if (!bytes.empty()) std::memcpy(head.first, bytes.data(), std::min(bytes.size(), sizeof(head.first)));
  }
  MPI_Bcast(&head, sizeof(head), MPI_BYTE, 0, MPI_COMM_WORLD);
  make_room(bytes, head.size);
  if (head.size <= sizeof(head.first)) {
    if (head.size > 0) std::memcpy(bytes.data(), head.first, head.size);
    return;
  }
  in_pieces(bytes.size(),
            [&](std::size_t at, int size) { MPI_Bcast(bytes.data() + at, size, MPI_BYTE, 0, MPI_COMM_WORLD); });
}

namespace {

constexpr int gather_tag = 1;

/// Number of bytes that each rank is about to send to the first; the result is right at the first rank only.
std::vector<std::uint64_t> gather_sizes(std::uint64_t own) {
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(world.count));
  MPI_Gather(&own, 1, MPI_UINT64_T, sizes.data(), 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  return sizes;
}

void send_to_first(std::span<const std::byte> bytes) {
  in_pieces(bytes.size(),
            [&](std::size_t at, int n) { MPI_Send(bytes.data() + at, n, MPI_BYTE, 0, gather_tag, MPI_COMM_WORLD); });
}

void receive_from(int rank, std::span<std::byte> bytes) {
  in_pieces(bytes.size(), [&](std::size_t at, int n) {
    MPI_Recv(bytes.data() + at, n, MPI_BYTE, rank, gather_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  });
}

}  // namespace

std::vector<Bytes> gather(Bytes bytes) {
  std::vector<Bytes> all;
  if (world.count > 1) {
    const std::vector<std::uint64_t> sizes = gather_sizes(bytes.size());
    if (world.rank > 0) {
      send_to_first(bytes);
      return {};
    }
    all.resize(sizes.size());
    for (std::size_t k = 1; k < sizes.size(); ++k) {
      make_room(all[k], sizes[k]);
      receive_from(static_cast<int>(k), all[k]);
    }
  } else {
    all.resize(1);
  }
  all.front() = std::move(bytes);
  return all;
}

std::vector<Bytes> share(Bytes bytes) {
  std::vector<Bytes> all(static_cast<std::size_t>(world.count));
  if (world.count > 1) {
    const std::uint64_t own = bytes.size();
    std::vector<std::uint64_t> sizes(all.size());
    MPI_Allgather(&own, 1, MPI_UINT64_T, sizes.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD);
    for (int k = 0; k < world.count; ++k) {
      Bytes& message = k == world.rank ? bytes : all[static_cast<std::size_t>(k)];
      make_room(message, sizes[static_cast<std::size_t>(k)]);
      in_pieces(message.size(),
                [&](std::size_t at, int size) { MPI_Bcast(message.data() + at, size, MPI_BYTE, k, MPI_COMM_WORLD); });
    }
  }
  all[static_cast<std::size_t>(world.rank)] = std::move(bytes);
  return all;
}

void gather_into(std::span<const std::byte> own, std::span<std::byte> out) {
  if (world.count == 1) return;
  const std::vector<std::uint64_t> sizes = gather_sizes(own.size());
  if (world.rank > 0) return send_to_first(own);
  std::size_t at = sizes.front();
  for (std::size_t k = 1; k < sizes.size(); ++k) {
    if (sizes[k] > out.size() - at) abort(ExitCode::internal, "a rank sends more than there is room for");
    receive_from(static_cast<int>(k), out.subspan(at, sizes[k]));
    at += sizes[k];
  }
}

struct Messages::Pending {
  std::vector<MPI_Request> requests;
};

namespace {
constexpr int exchange_tag = 2;
}

void Messages::receive(int from, std::byte* bytes, std::size_t size) {
  in_pieces(size, [&](std::size_t at, int n) {
    MPI_Irecv(bytes + at, n, MPI_BYTE, from, exchange_tag, MPI_COMM_WORLD, &pending_->requests.emplace_back());
  });
}

void Messages::send(int to, const std::byte* bytes, std::size_t size) {
  in_pieces(size, [&](std::size_t at, int n) {
    MPI_Isend(bytes + at, n, MPI_BYTE, to, exchange_tag, MPI_COMM_WORLD, &pending_->requests.emplace_back());
  });
}

void Messages::wait() {
  MPI_Waitall(static_cast<int>(pending_->requests.size()), pending_->requests.data(), MPI_STATUSES_IGNORE);
  pending_->requests.clear();
}

#else

void start(int&, char**&) {}
void finish() {}
void abort(ExitCode code, const char*) noexcept {
  ::_exit(static_cast<int>(code));
}
int count() {
  return 1;
}
int rank() {
  return 0;
}
int local_rank() {
  return 0;
}
int local_count() {
  return 1;
}
int threads() {
  return omp_get_num_procs();
}
const char* library() {
  return "";
}
void broadcast(Bytes&) {}
std::vector<Bytes> gather(Bytes bytes) {
  std::vector<Bytes> all(1);
  all.front() = std::move(bytes);
  return all;
}
std::vector<Bytes> share(Bytes bytes) {
  return gather(std::move(bytes));
}
void gather_into(std::span<const std::byte>, std::span<std::byte>) {}
struct Messages::Pending {};
void Messages::receive(int, std::byte*, std::size_t) {}
void Messages::send(int, const std::byte*, std::size_t) {}
void Messages::wait() {}

#endif

Messages::Messages() : pending_(std::make_unique<Pending>()) {}
Messages::~Messages() = default;

}  // namespace fluvia::ranks
