# SPDX-License-Identifier: Apache-2.0
"""fluvia.geometry: what `fluvia geometry` finds, in Python."""
import json
import math
import os
import subprocess
from pathlib import Path

import fluvia
import numpy as np
import pytest

CASES = Path(os.environ["FLUVIA_CASES"])
BINARY = os.environ["FLUVIA_BINARY"]


def bend(*settings):
    return fluvia.Case.read(CASES / "stl.toml", settings=["units.spacing=5e-4", *settings])


def test_openings_of_a_tube_have_its_diameter():
    shape = fluvia.geometry(bend())
    openings = {opening.name: opening for opening in shape.openings}
    assert set(openings) == {"inlet", "outlet"}
    for opening in openings.values():
        assert opening.diameter == pytest.approx(6e-3, rel=0.01)
        assert opening.area == pytest.approx(math.pi * 3e-3**2, rel=0.02)
    assert openings["inlet"].centre == pytest.approx((-0.012, 0, 0), abs=1e-6)
    assert openings["inlet"].normal == pytest.approx((-1, 0, 0), abs=1e-6)
    # 12 mm, a quarter of a circle with a radius of 15 mm, 12 mm: by counting nodes that are a twelfth of the tube wide.
    assert shape.volume == pytest.approx(math.pi * 3e-3**2 * (0.024 + 0.015 * math.pi / 2), rel=0.02)
    assert shape.unit == "m" and shape.spacing == 5e-4 and shape.dimension == 3
    assert {"inlet", "outlet", "wall"} <= set(shape.surfaces)


def test_masks_agree_with_the_counts_and_with_a_flow():
    case = bend()
    shape = fluvia.geometry(case)
    fluid, outside = shape.fluid(), shape.outside()
    assert fluid.dtype == outside.dtype == bool and fluid.shape == outside.shape == shape.shape
    assert fluid.sum() == shape.fluid_nodes and not (fluid & outside).any() and outside.any()
    assert shape.porosity == pytest.approx(fluid.mean())
    with fluvia.Simulation(case, device="cpu") as flow:
        assert np.array_equal(flow.fluid(), fluid)


def test_cut_links_lead_out_of_the_fluid_and_end_at_the_wall():
    shape = fluvia.geometry(bend())
    links, fluid = shape.cut_links(), shape.fluid()
    x, y, z = links.node.T
    assert fluid[z, y, x].all()
    ends = links.node + links.offset
    inside = np.all((ends >= 0) & (ends < shape.shape[::-1]), axis=1)
    x, y, z = ends[inside].T
    assert inside.any() and not fluid[z, y, x].any()
    assert (links.distance > 0).all() and (links.distance <= 1).all()
    # In the straight part, x < 0, walls are a circle of 3 mm around the axis y = z = 0.
    wall = (links.surface == shape.surfaces.index("wall")) & (links.node[:, 0] < 18)
    at = shape.origin + shape.spacing * (links.node + 0.5 + links.distance[:, None] * links.offset)
    assert wall.sum() > 100
    assert np.hypot(at[wall, 1], at[wall, 2]) == pytest.approx(3e-3, rel=0.02)


def test_a_case_of_half_way_walls_has_them_in_the_middle():
    case = fluvia.Case(units={"system": "lattice", "tau": 0.6}, domain={"dimension": 2, "nodes": [8, 5]}, run={"steps": 1})
    shape = fluvia.geometry(case)
    links = shape.cut_links()
    assert shape.unit == "lattice" and shape.volume == 40 and shape.shape == (5, 8) and not shape.outside().any()
    assert (links.distance == 0.5).all() and len(links.node) == 3 * (2 * 8 + 2 * 5) - 4
    assert set(np.array(shape.surfaces)[links.surface]) == {"x_min", "x_max", "y_min", "y_max"}


def test_a_surface_file_needs_no_case(tmp_path):
    shape = fluvia.geometry(CASES / "data" / "bend.stl", unit="mm", nodes=60)
    assert [hole.diameter for hole in shape.holes] == pytest.approx([6e-3, 6e-3], rel=0.01)
    assert [hole.name for hole in shape.holes] == ["", ""] and len(shape.warnings) == 1
    command = [BINARY, "geometry", CASES / "data" / "bend.stl", "--unit", "mm", "--nodes", "60"]
    assert str(shape) == subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = subprocess.run([*command, "--json"], capture_output=True, text=True, check=True).stdout
    assert shape.report == json.loads(found)
    files = shape.pictures(tmp_path / "bend")
    assert [file.name for file in files] == ["bend-x.png", "bend-y.png", "bend-z.png"]
    assert all(file.read_bytes().startswith(b"\x89PNG") for file in files)


def test_raw_images_and_masks_are_read(tmp_path):
    image = np.zeros((3, 4, 5), dtype=np.uint8)
    image[:, 1, :] = 7
    image.tofile(tmp_path / "image.raw")
    shape = fluvia.geometry(tmp_path / "image.raw", shape=(5, 4, 3), fluid_labels=[0])
    assert np.array_equal(shape.fluid(), image == 0)
    with pytest.raises(fluvia.InputError, match="nothing says which voxels are the pores(.|\n)*75% of the voxels"):
        fluvia.geometry(tmp_path / "image.raw", shape=(5, 4, 3))
    image.astype(np.float32).tofile(tmp_path / "real.raw")
    shape = fluvia.geometry(tmp_path / "real.raw", shape=(5, 4, 3), type="float32", fluid_labels=[7])
    assert np.array_equal(shape.fluid(), image == 7)
    assert fluvia.geometry(CASES / "data" / "channel_network.png").dimension == 2
    assert fluvia.geometry(CASES / "cylinder.toml").openings


@pytest.mark.parametrize(
    "file, more, words",
    [
        ("bend.stl", dict(unit="inch"), "unit 'inch'"),
        ("bend.stl", dict(unit="mm", nodes=2), "nodes = 2"),
        ("bend.stl", dict(unit="mm", spacing=-1), "spacing = -1"),
        ("rock.raw.gz", {}, "shape"),
        ("rock.raw.gz", dict(shape=(1, 2)), "shape"),
        ("rock.raw.gz", dict(shape=(4, 4, 4), bits=7), "bits = 7"),
        ("nowhere.stl", {}, "nowhere.stl"),
        ("text.txt", {}, "text.txt"),
    ],
)
def test_what_cannot_be_is_refused(file, more, words):
    with pytest.raises(fluvia.InputError, match=words):
        fluvia.geometry(CASES / "data" / file, **more)
