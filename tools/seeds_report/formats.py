# SPDX-License-Identifier: Apache-2.0
"""Numbers as words of a table."""


def number(value, digits=3):
    return "" if value is None else f"{value:.{digits}f}"


def count(value):
    """Thousands apart by thin spaces."""
    return "" if value is None else f"{int(value):,}".replace(",", "\u202f")


def speed(value):
    """MLUPS: whole numbers, but three digits at least."""
    if value is None:
        return ""
    return count(round(value)) if value >= 100 else f"{value:.3g}"


def percent(value, digits=1):
    return "" if value is None else f"{100 * value:.{digits}f}%"


def both(value, share):
    """Speed and utilisation in one cell."""
    return "" if value is None else f"{speed(value)} ({number(share, 2)})" if share is not None else speed(value)


def ratio(ours, theirs):
    return None if not ours or not theirs else ours / theirs


def span(values, form):
    """The lowest and the highest, or one of them where they read the same."""
    low, high = form(min(values)), form(max(values))
    return low if low == high else f"{low} to {high}"
