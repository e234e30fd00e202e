# SPDX-License-Identifier: Apache-2.0
"""What kernels wait for, by hardware counters, in words."""
import counters

UNITS = {"dram": "memory", "l2_busy": "the second cache", "l1_busy": "the first cache", "issue_busy": "the issue of instructions"}
WAITS = {  # counters.WAITS: what a warp waits for
    "long_scoreboard": "what it loads from memory", "lg_throttle": "room in the queue of loads and stores",
    "barrier": "other warps of its block", "short_scoreboard": "shared memory", "mio_throttle": "room in the queue of shared memory",
    "wait": "results of arithmetic", "math_pipe_throttle": "units of arithmetic", "not_selected": "its turn",
    "drain": "its stores to leave", "no_instruction": "instructions to be fetched", "branch_resolving": "branches",
    "imc_miss": "constants", "membar": "memory barriers", "dispatch_stall": "the dispatch of instructions"}
LEAST = 0.15  # share of a warp's time that is worth a word
FEW_WAVES = 1.0  # blocks that are all on the card at once, and do not fill it


def launches_of(inputs, row, conditions=False):
    """What was counted of a row's kernels, of steps or of boundary conditions; [] if nothing was."""
    name = counters.key_of(row) + (counters.CONDITIONS if conditions else "")
    kernel = inputs.counters.get("kernels", {}).get(name)
    return kernel["launches"] if kernel else []


def mean(launches, metric):
    values = [launch[metric] for launch in launches if launch.get(metric) is not None]
    return sum(values) / len(values) if values else None


def shares(launches):
    """{what: share of the time that warps are on the card}, the largest first, of what is worth a word."""
    times = {w: mean(launches, f"wait_{w}") for w in counters.WAITS}
    total = sum(t for t in times.values() if t)
    found = {w: t / total for w, t in times.items() if t and w in WAITS and t >= LEAST * total} if total else {}
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def busiest(launches):
    """(unit, percent) of the unit that is nearest to what it can do; None if nothing was counted."""
    known = {u: mean(launches, u) for u in UNITS}
    return max(((u, v) for u, v in known.items() if v is not None), key=lambda item: item[1], default=None)


def words(launches):
    """What these launches keep busy, what their warps wait for, and whether they fill the card; "" if it was not counted."""
    unit, waits = busiest(launches), shares(launches)
    if unit is None or not waits:
        return ""
    parts = [f"{UNITS[unit[0]]} is {unit[1]:.0f}% busy",
             "a warp waits " + ", ".join(f"{100 * share:.0f}% of its time for {WAITS[w]}" for w, share in waits.items())]
    waves, occupancy = mean(launches, "waves"), mean(launches, "occupancy")
    if waves is not None and waves < FEW_WAVES:
        parts.append(f"its blocks fill {100 * waves:.0f}% of the card")
    elif occupancy is not None:
        parts.append(f"multiprocessors hold {occupancy:.0f}% of the warps that they could")
    return ", ".join(parts)


def place(row):
    return "×".join(str(n) for n in row["nodes"] if n > 1)


def of_rows(inputs, rows):
    """Sentences about rows whose kernels were counted, or ""."""
    found = [(row, words(launches_of(inputs, row))) for row in rows]
    said = [f"`{row['scheme']}` ({row['format']}, {place(row)}): {text}" for row, text in found if text]
    return "; ".join(said)
