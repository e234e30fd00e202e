# SPDX-License-Identifier: Apache-2.0
"""What a folder of results holds: speed rows, the model's numbers, hardware counters, the sphere's runs."""
import json
from dataclasses import dataclass, field
from pathlib import Path

import paper

VALUE_BYTES = {"fp64": 8, "fp32": 4, "fp16s": 2, "fp16c": 2}
ROW_KEYS = ("experiments", "lattice", "collision", "equilibrium", "scheme", "format", "flow", "geometry", "nodes", "size",
            "porosity", "fluid_nodes", "mlups", "bytes_per_update", "roofline_fraction", "memory_mib", "bytes_per_node", "step_ms")
RUN_KEYS = ("reynolds", "lattice", "nodes_across", "box", "drag", "expected", "steps")
VELOCITIES = {"D2Q9": 9, "D3Q13": 13, "D3Q15": 15, "D3Q19": 19, "D3Q27": 27}


def least_bytes(row):
    """M_node of S1 eq. 9: one copy of a node's populations."""
    return VELOCITIES[row["lattice"]] * VALUE_BYTES[row["format"]]


class InputError(Exception):
    """A file that is not what it should be: names the file, what was found and what would be right."""


def read_json(path, wanted):
    """The JSON object in `path`, None if there is no such file; `wanted` are keys that it must have."""
    if not path.exists():
        return None
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: not JSON ({error}); delete it and run `fluvia bench --suite seeds` again") from error
    missing = [key for key in wanted if not isinstance(content, dict) or key not in content]
    if missing:
        raise InputError(f"{path}: no \"{missing[0]}\"; expected an object with {', '.join(wanted)}")
    return content


def matches(found, wanted):
    if isinstance(wanted, tuple):
        return found in wanted
    if isinstance(wanted, float):
        return found is not None and abs(found - wanted) < 0.005
    return found == wanted


@dataclass
class Inputs:
    folder: Path
    device: str = ""
    version: str = ""
    settings: dict = field(default_factory=dict)
    copy: float = 0.0  # measured copy bandwidth, bytes a second, the largest of all thread counts
    rows: list = field(default_factory=list)
    models: dict = field(default_factory=dict)
    counters: dict = field(default_factory=dict)
    all_spheres: list = field(default_factory=list)
    stability: list = field(default_factory=list)  # limits of Reynolds numbers, by scripts/stability_map.py
    failures: dict = field(default_factory=dict)  # models that could not be made: why

    @property
    def peak(self):
        """Theoretical bandwidth where it is known, else the measured one."""
        return paper.peak_bandwidth(self.device) or self.copy

    def sphere_in(self, value):
        """Runs of the sphere in a format; those that do not tell theirs are in fp32."""
        return [r for r in self.all_spheres if r.get("format", "fp32") == value]

    @property
    def sphere(self):
        """Runs in single precision, the paper's."""
        return self.sphere_in("fp32")

    @property
    def is_gpu(self):
        return bool(self.device) and self.device != "cpu"

    def find(self, experiment=None, **wanted):
        """Measured rows of an experiment in which each of these keys has this value, or one of a tuple's. Kernels that do without
        something, which no case can run, are left out unless `without` asks for them."""
        wanted.setdefault("without", None)
        return [r for r in self.rows if (experiment is None or experiment in r["experiments"]) and r["mlups"] > 0 and
                all(matches(r.get(key), value) for key, value in wanted.items())]

    def refused(self, experiment):
        """Rows that did not run, which say why."""
        return [r for r in self.rows if experiment in r["experiments"] and r["mlups"] <= 0]

    def best(self, experiment=None, **wanted):
        """The fastest of those rows, or None."""
        return max(self.find(experiment, **wanted), key=lambda r: r["mlups"], default=None)

    def utilisation(self, row):
        """Eq. 43 of S1: of the theoretical bandwidth where it is known."""
        if row is None or not self.peak:
            return None
        return row["mlups"] * 1e6 * row["bytes_per_update"] / self.peak


def require_keys(path, word, entries, keys):
    for k, entry in enumerate(entries, 1):
        for key in keys:
            if not isinstance(entry, dict) or key not in entry:
                raise InputError(f"{path}: {word} {k} has no \"{key}\"")


def read_rows(inputs):
    content = read_json(inputs.folder / "rows.json", ["device", "bandwidth", "rows"])
    if content is None:
        return
    inputs.device, inputs.version = content["device"], content.get("version", "")
    inputs.settings = content.get("settings", {})
    inputs.copy = max((b["bytes_per_second"] for b in content["bandwidth"]), default=0.0)
    require_keys(inputs.folder / "rows.json", "row", content["rows"], ROW_KEYS)
    inputs.rows = content["rows"]


def read_inputs(folder):
    """Everything that is there; what is missing stays empty."""
    inputs = Inputs(Path(folder))
    read_rows(inputs)
    for path in sorted((inputs.folder / "model").glob("*.json")):
        inputs.models[path.stem] = read_json(path, ["schemes", "porosity"])
    inputs.counters = read_json(inputs.folder / "counters.json", ["kernels"]) or {}
    inputs.all_spheres = (read_json(inputs.folder / "sphere.json", ["runs"]) or {"runs": []})["runs"]
    require_keys(inputs.folder / "sphere.json", "run", inputs.all_spheres, RUN_KEYS)
    inputs.stability = (read_json(inputs.folder / "stability.json", ["rows"]) or {"rows": []})["rows"]
    require_keys(inputs.folder / "stability.json", "row", inputs.stability, ("lattice", "collision", "format", "limits"))
    return inputs
