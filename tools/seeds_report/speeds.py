# SPDX-License-Identifier: Apache-2.0
"""What the sections about speed share: the order of schemes, the format to compare in, cells, causes."""
import counters
from formats import both, number, percent

ORDER = ["serial", "aos-push", "soa-push", "soa-pull", "ghost", "t2c", "tgb", "cm", "cm-aa", "fia", "fia-fused", "fcc",
         "fcc-shared", "fcc-aa", "pull", "aa", "esoteric-pull", "compact-pull", "compact-aa", "compact-sliding"]
FROM_MEMORY = 1e8  # bytes a step that no second cache holds
PUBLISHED = ORDER[:ORDER.index("pull")]


def in_order(names):
    return sorted(set(names), key=lambda n: (ORDER.index(n) if n in ORDER else len(ORDER), n))


def choose_format(inputs, experiment, wanted):
    """The paper's format if it was measured, else the one with the most rows."""
    formats = [r["format"] for r in inputs.find(experiment)]
    if wanted in formats or not formats:
        return wanted
    return max(set(formats), key=formats.count)


def schemes_of(rows):
    return in_order(r["scheme"] for r in rows)


def cells(inputs, experiment, schemes, **wanted):
    """Speed and utilisation of the best row of each scheme, in one cell each."""
    rows = [inputs.best(experiment, scheme=scheme, **wanted) for scheme in schemes]
    return [both(r["mlups"], inputs.utilisation(r)) if r else None for r in rows]


def heads(schemes, units="MFLUPS (BU)"):
    return [f"`{scheme}` {units}" if k == 0 else f"`{scheme}`" for k, scheme in enumerate(schemes)]


def device_line(inputs):
    """How utilisations of the device at hand are meant."""
    if not inputs.rows:
        return "No speed has been measured (no rows.json)."
    copy = f"measured copy bandwidth {inputs.copy / 1e9:.0f} GB/s"
    if inputs.peak > inputs.copy:
        return (f"BU is of the theoretical bandwidth, as in the papers: {inputs.peak / 1e9:.0f} GB/s for {inputs.device} "
                f"({copy}, {percent(inputs.copy / inputs.peak, 0)} of it).")
    return f"The theoretical bandwidth of this machine ({inputs.device}) is not known, so BU is of the {copy}."


def traffic_words(inputs, experiment):
    """What counters say of the published kernels of an experiment, if they were read."""
    found = {}
    for row in inputs.find(experiment, scheme=tuple(PUBLISHED)):
        kernel = inputs.counters.get("kernels", {}).get(counters.key_of(row))
        if kernel:
            sums = counters.step_sums(kernel, row["scheme"])
            least = row["fluid_nodes"] * row["bytes_per_update"]
            if None in (sums["dram_read"], sums["dram_write"], sums["nanoseconds"]) or least < FROM_MEMORY:
                continue
            busy = (sums["dram_read"] + sums["dram_write"]) / max(sums["nanoseconds"], 1.0) * 1e9 / inputs.copy
            found.setdefault(row["scheme"], []).append((sum(counters.traffic(sums)) / least, busy))
    words = []
    for scheme, values in found.items():
        low, high = (percent(pick(b for _, b in values), 0) for pick in (min, max))
        share = low if low == high else f"{low} to {high}"
        words.append(f"`{scheme}` moves up to {max(values)[0]:.2f} times the least bytes, with {share} of the copy bandwidth")
    return f" By counters {'; '.join(words)}." if words else ""


def why_slower(inputs, experiment):
    """What holds the published schemes back, from what else was measured."""
    if not inputs.is_gpu:
        return "on a CPU the published schemes look up every population one by one; they are made for GPUs."
    tuned = [r for r in inputs.find(experiment) if r["scheme"] not in PUBLISHED]
    if not tuned:
        return "the kernels are as published and were not tuned for this card." + traffic_words(inputs, experiment)
    best = max(tuned, key=inputs.utilisation)
    return (f"`{best['scheme']}` {best['format']} reaches {number(inputs.utilisation(best), 2)} on the same card, so it is not "
            "the bandwidth: what the published kernels add to it (look-ups, barriers, scattered or partly used accesses) costs "
            "the rest. They are as published and were not tuned." + traffic_words(inputs, experiment))


def refusals(inputs, experiment):
    """A line about rows that did not run, or None."""
    reasons = {}
    for row in inputs.refused(experiment):
        reasons.setdefault(row.get("reason") or "no reason given", []).append(row["scheme"])
    lines = [f"- `{'`, `'.join(in_order(names))}`: {reason}" for reason, names in reasons.items()]
    return "\n".join(["- Not measured:"] + lines) if lines else None
