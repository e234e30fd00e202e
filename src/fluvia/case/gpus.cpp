// SPDX-License-Identifier: Apache-2.0
#include "fluvia/case/gpus.hpp"

#include <charconv>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"

namespace fluvia {

namespace {

const std::string cuda = "cuda", list_begins = "cuda:";
constexpr int most_gpus = 1024;

/// The whole number that a text is, if it is at least `least`; else -1.
int parse_number(const std::string& text, int least) {
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() && number >= least && number <= most_gpus ? number
                                                                                                            : -1;
}

}  // namespace

bool is_on_gpus(const std::string& device) {
  return device == cuda || device.compare(0, list_begins.size(), list_begins) == 0;
}

GpuList parse_gpus(const std::string& place, const std::string& device) {
  GpuList list;
  if (device == cuda) return list;
  const std::string names = device.substr(list_begins.size());
  list.all = names == "all";
  if (list.all) return list;
  for (std::size_t first = 0; first <= names.size();) {
    const std::size_t end = std::min(names.find(',', first), names.size());
    const int ordinal = parse_number(names.substr(first, end - first), 0);
    if (ordinal < 0)
      throw_input(place + ": '" + shorten(device) +
                  "' names no GPUs; give their numbers, as in cuda:0,1, or cuda:all for all of this machine");
    list.ordinals.push_back(ordinal);
    first = end + 1;
  }
  return list;
}

std::string device_of_gpus(const std::string& place, const std::string& number) {
  if (number == "all") return list_begins + number;
  const int count = parse_number(number, 1);
  if (count < 0) throw_input(place + ": '" + shorten(number) + "' is no number of GPUs; give 1, 2, ... or all");
  std::string device = list_begins + "0";
  for (int k = 1; k < count; ++k) device += "," + std::to_string(k);
  return device;
}

}  // namespace fluvia
