// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/solver/level_transfer.hpp"

#include <fmt/format.h>

#include "fluvia/cuda/program/format_type.hpp"

namespace fluvia::cuda {

namespace {

constexpr const char* name_space = "fluvia::cuda::kernels::";
constexpr const char* purpose = "what passes between levels of refinement";

std::string kernel_of(const char* name, const std::string& type) {
  return fmt::format("{}{}<{}>", name_space, name, type);
}

template <class Value>
std::uint64_t bytes_of(const std::vector<Value>& values) {
  return values.size() * sizeof(Value);
}

LaunchShape shape_of(std::uint64_t threads) {
  return {.blocks = {static_cast<unsigned>((threads + kernels::level_threads - 1) / kernels::level_threads)},
          .threads = {kernels::level_threads}};
}

void launch(const Kernel& kernel, const Stream& stream, std::uint64_t threads, const auto&... arguments) {
  if (threads > 0) kernel.launch(stream, shape_of(threads), arguments...);
}

}  // namespace

std::uint64_t LevelArrays::bytes(int storage_bytes) const {
  return bytes_of(sources) + bytes_of(offsets) + bytes_of(children) + bytes_of(entering[0]) + bytes_of(entering[1]) +
         bytes_of(links) + bytes_of(leaving[0]) + bytes_of(leaving[1]) + bytes_of(passing) + bytes_of(along_openings) +
         bytes_of(moves) + bytes_of(parts) + bytes_of(link_gains) + bytes_of(place_gains) + bytes_of(forces[0]) +
         bytes_of(forces[1]) + bytes_of(forces[2]) + bytes_of(forces[3]) + bytes_of(force_groups) +
         (force_groups.empty() ? 0 : force_groups.size() - 1) * 6 * sizeof(double) +
         (links.size() - 1) * sizeof(double) +
         (passing.size() + (coarse.has_others() ? coarse.values : 0) + (fine.has_others() ? fine.values : 0)) *
             static_cast<std::uint64_t>(storage_bytes);
}

CompileRequest level_request(const std::string& format) {
  const std::string type = format_type(format);
  CompileRequest request;
  request.name = "levels";
  request.specialisation = format;
  request.source = "#include \"fluvia/cuda/kernels/levels.hpp\"\n";
  for (const char* name : {"exchange_first", "exchange_second", "move_surplus", "add_to_links", "add_to_places",
                           "begin_forces", "end_forces"})
    request.kernels.push_back(kernel_of(name, type));
  return request;
}

LevelTransfer::LevelTransfer(const DeviceBlock& coarse, const DeviceBlock& fine, const DeviceMessages& to_fine,
                             const DeviceMessages& to_coarse, const FormatFacts& format, const LevelArrays& arrays,
                             KernelCache& cache)
    : arrays_(coarse.device(), coarse.border_stream()),
      module_(coarse.device(), cache.get(level_request(format.name), coarse.device().info().compute_capability)),
      type_(format_type(format.name)),
      first_(module_.kernel(kernel_of("exchange_first", type_))),
      second_(module_.kernel(kernel_of("exchange_second", type_))),
      move_(module_.kernel(kernel_of("move_surplus", type_))),
      to_links_(module_.kernel(kernel_of("add_to_links", type_))),
      to_places_(module_.kernel(kernel_of("add_to_places", type_))),
      begin_forces_(module_.kernel(kernel_of("begin_forces", type_))),
      end_forces_(module_.kernel(kernel_of("end_forces", type_))) {
  const auto give = [this](const auto& values) { return arrays_.give(values, purpose); };
  lists_.sources = give(arrays.sources);
  lists_.offsets = give(arrays.offsets);
  lists_.children = give(arrays.children);
  for (std::size_t s = 0; s < 2; ++s) {
    lists_.entering[s] = give(arrays.entering[s]);
    lists_.leaving[s] = give(arrays.leaving[s]);
  }
  lists_.links = give(arrays.links);
  lists_.passing = give(arrays.passing);
  lists_.along_openings = give(arrays.along_openings);
  lists_.place_count = static_cast<std::uint32_t>(arrays.entering[0].size());
  lists_.link_count = static_cast<std::uint32_t>(arrays.links.size()) - 1;
  lists_.passing_count = static_cast<std::uint32_t>(arrays.passing.size());
  lists_.own_link_count = arrays.own_links;
  lists_.share = arrays.share;
  moves_ = {give(arrays.moves), give(arrays.parts),
            arrays.moves.empty() ? 0 : static_cast<std::uint32_t>(arrays.moves.size()) - 1};
  gains_ = {give(arrays.link_gains), give(arrays.place_gains), static_cast<std::uint32_t>(arrays.link_gains.size()),
            static_cast<std::uint32_t>(arrays.place_gains.size()), fine.surface_states()};
  for (std::size_t k = 0; k < arrays.forces.size(); ++k) forces_.of[k] = give(arrays.forces[k]);
  forces_.groups = give(arrays.force_groups);
  forces_.count = arrays.force_groups.empty() ? 0 : static_cast<std::uint32_t>(arrays.force_groups.size()) - 1;
  force_sums_ = static_cast<double*>(arrays_.room(forces_.count * 6 * sizeof(double), purpose));
  const auto value = static_cast<std::size_t>(format.storage_bytes);
  const auto values_of = [&](const LevelArrays::Read& read, const DeviceMessage& leaving) {
    return read.has_others() ? reinterpret_cast<CuDevicePointer>(arrays_.room(read.values * value, purpose))
                             : leaving.address;
  };
  messages_ = {values_of(arrays.coarse, to_fine.leaving), to_fine.arriving.address,
               values_of(arrays.fine, to_coarse.leaving), to_coarse.arriving.address};
  sums_ = static_cast<double*>(arrays_.room(lists_.link_count * sizeof(double), purpose));
  passing_ = arrays_.room(arrays.passing.size() * value, purpose);
  coarse.border_stream().synchronize();
}

std::vector<std::array<double, 6>> LevelTransfer::forces(const Stream& stream) const {
  std::vector<std::array<double, 6>> sums(forces_.count);
  if (sums.empty()) return sums;
  download_from(stream, reinterpret_cast<CuDevicePointer>(force_sums_), sums.data(),
                sums.size() * sizeof(sums.front()));
  stream.synchronize();
  return sums;
}

void LevelTransfer::queue(const Stream& stream, int step) const {
  const std::uint64_t both = std::uint64_t{lists_.place_count} + lists_.link_count;
  if (step == 0) {
    launch(first_, stream, both + lists_.passing_count, lists_, messages_, sums_, passing_);
    launch(to_links_, stream, gains_.link_count, gains_, sums_);
    launch(begin_forces_, stream, forces_.count, forces_, lists_, messages_, force_sums_);
    return;
  }
  launch(second_, stream, both, lists_, messages_, sums_, passing_);
  launch(to_places_, stream, gains_.place_count, gains_, messages_);
  launch(end_forces_, stream, forces_.count, forces_, messages_, sums_, force_sums_);
  launch(move_, stream, moves_.count, moves_, messages_, sums_);
}

}  // namespace fluvia::cuda
