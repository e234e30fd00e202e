# SPDX-License-Identifier: Apache-2.0
"""Invented results in the form that the report reads: everything is there, no number was measured."""
import json
import math
import sys
from pathlib import Path

DEVICE = "NVIDIA H100 80GB HBM3"
COPY = 3.0e12
VELOCITIES = {"D2Q9": 9, "D3Q13": 13, "D3Q19": 19}
BYTES = {"fp64": 8, "fp32": 4, "fp16s": 2}
SHARES = {"aos-push": 0.19, "soa-push": 0.84, "soa-pull": 0.88, "ghost": 0.29, "t2c": 0.66, "tgb": 0.33, "soa-aa": 0.9, "serial": 0.0002, "cm": 0.62,
          "cm-aa": 0.68, "fia": 0.17, "fia-fused": 0.21, "fcc": 0.85, "fcc-aa": 0.82, "fcc-shared": 0.62, "pull": 0.92,
          "aa": 0.90, "compact-pull": 0.93, "compact-sliding": 0.88}
BLOCKS = ((32, 1), (64, 1), (128, 1), (256, 1), (512, 1), (1024, 1), (64, 2), (128, 2), (256, 2), (32, 4), (64, 4), (32, 8))
ONE_COPY = ("aa", "soa-aa", "tgb", "ghost", "cm-aa", "fcc-aa", "compact-sliding")


def row(experiments, lattice, scheme, value, nodes, **more):
    """A row whose speed follows from invented shares of the bandwidth."""
    fluid = round(math.prod(nodes) * more.get("porosity", 1.0) * (0.5 if scheme.startswith("fcc") else 1))
    update = 2 * VELOCITIES[lattice] * BYTES[value]
    share = SHARES[scheme] * min(1.0, fluid / 2e5) * more.get("porosity", 1.0)**(0.1 if scheme != "pull" else 1)
    copies = 1 if scheme in ONE_COPY else 2
    return {"experiments": experiments, "lattice": lattice, "collision": "bgk", "equilibrium": "quasi-compressible",
            "scheme": scheme, "format": value, "device": "cuda", "flow": "cavity", "geometry": "box", "nodes": nodes,
            "size": nodes[0], "porosity": 1.0, "channel": 0, "tile": 0, "threads": 0, "gpu_threads": 0, "gpu_blocks": 0,
            "smagorinsky": 0, "memory_limit_mib": 0, "fluid_nodes": fluid, "mlups": share * COPY / update / 1e6,
            "bytes_per_update": update, "roofline_fraction": share, "memory_mib": copies * update / 2 * fluid / 2**20,
            "bytes_per_node": 1.05 * copies * update / 2, "step_ms": 1e3 * fluid * update / (share * COPY), "even_ms": 0,
            "odd_ms": 0, "reason": "", **more}


def tiles_and_networks():
    rows = []
    for collision in ("bgk", "mrt"):
        for equilibrium in ("incompressible", "quasi-compressible"):
            model = {"collision": collision, "equilibrium": equilibrium}
            rows += [row(["S1 Table 2", "S1 Table 5"], "D3Q19", s, "fp64", [192, 192, 192], **model) for s in ("t2c", "pull")]
            rows += [row(["S1 Table 2"], "D2Q9", s, "fp64", [2688, 2688, 1], **model) for s in ("tgb", "pull")]
            if model == {"collision": "bgk", "equilibrium": "incompressible"}:
                rows += [{**rows[-2], "without": without, "mlups": times * rows[-2]["mlups"]}
                         for without, times in (("barriers", 2.4), ("barriers+collision", 2.45), ("barriers+ghosts", 2.5), ("sharing", 0.7))]
            rows += [row(["S1 Table 4", "S1 Table 5", "S1 Table 1"], "D2Q9", "tgb", "fp64", [100 * c, 130 * c, 1],
                         flow="vessel", geometry=g, channel=c, porosity=0.2, **model)
                     for g in ("network", "mask") for c in (16, 32, 64)]
    for scheme in ("t2c", "tgb", "cm", "fia", "compact-sliding"):
        names = ["S1 Table 3", "S1 Table 5", "S1 Table 1"]
        rows += [row(names, "D3Q19", scheme, "fp64", [192, 192, 192], porosity=p) for p in (0.9, 0.8, 0.7, 0.1)]
        rows += [row(names, "D3Q19", scheme, "fp64", [400, 300, 200], flow="vessel", geometry=g, porosity=0.1, size=256)
                 for g in ("giant-aneurysm", "aorta")]
    return rows


def squares():
    rows = []
    for n in (64, 128, 256, 512, 1024, 2048, 8192):
        rows.append(row(["S2 Table 1"], "D2Q9", "serial", "fp32", [n, n, 1], device="cpu", threads=1))
        for scheme, value in (("aos-push", "fp32"), ("soa-push", "fp32"), ("soa-aa", "fp32"), ("soa-aa", "fp16s"), ("pull", "fp32")):
            rows.append(row(["S2 Table 1", "S2 Table 2", "S2 Table 3", "S2 Table 6"], "D2Q9", scheme, value, [n, n, 1],
                            to_soa_ms=1.0, to_aos_ms=1.5))
            if scheme == "soa-aa":
                rows[-1].update(even_ms=0.45 * rows[-1]["step_ms"], odd_ms=0.55 * rows[-1]["step_ms"])
            if n == 1024:
                rows += [row(["S2 Table 5"], "D2Q9", scheme, value, [n, n, 1], flow=f) for f in ("poiseuille", "cavity")]
                if value == "fp16s":  # the lid takes its time
                    rows[-1].update(mlups=0.9 * rows[-1]["mlups"], step_ms=rows[-1]["step_ms"] / 0.9)
                rows += [row(["S2 Table 5"], "D2Q9", scheme, value, [4096, 4096, 1], flow=f) for f in ("poiseuille", "cavity")]
                if value == "fp16s":
                    rows[-1].update(mlups=0.9 * rows[-1]["mlups"], step_ms=rows[-1]["step_ms"] / 0.9)
        for x, y in BLOCKS if n < 8192 else ():
            rows.append(row(["S2 Table 4"], "D2Q9", "soa-aa", "fp32", [n, n, 1], gpu_threads=x * y, gpu_rows=y))
            rows[-1]["mlups"] *= 1 - 0.05 * abs(math.log2(x * y / 256)) - 0.01 * math.log2(y)
    return rows


def boxes():
    rows = []
    for side in (32, 64, 128):
        for nx in (16, 32, 64, 80, 128, 192, 256):
            rows += [row(["S3 Table 4"], "D3Q13", s, "fp32", [2 * nx, side, side], collision="mrt")
                     for s in ("fcc-shared", "fcc", "fcc-aa")]
    rows.append(row(["S3 Table 4"], "D3Q19", "serial", "fp64", [64, 64, 64], device="cpu", threads=1))
    rows += [row(["S3 Table 4"], "D3Q13", "fcc-shared", "fp32", [128, 128, 128], collision="mrt", porosity=p) for p in (0.8, 0.5)]
    for row_of in rows[-2:]:
        row_of["mlups"] *= row_of["porosity"]
    for edge in (3008, 4256, 6016, 7360, 8480):
        for scheme in ("soa-pull", "ghost", "compact-sliding"):
            rows.append(row(["S4 Fig 6", "S4 Fig 7"], "D2Q9", scheme, "fp64", [edge, edge, 1]))
            step = rows[-1]["step_ms"]
            if scheme == "ghost":
                rows[-1]["parts_ms"] = {"step": 0.9 * step, "ghost": 0.1 * step}
            if scheme == "ghost":
                rows[-1]["tile"] = 32
                rows.append({**rows[-1], "tile": 16, "bytes_per_node": 1.04 * rows[-1]["bytes_per_node"], "mlups": 1.1 * rows[-1]["mlups"]})
            if scheme == "soa-pull" and edge > 6100:  # two lattices would fit, and so are measured with and without a limit
                rows.append(row(["S4 Fig 6"], "D2Q9", "pull", "fp64", [edge, edge, 1]))
                rows[-1].update(blocks=9, transfer_mib=72 * edge * edge / 2**20, link_fraction=0.875, both_ways_fraction=0.968,
                                step_ms=31 * step, memory_limit_mib=6000)
                rows[-1]["mlups"] = rows[-1]["fluid_nodes"] / (31e3 * step)
    for scheme in SHARES:
        if not scheme.startswith("fcc"):
            rows += [row(["Fluvia"], "D3Q19", scheme, "fp32", [256, 256, 256], porosity=p) for p in (1.0, 0.9, 0.5, 0.2)]
    rows.append(row(["Fluvia"], "D3Q19", "fia", "fp32", [256, 256, 256]))
    rows[-1].update(mlups=0, reason="needs 90000 MiB, the device has 80000")
    return rows


def model(lattice, porosity, tile_porosity):
    """What `fluvia model --json` writes, with parts that add up to the paper's formulas roughly."""
    def scheme(name, memory, bandwidth):
        return {"scheme": name, "memory_overhead": sum(memory.values()), "bandwidth_overhead": sum(bandwidth.values()),
                "burst_overhead": sum(bandwidth.values()) + 1 / tile_porosity - 1,
                "memory": [{"name": k, "value": v} for k, v in memory.items()],
                "bandwidth": [{"name": k, "value": v} for k, v in bandwidth.items()]}

    solid = 1 / tile_porosity - 1
    return {"lattice": lattice, "format": "fp64", "nodes": 7077888, "fluid_nodes": round(7077888 * porosity),
            "porosity": porosity, "tile_porosity": tile_porosity, "alpha_M": 0.5 + tile_porosity / 2,
            "alpha_B": 0.48 + tile_porosity / 2, "index_crossing": 1 / (VELOCITIES[lattice] - 1), "boundary_share": 0.05 / porosity,
            "reduced_buffers": 0.01, "tiles": 1000, "occupied_tiles": 300, "schemes": [
                scheme("t2c", {"solid": solid, "type": 0.013, "copy": 1 + solid, "index": 0.001}, {"type": 0.022, "index": 0.004}),
                scheme("tgb", {"solid": solid, "type": 0.013, "buffers": 0.7, "index": 0.03}, {"type": 0.022, "index": 0.015}),
                scheme("cm", {"copy": 1.0, "index": 0.47}, {"index": 0.24}),
                scheme("fia", {"copy": 1.0, "index": 0.03 / porosity}, {"second access": 1.0, "index": 0.015 / porosity}),
                scheme("fia-fused", {"copy": 1.0, "index": 0.03 / porosity}, {"index": 0.015 / porosity}),
                scheme("compact-sliding", {"slide": 0.04, "index": 0.01}, {"index": 0.02})]}


def models():
    made = {f"ras_{p}": model("D3Q19", p, t) for p, t in
            ((0.9, 0.968), (0.8, 0.935), (0.7, 0.90), (0.3, 0.70), (0.2, 0.625), (0.1, 0.511))}
    made["cavity3d"] = model("D3Q19", 1.0, 1.0)
    made.update(aneurysm=model("D3Q19", 0.18, 0.93), coarctation=model("D3Q19", 0.09, 0.81))
    for channel in (8, 16, 24, 32, 48, 56, 64, 80):
        made[f"network_{channel:02d}"] = model("D2Q9", 0.2, 1 - 7 / (channel + 3))
    made.update({f"mask_{c}": model("D2Q9", 0.2, 1 - 7 / (c + 3)) for c in (16, 32, 64)})
    made["network_16_fp32"] = {**model("D2Q9", 0.2, 0.6), "format": "fp32"}
    return made


def launch(scale, kernel="step"):
    values = {"dram_read": 1.05, "dram_write": 1.02, "l2_read_sectors": 0.04, "l2_write_sectors": 0.033}
    return {"kernel": kernel, **{k: v * scale / 2 for k, v in values.items()}, "nanoseconds": 1e5, "dram": 91.0, "sm": 33.0,
            "l1": 12.5, "load": 4.02, "store": 4.0, "l1_busy": 40.0, "l2_busy": 55.0, "issue_busy": 30.0, "occupancy": 61.0,
            "waves": 12.0 if scale > 1e7 else 0.5, "dadd": 0.5 * scale, "dmul": 0.2 * scale, "dfma": 0.1 * scale, "wait_long_scoreboard": 8.0, "wait_barrier": 2.0, "wait_selected": 1.0}


def counters(rows, key_of):
    """Counters of every row that a table of counters could want."""
    kernels = {}
    for r in rows:
        if not {"S1 Table 2", "S1 Table 5", "S2 Table 2", "S2 Table 4", "S2 Table 5", "S3 Table 4", "S4 Fig 6"} & set(r["experiments"]):
            continue
        scale = r["fluid_nodes"] * r["bytes_per_update"]
        both = [launch(scale / 9, "step_ghost_cells"), launch(scale)] if r["scheme"] == "ghost" else [launch(scale)] * 2
        kernels[key_of(r)] = {"launches": both}
        kernels[f"{key_of(r)} flop {r['collision']} {r['equilibrium']}"] = {"launches": both}
        if r["flow"] == "cavity":
            kernels[key_of(r) + " conditions"] = {"launches": [launch(1e3, "complete_boundaries")] * 2}
    return {"kernels": kernels, "reasons": {}, "reason": ""}


def sphere():
    runs = []
    for reynolds, drag, expected, across in ((1, 149.3, 144.48, 14.9), (1, 146.0, 144.48, 30.2), (10, 14.8, 15.84, 60.95),
                                             (100, 2.35, 2.312, 60.95), (200, 1.69, 1.706, 60.95),
                                             (300, 1.445, 1.448, 60.95), (400, 1.31, 1.296, 60.95)):
        strouhal = {300: 0.2, 400: 0.22}.get(reynolds, 0)
        history = [[t, drag * (1 + 0.01 * math.sin(2 * math.pi * strouhal * t))] for t in range(0, 400)]
        runs.append({"reynolds": reynolds, "lattice": "D3Q19", "steady": not strouhal, "porosity": 0.78, "nodes_across": across, "box": [512, 131, 131], "drag": drag,
                     "expected": expected, "error": drag / expected - 1, "pressure_viscous_a": 0.9 + reynolds / 210, "pressure_viscous_b": 0.92 + reynolds / 210,
                     "mflups": 14321.0, "seconds": 7.0, "memory_bytes": 4.44e8, "strouhal": strouhal, "steps": 5000, "history": history if strouhal else []})
    runs += [{**runs[0], "format": "fp64", "drag": 1.001 * runs[0]["drag"]}]
    return {"runs": runs}


def stability():
    return {"rows": [{"lattice": "D3Q13", "collision": "mrt", "equilibrium": "quasi-compressible", "format": f, "limits": {"cavity": None, "taylor-green": n}}
                     for f, n in (("fp32", 320), ("fp64", 640))]}


def write(folder, key_of):
    """All files of a folder of results."""
    folder = Path(folder)
    (folder / "model").mkdir(parents=True, exist_ok=True)
    rows = tiles_and_networks() + squares() + boxes()
    files = {"rows.json": {"version": "0.1.0", "device": DEVICE, "settings": {"size": 256, "seconds": 0.05},
                           "bandwidth": [{"threads": 0, "bytes_per_second": COPY}], "rows": rows},
             "counters.json": counters(rows, key_of), "sphere.json": sphere(), "stability.json": stability()}
    files.update({f"model/{name}.json": content for name, content in models().items()})
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content), encoding="utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools" / "seeds_report"))
    from counters import key_of as name_of
    write(sys.argv[1], name_of)
