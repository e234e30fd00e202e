# SPDX-License-Identifier: Apache-2.0
"""What the sections of S2 share: the paper's versions, our rows of them, their counters, what caches hold."""
import counters
import paper
from formats import ratio

VERSIONS = {name: tuple(value) for name, value in paper.load("s2")["versions"].items()}
INSTEAD = paper.load("s2")["instead"]  # of a scheme that was not measured: the nearest of Fluvia's own
COPIES = {"Naive": 2, "SOA": 2, "AA": 1, "AA FP16": 1}
BYTES = {"fp32": 72, "fp16s": 36}  # least traffic of a D2Q9 update
SIZES = [r["n"] for r in paper.rows("s2", "Table 1")]
LARGE = 2048  # N from which on caches of unknown size are taken to be too small
PEAK = paper.load("s2")["bandwidth_gb_s"] * 1e9


def paper_utilisation(version, mlups):
    """Eq. 43 of S1 for the paper's card."""
    return mlups * 1e6 * BYTES[VERSIONS[version][1]] / PEAK


def scheme_of(inputs, experiment, version):
    """The scheme that stands for a version of the paper: the published one if it was measured."""
    scheme, value = VERSIONS[version]
    return scheme if inputs.find(experiment, scheme=scheme, format=value) else INSTEAD.get(scheme, scheme)


def own_row(inputs, experiment, version, n, flow=None):
    """Our row of one of the paper's versions; Poiseuille flow, as the paper's, where there are both."""
    scheme, value = scheme_of(inputs, experiment, version), VERSIONS[version][1]
    flows = (flow,) if flow else ("poiseuille", "cavity")
    for wanted in flows:
        rows = [r for r in inputs.find(experiment, scheme=scheme, format=value, lattice="D2Q9", flow=wanted)
                if r["nodes"][0] == n and not r.get("gpu_threads")]
        if rows:
            return max(rows, key=lambda r: r["mlups"])
    return None


def speed_ratio(inputs, of, to, n, experiment="S2 Table 1"):
    """The speed of one version over that of another; None if one of them was not measured."""
    return ratio(*((own_row(inputs, experiment, v, n) or {}).get("mlups") for v in (of, to)))


def launches_of(inputs, experiment, version, n, flow=None):
    row = own_row(inputs, experiment, version, n, flow)
    kernel = inputs.counters.get("kernels", {}).get(counters.key_of(row)) if row else None
    return kernel["launches"] if kernel else None


def counted(inputs, version, n, metric, k=0, experiment="S2 Table 2", flow=None):
    """A counter of launch k (0: even steps, 1: odd ones) of one of the paper's versions, or None."""
    launches = launches_of(inputs, experiment, version, n, flow)
    return launches[k].get(metric) if launches and len(launches) > k else None


def stored(version, n):
    """Bytes of all copies of a square's populations."""
    return COPIES[version] * n * n * BYTES[VERSIONS[version][1]] / 2


def is_held(inputs, version, n, part=1.0):
    """Whether the second cache of our card holds that part of the populations. Of CPUs and unknown cards by N."""
    cache = paper.second_cache(inputs.device)
    return stored(version, n) * part <= cache if cache else n < LARGE


def from_memory(inputs, version, n):
    """The smallest N of Table 1 from `n` on of which the second cache holds at most a quarter, as the paper's did."""
    return next((size for size in SIZES if size >= n and not is_held(inputs, version, size, 0.25)), SIZES[-1])


def flow_size(inputs):
    """N at which two flows are compared: the paper's 1024, or a larger one that was measured if a cache holds that."""
    sizes = sorted({r["nodes"][0] for r in inputs.find("S2 Table 5", lattice="D2Q9")})
    return next((n for n in sizes if n >= 1024 and not is_held(inputs, "AA", n)), max([n for n in sizes if n >= 1024], default=1024))


def held_words(inputs, version, n):
    cache = paper.second_cache(inputs.device)
    return f"its {stored(version, n) / 1e6:.3g} MB lie in the second cache of this card, {cache / 1e6:.0f} MB; the paper's has 4" \
        if cache else "caches may hold it"
