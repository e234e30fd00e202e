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

CuDevicePointer address_of(const DeviceMessage& message) {
  return message.address;
}

}  // namespace

std::uint64_t LevelArrays::bytes(int storage_bytes) const {
  return bytes_of(sources) + bytes_of(children) + bytes_of(entering[0]) + bytes_of(entering[1]) + bytes_of(links) +
         bytes_of(leaving[0]) + bytes_of(leaving[1]) + bytes_of(passing) + bytes_of(along_openings) + bytes_of(moves) +
         bytes_of(parts) + (links.size() - 1) * sizeof(double) +
         passing.size() * static_cast<std::uint64_t>(storage_bytes);
}

CompileRequest level_request(const std::string& format) {
  const std::string type = format_type(format);
  CompileRequest request;
  request.name = "levels";
  request.specialisation = format;
  request.source = "#include \"fluvia/cuda/kernels/levels.hpp\"\n";
  for (const char* name : {"exchange_first", "exchange_second", "move_surplus"})
    request.kernels.push_back(kernel_of(name, type));
  return request;
}

LevelTransfer::LevelTransfer(const DeviceBlock& coarse, const DeviceMessages& to_fine, const DeviceMessages& to_coarse,
                             const LevelArrays& arrays, KernelCache& cache)
    : arrays_(coarse.device(), coarse.border_stream()),
      module_(coarse.device(),
              cache.get(level_request(coarse.plan().format->name), coarse.device().info().compute_capability)),
      type_(format_type(coarse.plan().format->name)),
      first_(module_.kernel(kernel_of("exchange_first", type_))),
      second_(module_.kernel(kernel_of("exchange_second", type_))),
      move_(module_.kernel(kernel_of("move_surplus", type_))) {
  const auto give = [this](const auto& values) { return arrays_.give(values, purpose); };
  lists_.sources = give(arrays.sources);
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
  lists_.share = arrays.share;
  moves_ = {give(arrays.moves), give(arrays.parts),
            arrays.moves.empty() ? 0 : static_cast<std::uint32_t>(arrays.moves.size()) - 1};
  messages_ = {address_of(to_fine.leaving), address_of(to_fine.arriving), address_of(to_coarse.leaving),
               address_of(to_coarse.arriving)};
  sums_ = static_cast<double*>(arrays_.room(lists_.link_count * sizeof(double), purpose));
  passing_ =
      arrays_.room(arrays.passing.size() * static_cast<std::size_t>(coarse.plan().format->storage_bytes), purpose);
  coarse.border_stream().synchronize();
}

void LevelTransfer::queue(const Stream& stream, int step) const {
  const std::uint64_t both = std::uint64_t{lists_.place_count} + lists_.link_count;
  if (step == 0) {
    first_.launch(stream, shape_of(both + lists_.passing_count), lists_, messages_, sums_, passing_);
    return;
  }
  second_.launch(stream, shape_of(both), lists_, messages_, sums_, passing_);
  if (moves_.count > 0) move_.launch(stream, shape_of(moves_.count), moves_, messages_, sums_);
}

}  // namespace fluvia::cuda
