# SPDX-License-Identifier: Apache-2.0
"""docs/python.md: its snippets, one after the other, as a reader would type them."""
import os
import re
import shutil
from pathlib import Path

import fluvia

PAGE = Path(__file__).resolve().parents[2] / "docs" / "python.md"


def test_the_page_works(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    marker = f"<!-- run by tests/python/{Path(__file__).name} -->"
    snippets = re.findall(marker + r"\n```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(snippets) >= 3
    shutil.copy(Path(os.environ["FLUVIA_CASES"]) / "data" / "bend.stl", tmp_path)
    names = {}
    for snippet in snippets:
        exec(compile(snippet, str(PAGE), "exec"), names)
    assert names["u"].shape == (64, 64, 3) and names["u"][-1, 32, 0] > 0.05
    assert names["finer"].sections["domain"]["nodes"] == [96, 96]
    assert (tmp_path / "cavity.fluvia").exists() and (tmp_path / "out/cavity/summary.json").exists()
    assert names["page"] == Path("cavity.html") and "max_velocity" in names["page"].read_text(encoding="utf-8")
    assert "last step" in capsys.readouterr().out


def test_the_page_names_every_member():
    page = PAGE.read_text(encoding="utf-8")
    for kind in (fluvia.Simulation, fluvia.Geometry):
        for name in dir(kind):
            if not name.startswith("_") and name != "close":
                assert f"`{name}" in page, name
