# SPDX-License-Identifier: Apache-2.0
"""What the sections about speed share: the order of schemes, the format to compare in, cells, causes."""
from formats import both, percent

ORDER = ["serial", "aos-push", "soa-push", "soa-pull", "ghost", "t2c", "tgb", "cm", "cm-aa", "fia", "fia-fused", "fcc",
         "fcc-shared", "fcc-aa", "pull", "aa", "esoteric-pull", "compact-pull", "compact-aa", "compact-sliding"]
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


def why_slower(inputs):
    """What a published scheme lacks on the device at hand."""
    if not inputs.is_gpu:
        return "on a CPU the published schemes look up every population one by one; they are made for GPUs."
    return ("the share that a kernel reaches falls with the bandwidth of the card, since look-ups, barriers and scattered "
            "accesses have not become faster with it; the kernels are as published and were not tuned (hardware counters, "
            "where measured: S1 Table 5 and S2 Table 2).")


def refusals(inputs, experiment):
    """A line about rows that did not run, or None."""
    reasons = {}
    for row in inputs.refused(experiment):
        reasons.setdefault(row.get("reason") or "no reason given", []).append(row["scheme"])
    lines = [f"- `{'`, `'.join(in_order(names))}`: {reason}" for reason, names in reasons.items()]
    return "\n".join(["- Not measured:"] + lines) if lines else None
