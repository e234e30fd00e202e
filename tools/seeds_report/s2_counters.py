# SPDX-License-Identifier: Apache-2.0
"""S2 Tables 2 and 3: hardware counters of single steps."""
import paper
import s2_statements as said
import waits
from document import Section, Table
from formats import number, percent
from s2_rows import VERSIONS, counted, from_memory, launches_of
from verdicts import by_claims, claim_table, statements

QUALITY = [("dram", "dram", 0, 1), ("sm", "sm", 0, 1), ("l1", "l1", 0, 1), ("odd_dram", "dram", 1, 1), ("odd_sm", "sm", 1, 1),
           ("odd_l1", "l1", 1, 1)]
SECTORS = [("load", "load", 0, 2), ("store", "store", 0, 2), ("odd_load", "load", 1, 2), ("odd_store", "store", 1, 2)]


def counter_section(inputs, title, words, table, columns, judge, why):
    """A table of counters: paper and ours one below the other; `columns`: (paper's name, counter, launch, digits); `judge` says
    what was found of the statements, `why` gives the reason if some do not hold."""
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
    claims = statements("s2", table, judge(inputs))
    section.add(by_claims(claims, why(inputs)))
    section.add(claim_table(claims))
    return section


def why_not_busy(inputs):
    """What the kernels that are judged wait for where caches do not hold the domain."""
    found = {}
    for version in VERSIONS:
        n = from_memory(inputs, version, 1024)
        words = waits.words(launches_of(inputs, "S2 Table 2", version, n) or [])
        if words and version != "Naive":
            found[f"{version} (N = {n})"] = words
    copy = f"a plain copy reaches {percent(inputs.copy / inputs.peak, 0)} of this card's bandwidth" if inputs.peak else ""
    said_of = "; ".join(f"{name}: {words}" for name, words in found.items())
    return f"{copy}; by counters, {said_of}." if found else f"{copy}; no counters were read of domains that caches do not hold."


def why_other_sectors(inputs):
    """16 bits store pairs, and AA's odd step reads and writes to both sides."""
    even, odd = (counted(inputs, "AA FP16", 2048, "store", k, "S2 Table 3") for k in (0, 1))
    of_odd, of_soa = (counted(inputs, v, 2048, "load", k, "S2 Table 3") for v, k in (("AA", 1), ("SOA", 0)))
    if None in (even, odd, of_odd, of_soa):
        return "no counters were read here."
    pairs = (f"a thread of 16 bits updates two neighbours and stores both at once where it can, so that the {even:.2f} sectors of an even "
             f"step's store serve 64 nodes, {even / 2:.2f} for 32 of them; ") if even > 3 else ""
    return (f"{pairs}AA's odd step loads {of_odd:.2f} sectors a request where SOA's loads {of_soa:.2f}: both are averages "
            "over all requests, those of node types among them, as the paper notes of its own.")


def sections(inputs):
    return [
        counter_section(inputs, "S2 Table 2: what keeps the card busy", "Nsight Compute on each version: throughput of DRAM and "
                        "of the multiprocessors and hits in the first cache, in percent; AA's odd step apart.", "Table 2",
                        QUALITY, said.table_2, why_not_busy),
        counter_section(inputs, "S2 Table 3: sectors per request", "Sectors of 32 bytes that a warp's load or store touches; for 32 "
                        "nodes 4 are needed in fp32, 2 in 16 bits.", "Table 3", SECTORS, said.table_3,
                        why_other_sectors)]
