# SPDX-License-Identifier: Apache-2.0
"""S2 Tables 2 and 3: hardware counters of single steps."""
import paper
from document import Section, Table
from formats import number, percent
from s2_rows import launches_of
from verdicts import Claim, by_claims, claim_table

QUALITY = [("dram", "dram", 0, 1), ("sm", "sm", 0, 1), ("l1", "l1", 0, 1), ("odd_dram", "dram", 1, 1), ("odd_sm", "sm", 1, 1),
           ("odd_l1", "l1", 1, 1)]
SECTORS = [("load", "load", 0, 2), ("store", "store", 0, 2), ("odd_load", "load", 1, 2), ("odd_store", "store", 1, 2)]
SECTOR_TOLERANCE = 0.05  # of the paper's number


def counter_section(inputs, title, words, table, columns, judge, why):
    """A table of counters: paper and ours one below the other; `columns`: (paper's name, counter, launch, digits); `judge` makes
    the claims, `why` the reason if some do not hold."""
    section = Section(title)
    section.say(words)
    lines, measured = [], 0
    for row in paper.rows("s2", table):
        launches = launches_of(inputs, f"S2 {table}", row["version"], row["n"])
        lines.append([f"{row['n']} {row['version']}", "paper"] + [number(row[c], d) for c, _, _, d in columns])
        if launches:
            measured += 1
            two = row["version"].startswith("AA") and len(launches) > 1
            lines.append(["", "here"] + [number(launches[k].get(m), d) if k == 0 or two else None
                                         for _, m, k, d in columns])
    section.add(Table(["N, version", "", *(c.replace("_", " ") for c, _, _, _ in columns)], lines))
    if not measured:
        reason = inputs.counters.get("reason") or "; ".join(sorted(set(inputs.counters.get("reasons", {}).values())))
        section.say(f"Counters: not measured: {reason or 'no row of this table was profiled'}.")
    claims = judge(inputs, f"S2 {table}")
    section.add(by_claims(claims, why(inputs, f"S2 {table}")))
    section.add(claim_table(claims))
    return section


def counted(inputs, experiment, version, n, metric, k=0):
    """A counter of launch k of one of the paper's versions, or None."""
    launches = launches_of(inputs, experiment, version, n)
    return launches[k].get(metric) if launches and len(launches) > k else None


def pair_claim(text, ours, other, holds, rule):
    """A claim about two percentages."""
    known = ours is not None and other is not None
    return Claim(text, holds(ours, other) if known else None, f"{ours:.1f}% against {other:.1f}%" if known else "", rule)


def table_2_claims(inputs, experiment):
    claims = []
    for version in ("SOA", "AA"):
        busy = counted(inputs, experiment, version, 2048, "dram")
        claims.append(Claim(f"N = 2048: {version} keeps DRAM more than 85% busy", None if busy is None else busy > 85,
                            "" if busy is None else f"{busy:.1f}%"))
    odd, even = (counted(inputs, experiment, "AA FP16", 2048, "dram", k) for k in (1, 0))
    claims.append(pair_claim("N = 2048: in 16 bits AA's odd step no longer keeps DRAM busy (52.65% against 89.92%)", odd, even,
                             lambda a, b: a < 0.75 * b, "below three quarters of the even step's"))
    aa, soa = (counted(inputs, experiment, version, 256, "l1") for version in ("AA", "SOA"))
    claims.append(pair_claim("N = 256: AA's hit rate in the first cache is at least twice SOA's", aa, soa,
                             lambda a, b: a >= 2 * b, "as stated"))
    return claims


def why_not_busy(inputs, _):
    """How much of the limit of 85% is left by what a plain copy reaches."""
    if not inputs.peak or inputs.copy >= inputs.peak:
        return "not examined."
    copy = inputs.copy / inputs.peak
    return (f"a plain copy reaches {percent(copy, 0)} of this card's bandwidth (measured), so that 85% would be {0.85 / copy:.2f} "
            "of what can be had; what else differs from the paper's card was not examined.")


def table_3_claims(inputs, experiment):
    claims = []
    for version, printed in (("Naive", 32.0), ("SOA", 4.67), ("AA", 4.0), ("AA FP16", 2.0)):
        found = counted(inputs, experiment, version, 2048, "store")
        claims.append(Claim(f"N = 2048: a store of {version} touches {printed:g} sectors",
                            None if found is None else abs(found - printed) <= SECTOR_TOLERANCE * printed,
                            "" if found is None else f"{found:.2f}",
                            f"{printed * (1 - SECTOR_TOLERANCE):.2f} to {printed * (1 + SECTOR_TOLERANCE):.2f}"))
    return claims


def why_other_sectors(inputs, experiment):
    found = counted(inputs, experiment, "AA FP16", 2048, "store")
    if found is None:
        return "not examined."
    return ("in 16 bits a thread of `aa` updates two neighbours and stores both at once where it can "
            f"(docs/decisions/0011-pairs-and-aligned-tiles.md), so that the {found:.2f} sectors of an even step's store serve 64 nodes, "
            f"{found / 2:.2f} for 32 of them.")


def sections(inputs):
    return [
        counter_section(inputs, "S2 Table 2: what keeps the card busy", "Nsight Compute on each version: throughput of DRAM and "
                        "of the multiprocessors and hits in the first cache, in percent; AA's odd step apart.", "Table 2",
                        QUALITY, table_2_claims, why_not_busy),
        counter_section(inputs, "S2 Table 3: sectors per request", "Sectors of 32 bytes that a warp's load or store touches; for 32 "
                        "nodes 4 are needed in fp32, 2 in 16 bits.", "Table 3", SECTORS, table_3_claims,
                        why_other_sectors)]
