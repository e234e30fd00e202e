# SPDX-License-Identifier: Apache-2.0
"""fluvia.Case: what a case file does, in Python."""
import copy
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
