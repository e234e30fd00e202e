# SPDX-License-Identifier: Apache-2.0
"""fluvia.Case: what a case file does, in Python."""
import copy
import gc
import multiprocessing
import os
import pickle
from pathlib import Path

import fluvia
import numpy as np
import pytest

CASES = Path(os.environ["FLUVIA_CASES"])


def cavity(**more):
    sections = dict(
        units={"system": "lattice", "tau": 0.6},
        domain={"dimension": 2, "nodes": [16, 16]},
        boundary=[{"surface": "y_max", "type": "moving_wall", "velocity": [0.1, 0, 0]}],
        run={"steps": 100},
    )
    sections.update(more)
    return fluvia.Case(**sections)


def test_every_shipped_case_can_be_read():
    files = sorted(CASES.glob("*.toml"))
    assert files
    for file in files:
        assert fluvia.Case.read(file).dimension in (2, 3)


def test_keywords_make_the_case_that_a_file_makes(tmp_path):
    case = cavity(title="of keywords")
    case.write(tmp_path / "case.toml")
    again = fluvia.Case.read(tmp_path / "case.toml")
    assert again.title == "of keywords"
    assert again.sections == case.sections
    assert list(tmp_path.iterdir()) == [tmp_path / "case.toml"]


def test_numbers_of_numpy_and_paths_are_taken():
    case = cavity(domain={"dimension": 2, "nodes": np.array([16, 12])}, units={"system": "lattice", "tau": np.float64(0.7)})
    assert case.sections["domain"]["nodes"] == [16, 12]
    assert case.sections["units"]["tau"] == 0.7


def test_settings_reach_entries_by_name():
    case = cavity().changed("boundary.y_max.velocity=[0.05, 0, 0]", **{"units.tau": 0.8, "run.steps": 7})
    sections = case.sections
    assert sections["boundary"][0]["velocity"] == [0.05, 0, 0]
    assert sections["units"]["tau"] == 0.8
    assert sections["run"]["steps"] == 7
    assert cavity().sections["units"]["tau"] == 0.6


def test_comments_stay_where_nothing_changed():
    text = (CASES / "cavity.toml").read_text()
    assert fluvia.Case.read(CASES / "cavity.toml").to_toml() == text


@pytest.mark.parametrize(
    "sections, words",
    [
        (dict(unit={"tau": 0.6}), "did you mean"),
        (dict(units={"system": "lattice", "tau": 0.4}), "tau"),
        (dict(run={"steps": "many"}), "run.steps"),
        (dict(run={"steps": object()}), "object"),
    ],
)
def test_what_is_wrong_is_said(sections, words):
    with pytest.raises(fluvia.InputError, match=words) as caught:
        fluvia.Simulation(cavity(**sections))
    assert isinstance(caught.value, ValueError)
    assert caught.value.code == 3


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(fluvia.InputError, match="nowhere.toml"):
        fluvia.Case.read(tmp_path / "nowhere.toml")


def test_cases_travel(tmp_path, monkeypatch):
    (tmp_path / "ramp.csv").write_text("0,0\n1,0.05\n")
    monkeypatch.chdir(tmp_path)
    case = cavity(boundary=[{"surface": "x_min", "type": "velocity", "series": "ramp.csv", "series_quantity": "speed"},
                            {"surface": "x_max", "type": "pressure"}]).changed("units.tau=0.7")
    assert copy.copy(case) is case and copy.deepcopy([case])[0] is case
    packed = pickle.dumps(case)
    monkeypatch.chdir("/")
    there = pickle.loads(packed)
    assert there.to_toml() == case.to_toml()
    with fluvia.Simulation(there) as flow:
        assert flow.units["tau"] == pytest.approx(0.7)


def pipe():
    z, y, _ = np.mgrid[0:10, 0:9, 0:16]
    return (y - 4) ** 2 + (z - 4.5) ** 2 < 14


def through(voxels, **more):
    dimension = np.ndim(voxels["file"] if isinstance(voxels, dict) else voxels)
    return fluvia.Case(**{
        "units": {"system": "si", "spacing": 1e-3, "tau": 0.8, "viscosity": 2e-4, "density": 1000},
        "domain": {"dimension": dimension, "origin": [0.002, 0, 0]},
        "geometry": {"voxels": voxels},
        "boundary": [{"surface": "x_min", "type": "velocity", "speed": 0.05}, {"surface": "x_max", "type": "pressure"}],
        "numerics": {"device": "cpu", "threads": 1},
        "run": {"steps": 10},
        **more,
    })


def test_an_array_is_a_geometry():
    pore = pipe()
    labels = np.where(pore, 7, 3)
    grey = np.where(pore, 0.25, 0.75)
    for voxels in [pore, {"file": labels.astype(np.uint8), "fluid_labels": [7]}, {"file": labels.astype(">u2"), "fluid_labels": [7]},
                   {"file": np.asfortranarray(labels.astype(np.uint16)), "fluid_labels": [7]}, {"file": grey, "fluid_below": 0.5}]:
        with fluvia.Simulation(through(voxels)) as flow:
            assert np.array_equal(flow.fluid(), pore)
            assert flow.positions()[0][0] == pytest.approx(0.0025)
            assert flow.units["spacing"] == 1e-3
    with fluvia.Simulation(through(pore[4])) as flow:
        assert np.array_equal(flow.fluid(), pore[4])
    assert fluvia.Geometry(through(pore)).fluid_nodes == pore.sum()


def test_arrays_are_initial_fields_and_profiles():
    free = dict(units={"system": "lattice", "tau": 0.8}, numerics={"device": "cpu", "format": "fp64"}, run={"steps": 1})
    u = np.zeros((6, 8, 3))
    u[..., 0] = 0.01 * np.sin(2 * np.pi * (np.arange(6) + 0.5) / 6)[:, None]
    with fluvia.Simulation(fluvia.Case(domain={"dimension": 2, "nodes": [8, 6], "periodic": [True, True, False]},
                                       physics={"initial_velocity_file": u}, **free)) as flow:
        assert np.allclose(flow.field("velocity"), u, atol=1e-8)
    points = np.array([[0, y, 0.01 * y] for y in (0.5, 5.5)])
    with fluvia.Simulation(fluvia.Case(domain={"dimension": 2, "nodes": [8, 6]},
                                       boundary=[{"surface": "x_min", "type": "velocity", "profile": "table", "profile_file": points},
                                                 {"surface": "x_max", "type": "pressure"}], **free)) as flow:
        flow.step(300)
        assert flow.field("velocity")[1:-1, 0, 0] == pytest.approx(0.01 * (np.arange(1, 5) + 0.5), rel=0.1)


def forced(field, **numerics):
    nodes = list(field.shape[1::-1])
    return fluvia.Case(units={"system": "lattice", "tau": 0.8}, domain={"dimension": 2, "nodes": nodes, "periodic": [True, True, False]},
                       numerics={"device": "cpu", "format": "fp64", **numerics}, physics={"acceleration_file": field}, run={"steps": 1})


def test_a_body_force_of_each_node(tmp_path):
    a = np.zeros((32, 8, 3))
    a[..., 0] = 1e-5 * np.sin(2 * np.pi * (np.arange(32) + 0.5) / 32)[:, None]
    with fluvia.Simulation(forced(a)) as flow:
        flow.step(3001)  # as long as ten times the flow takes
        u = flow.field("velocity")
        assert np.allclose(u, a / (0.1 * (2 * np.pi / 32) ** 2), rtol=0.01, atol=1e-12)
        flow.save(tmp_path / "state.fluvia")
        flow.step(7)
        later = flow.populations()
    with fluvia.Simulation(forced(a.copy(), scheme="compact-aa")) as flow:
        flow.restore(tmp_path / "state.fluvia")
        flow.step(7)
        assert np.array_equal(flow.populations(), later)
    with fluvia.Simulation(forced(2 * a)) as flow, pytest.raises(fluvia.InputError, match="case"):
        flow.restore(tmp_path / "state.fluvia")


@pytest.mark.parametrize(
    "sections, words",
    [
        (dict(geometry={"voxels": pipe()[0]}), r"voxels.*\(9, 16\).*\[z, y, x\]"),
        (dict(geometry={"voxels": {"file": np.full((4, 4, 4), np.nan), "fluid_below": 1.0}}), "NaN"),
        (dict(geometry={"voxels": pipe().astype(object)}), "object"),
        (dict(geometry={"voxels": pipe().astype(complex)}), "complex"),
        (dict(geometry={"voxels": pipe().astype(np.uint8)}), "fluid_labels"),
        (dict(physics={"acceleration": np.zeros((10, 9, 16, 3))}), "each node is acceleration_file"),
        (dict(physics={"acceleration_file": np.zeros((10, 9, 16))}), r"acceleration_file.*\[z, y, x, 3\]"),
        (dict(physics={"acceleration_file": np.full((10, 9, 16, 3), np.inf)}), "no finite number"),
        (dict(physics={"initial_velocity_file": np.zeros((10, 9, 16, 2))}), r"initial_velocity_file.*\[z, y, x, 3\]"),
        (dict(physics={"initial_velocity_file": np.zeros((5, 9, 16, 3))}), r"\(5, 9, 16, 3\); expected \(10, 9, 16, 3\)"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(sections, words):
    with pytest.raises(fluvia.InputError, match=words):
        fluvia.Simulation(through(pipe(), **sections))


def sum_of_speeds(case):
    with fluvia.Simulation(case) as flow:
        flow.step(5)
        return float(np.nansum(flow.field("velocity")))


def test_arrays_travel_with_their_case(tmp_path):
    case = through(pipe())
    expected = sum_of_speeds(case)
    assert sum_of_speeds(copy.deepcopy(case).changed("run.steps=3")) == expected
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(sum_of_speeds, [case] * 2) == [expected] * 2
    with fluvia.Simulation(case) as flow, fluvia.Simulation(pickle.loads(pickle.dumps(case))) as other:
        flow.step(4)
        flow.save(tmp_path / "state.fluvia")
        assert other.restore(tmp_path / "state.fluvia") == "" and other.time_step == 4  # the same case
    case.write(tmp_path / "case.toml")
    with fluvia.Simulation(fluvia.Case.read(tmp_path / "case.toml")) as flow:
        flow.restore(tmp_path / "state.fluvia")
    runs = fluvia.sweep(case, {"units.tau": [0.8]}, tmp_path / "sweep")
    assert runs[0]["ended"] == "last step"


def test_joblib_takes_cases():
    joblib = pytest.importorskip("joblib", reason="no joblib (scripts/setup --test)")
    case = through(pipe())
    assert joblib.Parallel(2)(joblib.delayed(sum_of_speeds)(case) for _ in range(2)) == [sum_of_speeds(case)] * 2


def test_files_of_arrays_end_with_their_cases():
    case = through(pipe())
    (file,) = case._paths.values()
    other = case.changed("run.steps=3")
    assert file.exists()
    del case
    assert file.exists() and sum_of_speeds(other)
    del other
    gc.collect()
    assert not file.parent.exists()
