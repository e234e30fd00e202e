// SPDX-License-Identifier: Apache-2.0
#include "fluvia/backend/backend.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>

#include "fluvia/backend/connect.hpp"
#include "fluvia/backend/device_plan.hpp"
#include "fluvia/backend/levels.hpp"
#include "fluvia/backend/rank_solver.hpp"
#include "fluvia/backend/transport.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/base/machine/memory.hpp"
#include "fluvia/case/gpus.hpp"
#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/cpu/make_solver.hpp"
#include "fluvia/cuda/runtime/bandwidth.hpp"
#include "fluvia/cuda/runtime/transposes.hpp"
#include "fluvia/cuda/solver/cuda_solver.hpp"
#include "fluvia/domain/device_exchange.hpp"
#include "fluvia/domain/domain_solver.hpp"
#include "fluvia/domain/rank_group.hpp"
#include "fluvia/ranks/ranks.hpp"
#include "fluvia/solver/links/cut_links.hpp"
#include "fluvia/solver/plan/half_lattice.hpp"
#include "fluvia/solver/plan/omissions.hpp"
#include "fluvia/solver/plan/passes.hpp"
#include "fluvia/solver/plan/scheme.hpp"
#include "fluvia/solver/scalars/solid_neighbours.hpp"

namespace fluvia {

namespace {
/// The GPUs that solvers of this process use, and their kernels on disk.
class Gpus {
 public:
  /// Takes a GPU into use.
  const cuda::Device& at(int ordinal) {
    const std::lock_guard lock(mutex_);
    const auto found = devices_.find(ordinal);
    return found != devices_.end() ? found->second : devices_.emplace(ordinal, cuda::Device(ordinal)).first->second;
  }
  [[nodiscard]] cuda::KernelCache& cache() { return cache_; }

 private:
  std::mutex mutex_;
  std::map<int, cuda::Device> devices_;
  cuda::KernelCache cache_{cuda::KernelCache::default_folder(), [](const std::string& text) { spdlog::warn(text); }};
};
Gpus& gpus() {
  static Gpus instance;
  return instance;
}
const cuda::Device& first_gpu(const DeviceChoice& choice) {
  return gpus().at(choice.gpus.front());
}

/// Name of a GPU, "NVIDIA H100", or of several: "2 x NVIDIA H100".
std::string names_of(const std::vector<int>& ordinals) {
  if (ordinals.size() == 1) return gpus().at(ordinals.front()).info().name;
  std::string text = fmt::format("{} GPUs:", ordinals.size());
  for (std::size_t k = 0; k < ordinals.size(); ++k)
    text += fmt::format("{} {} ({})", k == 0 ? "" : ",", ordinals[k], gpus().at(ordinals[k]).info().name);
  return text;
}

/// Whether borders can be stepped, and the populations that leave be sent, before all else.
bool sends_beside_steps(const Plan& plan) {
  return !plan.scheme->steps_in_order();
}
}  // namespace

std::uint64_t memory_of(const Case& c, const DeviceChoice& choice) {
  if (choice.memory_of_ranks > 0) return choice.memory_of_ranks;
  std::uint64_t bytes = 0;
  for (const int ordinal : std::set<int>(choice.gpus.begin(), choice.gpus.end()))
    bytes += cuda::memory_for_run(c, gpus().at(ordinal));
  return bytes;
}

namespace {

/// Why the memory of this machine does not do for a plan on a CPU; empty if it does. The geometry is there already.
std::string missing_memory(const Plan& plan) {
  const std::uint64_t of_domain = plan.population_bytes + plan.boundary_bytes;
  const auto sharers = static_cast<std::uint64_t>(plan.domain.is_on_ranks() ? ranks::local_count() : 1);
  const std::uint64_t needed = of_domain / static_cast<std::uint64_t>(plan.domain.blocks) * sharers;
  const std::uint64_t available = available_memory();
  if (needed <= available) return "";
  constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;
  return fmt::format(
      "memory: {:.3g} GiB are needed for populations and boundaries{}, but only {:.3g} GiB are free; use a coarser "
      "spacing, a one-copy scheme (aa, compact-aa) or a smaller format (fp16s)",
      static_cast<double>(needed) / gibibyte, sharers > 1 ? " of the ranks on this machine" : "",
      static_cast<double>(available) / gibibyte);
}

/// Refuses a plan that takes more memory than it may, or than there is.
void check_memory(const Case& c, const DeviceChoice& choice, Plan& plan) {
  const bool on_gpu = choice.device == "cuda";
  const double limit = c.numerics.memory_limit;
  const double needed = static_cast<double>(plan.total_bytes()) / plan.domain.blocks / 1048576;
  if (!on_gpu && limit > 0 && needed > limit) {
    plan.refusal = fmt::format(
        "numerics.memory_limit: this run needs {:.1f} MiB on the CPU{}, {:.1f} MiB more than the {:.1f} MiB that it "
        "may take. Only a GPU takes a domain block by block: the blocks wait in the memory of the CPU, which must hold "
        "all of it anyway. What would fit: half the bytes with numerics.format = \"fp16s\", one copy of fluid nodes "
        "only (compact-aa), or a larger spacing",
        needed, plan.domain.is_whole() ? "" : " for each rank", needed - limit, limit);
    if (!choice.reason.empty()) plan.refusal += "; on the CPU because " + choice.reason;
  }
  if (!on_gpu && plan.refusal.empty()) plan.refusal = missing_memory(plan);
}

}  // namespace

void take_threads_of_rank(const Case& c, Plan& plan) {
  if (plan.domain.is_on_ranks() && c.numerics.threads == 0) plan.threads = ranks::threads();
}

Plan device_plan(const Problem& problem, const DeviceChoice& choice, const Trial& trial) {
  const Case& c = problem.settings;
  const bool on_gpu = choice.device == "cuda";
  std::optional<Case> settled;
  if (!trial.rows.empty()) trial.settle(settled.emplace(c));
  Plan plan = make_plan(settled ? problem.with(*settled) : problem, choice.device, on_gpu ? memory_of(c, choice) : 0,
                        choice.domain);
  if (settled) plan.reason = trial.reason;
  plan.trial = trial.rows;
  plan.device_name = choice.name;
  take_threads_of_rank(c, plan);
  // Boxes are stepped by whole layers of tiles: a cut within a layer costs more than it balances.
  if (on_gpu && !plan.domain.is_whole() && plan.scheme->is_compact())
    plan.domain.border_cost =
        domain::border_cost(plan.flow().lattice->velocities, problem.geometry.nodes.dimension - 1,
                            plan.format->storage_bytes, plan.bytes_per_update, sends_beside_steps(plan));
  check_memory(c, choice, plan);
  if (!choice.reason.empty()) plan.reason += (plan.reason.empty() ? "" : "; ") + ("on the CPU: " + choice.reason);
  return plan;
}

namespace {

/// The blocks of a domain that ranks have, or several GPUs of this process.
Domain domain_on(std::size_t gpus) {
  if (ranks::count() > 1) return {ranks::count(), BlockPlace::ranks};
  if (gpus > 1) return {static_cast<int>(gpus), BlockPlace::devices};
  return {};
}

DeviceChoice on_cpu(const std::string& reason) {
  return {"cpu", "", reason, {}, domain_on(0)};
}

/// The GPUs that a case means, if there are any: this rank's, or those that share the domain in this process.
std::vector<int> choose_gpus(const Case& c) {
  const GpuList wish = is_on_gpus(c.numerics.device) ? parse_gpus("numerics.device", c.numerics.device) : GpuList{};
  const auto count = static_cast<int>(cuda::list_devices().size());
  if (ranks::count() > 1) {
    if (!wish.ordinals.empty() && static_cast<int>(wish.ordinals.size()) < ranks::local_count())
      throw_input(fmt::format("numerics.device: '{}' names {} GPUs for {} ranks on one machine; each rank takes one",
                              c.numerics.device, wish.ordinals.size(), ranks::local_count()));
    if (!wish.ordinals.empty()) return {wish.ordinals[static_cast<std::size_t>(ranks::local_rank())]};
    return {ranks::local_rank() % count};
  }
  if (!wish.all) return wish.ordinals.empty() ? std::vector<int>{0} : wish.ordinals;
  std::vector<int> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// How many parts of a domain, from this one on in the order in which they are made, divide the free memory of its GPU.
int users_of(const DeviceChoice& choice, int part) {
  if (choice.domain.is_on_ranks()) {
    const auto count = static_cast<int>(cuda::list_devices().size());
    return (ranks::local_count() + count - 1) / count;
  }
  return static_cast<int>(
      std::count(choice.gpus.begin() + part, choice.gpus.end(), choice.gpus[static_cast<std::size_t>(part)]));
}

cuda::BlockRoom room_of(const DeviceChoice& choice, int part) {
  return {users_of(choice, part), !choice.domain.is_on_ranks()};
}

/// The GPU of a part; plans take GPUs of other ranks to be like this one's.
int gpu_of(const DeviceChoice& choice, int part) {
  return choice.gpus[static_cast<std::size_t>(part) % choice.gpus.size()];
}

/// Number of the first part on the GPU of another part.
int first_use(const DeviceChoice& choice, int part) {
  return static_cast<int>(std::find(choice.gpus.begin(), choice.gpus.end(), gpu_of(choice, part)) -
                          choice.gpus.begin());
}

Block block_of(const Problem& problem, const Plan& plan, int number) {
  const NodeMap& nodes = problem.geometry.nodes;
  const std::vector<std::uint64_t> cuts = domain_cuts(nodes, plan.domain);
  Block block =
      make_block(nodes, plan.flow().lattice->velocities, cuts, number, plan.steps_per_pass, what_crosses(*plan.scheme));
  add_solid_neighbours(problem, plan.scalars, cuts, block);
  return block;
}

/// Leaves only the nodes that the scheme stores in the geometry.
void keep_stored(OwningProblem& problem) {
  problem.geometry = stored_geometry(problem.settings, std::move(problem.geometry));
}

}  // namespace

DeviceChoice choose_device(const Case& c) {
  if (c.numerics.device == "cpu") return on_cpu("");
  if (!c.bodies.empty() && ranks::count() > 1 && c.numerics.device == "auto")
    return on_cpu("bodies of several ranks move there only");
  if (!c.bodies.empty() && has_levels(c) && c.numerics.device == "auto")
    return on_cpu("bodies on levels move there only");
  if (!c.bodies.empty() && format_rounds(c.numerics.format) && c.numerics.device == "auto")
    return on_cpu("bodies move in " + c.numerics.format + " there only");
  if (c.numerics.device == "auto" && c.numerics.scheme != "auto" && !parse_scheme(c.numerics.scheme).cuda)
    return on_cpu("scheme " + c.numerics.scheme + " runs there only");
  if (c.numerics.device == "auto" && !c.bodies.empty() && c.numerics.scheme != "auto" &&
      !exchanges_populations(parse_scheme(c.numerics.scheme)))
    return on_cpu("bodies move beside scheme " + c.numerics.scheme + " there only");
  const std::string problem = cuda::why_unavailable();
  if (problem.empty()) {
    const std::size_t count = cuda::list_devices().size();
    if (c.numerics.device == "auto" && static_cast<std::size_t>(ranks::local_count()) > count)
      return on_cpu(fmt::format("{} ranks share {} GPUs; --device cuda makes them do so", ranks::local_count(), count));
    const std::vector<int> chosen = choose_gpus(c);
    return {"cuda", names_of(chosen), "", chosen, domain_on(chosen.size())};
  }
  if (is_on_gpus(c.numerics.device))
    throw_resource("numerics.device: " + c.numerics.device + " was asked for, but " + problem + "; use cpu or auto");
  return on_cpu(problem);
}

namespace {

/// Where a case runs, the same for all members: plans of parts on different kinds of devices are no plan of one domain,
/// and need other exchanges between members.
DeviceChoice choose_device(const Case& c, Communicator& communicator) {
  DeviceChoice choice = fluvia::choose_device(c);
  if (communicator.count() == 1) return choice;
  const std::uint64_t memory = choice.device == "cuda" ? memory_of(c, choice) : 0;
  const std::vector<Bytes> all =
      communicator.share(ByteWriter().put(choice.device).put(choice.reason).put(memory).take());
  ByteReader first(all.front());
  const std::string wanted = first.get_text(), why = first.get_text();
  std::uint64_t least = first.get<std::uint64_t>();
  for (std::size_t member = 1; member < all.size(); ++member) {
    ByteReader reader(all[member]);
    const std::string device = reader.get_text(), reason = reader.get_text();
    least = std::min(least, reader.get<std::uint64_t>());
    if (device == wanted) continue;
    const std::string& of_cpu = device == "cpu" ? reason : why;
    throw_input(fmt::format(
        "numerics.device: rank {} would run on {}, rank 0 on {}{}; start as many ranks on each machine as it has GPUs, "
        "or name cpu or cuda",
        member, device, wanted, of_cpu.empty() ? "" : " (cpu: " + of_cpu + ")"));
  }
  choice.memory_of_ranks = least * all.size();
  return choice;
}

std::unique_ptr<LevelDevice> level_device(const DeviceChoice& choice) {
  if (choice.device != "cuda") return levels_on_cpu(choice.reason, choice.domain);
  std::vector<const cuda::Device*> devices;
  for (const int ordinal : choice.gpus) devices.push_back(&gpus().at(ordinal));
  const int sharers = choice.domain.is_on_ranks() ? users_of(choice, 0) : 1;
  return levels_on_gpus(std::move(devices), sharers, gpus().cache(), choice.name, choice.domain);
}

}  // namespace

Plan plan_case(const Problem& full, const Trial& trial) {
  const Case& c = full.settings;
  if (has_levels(c)) {
    const DeviceChoice choice = choose_device(c, full.communicator);
    Plan plan = plan_levels(full, *level_device(choice));
    check_memory(c, choice, plan);
    return plan;
  }
  const std::optional<Geometry> half = stores_half(c) ? std::optional(stored_geometry(c, full.geometry)) : std::nullopt;
  const Problem problem{c, full.units, half ? *half : full.geometry, full.communicator};
  const DeviceChoice choice = choose_device(c, problem.communicator);
  Plan plan = device_plan(problem, choice, trial);
  if (!plan.domain.is_whole()) require_splittable(*plan.scheme);
  if (choice.device != "cuda" || problem.communicator.number() > 0) return plan;
  if (plan.domain.is_whole()) {
    cuda::prepare_within_memory(problem, first_gpu(choice), plan);
    if (!plan.refusal.empty()) cuda::prepare_blocks(problem, first_gpu(choice), plan);
    return plan;
  }
  Plan largest = plan;
  for (int part = 0; part < plan.domain.blocks; ++part) {
    const int ordinal = gpu_of(choice, part);
    Plan of_part = plan;
    cuda::BlockRoom room = room_of(choice, choice.domain.is_on_ranks() ? 0 : first_use(choice, part));
    room.beginners = choice.domain.is_on_ranks() ? ranks::local_count() : plan.domain.blocks;
    cuda::prepare_block(problem, gpus().at(ordinal), block_of(problem, plan, part), room, of_part);
    if (of_part.total_bytes() > largest.total_bytes() || !of_part.refusal.empty()) largest = of_part;
    if (!of_part.refusal.empty()) break;
  }
  return largest;
}

void compile_kernels(OwningProblem problem, const std::string& omitted) {
  keep_stored(problem);
  const DeviceChoice choice = choose_device(problem.settings);
  if (choice.device != "cuda") return;
  const Plan plan = device_plan(problem, choice);
  cuda::Specification specification = cuda::prepare_case(problem, plan).specification;
  specification.omissions = parse_omissions(omitted, specification.scheme);
  for (const cuda::KernelChoice& kernel : cuda::first_kernels(specification))
    gpus().cache().get(cuda::compile_request(specification, kernel), first_gpu(choice).info().compute_capability);
}

cuda::KernelCache& gpu_kernels() {
  return gpus().cache();
}

std::string gpu_name(int ordinal) {
  return gpus().at(ordinal).info().name;
}

double measure_gpu_copy_bandwidth(int ordinal) {
  return cuda::measure_copy_bandwidth(gpus().at(ordinal), gpus().cache());
}

LinkBandwidth measure_gpu_link_bandwidth(int ordinal) {
  const cuda::TransferBandwidth measured = cuda::measure_transfer_bandwidth(gpus().at(ordinal));
  return {measured.one_way, measured.both_ways};
}

std::pair<double, double> measure_gpu_transposes(int directions, int bytes, std::uint64_t nodes, int ordinal) {
  const cuda::TransposeSeconds seconds =
      cuda::measure_transposes(gpus().at(ordinal), gpus().cache(), {directions, bytes, nodes});
  return {seconds.to_structure_of_arrays, seconds.to_array_of_structures};
}

std::unique_ptr<BlockSolver> make_block_solver(OwningProblem problem, int part, int parts) {
  keep_stored(problem);
  Case on_cpu = problem.settings;
  on_cpu.numerics.device = "cpu";
  Plan plan = device_plan(Problem(problem).with(on_cpu), choose_device(on_cpu));
  if (!plan.refusal.empty()) throw_resource(plan.refusal);
  if (plan.domain.is_whole() && parts > 1) plan.domain = {parts, BlockPlace::devices};
  const Block block = block_of(problem, plan, part);
  return cpu::make_solver(std::move(problem), std::move(plan), &block);
}

domain::Transport transport_of(const Case& c, const Plan& plan, double bandwidth) {
  const DeviceChoice choice = choose_device(c);
  const auto links = [&] {
    if (plan.domain.is_on_ranks()) {
      if (choice.device == "cuda" && why_no_peers(c).empty()) return domain::between_peers();
      return domain::between_ranks(choice.device == "cuda");
    }
    bool reach = true, apart = false;
    for (const int ordinal : choice.gpus) {
      apart = apart || ordinal != choice.gpus.front();
      reach = reach && gpus().at(choice.gpus.front()).reach(gpus().at(ordinal));
    }
    return apart ? domain::between_gpus(reach) : domain::on_one_gpu(bandwidth);
  };
  domain::Transport transport = links();
  transport.beside_steps = transport.beside_steps && sends_beside_steps(plan);
  return transport;
}

namespace {

/// The plan of a domain of which GPUs have parts.
Plan plan_of_blocks(const Problem& problem, const DeviceChoice& choice) {
  Plan plan = device_plan(problem, choice);
  require_splittable(*plan.scheme);
  return plan;
}

std::unique_ptr<cuda::DeviceBlock> make_gpu_block(const Problem& problem,
                                                  const std::shared_ptr<const Geometry>& geometry, Plan plan,
                                                  const DeviceChoice& choice, int part) {
  const Block block = block_of(problem, plan, part);
  return cuda::make_block_solver(problem, geometry, std::move(plan), gpus().at(gpu_of(choice, part)), gpus().cache(),
                                 block, room_of(choice, part));
}

/// Joins parts to one solver; messages go from memory to memory.
std::unique_ptr<Solver> join(std::vector<std::unique_ptr<cuda::DeviceBlock>> parts) {
  std::vector<cuda::DeviceBlock*> on_gpus;
  std::vector<std::unique_ptr<BlockSolver>> solvers;
  for (auto& part : parts) {
    on_gpus.push_back(part.get());
    solvers.push_back(std::move(part));
  }
  auto exchange =
      std::make_unique<domain::DeviceExchange>(on_gpus, [](const std::string& text) { spdlog::warn(text); });
  return std::make_unique<domain::DomainSolver>(
      std::make_unique<domain::LocalGroup>(std::move(solvers), std::move(exchange)));
}

/// One part on each of the GPUs that share the domain.
std::unique_ptr<Solver> make_gpu_solvers(OwningProblem own, const DeviceChoice& choice) {
  std::vector<std::unique_ptr<cuda::DeviceBlock>> solvers;
  const auto shared = std::make_shared<const Geometry>(std::move(own.geometry));
  const Problem problem{own.settings, own.units, *shared};
  const Plan plan = plan_of_blocks(problem, choice);
  for (int part = 0; part < plan.domain.blocks; ++part)
    solvers.push_back(make_gpu_block(problem, shared, plan, choice, part));
  return join(std::move(solvers));
}

/// The solver on one GPU, in one piece or, if that does not fit, in blocks that are streamed.
std::unique_ptr<Solver> make_gpu_solver(OwningProblem problem, Plan plan, const cuda::Device& gpu) {
  cuda::PreparedCase whole = cuda::prepare_within_memory(problem, gpu, plan);
  if (!plan.refusal.empty()) {
    whole = {};
    cuda::PreparedBlocks blocks = cuda::prepare_blocks(problem, gpu, plan);
    if (!blocks.parts.empty())
      return join(cuda::make_streamed_blocks(std::move(problem), plan, gpu, gpus().cache(), std::move(blocks)));
  }
  return cuda::make_solver(std::move(problem), std::move(plan), gpu, gpus().cache(), std::move(whole));
}

}  // namespace

namespace {

domain::RankParts one_part(std::unique_ptr<BlockSolver> block) {
  domain::RankParts parts;
  parts.blocks.push_back(std::move(block));
  return parts;
}

}  // namespace

domain::RankParts make_rank_parts(OwningProblem own, WholeLevels* whole) {
  Communicator& communicator = own.communicator;
  const DeviceChoice choice = choose_device(own.settings, communicator);
  if (has_levels(own.settings))
    return make_level_parts(
        std::move(own), *level_device(choice), [&](Plan& plan) { check_memory(own.settings, choice, plan); }, whole);
  if (choice.device != "cuda")
    return one_part(make_block_solver(std::move(own), communicator.number(), communicator.count()));
  const auto geometry = std::make_shared<Geometry>(stored_geometry(own.settings, std::move(own.geometry)));
  const Problem problem{own.settings, own.units, *geometry};
  auto solver = make_gpu_block(problem, geometry, plan_of_blocks(problem, choice), choice, communicator.number());
  // Questions about the whole domain are answered by the first rank.
  if (communicator.number() > 0) keep_local_part(*geometry, solver->block());
  return one_part(std::move(solver));
}

std::unique_ptr<Solver> make_domain_solver(const Problem& problem, int parts) {
  std::vector<std::unique_ptr<BlockSolver>> solvers;
  for (int part = 0; part < parts; ++part)
    solvers.push_back(make_block_solver({problem.settings, problem.units, problem.geometry}, part, parts));
  return std::make_unique<domain::DomainSolver>(std::make_unique<domain::LocalGroup>(std::move(solvers)));
}

std::unique_ptr<Solver> make_solver(OwningProblem problem, const Trial& trial) {
  if (ranks::count() > 1) return make_solver_on_ranks(std::move(problem));
  if (has_levels(problem.settings)) {
    const Case& c = problem.settings;
    const DeviceChoice choice = choose_device(c);
    return make_levels_solver(std::move(problem), *level_device(choice),
                              [&](Plan& plan) { check_memory(c, choice, plan); });
  }
  keep_stored(problem);
  const DeviceChoice choice = choose_device(problem.settings);
  if (!choice.domain.is_whole()) return make_gpu_solvers(std::move(problem), choice);
  Plan plan = device_plan(problem, choice, trial);
  if (choice.device == "cuda") return make_gpu_solver(std::move(problem), std::move(plan), first_gpu(choice));
  if (!plan.refusal.empty()) throw_resource(plan.refusal);
  return cpu::make_solver(std::move(problem), std::move(plan));
}

std::unique_ptr<Solver> make_solver_without(const std::string& omitted, OwningProblem problem) {
  const DeviceChoice choice = choose_device(problem.settings);
  if (choice.device != "cuda" || !choice.domain.is_whole())
    throw_input("--without: only steps on one GPU can do without " + omitted);
  Plan plan = device_plan(problem, choice);
  const cuda::Device& gpu = first_gpu(choice);
  cuda::PreparedCase prepared = cuda::prepare_within_memory(problem, gpu, plan);
  cuda::Specification& specification = prepared.specification;
  specification.omissions = parse_omissions(omitted, specification.scheme);
  return cuda::make_solver(std::move(problem), std::move(plan), gpu, gpus().cache(), std::move(prepared));
}

}  // namespace fluvia
