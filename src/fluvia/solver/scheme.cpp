// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/scheme.hpp"

#include <fmt/format.h>

#include "fluvia/base/error.hpp"
#include "fluvia/core/format/formats.hpp"
#include "fluvia/core/lattice/d3q27.hpp"
#include "fluvia/core/streaming/registry.hpp"

namespace fluvia {

namespace {
const std::string compact_prefix = "compact-";
}

std::vector<std::string> scheme_names() {
  std::vector<std::string> names;
  core::for_each_type(core::Streamings{}, [&]<class Streaming>(Streaming) { names.emplace_back(Streaming::name); });
  core::for_each_type(core::Streamings{}, [&]<class Streaming>(Streaming) {
    if constexpr (core::needs_fluid_storage_only<Streaming, core::D3Q27>())
      names.push_back(compact_prefix + Streaming::name);
  });
  return names;
}

std::vector<std::string> gpu_scheme_names() {
  std::vector<std::string> names = scheme_names();
  names.push_back(Scheme{"pull", true, true}.name());
  return names;
}

std::string Scheme::name() const {
  return (compact ? compact_prefix : "") + (sliding ? "sliding" : streaming);
}

Scheme parse_scheme(const std::string& name) {
  std::string known;
  for (const std::string& candidate : gpu_scheme_names()) {
    if (candidate == name) {
      const bool compact = name.starts_with(compact_prefix);
      const std::string streaming = compact ? name.substr(compact_prefix.size()) : name;
      return streaming == "sliding" ? Scheme{"pull", compact, true} : Scheme{streaming, compact};
    }
    known += (known.empty() ? "" : ", ") + candidate;
  }
  throw_input(fmt::format("numerics.scheme: there is no scheme '{}'; choose one of {}", name, known));
}

int storage_bytes(const std::string& format) {
  int bytes = 0;
  core::for_each_type(core::Formats{}, [&]<class Format>(Format) {
    if (format == Format::name) bytes = sizeof(typename Format::Storage);
  });
  return bytes;
}

}  // namespace fluvia
