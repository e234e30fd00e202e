# SPDX-License-Identifier: Apache-2.0
"""The rules by which statements are judged, applied to the papers' own numbers on their own cards: what a paper says of its
measurements must hold of them, or the rule is too strict."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools" / "seeds_report"))

import counters  # noqa: E402
import inputs as results  # noqa: E402
import paper  # noqa: E402
import s1_model  # noqa: E402
import s1_speed  # noqa: E402
import s1_statements  # noqa: E402
import s2_statements  # noqa: E402
import s3  # noqa: E402
import s3_speed  # noqa: E402

CARD = "NVIDIA GeForce RTX 2080"
LATTICE = {"D2Q9": (9, 4, 4, 2, 16), "D3Q19": (19, 6, 12, 3, 4)}  # q, q_s, q_d, dimension, tile edge


def model(row):
    """A row of S1 Table 1 as `fluvia model` writes it: totals as printed, parts by eqs 13 to 37."""
    q, q_s, q_d, dimension, a = LATTICE[row["lattice"]]
    node, nodes, t = 8 * q, a**dimension, row["tile_porosity"]
    tile, indices = 2 * nodes * t * node, 2 * q_s + 5 * q_d
    types = {"type": (a + 2)**dimension * 2 / tile}
    ratio = t / row["porosity"]
    memory = {"t2c": {"solid": 1 / t - 1, "type": 2 / node / t, "copy": 1 / t, "index": ratio * 4 / (nodes * t * node)},
              "tgb": {"solid": 1 / t - 1, "type": 2 / node / t, "buffers": (q_s + 2 * q_d) / q * 2 * row["alpha_M"] / (a * t),
                      "index": indices * 4 / (nodes * t * node)},
              "cm": {"copy": 1, "index": (q - 1) * 4 / node}, "fia": {"copy": 1, "index": 4 / (row["porosity"] * node)}}
    traffic = {"t2c": {**types, "index": (q - 1) * 4 / tile}, "tgb": {**types, "index": indices * 4 / tile},
               "cm": {"index": (q - 1) * 4 / (2 * node)}, "fia": {"second access": 1, "index": 4 / (row["porosity"] * 2 * node)}}
    memory["fia-fused"], traffic["fia-fused"] = memory["fia"], {"index": traffic["fia"]["index"]}

    def listed(found):
        return [{"name": k, "value": v} for k, v in found.items()]

    def total(kind, scheme, found):
        return row.get(f"{kind}_{scheme}", sum(found.values()))

    bursts = paper.row("s1", "Table 5", case=row["case"])
    return {"lattice": row["lattice"], "format": "fp64", "porosity": row["porosity"], "tile_porosity": t, "alpha_M": row["alpha_M"],
            "alpha_B": 0.96 * row["alpha_M"], "index_crossing": 1 / (q - 1), "schemes": [
                {"scheme": s, "memory_overhead": total("M", s, memory[s]), "bandwidth_overhead": total("B", s, traffic[s]),
                 "burst_overhead": bursts["burst_estimate"] if bursts else 0, "memory": listed(memory[s]), "bandwidth": listed(traffic[s])}
                for s in memory]}


def row(experiments, lattice, scheme, value, nodes, mlups, **more):
    """A measured row, as rows.json has them."""
    size = {"fp64": 8, "fp32": 4}[value] * int(lattice.split("Q")[1])
    fluid = more.pop("fluid_nodes", nodes[0] * nodes[1] * nodes[2])
    return {"experiments": experiments, "lattice": lattice, "scheme": scheme, "format": value, "nodes": nodes, "mlups": mlups, "fluid_nodes": fluid,
            "bytes_per_update": 2 * size, "bytes_per_node": 2 * size, "geometry": "box", "flow": "cavity", "porosity": 1.0, "size": nodes[0],
            "collision": "bgk", "equilibrium": "quasi-compressible", "step_ms": 1.0, "memory_mib": 1.0, "roofline_fraction": 0.0, **more}


class TomczakAndSzafran(unittest.TestCase):
    def setUp(self):
        self.models = {r["case"]: model(r) for r in paper.rows("s1", "Table 1")}
        self.cases = s1_statements.cases_of(self.models)

    def check(self, found, printed=()):
        """`printed`: numbers of statements that need more digits than the paper prints."""
        for number, claim in found.items():
            if claim.holds is not None and number not in printed:
                self.assertTrue(claim.holds, f"S1.{number}: {claim.rule}: {claim.found}")

    def test_memory(self):
        found = s1_statements.table_1(self.cases)
        self.check(found)
        self.assertEqual([n for n, c in found.items() if c.holds is None], [30, 36] if found[36].holds is None else [30])
        self.check(s1_statements.figure_8(self.cases))

    def test_traffic(self):
        found = s1_statements.figure_9(self.cases)
        self.check(found)
        self.assertTrue(all(c.holds for c in found.values()))

    def test_methods_in_general(self):
        self.check(s1_statements.section_2_3(self.models))
        self.check(s1_statements.preprint_figure_2(self.models))
        self.check(s1_statements.section_3_1(self.cases), printed=(20, 21))  # three digits of Δ^B, two of φ_t

    def test_tiles(self):
        chips = {r["channel"]: r["tile_porosity"] for r in paper.rows("s1", "Fig 7") if r["relation"] == "="}
        chips.update({27: 0.801, 39: 0.851})
        networks = {c: {"tile_porosity": t, "porosity": 0.2, "alpha_M": 0.8 + 0.15 * t * t, "alpha_B": 0.78 + 0.15 * t * t} for c, t in chips.items()}
        found = s1_statements.figure_7(networks, self.cases, 1)
        self.check(found)
        self.assertTrue(all(c.holds for c in found.values()))


    def test_dense_geometries(self):
        rows = [row(["S1 Table 2"], r["lattice"], "t2c" if r["lattice"] == "D3Q19" else "tgb", "fp64", [192, 192, 192 if "3" in r["lattice"][:2] else 1],
                    r["mlups"], collision=r["collision"], equilibrium=r["equilibrium"]) for r in paper.rows("s1", "Table 2") if r["work"] == "this"]
        rows.append(row(["S1 Table 2"], "D3Q19", "pull", "fp64", [192] * 3, 0.790 * 288.384e3 / 304))  # [10], as if on the same card
        found = s1_speed.table_2_found(results.Inputs(Path("."), copy=288.384e9, rows=rows), "S1 Table 2", "fp64")
        self.check(found)
        self.assertEqual([n for n, c in sorted(found.items()) if c.holds is None], [60, 61, 62, 64, 68])

    def test_sparse_geometries(self):
        share = {r["case"]: r["bu"] for r in paper.rows("s1", "Table 3")}
        found = s1_speed.table_3_found({}, share)
        self.check(found)
        self.assertEqual([n for n, c in found.items() if c.holds is None], [73])

    def test_counted_traffic(self):
        rows, kernels, models = [], {}, {"cavity3d": {**self.models["RAS_0.9"], "tile_porosity": 1.0, "schemes": [
            {"scheme": "t2c", "bandwidth_overhead": 0.026, "burst_overhead": 0.026}]}}
        for line in paper.rows("s1", "Table 5"):
            scheme, where = "t2c" if line["lattice"] == "D3Q19" else "tgb", s1_model.conditions(line["case"])
            where = {k: v[0] if isinstance(v, tuple) else v for k, v in where.items() if k != "lattice"}
            rows.append(row(["S1 Table 5"], line["lattice"], scheme, "fp64", [100, 100, 100], 1.0, **where))
            half = (1 + line["measured"]) * rows[-1]["fluid_nodes"] * rows[-1]["bytes_per_update"] / 2
            launch = {"dram_read": half, "dram_write": 0, "l2_write_sectors": half / 32, "l2_read_sectors": 0, "nanoseconds": 1}
            kernels[counters.key_of(rows[-1])] = {"launches": [launch]}
            if line["case"] in self.models:
                models[s1_model.model_name(line["case"])] = self.models[line["case"]]
        found = s1_speed.table_5_found(results.Inputs(Path("."), copy=288.384e9, rows=rows, models=models, counters={"kernels": kernels}))
        self.check(found)
        self.assertTrue(all(c.holds for c in found.values()))


class ToelkeAndKrafczyk(unittest.TestCase):
    def test_speeds(self):
        rows = [row(["S3 Table 4"], "D3Q13", "fcc-shared", "fp32", [2 * int(nx), line["side"], line["side"]], line[nx], fluid_nodes=int(nx) * line["side"]**2)
                for line in paper.rows("s3", "Table 4") for nx in line if nx != "side"]
        found = s3_speed.found_of(results.Inputs(Path("."), copy=104e9, rows=rows), rows, "fcc-shared")
        for number in (3, 5, 6, 7, 8, 10):
            self.assertTrue(found[number].holds, f"S3.{number}: {found[number].rule}: {found[number].found}")

    def test_drags(self):
        expected = paper.load("s3")["Table 2"]["expected"]
        runs = [{"reynolds": 1, "lattice": "D3Q13, rates of the paper", "nodes_across": r["diameter"], "drag": r["drag"], "expected": expected}
                for r in paper.rows("s3", "Table 2")]
        pairs = [("run", run, line) for run, line in zip(runs, paper.rows("s3", "Table 2"))]
        self.assertEqual(s3.by_errors(pairs).word, "reproduced")
        self.assertTrue(s3.table_2_found(results.Inputs(Path(".")), pairs)[13].holds)
        later = [{"reynolds": r["reynolds"], "lattice": "D3Q13, rates of the paper", "nodes_across": 60.95, "drag": r["drag"], "expected": r["reference"],
                  "pressure_viscous_a": r["pressure_viscous"], "pressure_viscous_b": 1.05 * r["pressure_viscous"]} for r in paper.rows("s3", "Table 3")]
        self.assertEqual(s3.by_errors([("run", run, line) for run, line in zip(later, paper.rows("s3", "Table 3"))]).word, "reproduced")
        self.assertTrue(all(c.holds for c in s3.table_3_found(results.Inputs(Path("."), all_spheres=later)).values()))


class LuAndLong(unittest.TestCase):
    """Tables 1 to 6 as rows and counters of their card, whose name the report knows."""

    @classmethod
    def setUpClass(cls):
        rows, kernels = [], {}

        def add(version, n, mlups, experiments, **more):
            scheme, value = paper.load("s2")["versions"][version]
            copies = 2 if version in ("Naive", "SOA") else 1
            size = 4 if value == "fp32" else 2
            rows.append({"experiments": experiments, "lattice": "D2Q9", "scheme": scheme, "format": value, "flow": "poiseuille", "geometry": "box",
                         "nodes": [n, n, 1], "size": n, "porosity": 1.0, "fluid_nodes": n * n, "mlups": mlups, "bytes_per_update": 18 * size,
                         "roofline_fraction": 0, "memory_mib": copies * 9 * size * n * n / 2**20, "bytes_per_node": copies * 9 * size,
                         "step_ms": n * n / mlups / 1e3, "collision": "bgk", "equilibrium": "quasi-compressible", **more})
            return rows[-1]

        for line in paper.rows("s2", "Table 1"):
            for version in paper.load("s2")["versions"]:
                add(version, line["n"], line[version], ["S2 Table 1", "S2 Table 2", "S2 Table 3"])
        for line in paper.rows("s2", "Table 2") + paper.rows("s2", "Table 3"):
            row = next(r for r in rows if r["nodes"][0] == line["n"] and [r["scheme"], r["format"]] == paper.load("s2")["versions"][line["version"]])
            launches = kernels.setdefault(counters.key_of(row), {"launches": [{}, {}]})["launches"]
            for name in ("dram", "sm", "l1", "load", "store"):
                if name in line:
                    launches[0][name] = line[name]
                    launches[1][name] = line[f"odd_{name}"] if line[f"odd_{name}"] is not None else line[name]
        for line in paper.rows("s2", "Table 4"):
            row = add("AA", line["n"], line["mlups"], ["S2 Table 4"], gpu_threads=line["width"] * line["height"], gpu_rows=line["height"])
            kernels[counters.key_of(row)] = {"launches": [{"l1": line["even_l1"]}, {"l1": line["odd_l1"]}]}
        for line in paper.rows("s2", "Table 5"):
            for flow in ("poiseuille", "cavity"):
                row = add(line["version"], 1024, line[flow], ["S2 Table 5"], flow=flow)
                busy = {"AA": {"poiseuille": 86.88, "cavity": 87.89}, "AA FP16": {"poiseuille": 48.78, "cavity": 58.63}}.get(line["version"])
                if busy and flow == "cavity":
                    kernels[counters.key_of(row)] = {"launches": [{}, {"dram": busy[flow]}]}
        for line in paper.rows("s2", "Table 6"):
            add("AA", line["n"], 1.0, ["S2 Table 6"], even_ms=1e3 * line["even"], odd_ms=1e3 * line["odd"])
        cls.inputs = results.Inputs(Path("."), device=CARD, copy=0.9106 * 448e9, rows=rows, counters={"kernels": kernels})

    def check(self, found, missing):
        self.assertEqual({n for n, c in found.items() if c.holds is None}, set(missing),
                         {n: c.found or c.beyond for n, c in found.items() if c.holds is None})
        for number, claim in found.items():
            self.assertNotEqual(claim.holds, False, f"S2.{number}: {claim.rule}: {claim.found}")

    def test_speeds(self):
        self.check(s2_statements.table_1(self.inputs), {1})

    def test_counters(self):
        self.check(s2_statements.table_2(self.inputs), {})
        self.check(s2_statements.table_3(self.inputs), {})

    def test_blocks(self):
        self.check(s2_statements.table_4(self.inputs), {30})  # blocks of 1024 threads are in none of its four first

    def test_flows_and_steps(self):
        self.check(s2_statements.table_5(self.inputs), {})
        self.check(s2_statements.table_6(self.inputs), {38, 39})


if __name__ == "__main__":
    unittest.main()
