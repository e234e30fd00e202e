# SPDX-License-Identifier: Apache-2.0
"""fluvia.view: scenes of runs and flows, without a window. With FLUVIA_TEST_PICTURES they stay."""
import os
from pathlib import Path

import fluvia
import numpy as np
import pytest

pytest.importorskip("pyvista", reason="no pyvista (scripts/setup --test)")
CASES = Path(os.environ["FLUVIA_CASES"])


@pytest.fixture(scope="module")
def case():
    return fluvia.Case.read(CASES / "stl.toml", settings=["units.spacing=6e-4", "numerics.device='cpu'", "output.wall=true", "run.steps=150"])


@pytest.fixture(scope="module")
def folder(case, tmp_path_factory):
    folder = tmp_path_factory.mktemp("view") / "bend"
    fluvia.run(case, folder)
    return folder


def picture(page, name, tmp_path):
    """The picture of a view as numbers, after it was written."""
    file = Path(os.environ.get("FLUVIA_TEST_PICTURES", tmp_path)) / f"view-{name}.png"
    pixels = page.screenshot(file, return_img=True)
    page.close()
    assert file.stat().st_size > 5000
    return pixels[..., :3].astype(int)


def colorful(pixels):
    """How many pixels have a colour."""
    return int((pixels.max(axis=2) - pixels.min(axis=2) > 60).sum())



def test_a_run_has_its_wall_streamlines_and_openings(folder, tmp_path):
    page = fluvia.view(folder, openings=True, off_screen=True)
    assert set(page.scalar_bars.keys()) == {"wall shear stress [Pa]", "speed [m/s]"}
    whole = colorful(picture(page, "run", tmp_path))
    bare = fluvia.view(folder, streamlines=False, wall=False, off_screen=True)
    assert len(bare.scalar_bars) == 0
    assert whole > 20_000 > 100 > colorful(picture(bare, "nothing", tmp_path))


def test_a_slice_has_the_values_of_the_field(folder, case, tmp_path):
    page = fluvia.view(folder, wall=False, streamlines=False, slice=("z", 0.0), field="velocity", off_screen=True)
    with fluvia.Simulation(case) as flow:
        flow.step(150)
        middle = int(np.argmin(np.abs(flow.positions()[2])))
        speed = np.linalg.norm(flow.field("velocity")[middle], axis=-1)
        live = fluvia.view(flow, wall=False, streamlines=False, slice=("z", 0.0), field="velocity", off_screen=True)
    planes = [next(mesh for mesh in view.meshes if "value" in mesh.array_names)["value"] for view in (page, live)]
    assert np.sort(planes[0]) == pytest.approx(np.sort(speed[np.isfinite(speed)]), rel=1e-6)
    assert np.array_equal(planes[0], planes[1])
    assert colorful(picture(page, "slice", tmp_path)) > 20_000
    live.close()


def test_a_flow_is_seen_as_it_is_now(case, tmp_path):
    with fluvia.Simulation(case) as flow:
        flow.step(20)
        page = fluvia.view(flow, slice="x", field="pressure", off_screen=True)
        assert set(page.scalar_bars.keys()) == {"wall shear stress [Pa]", "speed [m/s]", "pressure [Pa]"}
        assert colorful(picture(page, "flow", tmp_path)) > 20_000


def test_two_dimensions_are_seen_from_above(tmp_path):
    case = fluvia.Case(
        units={"system": "lattice", "tau": 0.6},
        domain={"dimension": 2, "nodes": [32, 24]},
        boundary=[{"surface": "y_max", "type": "moving_wall", "velocity": [0.1, 0, 0]}],
        run={"steps": 1},
    )
    with fluvia.Simulation(case, device="cpu") as flow:
        flow.step(200)
        page = fluvia.view(flow, off_screen=True)
        assert page.camera.parallel_projection and set(page.scalar_bars.keys()) == {"speed [lattice units]"}
        pixels = picture(page, "cavity", tmp_path)
    # Fast (yellow) below the lid in the middle, slow (dark) at the bottom.
    rows = np.flatnonzero((pixels.min(axis=2) < 200).sum(axis=1) > 200)
    column = pixels[rows[0] : rows[0] + 5 * len(rows) // 6, pixels.shape[1] // 2].sum(axis=1)
    assert column[:60].max() > 1.5 * column[len(column) // 2 :].min()


def test_what_is_not_there_is_said(folder, tmp_path):
    for source, more, words in [
        (tmp_path, {}, "summary.json"),
        (folder, dict(slice="u"), "slice 'u'"),
        (folder, dict(slice=("x", 1.0)), "between"),
        (folder, dict(slice="x", field="vorticity"), "no field 'vorticity'"),
    ]:
        with pytest.raises(fluvia.InputError, match=words):
            fluvia.view(source, off_screen=True, **more)
