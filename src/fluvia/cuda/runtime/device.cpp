// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/runtime/device.hpp"

#include <fmt/format.h>

#include <array>

#include "fluvia/base/error.hpp"

namespace fluvia::cuda {
namespace {

/// Numbers of CUdevice_attribute.
enum Attribute : int {
  multiprocessor_count = 16,
  l2_cache_size = 38,
  max_threads_per_multiprocessor = 39,
  compute_capability_major = 75,
  compute_capability_minor = 76,
  max_shared_memory_per_multiprocessor = 81,
  max_registers_per_multiprocessor = 82,
  max_shared_memory_per_block_optin = 97,
};

int attribute_of(CuDevice device, Attribute attribute) {
  int value = 0;
  check(driver().cuDeviceGetAttribute(&value, attribute, device), "cannot query the GPU");
  return value;
}

std::size_t bytes_of(CuDevice device, Attribute attribute) {
  return static_cast<std::size_t>(attribute_of(device, attribute));
}

std::string text_of(const CuUuid& uuid) {
  std::string text = "GPU";
  for (int i = 0; i < 16; ++i) {
    const bool starts_group = i == 0 || i == 4 || i == 6 || i == 8 || i == 10;
    text += fmt::format("{}{:02x}", starts_group ? "-" : "", static_cast<unsigned char>(uuid.bytes[i]));
  }
  return text;
}

CuDevice device_of(int ordinal) {
  CuDevice device = 0;
  check(driver().cuDeviceGet(&device, ordinal), fmt::format("cannot get GPU {}", ordinal));
  return device;
}

int device_count() {
  int count = 0;
  check(driver().cuDeviceGetCount(&count), "cannot count the GPUs");
  return count;
}

DeviceInfo describe_device(int ordinal) {
  const Driver& d = driver();
  const CuDevice device = device_of(ordinal);
  DeviceInfo info;
  info.ordinal = ordinal;
  std::array<char, 256> text{};
  check(d.cuDeviceGetName(text.data(), static_cast<int>(text.size()) - 1, device), "cannot query the GPU's name");
  info.name = text.data();
  text.fill('\0');
  check(d.cuDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()) - 1, device), "cannot query the GPU's bus");
  info.pci_bus_id = text.data();
  CuUuid uuid{};
  check(d.cuDeviceGetUuid(&uuid, device), "cannot query the GPU's UUID");
  info.uuid = text_of(uuid);
  check(d.cuDeviceTotalMem(&info.memory_bytes, device), "cannot query the GPU's memory");
  info.compute_capability =
      10 * attribute_of(device, compute_capability_major) + attribute_of(device, compute_capability_minor);
  info.multiprocessors = attribute_of(device, multiprocessor_count);
  info.threads_per_multiprocessor = attribute_of(device, max_threads_per_multiprocessor);
  info.registers_per_multiprocessor = attribute_of(device, max_registers_per_multiprocessor);
  info.l2_bytes = bytes_of(device, l2_cache_size);
  info.shared_bytes_per_multiprocessor = bytes_of(device, max_shared_memory_per_multiprocessor);
  info.shared_bytes_per_block = bytes_of(device, max_shared_memory_per_block_optin);
  return info;
}

}  // namespace

std::vector<DeviceInfo> list_devices() {
  std::vector<DeviceInfo> devices;
  if (!driver_problem().empty()) return devices;
  const int count = device_count();
  for (int ordinal = 0; ordinal < count; ++ordinal) devices.push_back(describe_device(ordinal));
  return devices;
}

Device::Device(int ordinal) {
  const int count = device_count();
  if (ordinal < 0 || ordinal >= count) {
    throw_resource(fmt::format("there is no GPU {}; this machine has {} (0{})", ordinal, count,
                               count > 1 ? fmt::format(" to {}", count - 1) : ""));
  }
  info_ = std::make_shared<const DeviceInfo>(describe_device(ordinal));
  context_ = std::make_shared<const Context>(device_of(ordinal));
  make_current();
}

std::string Device::label() const {
  return fmt::format("GPU {} ({})", info_->ordinal, info_->name);
}

std::size_t Device::free_bytes() const {
  make_current();
  std::size_t free = 0, total = 0;
  check(driver().cuMemGetInfo(&free, &total), "cannot query the GPU's free memory");
  return free;
}

void Device::set_fetch_bytes(std::size_t bytes) const {
  constexpr int max_l2_fetch_granularity = 5;
  make_current();
  check(driver().cuCtxSetLimit(max_l2_fetch_granularity, bytes), "cannot set how much the cache fetches");
}

bool Device::reach(const Device& other) const {
  constexpr CuResult already = 704;
  if (other.info_->ordinal == info_->ordinal) return true;
  int can = 0;
  check(driver().cuDeviceCanAccessPeer(&can, device_of(info_->ordinal), device_of(other.info_->ordinal)),
        "cannot query whether GPUs reach each other");
  if (can == 0) return false;
  make_current();
  const CuResult result = driver().cuCtxEnablePeerAccess(other.context_->handle(), 0);
  return result == cu_success || result == already;
}

void Device::synchronize() const {
  make_current();
  check(driver().cuCtxSynchronize(), "waiting for " + label());
}

}  // namespace fluvia::cuda
