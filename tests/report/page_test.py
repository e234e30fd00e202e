# SPDX-License-Identifier: Apache-2.0
"""docs/report.md: its commands as a reader would type them, on fewer steps."""
import os
import re
import subprocess
from pathlib import Path

from conftest import BINARY, must

PAGE = Path(os.environ["FLUVIA_SOURCE"]) / "docs" / "report.md"


def test_the_commands_of_the_page(tmp_path):
    commands = "".join(re.findall(r"```sh\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL))
    assert commands.count("fluvia report") >= 2
    must("new", "aneurysm", tmp_path / "my-flow")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "fluvia").symlink_to(BINARY)
    commands = commands.replace("fluvia run ", "fluvia run --steps 20 --device cpu ")
    done = subprocess.run(["sh", "-e", "-c", commands], cwd=tmp_path, capture_output=True, text=True, check=False,
                          env={**os.environ, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"})
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "aneurysm.html").read_text(encoding="utf-8")
    assert page == (tmp_path / "out" / "aneurysm" / "report.html").read_text(encoding="utf-8")
    for section in re.findall(r"^\| ([A-Z][^|]*?) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE):
        for name in section.split(", ") if section.startswith("Results") else [section]:
            assert f">{name}</h2>" in page, name
