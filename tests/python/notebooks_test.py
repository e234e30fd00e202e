# SPDX-License-Identifier: Apache-2.0
"""examples/notebooks: they run as they are, and are kept without their outputs."""
import json
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def test_there_are_some():
    assert len(NOTEBOOKS) >= 3


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_outputs_are_not_kept(file):
    for cell in json.loads(file.read_text(encoding="utf-8"))["cells"]:
        assert cell["cell_type"] == "markdown" or (cell["outputs"] == [] and cell["execution_count"] is None)


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_they_run(file):
    nbclient = pytest.importorskip("nbclient", reason="no nbclient (scripts/setup --test)")
    nbformat = pytest.importorskip("nbformat")
    notebook = nbformat.read(file, as_version=4)
    nbclient.NotebookClient(notebook, timeout=200, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}}).execute()
    texts = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert any(output.output_type == "stream" for output in texts)
    assert any("image/png" in output.get("data", {}) for output in texts)
