# SPDX-License-Identifier: Apache-2.0
"""Runs whose pages the tests look at: small, and made once for all tests of a file."""
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

BINARY = os.environ["FLUVIA_BINARY"]
CASES = Path(os.environ["FLUVIA_CASES"])


def load_parts():
    """The package that the program has in itself and the Python package as fluvia._report, by itself as fluvia_report."""
    folder = Path(os.environ["FLUVIA_SOURCE"]) / "python" / "fluvia" / "_report"
    spec = importlib.util.spec_from_file_location("fluvia_report", folder / "__init__.py",
                                                  submodule_search_locations=[str(folder)])
    sys.modules["fluvia_report"] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)


load_parts()


def fluvia(*words, **environment):
    """Runs the program; what it says and its exit code."""
    return subprocess.run([BINARY, *map(str, words)], capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})


def must(*words):
    done = fluvia(*words)
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="session")
def cavity(tmp_path_factory):
    """Two dimensions, no openings, a title that wants to be HTML."""
    folder = tmp_path_factory.mktemp("runs") / "cavity"
    must("run", CASES / "cavity.toml", "--steps", 600, "--output", folder, "--device", "cpu", "--set", "domain.nodes=[40,40]",
         "--set", 'title="<script>alert(1)</script> & $x_1$"', "--set", "monitor.every=10",
         "--set", "monitor.probe.centre.position=[20.5,20.5]")
    return folder


@pytest.fixture(scope="session")
def vessel(tmp_path_factory):
    """Three dimensions, openings, the stress at the wall."""
    folder = tmp_path_factory.mktemp("runs") / "vessel"
    must("run", CASES / "aneurysm.toml", "--steps", 300, "--output", folder, "--device", "cpu", "--set", "units.spacing=4e-4",
         "--set", "monitor.every=10", "--set", "output.wall=true", "--set", "units.viscosity=1e-5")
    return folder
