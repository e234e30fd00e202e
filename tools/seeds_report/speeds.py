# SPDX-License-Identifier: Apache-2.0
"""What the sections about speed share: the order of schemes, the format to compare in, cells, causes."""
import counters
import waits
from formats import both, number, percent
from inputs import least_bytes

ORDER = ["serial", "aos-push", "soa-push", "soa-pull", "soa-aa", "ghost", "t2c", "tgb", "cm", "cm-aa", "fia", "fia-fused", "fcc",
         "fcc-shared", "fcc-aa", "pull", "aa", "esoteric-pull", "compact-pull", "compact-aa", "compact-sliding"]
FROM_MEMORY = 1e8  # bytes of populations, one copy, that no second cache holds
SAME = ("lattice", "format", "collision", "equilibrium", "flow", "geometry", "porosity", "channel", "fluid_nodes")
PUBLISHED = [s for s in ORDER[:ORDER.index("pull")] if s != "fcc-shared"]  # whose blocks take several short rows


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


def populations(row):
    """Bytes of one copy of the fluid nodes' populations."""
    return row["fluid_nodes"] * least_bytes(row)


def counted(inputs, row):
    """(bytes moved over the least, share of the copy bandwidth) of a row's step by counters; None if they were not read."""
    kernel = inputs.counters.get("kernels", {}).get(counters.key_of(row))
    if not kernel:
        return None
    sums = counters.step_sums(kernel, row["scheme"])
    if None in (sums["dram_read"], sums["dram_write"], sums["nanoseconds"]):
        return None
    busy = (sums["dram_read"] + sums["dram_write"]) / max(sums["nanoseconds"], 1.0) * 1e9 / inputs.copy
    return sum(counters.traffic(sums)) / (row["fluid_nodes"] * row["bytes_per_update"]), busy


def traffic_words(inputs, experiment, judged):
    """What counters say of these schemes on domains that no cache holds, or ""."""
    words, below = [], False
    for scheme in judged:
        found = [counted(inputs, r) for r in inputs.find(experiment, scheme=scheme) if populations(r) >= FROM_MEMORY]
        found = [f for f in found if f]
        if found:
            below = below or min(found)[0] < 0.995
            low, high = (percent(pick(b for _, b in found), 0) for pick in (min, max))
            words.append(f"`{scheme}` moves up to {max(found)[0]:.2f} times the least bytes, with "
                         f"{low if low == high else f'{low} to {high}'} of the copy bandwidth")
    if not words:
        return ""
    note = " (less than 1: the second cache keeps what was written last)" if below else ""
    return f" By counters, on domains beyond {FROM_MEMORY / 1e6:.0f} MB of populations, {'; '.join(words)}{note}."


def beside(inputs, experiment, scheme):
    """(row, the fastest row of any other scheme on the same domain) where `scheme` uses most of the bandwidth; None if it
    was measured alone."""
    domains = {}
    for row in inputs.find(experiment):
        domains.setdefault(tuple(row.get(k) for k in SAME), []).append(row)
    found = []
    for rows in domains.values():
        own = [r for r in rows if r["scheme"] == scheme and not r.get("gpu_threads")]
        others = [r for r in rows if r["scheme"] != scheme]
        if own and others:
            found.append((max(own, key=inputs.utilisation), max(others, key=inputs.utilisation)))
    return max(found, key=lambda pair: inputs.utilisation(pair[0]), default=None)


def beside_words(inputs, experiment, scheme):
    pair = beside(inputs, experiment, scheme)
    if pair is None:
        return ""
    own, other = pair
    place = "×".join(str(n) for n in own["nodes"] if n > 1)
    return (f"`{other['scheme']}` {number(inputs.utilisation(other), 2)} beside `{scheme}`'s "
            f"{number(inputs.utilisation(own), 2)} ({own['format']}, {place})")


def why_slower(inputs, experiment, judged, counted=""):
    """What rows and counters say of why the schemes in `judged` use less of the bandwidth than the paper's did; `counted`:
    instead of what kernels wait for on the largest domain."""
    if not inputs.is_gpu:
        return "the published schemes are made for GPUs, and this was measured on a CPU, where each population is looked up by itself."
    words = [w for w in (beside_words(inputs, experiment, s) for s in judged) if w]
    best = f"the best of all other schemes on the same domain: {', '.join(words)}." if words else ""
    published = ", ".join(f"`{s}`" for s in judged if s in PUBLISHED)
    waiting = "" if counted else waits.of_rows(inputs, largest_counted(inputs, experiment, judged))
    waiting = counted or (f"By counters, {waiting}." if waiting else "No counters of these kernels were read.")
    untuned = f" {published} ran as published, not tuned for this card." if published else ""
    return f"{best}{traffic_words(inputs, experiment, judged)} {waiting}{untuned}".strip()


def largest_counted(inputs, experiment, judged):
    """For each scheme in `judged` the largest domain whose waits were counted."""
    found = []
    for scheme in judged:
        rows = [r for r in inputs.find(experiment, scheme=scheme) if waits.words(waits.launches_of(inputs, r))]
        if rows:
            found.append(max(rows, key=populations))
    return found


def refusals(inputs, experiment):
    """A line about rows that did not run, or None."""
    reasons = {}
    for row in inputs.refused(experiment):
        reasons.setdefault(row.get("reason") or "no reason given", []).append(
            row["scheme"] + (f" without {row['without']}" if row.get("without") else ""))
    lines = [f"- `{'`, `'.join(in_order(names))}`: {reason}" for reason, names in reasons.items()]
    return "\n".join(["- Not measured:"] + lines) if lines else None
