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
  static constexpr ConditionFacts facts = {
      .name = "windkessel",
      .meaning = "outlet into vessels that are not computed: resistance, compliance, resistance",
      .priority = 4,
      .order = 2,
      .is_opening = true,
      .drives = true,
      .control = Control::windkessel,
      .keys = {{.name = "pressure", .dimension = Dimension::pressure, .meaning = "gauge pressure"},
               {.name = "proximal_resistance",
                .dimension = Dimension::resistance,
                .meaning = "between the outlet and the compliance",
                .required = true,
                .least = 0},
               {.name = "distal_resistance",
                .dimension = Dimension::resistance,
                .meaning = "between the compliance and `pressure`",
                .required = true,
                .least = 0},
               {.name = "compliance",
                .dimension = Dimension::compliance,
                .meaning = "volume that the vessels behind take up per pressure",
                .required = true,
                .least = 0}}};
};

/// An opening that lets out its share of what leaves through all such openings together.
struct FlowSplitOpening {
  using Rule = PressureOpening;
  enum Key { pressure, share };
  static constexpr ConditionFacts facts = {
      .name = "flow_split",
      .meaning = "outlet that takes a given share of the flow",
      .priority = 4,
      .order = 2,
      .is_opening = true,
      .drives = true,
      .control = Control::flow_split,
      .keys = {{.name = "pressure", .dimension = Dimension::pressure, .meaning = "gauge pressure"},
               {.name = "share",
                .meaning = "of what leaves through all flow_split openings; their sum need not be 1",
                .required = true,
                .least = 0}}};
};

}  // namespace fluvia::core
