# SPDX-License-Identifier: Apache-2.0
"""The page of `fluvia permeability --output`."""
import json
import struct

import pytest
from conftest import fluvia, must
from content_test import Reader


@pytest.fixture(scope="module")
def slits(tmp_path_factory):
    """Two slits along x and z, of 4 and of 2 voxels; nothing connects the ends along y."""
    folder = tmp_path_factory.mktemp("slits")
    (folder / "slits.raw").write_bytes(b"".join(bytes([0 if y in (1, 2, 3, 4, 7, 8) else 1]) * 6 for _ in range(6) for y in range(10)))
    done = must("permeability", folder / "slits.raw", "--shape", 6, 10, 6, "--voxel", "2um", "--output", folder / "out", "--pore", 0,
                "--device", "cpu", "--ends", "periodic", "--sides", "periodic", "--format", "fp64", "--max-refine", 2)
    return folder, done


def test_the_folder(slits):
    folder, done = slits
    names = {file.name for file in (folder / "out").iterdir()}
    assert names == {"permeability.json", "along-x.png", "along-z.png"}, "no flow, no picture, along y"
    assert done.stdout.count("permeability ") == 3
    for name in ("along-x.png", "along-z.png"):
        data = (folder / "out" / name).read_bytes()
        assert data.startswith(b"\x89PNG") and struct.unpack(">I", data[16:20])[0] > 1000


def test_the_page(slits):
    folder, _ = slits
    found = json.loads((folder / "out" / "permeability.json").read_text())
    must("report", folder / "out")
    read = Reader((folder / "out" / "report.html").read_text(encoding="utf-8"))
    assert read.loads == [] and len(read.ids) == len(set(read.ids)) and len(read.images) == 2
    for words in ("Permeability of slits.raw", "within the 5 % asked for", "along y: no fluid connects", "The flows", "Grids",
                  "Principal permeabilities", "Mean flux", "tortuosity", "periodic"):
        assert words in read.text, words
    # The flux of plane channels is exact on any grid: (4 ** 3 + 2 ** 3) / 12 / 10 voxels squared.
    assert found["tensor_m2"][0][0] == pytest.approx(0.6 * 4e-12, rel=3e-3)
    assert f"{found['axes'][0]['permeability_darcy']:.4f}"[:4] in read.text


def test_a_folder_of_a_run_is_kept(slits, cavity, tmp_path):
    """Files of a run go into a folder below; the page is then of the permeability."""
    folder, _ = slits
    (tmp_path / "out").mkdir()
    for name in ("summary.json", "monitors.csv"):
        (tmp_path / "out" / name).write_bytes((cavity / name).read_bytes())
    done = must("permeability", folder / "slits.raw", "--shape", 6, 10, 6, "--voxel", "2um", "--output", tmp_path / "out", "--pore", 0,
                "--device", "cpu", "--axis", "x", "--refine", 1)
    assert "previous-1" in done.stderr
    assert (tmp_path / "out" / "previous-1" / "summary.json").exists()
    assert "Permeability of" in must_page(tmp_path / "out")


def must_page(folder):
    must("report", folder)
    return (folder / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("content, words", [
    ("{", "permeability.json: Expecting"),
    ("[]", "is no result of fluvia permeability"),
    ("{}", "'tensor_m2' is missing"),
    (json.dumps({key: 1 for key in ("tensor_m2", "principal", "complete", "within_tolerance", "axes", "image", "settings", "units")}),
     "the file is damaged"),
])
def test_damaged_results(tmp_path, content, words):
    (tmp_path / "permeability.json").write_text(content)
    done = fluvia("report", tmp_path)
    assert done.returncode == 3 and words in done.stderr and len(done.stderr.splitlines()) == 1, done.stderr
    assert not (tmp_path / "report.html").exists()
