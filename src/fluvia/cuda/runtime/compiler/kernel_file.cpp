// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <span>

#include "fluvia/base/checksum.hpp"
#include "fluvia/cuda/runtime/compiler/kernel_cache.hpp"

namespace fluvia::cuda {
namespace {

constexpr std::string_view magic = "fluvia kernels\n";
constexpr std::uint64_t format_version = 2;
constexpr std::size_t head_bytes = magic.size() + 3 * sizeof(std::uint64_t);

std::uint64_t checksum_of(std::string_view bytes) {
  Checksum sum;
  sum.update(std::as_bytes(std::span(bytes.data(), bytes.size())));
  return sum.value();
}

class Packer {
 public:
  void number(std::uint64_t value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void text(std::string_view value) {
    number(value.size());
    bytes_ += value;
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Reads what Packer wrote; after the first number or text that does not fit, everything is empty and good() is false.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}
  std::uint64_t number() {
    const std::string_view raw = take(sizeof(std::uint64_t));
    std::uint64_t value = 0;
    if (good_) std::memcpy(&value, raw.data(), sizeof value);
    return value;
  }
  std::string_view text() { return take(number()); }
  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] bool at_end() const { return good_ && bytes_.empty(); }

 private:
  std::string_view take(std::uint64_t count) {
    good_ = good_ && count <= bytes_.size();
    if (!good_) return {};
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  std::string_view bytes_;
  bool good_ = true;
};

void pack(Packer& packer, const CompiledKernel& kernel) {
  packer.text(kernel.lowered_name);
  packer.number(kernel.resources ? 1 : 0);
  const KernelResources resources = kernel.resources.value_or(KernelResources{});
  packer.number(static_cast<std::uint64_t>(resources.registers));
  packer.number(resources.stack_bytes);
  packer.number(resources.spill_store_bytes);
  packer.number(resources.spill_load_bytes);
  packer.number(resources.shared_bytes);
}

CompiledKernel unpack(Unpacker& unpacker) {
  CompiledKernel kernel;
  kernel.lowered_name = unpacker.text();
  const bool known = unpacker.number() == 1;
  KernelResources resources;
  resources.registers = static_cast<int>(unpacker.number());
  resources.stack_bytes = unpacker.number();
  resources.spill_store_bytes = unpacker.number();
  resources.spill_load_bytes = unpacker.number();
  resources.shared_bytes = unpacker.number();
  if (known) kernel.resources = resources;
  return kernel;
}

}  // namespace

std::string pack_kernels(const std::string& key, const CompiledKernels& compiled) {
  Packer body;
  body.text(key);
  body.text(compiled.name);
  body.text(compiled.specialisation);
  body.text(compiled.log);
  body.text(std::string_view(compiled.cubin.data(), compiled.cubin.size()));
  body.number(compiled.kernels.size());
  for (const auto& [name, kernel] : compiled.kernels) {
    body.text(name);
    pack(body, kernel);
  }
  Packer head;
  head.number(format_version);
  head.number(body.bytes().size());
  head.number(checksum_of(body.bytes()));
  return std::string(magic) + head.bytes() + body.bytes();
}

std::optional<CompiledKernels> unpack_kernels(const std::string& key, std::string_view file) {
  if (file.size() < head_bytes || !file.starts_with(magic)) return std::nullopt;
  Unpacker head(file.substr(magic.size(), head_bytes - magic.size()));
  const std::string_view content = file.substr(head_bytes);
  if (head.number() != format_version || head.number() != content.size() || head.number() != checksum_of(content)) {
    return std::nullopt;
  }
  Unpacker body(content);
  if (body.text() != key) return std::nullopt;
  CompiledKernels compiled;
  compiled.name = body.text();
  compiled.specialisation = body.text();
  compiled.log = body.text();
  const std::string_view cubin = body.text();
  compiled.cubin.assign(cubin.begin(), cubin.end());
  const std::uint64_t count = body.number();
  for (std::uint64_t k = 0; k < count && body.good(); ++k) {
    const std::string name(body.text());
    compiled.kernels[name] = unpack(body);
  }
  return body.at_end() ? std::optional(std::move(compiled)) : std::nullopt;
}

}  // namespace fluvia::cuda
