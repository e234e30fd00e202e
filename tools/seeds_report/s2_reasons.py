# SPDX-License-Identifier: Apache-2.0
"""S2: why results differ from the paper's, as far as rows and counters show it."""
import paper
import waits
from formats import percent, span
from s2_rows import BYTES, from_memory, launches_of, own_row, scheme_of
from verdicts import geometric_mean


def split_rows(inputs):
    """Rows of AA fp32 whose even and odd steps were timed, by N."""
    rows = inputs.find("S2 Table 6", scheme=scheme_of(inputs, "S2 Table 6", "AA"), format="fp32")
    return dict(sorted((r["nodes"][0], r) for r in rows if r.get("odd_ms")))


def waits_of(inputs, version, n):
    """What the kernels of a version wait for at N, or "" without counters."""
    words = waits.words(launches_of(inputs, "S2 Table 2", version, n) or [])
    return f"By counters, {version} (N = {n}): {words}." if words else f"No counters were read of {version} at N = {n}."


def odd_steps(inputs, pairs):
    """How much of what AA lacks (`pairs`: label, ours, the paper's) its slower odd steps explain at most, and what it waits for."""
    slower = [r["odd_ms"] / r["even_ms"] - 1 for n, r in split_rows(inputs).items() if n >= 512]
    counted = waits_of(inputs, "AA", from_memory(inputs, "AA", 512))
    if not slower or not pairs:
        return counted
    lacking = geometric_mean([theirs / ours for _, ours, theirs in pairs]) - 1
    words = f"AA's odd steps take {span(slower, lambda v: percent(v, 0))} longer than its even ones (S2 Table 6, N from 512 on)"
    if lacking <= 0 or max(slower) <= 0:
        return f"{words}. {counted}"
    return f"{words}, which explains at most {percent(max(slower) / 2 / lacking, 0)} of what is missing. {counted}"


def cached(inputs, n):
    """What of a square of N nodes the second cache could hold."""
    cache = paper.second_cache(inputs.device)
    if not cache:
        return ""
    full, half = (n * n * BYTES[f] / 2e6 for f in ("fp32", "fp16s"))
    return (f" One copy of the populations of such a domain takes {full:.0f} MB in fp32 and {half:.0f} MB in 16 bits; the second "
            f"cache of this card has {cache / 1e6:.0f} MB.")


def flows(inputs, n, changes, tolerance):
    """What became of the cavity beside Poiseuille flow: (version, speed of the cavity over the channel's)."""
    known = [(name, c - 1) for name, c in changes if c]
    slower, faster = ([(name, c) for name, c in known if sign * c >= tolerance] for sign in (-1, 1))
    words = [f"for {', '.join(name for name, _ in group)} the cavity is {word} than the channel by "
             f"{span([abs(c) for _, c in group], percent)}" for group, word in ((slower, "slower"), (faster, "faster")) if group]
    if not words:
        return f"all versions are within {percent(tolerance, 0)} of each other in both flows." if known else "nothing was measured."
    causes = [c for c in (flow_cause(inputs, n, name) for name, _ in slower + faster) if c]
    return f"{'; '.join(words)}. {' '.join(causes) if causes else 'No counters of both flows were read.'}"


def flow_cause(inputs, n, version):
    """Where a step of the cavity takes longer than one of the channel, by counters of the kernels alone; "" without."""
    rows = {flow: own_row(inputs, "S2 Table 5", version, n, flow) for flow in ("poiseuille", "cavity")}
    if not all(rows.values()):
        return ""
    steps = {flow: waits.mean(waits.launches_of(inputs, row), "nanoseconds") for flow, row in rows.items()}
    lid = waits.mean(waits.launches_of(inputs, rows["cavity"], conditions=True), "nanoseconds")
    if None in steps.values():
        return ""
    longer = 1e3 * (rows["cavity"]["step_ms"] - rows["poiseuille"]["step_ms"])
    of_lid = "" if lid is None else f"the kernel that completes the lid, which the channel does not have, takes {lid / 1e3:.1f} µs, "
    return (f"{version}: a step takes {longer:+.1f} µs longer; {of_lid}the step's own kernel "
            f"{(steps['cavity'] - steps['poiseuille']) / 1e3:+.1f} µs beside the channel's.")


def kernel_ratios(inputs, sizes):
    """{N: even over odd} of AA fp32's kernels alone, by counters."""
    found = {}
    for n in sizes:
        launches = launches_of(inputs, "S2 Table 2", "AA", n)
        times = [launch.get("nanoseconds") for launch in launches or []]
        if len(times) > 1 and all(times):
            found[n] = times[0] / times[1]
    return found


def waiting(inputs):
    """What waiting for every step adds, and what the kernels alone take."""
    rows = split_rows(inputs)
    if not rows:
        return "no step was waited for."
    n = min(rows)
    both, alone = 500 * (rows[n]["even_ms"] + rows[n]["odd_ms"]), 1e3 * rows[n]["step_ms"]
    words = [f"a step that is waited for takes {both:.1f} µs at N = {n}, one that is not {alone:.1f} µs (S2 Table 1), so that "
             "waiting brings the ratio towards one there"] if both > 1.2 * alone else []
    ratios = kernel_ratios(inputs, rows)
    if ratios:
        words.append(f"the kernels alone, by counters, have {', '.join(f'{v:.2f} (N = {k})' for k, v in ratios.items())}")
    else:
        words.append("no counters were read of the kernels alone")
    return "; ".join(words) + "."
