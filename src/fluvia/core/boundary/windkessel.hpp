// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/boundary/pressure.hpp"

namespace fluvia::core {

/// An opening whose pressure follows from its flow rate by what lies behind it, vessels too small to be computed: a
/// resistance, then a compliance beside a second resistance (RCR). Westerhof, Lankhaar & Westerhof, Med. Biol. Eng.
/// Comput. 47 (2009) 131.
struct WindkesselOpening {
  using Rule = PressureOpening;
  enum Key { pressure, proximal_resistance, distal_resistance, compliance };
  static constexpr ConditionFacts facts = [] {
    ConditionFacts f =
        outlet_facts("windkessel", "outlet into vessels that are not computed: resistance, compliance, resistance",
                     Rule::memory_size);
    f.control = Control::windkessel;
    f.keys[proximal_resistance] = {.name = "proximal_resistance",
                                   .dimension = Dimension::resistance,
                                   .meaning = "between the outlet and the compliance",
                                   .required = true,
                                   .least = 0};
    f.keys[distal_resistance] = {.name = "distal_resistance",
                                 .dimension = Dimension::resistance,
                                 .meaning = "between the compliance and `pressure`",
                                 .required = true,
                                 .least = 0};
    f.keys[compliance] = {.name = "compliance",
                          .dimension = Dimension::compliance,
                          .meaning = "volume that the vessels behind take up per pressure",
                          .required = true,
                          .least = 0};
    return f;
  }();
};

/// An opening that lets out a given fraction of what leaves through all openings of this kind together.
struct FlowSplitOpening {
  using Rule = PressureOpening;
  enum Key { pressure, share };
  static constexpr ConditionFacts facts = [] {
    ConditionFacts f = outlet_facts("flow_split", "outlet that takes a given share of the flow", Rule::memory_size);
    f.control = Control::flow_split;
    f.keys[share] = {.name = "share",
                     .meaning = "of what leaves through all flow_split openings; their sum need not be 1",
                     .required = true,
                     .least = 0};
    return f;
  }();
};

}  // namespace fluvia::core
