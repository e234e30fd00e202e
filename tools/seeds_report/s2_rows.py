# SPDX-License-Identifier: Apache-2.0
"""What the sections of S2 share: the paper's versions, our rows of them, their counters."""
import counters
import paper

VERSIONS = {name: tuple(value) for name, value in paper.load("s2")["versions"].items()}
BYTES = {"fp32": 72, "fp16s": 36}  # least traffic of a D2Q9 update
FROM_MEMORY = 2048  # N from which on no card's second cache holds the domain
PEAK = paper.load("s2")["bandwidth_gb_s"] * 1e9


def paper_utilisation(version, mlups):
    """Eq. 43 of S1 for the paper's card."""
    return mlups * 1e6 * BYTES[VERSIONS[version][1]] / PEAK


def own_row(inputs, experiment, version, n, flow=None):
    """Our row of one of the paper's versions; Poiseuille flow, as the paper's, where there are both."""
    scheme, value = VERSIONS[version]
    flows = (flow,) if flow else ("poiseuille", "cavity")
    for wanted in flows:
        rows = [r for r in inputs.find(experiment, scheme=scheme, format=value, lattice="D2Q9", flow=wanted)
                if r["nodes"][0] == n and not r.get("gpu_threads")]
        if rows:
            return max(rows, key=lambda r: r["mlups"])
    return None


def launches_of(inputs, experiment, version, n):
    row = own_row(inputs, experiment, version, n)
    kernel = inputs.counters.get("kernels", {}).get(counters.key_of(row)) if row else None
    return kernel["launches"] if kernel else None
