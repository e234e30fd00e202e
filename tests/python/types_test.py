# SPDX-License-Identifier: Apache-2.0
"""What type checkers and help() see of the package."""
import inspect
import os
import subprocess
import sys
from pathlib import Path

import fluvia
import pytest

SOURCE = Path(__file__).resolve().parents[2]
PACKAGE = Path(fluvia.__file__).parent

SAMPLE = '''
from pathlib import Path
from typing import Any

import fluvia
import numpy as np
from numpy.typing import NDArray
from typing_extensions import assert_type

case = fluvia.Case.read("cavity.toml", settings=["run.steps=1"])
with fluvia.Simulation(case, device="cpu") as flow:
    flow.step(10)
    assert_type(flow.field("velocity"), NDArray[np.floating[Any]])
    assert_type(flow.populations(), NDArray[np.float64])
    assert_type(flow.opening_points("inlet"), NDArray[np.float64])
    assert_type(flow.device_field("velocity"), fluvia.DeviceArray)
    assert_type(flow.fluid(), NDArray[np.bool_])
    assert_type(flow.monitors(), dict[str, float])
    assert_type(flow.shape, tuple[int, ...])
assert_type(fluvia.run(case, "out").files, list[Path])
shape = fluvia.geometry("bend.stl", unit="mm")
assert_type(shape.openings[0].diameter, float)
assert_type(shape.cut_links().distance, NDArray[np.float64])
assert_type(fluvia.field_names, list[str])
'''

WRONG = ['flow.step("ten")', "flow.feld('velocity')", "fluvia.geometry(3)", "fluvia.run(case)", "shape.openings[0].radius"]


def mypy(*words, folder=SOURCE):
    pytest.importorskip("mypy", reason="no mypy (scripts/setup --test)")
    return subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", os.devnull, "--config-file", SOURCE / "pyproject.toml", *words],
                          cwd=folder, capture_output=True, text=True, check=False)


def test_the_package_and_its_use_are_typed(tmp_path):
    """Strictly, all of the package; and a user's file, whose mistakes are found."""
    (tmp_path / "sample.py").write_text(SAMPLE, encoding="utf-8")
    (tmp_path / "wrong.py").write_text("import fluvia\nfrom sample import *\n" + "\n".join(WRONG) + "\n", encoding="utf-8")
    done = mypy("-p", "fluvia", "-m", "sample", "-m", "wrong", folder=tmp_path)
    found = [line for line in done.stdout.splitlines() if ": error:" in line]
    assert [line for line in found if not line.startswith("wrong.py:")] == [], done.stdout + done.stderr
    assert {int(line.split(":")[1]) for line in found} == set(range(3, 3 + len(WRONG))), done.stdout


def test_type_checkers_are_told():
    assert (PACKAGE / "py.typed").exists()
    stub = (PACKAGE / "_core.pyi").read_text(encoding="utf-8")
    for name in dir(fluvia._core):
        if not name.startswith("_"):
            assert f"def {name}(" in stub or f"class {name}:" in stub, name


def test_everything_public_says_what_it_is():
    silent = []
    for name in fluvia.__all__:
        thing = getattr(fluvia, name)
        if not callable(thing):
            continue
        if not inspect.getdoc(thing):
            silent.append(name)
        if inspect.isclass(thing) and not issubclass(thing, Exception):
            source = inspect.getsource(thing)
            for member, value in vars(thing).items():
                if not member.startswith("_") and not isinstance(value, (int, float, str)) and not value.__doc__:
                    silent.append(f"{name}.{member}")
            for field in getattr(thing, "__dataclass_fields__", {}):  # a text below each
                line = next(k for k, text in enumerate(source.splitlines()) if text.strip().startswith(f"{field}:"))
                if not source.splitlines()[line + 1].strip().startswith('"""'):
                    silent.append(f"{name}.{field}")
    assert silent == []
