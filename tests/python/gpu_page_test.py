# SPDX-License-Identifier: Apache-2.0
"""docs/python.md: its snippet for a GPU, where there are one and PyTorch."""
import re
from pathlib import Path

import fluvia
import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "python.md"


def test_the_snippet_for_a_gpu_works():
    marker = f"<!-- run by tests/python/{Path(__file__).name} -->"
    (snippet,) = re.findall(marker + r"\n```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    case = fluvia.Case.read(PAGE.parents[1] / "cases" / "cavity.toml")
    try:
        fluvia.Simulation(case, device="cuda").close()
    except fluvia.ResourceError as error:
        compile(snippet, str(PAGE), "exec")
        pytest.skip(str(error))
    pytest.importorskip("torch")
    names = {"fluvia": fluvia, "case": case}
    exec(compile(snippet, str(PAGE), "exec"), names)
    assert names["u"].shape == (*names["flow"].shape, 3) and float(names["speed"]) < 0.2
