# SPDX-License-Identifier: Apache-2.0
"""S2: the statements of its text on Tables 1 to 6, each with what was found here."""
import counters
import paper
from formats import percent, ratio
from s2_rows import SIZES, counted, flow_size, from_memory, held_words, is_held, own_row, scheme_of, speed_ratio
from verdicts import REACHED, finding, reaches, unseen

NO_COUNTERS = "no counters of these kernels"
SAME_SPEED = 0.02  # by which flows may differ
TIED = 0.05  # by which versions may that are called tied
SAME_BLOCK = 0.98  # of the best block's speed
MOST = 91.06  # percent: the largest use of DRAM in the paper's Table 2, taken for what memory gives at most
SATURATED, BUSY = 86.79 / MOST, 85.74 / MOST  # the least that it calls near saturation, and high use of 16 bits
SECTORS = 0.05  # of a number of sectors
DEFAULT_BLOCK = (32, 8)
NAME = "S2 Table 1"


def times(here, there, text=""):
    """A ratio of speeds that is to be reached."""
    return reaches(text, here, there) if here is not None else unseen("not both were measured")


def serial(inputs):
    """The fastest version at the largest N over the serial code, which one N is as good as another for."""
    best = inputs.best(NAME, scheme="serial")
    last = [own_row(inputs, NAME, "AA FP16", n) for n in SIZES]
    last = next((r for r in reversed(last) if r), None)
    if not best or not last:
        return unseen("no row of `serial`, one thread of the host" if last else "no row of AA in 16 bits")
    rule = "from 411 times on (a GPU)"
    if not inputs.is_gpu:
        return finding(None, f"`serial` {best['mlups']:.1f} MLUPS", rule, "measured on a CPU: there is no GPU to compare")
    found = f"{last['mlups'] / best['mlups']:.0f} times, `serial` {best['mlups']:.1f} MLUPS"
    return finding(last["mlups"] / best["mlups"] >= REACHED * 8000.99 / 18.5, found, rule)


def all_sizes(inputs):
    found = {n: speed_ratio(inputs, "SOA", "Naive", n) for n in SIZES}
    found = {n: v for n, v in found.items() if v}
    wrong = [f"{n} ({v:.2f})" for n, v in found.items() if v <= 1]
    return finding(not wrong, f"at {len(found) - len(wrong)} of {len(found)} sizes" + (f", not {', '.join(wrong)}" if wrong else "")) \
        if found else unseen("not both were measured")


def halves(inputs):
    """AA over SOA at N = 256, where the paper's second cache held one copy and not two; here where ours does."""
    n, there = 256, 1.14
    if paper.second_cache(inputs.device):
        n = next((s for s in SIZES if is_held(inputs, "AA", s) and not is_held(inputs, "SOA", s)), n)
    found = times(speed_ratio(inputs, "AA", "SOA", n), there)
    if n != 256:
        found.rule += f"; here at N = {n}, where one copy lies in the second cache and two do not, as at 256 there"
    return found


def tied(inputs):
    n = max(from_memory(inputs, v, 512) for v in ("AA", "SOA"))
    here = speed_ratio(inputs, "AA", "SOA", n)
    rule = f"within {percent(TIED, 0)} of each other" + (f"; here at N = {n}, which caches do not hold" if n != 512 else "")
    if here is None:
        return unseen("not both were measured")
    return finding(1 - TIED <= here <= 1 + TIED, f"AA is {here:.2f} times as fast as SOA", rule)


def memory(inputs):
    for n in reversed(SIZES):
        rows = [own_row(inputs, NAME, v, n) for v in ("AA", "SOA")]
        if all(rows):
            here = rows[0]["memory_mib"] / rows[1]["memory_mib"]
            return finding(here <= 0.55, f"{here:.2f} times at N = {n}", "up to 0.55 times")
    return unseen("not both were measured")


def sixteen_bits(inputs):
    n = from_memory(inputs, "AA FP16", 512)
    found = {s: speed_ratio(inputs, "AA FP16", "AA", s) for s in SIZES if s >= n}
    found = {s: v for s, v in found.items() if v}
    if not found:
        return unseen("not both were measured"), unseen("not both were measured")
    words = ", ".join(f"{v:.2f} (N = {s})" for s, v in found.items())
    where = "" if n == 512 else f"; here from N = {n} on, which caches do not hold"
    return (finding(min(found.values()) >= REACHED * 1.48, words, f"from {REACHED * 1.48:.3f} times on{where}"),
            finding(max(found.values()) < 2, words))


def table_1(inputs):
    slower = speed_ratio(inputs, "AA FP16", "AA", 256)
    faster, ideal = sixteen_bits(inputs)
    return {1: serial(inputs), 2: all_sizes(inputs),
            3: times(speed_ratio(inputs, "SOA", "Naive", 64), 1.16), 4: times(speed_ratio(inputs, "SOA", "Naive", 512), 1.83),
            5: times(speed_ratio(inputs, "AA", "SOA", 64), 1.12), 6: times(speed_ratio(inputs, "AA", "SOA", 128), 1.13),
            7: halves(inputs), 8: tied(inputs), 9: memory(inputs),
            10: unseen("not both were measured") if slower is None else
            finding(0.9 <= slower < 1, f"{slower:.3f} times", "0.9 to 1 times"),
            11: faster, 12: ideal}


def copy_percent(inputs):
    """What a plain copy keeps DRAM busy with, in percent of the peak."""
    return 100 * inputs.copy / inputs.peak if inputs.peak else 100.0


def more_hits(inputs, n, least):
    soa, even, odd = counted(inputs, "SOA", n, "l1"), counted(inputs, "AA", n, "l1"), counted(inputs, "AA", n, "l1", 1)
    if None in (soa, even, odd):
        return unseen(NO_COUNTERS)
    return finding(min(even, odd) >= least * soa, f"{even:.1f} and {odd:.1f}% against {soa:.1f}%",
                   "more" if least == 1 else f"from {least:g} times on")


def saturation(inputs, kernels, n, share=SATURATED):
    """Kernels, (version, launch), that keep DRAM as busy as the paper's do, by what a plain copy reaches."""
    limit, found = share * copy_percent(inputs), []
    for version, k in kernels:
        size = from_memory(inputs, version, n)
        found.append((version, k, size, counted(inputs, version, size, "dram", k)))
    if any(v is None for *_, v in found):
        return unseen(f"{NO_COUNTERS} at N = {max(f[2] for f in found)}, which caches do not hold")
    words = ", ".join(f"{name}{(' even', ' odd')[k] if name != 'SOA' else ''} {v:.1f}% (N = {size})" for name, k, size, v in found)
    return finding(all(v >= limit for *_, v in found), words,
                   f"from {limit:.1f}% on, {percent(share, 0)} of what a plain copy reaches, as in the paper; where caches do not hold it")


def odd_half(inputs):
    n = from_memory(inputs, "AA FP16", 1024)
    even, odd = (counted(inputs, "AA FP16", n, "dram", k) for k in (0, 1))
    sm = [counted(inputs, "AA FP16", n, "sm", k) for k in (0, 1)]
    if None in (even, odd, *sm):
        return unseen(f"{NO_COUNTERS} at N = {n}, which caches do not hold"), unseen(NO_COUNTERS)
    return (finding(odd < 0.75 * even, f"{odd:.1f}% against {even:.1f}% (N = {n})", "below three quarters of the even step's"),
            finding(sm[1] > sm[0], f"{sm[1]:.1f}% against {sm[0]:.1f}% (N = {n})", "more than in the even step"))


def table_2(inputs):
    odd, busy = odd_half(inputs)
    return {13: more_hits(inputs, 256, 1), 14: more_hits(inputs, 128, 2),
            15: saturation(inputs, [("SOA", 0), ("AA", 0), ("AA", 1)], 1024),
            16: saturation(inputs, [("AA FP16", 0)], 1024, BUSY), 17: odd, 18: busy}


def sectors(inputs, wanted, tolerance=SECTORS):
    """(version, launch, counter, the paper's number) at N = 2048."""
    found = [(v, m, counted(inputs, v, 2048, m, k, "S2 Table 3"), there) for v, k, m, there in wanted]
    if any(here is None for _, _, here, _ in found):
        return unseen(NO_COUNTERS)
    return finding(all(abs(here / there - 1) <= tolerance for _, _, here, there in found),
                   ", ".join(f"{m} {here:.2f}" for _, m, here, _ in found), f"within {percent(tolerance, 0)}")


def table_3(inputs):
    soa = {m: counted(inputs, "SOA", 2048, m, 0, "S2 Table 3") for m in ("load", "store")}
    odd = {m: counted(inputs, "AA", 2048, m, 1, "S2 Table 3") for m in ("load", "store")}
    naive = {m: counted(inputs, "Naive", 2048, m, 0, "S2 Table 3") for m in ("load", "store")}
    two = None not in (*soa.values(), *naive.values())
    same = None not in (*soa.values(), *odd.values())
    return {19: sectors(inputs, [("Naive", 0, "load", 16.0), ("Naive", 0, "store", 32.0)], 0.1),
            20: sectors(inputs, [("SOA", 0, "load", 2.74), ("SOA", 0, "store", 4.67)]),
            21: finding(soa["store"] > soa["load"] and naive["store"] > naive["load"],
                        f"SOA {soa['store']:.2f} and {soa['load']:.2f}, Naive {naive['store']:.2f} and {naive['load']:.2f}")
            if two else unseen(NO_COUNTERS),
            22: finding(all(abs(odd[m] / soa[m] - 1) <= SECTORS for m in soa),
                        ", ".join(f"{m} {odd[m]:.2f} and {soa[m]:.2f}" for m in soa), f"within {percent(SECTORS, 0)}")
            if same else unseen(NO_COUNTERS)}


def shape_of(row):
    """Threads of a row's blocks along x and y."""
    rows = row.get("gpu_rows") or 1
    return row["gpu_threads"] // rows, rows


def shape_words(shape):
    return f"{shape[0]} × {shape[1]}"


def swept_blocks(inputs):
    """{N: {shape: row}} of the sweep over blocks of AA fp32."""
    scheme, found = scheme_of(inputs, "S2 Table 4", "AA"), {}
    for row in inputs.find("S2 Table 4", lattice="D2Q9", scheme=scheme, format="fp32"):
        if row.get("gpu_threads"):
            found.setdefault(row["nodes"][0], {})[shape_of(row)] = row
    return found


def among_best(blocks, shapes, every=True):
    """The statement that these shapes are the fastest, or come within `SAME_BLOCK` of that."""
    if not blocks or not set(shapes) <= set(blocks):
        return unseen("these shapes were not swept")
    best = max(blocks.values(), key=lambda r: r["mlups"])
    shares = {s: blocks[s]["mlups"] / best["mlups"] for s in shapes}
    words = ", ".join(f"{shape_words(s)} {percent(v)}" for s, v in shares.items())
    return finding(min(shares.values()) >= SAME_BLOCK if every else max(shares.values()) < SAME_BLOCK,
                   f"{words} of the best, {shape_words(shape_of(best))}",
                   f"{'from' if every else 'below'} {SAME_BLOCK:g} of the best" + (" on" if every else ""))


def wider(swept):
    best = {n: shape_of(max(b.values(), key=lambda r: r["mlups"])) for n, b in swept.items()}
    if not any(shape[1] > 1 for blocks in swept.values() for shape in blocks):
        return unseen("only blocks of one row were swept")
    fits = [n for n, (x, y) in best.items() if x > DEFAULT_BLOCK[0] and y < DEFAULT_BLOCK[1]]
    return finding(2 * len(fits) > len(best), f"{len(fits)} of {len(best)} sizes: " +
                   ", ".join(f"{shape_words(s)} ({n})" for n, s in best.items()), "more than half of the sizes")


def both(*found):
    """Two findings that must both hold."""
    if any(f.holds is None for f in found):
        return next(f for f in found if f.holds is None)
    return finding(all(f.holds for f in found), "; ".join(f.found for f in found), found[0].rule)


def hits_of(inputs, row, k=1):
    kernel = inputs.counters.get("kernels", {}).get(counters.key_of(row)) if row else None
    return kernel["launches"][k].get("l1") if kernel and len(kernel["launches"]) > k else None


def table_4(inputs):
    swept = swept_blocks(inputs)
    if not swept:
        words = unseen("no sweep over blocks" if inputs.is_gpu else "blocks of threads are a GPU's")
        return {n: words for n in range(23, 31)}
    blocks = {n: swept.get(n, {}) for n in (64, 128, 512, 1024, 2048)}
    narrow, wide = (hits_of(inputs, blocks[512].get((x, 1))) for x in (128, 256))
    hits = {s: hits_of(inputs, r) for s, r in blocks[1024].items()}
    hits = {s: h for s, h in hits.items() if h is not None}
    top = max(blocks[1024], key=lambda s: blocks[1024][s]["mlups"], default=None)
    large = [among_best(b, [(1024, 1)], every=False) for b in swept.values() if (1024, 1) in b]
    return {23: wider(swept), 24: among_best(blocks[128], [(256, 1), (128, 1)]),
            25: both(among_best(blocks[512], [(256, 1)]), among_best(blocks[1024], [(256, 1)])),
            26: among_best(blocks[2048], [(128, 2), (64, 4), (128, 1), (256, 1)]),
            27: unseen(NO_COUNTERS) if None in (narrow, wide) else finding(wide > narrow, f"{narrow:.1f}% and {wide:.1f}%"),
            28: unseen(NO_COUNTERS) if len(hits) < 2 or top not in hits else
            finding(hits[top] < max(hits.values()), f"{shape_words(top)} {hits[top]:.1f}%, at most {max(hits.values()):.1f}%"),
            29: among_best(blocks[64], [(32, 4), (64, 2)]), 30: both(*large) if large else unseen("not swept")}


def flow_ratio(inputs, version, n):
    return ratio(*((own_row(inputs, "S2 Table 5", version, n, flow) or {}).get("mlups") for flow in ("cavity", "poiseuille")))


def busy_flows(inputs, version, n, holds, rule):
    """Whether DRAM is as busy in the odd steps of both flows as the paper says; `holds` of (Poiseuille, cavity)."""
    if inputs.is_gpu and is_held(inputs, version, n):
        return finding(None, "", rule, held_words(inputs, version, n))
    values = [counted(inputs, version, n, "dram", 1, "S2 Table 5", flow) for flow in ("poiseuille", "cavity")]
    return unseen(NO_COUNTERS) if None in values else finding(holds(*values), f"{values[0]:.1f}% and {values[1]:.1f}%", rule)


def table_5(inputs):
    n = flow_size(inputs)
    where = "" if n == 1024 else f"; here at N = {n}, which caches do not hold"
    changes = {v: flow_ratio(inputs, v, n) for v in ("Naive", "SOA", "AA")}
    known = {v: c - 1 for v, c in changes.items() if c}
    least, half = REACHED * 1.1294, flow_ratio(inputs, "AA FP16", n)
    limit = SATURATED * copy_percent(inputs)
    return {31: finding(all(abs(c) < SAME_SPEED for c in known.values()), ", ".join(f"{v} {c:+.1%}" for v, c in known.items()),
                        f"within {percent(SAME_SPEED, 0)}{where}") if len(known) == 3 else unseen("not all were measured"),
            32: finding(half >= least, f"{half - 1:+.2%}", f"from {least - 1:+.1%} on{where}") if half else unseen("not both were measured"),
            33: busy_flows(inputs, "AA", n, lambda a, b: min(a, b) >= limit, f"from {limit:.1f}% on, by what a plain copy reaches{where}"),
            34: busy_flows(inputs, "AA FP16", n, lambda a, b: b > a, f"more than in Poiseuille flow{where}")}


def split_row(inputs, n, value="fp32"):
    scheme = scheme_of(inputs, "S2 Table 6", "AA" if value == "fp32" else "AA FP16")
    rows = inputs.find("S2 Table 6", scheme=scheme, format=value)
    return next((r for r in rows if r["nodes"][0] == n and r.get("odd_ms")), None)


def table_6(inputs):
    shares = {n: r["even_ms"] / r["odd_ms"] for n in (256, 512, 1024, 2048) if (r := split_row(inputs, n))}
    large = {n: v for n, v in shares.items() if n >= 512}
    n = from_memory(inputs, "AA", 512)
    faster, more = speed_ratio(inputs, "AA", "SOA", n), more_hits(inputs, n, 1)
    gains = [ratio(*((split_row(inputs, 2048, f) or {}).get(k) for f in ("fp32", "fp16s"))) for k in ("even_ms", "odd_ms")]
    words = ", ".join(f"{v:.2f} (N = {k})" for k, v in large.items())
    return {35: finding(shares[256] < 0.95, f"{shares[256]:.2f}", "below 0.95") if 256 in shares else unseen("not split"),
            36: finding(all(abs(v - 1) <= 0.05 for v in large.values()), words, "0.95 to 1.05") if large else unseen("not split"),
            37: finding(more.holds and faster < 1 + TIED, f"{more.found}, AA {faster:.2f} times as fast (N = {n})",
                        "more hits, and not more than 5% faster") if more.holds is not None and faster else unseen(NO_COUNTERS),
            38: finding(gains[0] >= 2 * 0.8 and gains[1] < gains[0], f"even {gains[0]:.2f}, odd {gains[1]:.2f} times as fast",
                        "even from 1.6 times on, odd less") if None not in gains else unseen("not both were split"),
            39: unseen("not built: no scheme stages D2Q9's streaming in shared memory")}
