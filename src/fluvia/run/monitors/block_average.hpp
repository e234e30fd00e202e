// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>

namespace fluvia {

/// Mean of one value or more.
double mean_of(std::span<const double> values);

/// How well the mean of samples is known that depend on the samples before them.
struct BlockAverage {
  double error = 0;        ///< standard error of the mean; without a plateau a lower bound of it
  bool plateau = false;    ///< whether the error stopped growing with the length of the blocks
  std::size_t block = 1;   ///< samples in a block from which on the error does not grow
  double independent = 0;  ///< number of independent samples that would have this error
};

/// Standard error of the mean of a correlated series, by blocking: neighbours are averaged in pairs, again and again.
/// The error as if the blocks were independent grows until blocks are longer than the memory of the series, and stays
/// there (Flyvbjerg & Petersen, J. Chem. Phys. 91 (1989) 461). The plateau begins at the shortest blocks after which no
/// longer ones, down to 16 of them, have an error that is larger by more than twice its own uncertainty,
/// 1 / sqrt(2 (blocks - 1)) of it (their eq. 28); at least two levels must follow, and the error is the largest of the
/// three. Of a pure oscillation, whose blocks cancel once they are longer than a period, that is an upper bound.
BlockAverage block_average(std::span<const double> samples);

}  // namespace fluvia
