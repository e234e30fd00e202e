# SPDX-License-Identifier: Apache-2.0
"""Pictures of a scene, drawn without a display."""
from __future__ import annotations

import json
import os
import pkgutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .colors import color_range
from .runs import Run
from .scene import Scene

LIMIT = 300  # seconds


@dataclass
class Pictures:
    flow: bytes | None = None
    geometry: bytes | None = None
    problem: str = ""
    """Why there are none."""


def view_direction(scene: Scene) -> tuple[np.ndarray, np.ndarray]:
    """Direction of view and upward direction: flat boxes are seen from above their broad side."""
    extent = scene.box[1] - scene.box[0]
    thin = int(np.argmin(extent))
    flat = extent[thin] < 0.6 * np.sort(extent)[1]
    eye = np.array([0.55, -1.0, 0.6])
    if flat:
        eye = {0: np.array([1.0, -0.45, 0.35]), 1: np.array([0.35, -1.0, 0.4]), 2: np.array([0.2, -0.55, 1.0])}[thin]
    up = np.array([0.0, 1.0, 0.0]) if flat and thin == 2 else np.array([0.0, 0.0, 1.0])
    return eye / np.linalg.norm(eye), up


def is_inside(scene: Scene) -> bool:
    """Whether the wall encloses the flow, so that one has to look through it."""
    if scene.wall is None:
        return False
    extent = np.ptp(scene.wall.points, axis=0) / (scene.box[1] - scene.box[0])
    return bool(np.median(extent) > 0.75)


def flows_in(run: Run | None, opening: dict[str, Any]) -> bool:
    """Whether an opening lets fluid in: by the result; without one by its name in a way that is right for most."""
    for quantity in run.results.get("quantities", []) if run else []:
        if quantity["name"] == "flow_" + opening["name"] and quantity["value"] is not None:
            return quantity["value"] > 0
    return str(opening["name"]).endswith("_min") or "inlet" in opening["name"]


def packed_scene(run: Run | None, scene: Scene) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Data that renderer.py draws: arrays, and words and numbers beside them. Without a run openings go by their names."""
    focus = scene.box.mean(axis=0)
    eye, up = view_direction(scene)
    arrays = {"box": scene.box, "focus": focus, "eye": focus + eye * np.linalg.norm(scene.box[1] - scene.box[0]),
              "up": up}
    words: dict[str, Any] = {
        "inside": is_inside(scene),
        "openings": [{**opening, "inwards": flows_in(run, opening)} for opening in scene.openings],
    }
    if scene.wall is not None:
        arrays |= {"points": scene.wall.points, "triangles": scene.wall.triangles}
        if scene.wall.colorings:
            shown = scene.wall.colorings[0]
            arrays["values"] = shown.values
            words["wall_title"] = shown.title
            words["wall_limits"], words["wall_map"] = shown.range.limits, shown.range.map
    if scene.lines:
        speeds = np.concatenate([line.speeds for line in scene.lines])
        arrays |= {"line_points": np.concatenate([line.points for line in scene.lines]),
                   "line_counts": np.array([len(line.points) for line in scene.lines]), "line_speeds": speeds}
        words["speed_title"] = f"speed [{scene.speed_unit}]"
        words["speed_limit"] = color_range(speeds, 1, from_zero=True).high
    return arrays, words


def draw(run: Run, scene: Scene) -> Pictures:
    """The pictures, or the reason why there are none."""
    arrays, words = packed_scene(run, scene)
    with tempfile.TemporaryDirectory(prefix="fluvia-report-") as name:
        folder = Path(name)
        np.savez(folder / "scene.npz", **arrays)  # type: ignore[arg-type]  # numpy fears for its own keyword
        (folder / "scene.json").write_text(json.dumps(words), encoding="utf-8")
        (folder / "renderer.py").write_bytes(pkgutil.get_data(__package__, "renderer.py") or b"")
        return _run(folder)


def _run(folder: Path) -> Pictures:
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    environment |= {"MPLBACKEND": "Agg", "PYVISTA_OFF_SCREEN": "true"}
    try:
        ended = subprocess.run([sys.executable, "-B", str(folder / "renderer.py"), str(folder)], env=environment,
                               stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return Pictures(problem=str(error))
    files = [folder / "flow.png", folder / "geometry.png"]
    if ended.returncode != 0 or not all(file.exists() for file in files):
        last = ended.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        how = f"signal {-ended.returncode}" if ended.returncode < 0 else f"code {ended.returncode}"
        return Pictures(problem=f"drawing without a display ended with {how}{': ' + last[0] if last else ''}; "
                                "VTK needs EGL (Debian: libegl1, libgl1-mesa-dri) or OSMesa (libosmesa6)")
    return Pictures(flow=files[0].read_bytes(), geometry=files[1].read_bytes())
