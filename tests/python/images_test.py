# SPDX-License-Identifier: Apache-2.0
"""fluvia.permeability and fluvia.sweep."""
import json
import sys

import fluvia
import numpy as np
import pytest


def test_a_slit_has_the_permeability_of_poiseuille():
    """k = porosity h^2 / 12 between plates, here with h = 8 of 10 voxels; a slit along whole nodes is exact within 1%."""
    slit = np.zeros((4, 10, 6), dtype=bool)
    slit[:, 1:9, :] = True
    found = fluvia.permeability(slit, 1e-6, axes=["x"], ends="periodic", sides="periodic", refine=1, device="cpu")
    assert found["axes"][0]["permeability_m2"] == pytest.approx(0.8 * (8e-6) ** 2 / 12, rel=0.01)
    named = fluvia.permeability(slit, "1um", axes=["x"], ends="periodic", sides="periodic", refine=1, device="cpu")
    assert named["axes"][0]["permeability_m2"] == found["axes"][0]["permeability_m2"]
    assert fluvia.permeability(slit, 1e-6, axes=["y"], refine=1, device="cpu")["axes"][0]["permeability_m2"] == 0


@pytest.mark.parametrize(
    "image, more, words",
    [
        (np.zeros((4, 4, 4)), {}, "fluid"),
        (np.zeros(4, dtype=bool), {}, "shape"),
        (np.ones((4, 4), dtype=bool), dict(axes=["z"]), "axis"),
        (np.ones((4, 4), dtype=bool), dict(ends="open"), "mirrored"),
        (np.ones((4, 4), dtype=bool), dict(voxel=-1), "metres"),
        (np.ones((4, 4), dtype=bool), dict(voxel=5), "5um"),
        (np.ones((4, 4), dtype=bool), dict(voxel="5 px"), "px"),
        (np.ones((4, 4), dtype=bool), dict(voxel=None), "metres"),
    ],
)
def test_images_that_mean_nothing_are_refused(image, more, words):
    with pytest.raises(fluvia.InputError, match=words):
        fluvia.permeability(image, **{"voxel": 1e-6, **more})


def test_a_sweep_gives_a_row_for_each_combination(tmp_path):
    case = fluvia.Case(
        units={"system": "lattice", "tau": 0.6},
        domain={"dimension": 2, "nodes": [12, 12]},
        boundary=[{"surface": "y_max", "type": "moving_wall", "velocity": [0.1, 0, 0]}],
        numerics={"device": "cpu"},
        run={"steps": 40},
    )
    lines = []
    runs = fluvia.sweep(case, {"units.tau": [0.6, 0.9], "boundary.y_max.velocity": [[0.1, 0, 0], [0.05, 0, 0]]}, tmp_path,
                        on_message=lines.append)
    assert [run["ended"] for run in runs] == ["last step"] * 4 and lines
    energy = [run["results"]["monitors"]["kinetic_energy [lattice]"] for run in runs]
    assert energy[0] > energy[1] and energy[2] > energy[3]
    summaries = [json.loads(file.read_text()) for file in tmp_path.glob("*/summary.json")]
    assert [summary["command"] for summary in summaries] == [sys.orig_argv] * 4
    with pytest.raises(fluvia.InputError, match="tau"):
        fluvia.sweep(case, {"units.tau": [0.3]}, tmp_path / "other")
