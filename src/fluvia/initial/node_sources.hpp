// SPDX-License-Identifier: Apache-2.0
// Fields that a case gives node by node, as sums of sources: formulas, files, and what a program adds.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fluvia/geometry/problem.hpp"

namespace fluvia {

/// The box of a problem and where its nodes are.
struct NodeBox {
  Int3 size{};
  Real3 origin{};  ///< case units
  double spacing = 1;
  int dimension = 3;

  explicit NodeBox(const Problem& problem);
  /// Lengths of the box, case units.
  [[nodiscard]] Real3 edges() const { return {size[0] * spacing, size[1] * spacing, size[2] * spacing}; }
  /// Position of the middle of a node, case units.
  [[nodiscard]] Real3 position(const Int3& node) const {
    Real3 x;
    for (int axis = 0; axis < 3; ++axis) x[axis] = origin[axis] + (node[axis] + 0.5) * spacing;
    return x;
  }
};

/// What a source gives a node: a number, a vector, or both; in whatever unit those who add the source want.
struct NodeValue {
  double number = 0;
  Real3 vector{};
};

/// Gives case units in those that a source is wanted in.
using ToUnit = std::function<double(double value)>;

/// A sum of sources, each of which knows nothing of the others.
class NodeSources {
 public:
  struct Source {
    std::string key;  ///< key of the case
    bool is_vector;   ///< whether it gives vectors; else numbers
    bool checked;     ///< whether its values are known to be possible
    /// Adds its part to a node; false if it has none at this node. May be called by OpenMP's threads, in any order.
    std::function<bool(const Int3& node, NodeValue& sum)> add;
  };

  void add(Source source) { sources_.push_back(std::move(source)); }
  /// Adds a formula for each component of a vector, or one of a number. Throws Error(input) for what is no formula.
  void add_formulas(const Problem& problem, const std::string& key, bool is_vector,
                    const std::vector<std::string>& formulas, const ToUnit& to_unit);
  /// Adds a formula of a number that may name the time t, case units, which `time` has whenever a node is asked for.
  /// Returns whether it does.
  bool add_formula_over_time(const Problem& problem, const std::string& key, const std::string& formula,
                             const ToUnit& to_unit, std::shared_ptr<const double> time);
  /// Adds the vectors that a file has under this name: .npy, .vtkhdf, or the last fields in the folder of a run. Throws
  /// Error(input) for files that are missing, damaged or of another shape; Error(resource) where values outgrow the
  /// memory.
  void add_vectors(const Problem& problem, const std::string& key, const std::filesystem::path& file, const char* name,
                   const ToUnit& to_unit);
  /// Adds numbers of a file likewise; `elsewhere` is added where it has none, case units.
  void add_numbers(const Problem& problem, const std::string& key, const std::filesystem::path& file, const char* name,
                   double elsewhere, const ToUnit& to_unit);

  [[nodiscard]] bool empty() const { return sources_.empty(); }
  [[nodiscard]] bool has_vectors() const;
  [[nodiscard]] NodeValue at(const Int3& node) const noexcept;

  /// A value, and the node that has it: the first in canonical order, however many threads and processes look.
  struct Extreme {
    double value = -1;
    std::uint64_t node = ~std::uint64_t{0};
    Int3 place{};
    void take(double candidate, std::uint64_t at, const Int3& x) {
      if (candidate > value || (candidate == value && at < node)) *this = {candidate, at, x};
    }
    void take(const Extreme& other) {
      if (other.value >= 0) take(other.value, other.node, other.place);
    }
  };
  /// What was found at all fluid nodes.
  struct Findings {
    std::vector<std::string> warnings;
    std::string vector_key, number_key;  ///< keys of the sources that may be to blame for the sums; empty: none
    Extreme longest, largest;            ///< the longest vector, and the number that is farthest from 0
  };
  /// Looks at all fluid nodes, unless the values of all sources are known to be possible; members of a communicator
  /// take a part each, and throw and warn alike. Throws Error(input) if a source gives what is no finite number, or
  /// nothing at any fluid node. Warns of nodes of which a source knows nothing, `which_do`: what those do then.
  [[nodiscard]] Findings look(const Problem& problem, const char* which_do) const;

 private:
  std::vector<Source> sources_;
};

}  // namespace fluvia
