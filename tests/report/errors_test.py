# SPDX-License-Identifier: Apache-2.0
"""What cannot be made a page of: one message that names the place, and the documented exit code."""
import json
import os
import shutil
import sys

import pytest
from conftest import CASES, fluvia


def refused(code, *words, **environment):
    done = fluvia("report", *words, **environment)
    assert done.returncode == code, done.stderr
    lines = done.stderr.splitlines()
    assert len(lines) == 1 and lines[0].startswith("fluvia: "), done.stderr
    return lines[0]


def test_no_run(tmp_path):
    assert "does not exist" in refused(3, tmp_path / "nowhere")
    assert "no summary.json; give the output folder of a run" in refused(3, tmp_path)
    (tmp_path / "file").write_text("x")
    assert "is no folder" in refused(3, tmp_path / "file")
    (tmp_path / "monitors.csv").write_text("step\n")
    assert "the run goes on or was killed" in refused(3, tmp_path)


def test_a_sweep(tmp_path):
    assert fluvia("sweep", CASES / "cavity.toml", "--vary", "units.viscosity=0.05,0.1", "--output", tmp_path, "--device", "cpu", "--set",
                  "run.steps=10", "--set", "domain.nodes=[12,12]", "--set", "monitor.probe.centre.position=[6.5,6.5]").returncode == 0
    message = refused(3, tmp_path)
    assert "folder of a sweep" in message
    run = message.split("'")[1]
    assert fluvia("report", run).returncode == 0, "what the message says works"


@pytest.mark.parametrize("content, words", [
    ("", "summary.json: Expecting value"),
    ("[1]", "is no summary of a run"),
    ('{"title": "x"}', "'version' is missing"),
    ("[" * 100_000, "summary.json: "),
    ("\udc80", "is no UTF-8"),
])
def test_damaged_summary(tmp_path, content, words):
    (tmp_path / "summary.json").write_text(content, errors="surrogateescape")
    assert words in refused(3, tmp_path)


@pytest.mark.parametrize("change", [
    lambda s: s["geometry"].update(dimension=4),
    lambda s: s["geometry"].update(nodes=[1]),
    lambda s: s["geometry"].update(spacing=None),
    lambda s: s["geometry"].update(openings=[{}]),
    lambda s: s["results"].update(quantities=[{"name": "x"}]),
    lambda s: s["results"].update(verdict={"verdict": "trust"}),
    lambda s: s.update(run=[]),
])
def test_summary_of_another_shape(cavity, tmp_path, change):
    summary = json.loads((cavity / "summary.json").read_text())
    change(summary)
    (tmp_path / "summary.json").write_text(json.dumps(summary))
    assert "the file is damaged" in refused(3, tmp_path)


def test_damaged_monitors(cavity, tmp_path):
    shutil.copytree(cavity, tmp_path, dirs_exist_ok=True)
    lines = (tmp_path / "monitors.csv").read_text().splitlines()
    lines[5] = "what is this"
    (tmp_path / "monitors.csv").write_text("\n".join(lines))
    assert "monitors.csv:6: 'what is this' is no row" in refused(3, tmp_path)


def test_damaged_fields_and_walls(vessel, cavity, tmp_path):
    """A field file that cannot be read costs its sections, with a warning; a wall is refused by name."""
    shutil.copytree(cavity, tmp_path / "flat")
    field = next((tmp_path / "flat").glob("fields-*"))
    field.write_bytes(field.read_bytes()[:3000])
    done = fluvia("report", tmp_path / "flat")
    assert done.returncode == 0 and f"warning: {field}: cannot be read as VTKHDF" in done.stderr
    assert "The field file cannot be read" in (tmp_path / "flat" / "report.html").read_text()
    shutil.copytree(vessel, tmp_path / "vessel")
    wall = next((tmp_path / "vessel").glob("wall-*"))
    wall.write_bytes(wall.read_bytes()[:200])
    assert f"{wall}: cannot be read as a wall" in refused(3, tmp_path / "vessel")


def test_places_that_cannot_be_written(cavity, tmp_path):
    assert "is a folder; name a file" in refused(4, cavity, "--output", tmp_path)
    assert "there is no folder" in refused(4, cavity, "--output", tmp_path / "a" / "b.html")
    if os.geteuid() != 0:
        tmp_path.chmod(0o500)
        assert "no permission" in refused(4, cavity, "--output", tmp_path / "b.html")
    assert "cannot be written" in refused(4, cavity, "--output", "/proc/report.html")


def test_a_python_without_packages(cavity, tmp_path):
    empty = tmp_path / "python"
    empty.write_text(f"#!/bin/sh\nexec '{sys.base_prefix}/bin/python3' -S -I \"$@\"\n")
    empty.chmod(0o755)
    message = refused(4, cavity, FLUVIA_PYTHON=str(empty))
    assert "has no numpy, matplotlib, pyvista, plotly; install" in message


def test_no_python_at_all(cavity):
    assert "nopython has to make the page, but nopython cannot be run" in refused(4, cavity, FLUVIA_PYTHON="nopython")
    assert "false could not make the page" in refused(1, cavity, FLUVIA_PYTHON="false")


def test_python_raises_what_the_program_says(cavity, tmp_path):
    fluvia_module = pytest.importorskip("fluvia", reason="the Python package is not built (FLUVIA_PYTHON)")
    with pytest.raises(fluvia_module.InputError, match="does not exist"):
        fluvia_module.report(tmp_path / "nowhere")
    with pytest.raises(fluvia_module.ResourceError, match="is a folder"):
        fluvia_module.report(cavity, file=tmp_path)


def test_a_machine_that_cannot_draw(vessel, tmp_path):
    """The page is made all the same, and says why it has no drawn pictures."""
    from fluvia_report import rendering

    (tmp_path / "renderer.py").write_text("import os; os.abort()")
    pictures = rendering._run(tmp_path)
    assert pictures.flow is None and "ended with signal 6" in pictures.problem and "libegl1" in pictures.problem
