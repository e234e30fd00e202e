# SPDX-License-Identifier: Apache-2.0
"""Snippets in Python that no other test runs."""
import os

import pytest
from pages import SOURCE, blocks

pytest.importorskip("fluvia._core", reason="the Python package is not built (FLUVIA_PYTHON)")
import fluvia  # noqa: E402 (only where it is there)

PAGE = SOURCE / "README.md"


def test_the_readme(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    toml = next(block.text for block in blocks(PAGE) if block.language == "toml")
    (tmp_path / "cavity.toml").write_text(toml, encoding="utf-8")
    snippets = [block.text for block in blocks(PAGE) if block.language == "python"]
    assert len(snippets) == 1
    exec(compile(snippets[0], os.fspath(PAGE), "exec"), {"fluvia": fluvia})
    assert "(128, 128, 3)" in capsys.readouterr().out
