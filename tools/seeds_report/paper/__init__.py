# SPDX-License-Identifier: Apache-2.0
"""The papers' own numbers, transcribed: one JSON file for each paper, a table is {"columns": [...], "rows": [[...], ...]}."""
import functools
import json
import pkgutil

PEAK_GB_S = {  # theoretical bandwidths of cards that may be measured, as eq. 43 of S1 wants them (data sheets)
    "H100 80GB HBM3": 3352,
    "H100 PCIe": 2039,
    "H100 NVL": 3938,
    "H200": 4800,
    "A100-SXM4-80GB": 2039,
    "A100-SXM4-40GB": 1555,
    "A100-PCIE-40GB": 1555,
    "RTX 4090": 1008,
    "RTX 2080": 448,
}

PEAK_TFLOP_S = {  # fp32, fp64 without tensor cores (data sheets)
    "H100 80GB HBM3": (66.9, 33.5),
    "H100 PCIe": (51.2, 25.6),
    "H100 NVL": (60.0, 30.0),
    "H200": (66.9, 33.5),
    "A100": (19.5, 9.7),
    "RTX 4090": (82.6, 1.29),
    "RTX 2080": (10.1, 0.31),
}

THREADS = {  # that such cards hold at once: multiprocessors times threads of one (data sheets)
    "H100 PCIe": 114 * 2048,
    "H100": 132 * 2048,
    "H200": 132 * 2048,
    "A100": 108 * 2048,
    "RTX 4090": 128 * 1536,
    "RTX 2080": 46 * 1024,
    "8800 Ultra": 16 * 768,
}

SECOND_CACHE_MB = {"H100": 50, "H200": 50, "A100": 40, "RTX 4090": 72, "RTX 2080": 4}  # of such cards (data sheets)


@functools.lru_cache(maxsize=None)
def load(name):
    """The paper `name` ("s1" to "s4") as a dictionary."""
    return json.loads(pkgutil.get_data(__name__, f"{name}.json"))


def rows(name, table):
    """The rows of a table, each a dictionary by column."""
    found = load(name)[table]
    return [dict(zip(found["columns"], row)) for row in found["rows"]]


def row(name, table, **wanted):
    """The first row with these values, or None."""
    return next((r for r in rows(name, table) if all(r[k] == v for k, v in wanted.items())), None)


def peak_bandwidth(device):
    """Theoretical bandwidth in bytes per second of a GPU by its name, or None."""
    for card, gigabytes in PEAK_GB_S.items():
        if card in device:
            return gigabytes * 1e9
    return None


def peak_arithmetic(device, value="fp32"):
    """Theoretical floating-point operations per second of a GPU by its name, in fp32 or fp64, or None."""
    found = next((pair for card, pair in PEAK_TFLOP_S.items() if card in device), None)
    return None if found is None else 1e12 * found[value == "fp64"]


def threads_at_once(device):
    """Threads that a GPU holds at once by its name, or None."""
    return next((count for card, count in THREADS.items() if card in device), None)


def second_cache(device):
    """Bytes of a GPU's second cache by its name, or None."""
    return next((1e6 * size for card, size in SECOND_CACHE_MB.items() if card in device), None)
