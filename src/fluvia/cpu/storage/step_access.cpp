// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/storage/step_access.hpp"

#include "fluvia/base/error.hpp"
#include "fluvia/core/lattice/registry.hpp"
#include "fluvia/core/streaming/registry.hpp"

namespace fluvia::cpu {

namespace {
template <class Streaming, class Lattice>
StreamingTable tabulate() {
  StreamingTable table;
  table.parities = Streaming::parities;
  table.fluid_storage_only = core::needs_fluid_storage_only<Streaming, Lattice>();
  for (int parity = 0; parity < 2; ++parity) {
    StepAccess& step = table.step[parity];
    step.directions = Lattice::Q;
    step.turn = parity;
    step.local = true;
    const int p = parity % Streaming::parities;
    for (int i = 0; i < Lattice::Q; ++i) {
      for (int axis = 0; axis < 3; ++axis) step.c[i][axis] = Lattice::c[i][axis];
      const auto towards = [](int k) {
        return StepAccess::neighbour(Lattice::c[k][0], Lattice::c[k][1], Lattice::c[k][2]);
      };
      step.rows |= 1u << (towards(i) / 3);
      if (i != 0) step.neighbours |= 1u << towards(i);
      step.read[i] = Streaming::read_from(p, i);
      step.read_cut[i] = Streaming::read_cut(p, i);
      step.write[i] = Streaming::write_to(p, i);
      step.write_cut[i] = Streaming::write_cut(p, i);
      step.read_link[i] = static_cast<signed char>(towards(step.read[i].side > 0 ? i : StepAccess::opposite(i)));
      step.write_link[i] = static_cast<signed char>(towards(step.write[i].side > 0 ? i : StepAccess::opposite(i)));
      if (step.read[i].side != 0 || step.write[i].side != 0) step.local = false;
    }
  }
  return table;
}
}  // namespace

StreamingTable streaming_table(const std::string& streaming, const std::string& lattice) {
  StreamingTable table;
  bool found = false;
  core::for_each_type(core::Streamings{}, [&]<class Streaming>(Streaming) {
    core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
      if (streaming == Streaming::name && lattice == Lattice::name) {
        table = tabulate<Streaming, Lattice>();
        found = true;
      }
    });
  });
  if (!found) throw Error(ExitCode::internal, "no streaming '" + streaming + "' on lattice '" + lattice + "'");
  return table;
}

}  // namespace fluvia::cpu
