# SPDX-License-Identifier: Apache-2.0
"""Which colours values have: one rule for surfaces, planes and views."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

SEQUENTIAL, DIVERGING = "viridis", "RdBu_r"
LEAST_SIDE = 0.02  # part of the larger side of 0 that the smaller one has to have for colours to diverge


@dataclass(frozen=True)
class ColorRange:
    low: float
    high: float
    map: str = SEQUENTIAL

    @property
    def limits(self) -> tuple[float, float]:
        return self.low, self.high


def color_range(values: np.ndarray, beyond: float, from_zero: bool = False) -> ColorRange:
    """Range for values: of both signs around 0 and diverging, of one sign from the least to the most, or from 0.

    `beyond`: per cent of the values at each end that may lie beyond the range, so that single ones do not take all of it;
    they do not if they are within half of the range."""
    finite = np.asarray(values, dtype=float)
    finite = finite[np.isfinite(finite)]
    if len(finite) == 0:
        return ColorRange(0.0, 1.0)
    ends = np.percentile(finite, [beyond, 100 - beyond])
    low, high = float(finite.min()), float(finite.max())
    if ends[1] > ends[0] and high - low > 1.5 * (ends[1] - ends[0]):
        low, high = float(ends[0]), float(ends[1])
    if from_zero:
        low = 0.0
    elif low < 0 < high and min(-low, high) > LEAST_SIDE * max(-low, high):
        high = max(-low, high)
        return ColorRange(-high, high, DIVERGING)
    elif 0 <= low < 0.3 * high:
        low = 0.0
    elif 0 >= high > 0.3 * low:
        high = 0.0
    if not high - low > 1e-5 * max(abs(low), abs(high)):  # all the same: round-off is no pattern
        low, high = (0.0, high or 1.0) if from_zero or low == 0 else (low - 0.05 * abs(low), high + 0.05 * abs(high))
    return ColorRange(low, high)
