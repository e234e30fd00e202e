# SPDX-License-Identifier: Apache-2.0
"""The site: it is built without a warning (a link to nowhere is one), and has what its parts are made from."""
import html.parser
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest
from pages import PAGES, SOURCE

SITE = SOURCE / "build" / "docs"


class Links(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.links.append(value)
            if name in ("id", "name") and value:
                self.anchors.add(value)


@pytest.fixture(scope="module")
def site():
    done = subprocess.run([SOURCE / "scripts" / "docs"], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
                          env={**os.environ, "FLUVIA_PYTHON": sys.executable})
    if done.returncode == 4:
        pytest.skip(done.stderr)
    assert done.returncode == 0, done.stdout + done.stderr
    return {file: file.read_text(encoding="utf-8") for file in SITE.rglob("*.html")}


def test_it_has_every_page(site):
    for page in PAGES:
        assert SITE / page.relative_to(SOURCE).with_suffix(".html") in site, page
    assert "docs/index.html" in site[SITE / "index.html"]


def test_links_within_it(site):
    parsed = {file: Links(text) for file, text in site.items()}
    count = 0
    for file, page in parsed.items():
        for link in page.links:
            url = urlparse(link)
            if url.scheme or url.netloc:
                continue
            target = (file.parent / unquote(url.path)).resolve() if url.path else file
            if target.is_dir():
                target /= "index.html"
            assert target.is_file(), f"{file}: {link}"
            if url.fragment and target in parsed:
                assert unquote(url.fragment) in parsed[target].anchors, f"{file}: {link}"
            count += 1
    assert count > 1000


def test_it_loads_nothing_from_elsewhere(site):
    for file, text in site.items():
        assert not re.findall(r"<(?:script|link|img)[^>]*(?:src|href)=\"(?:https?:)?//", text), file


def test_the_interfaces_are_there(site):
    python, cpp = (site[SITE / "docs" / "site" / f"{name}-api.html"] for name in ("python", "cpp"))
    package = (SOURCE / "python" / "fluvia" / "__init__.py").read_text(encoding="utf-8")
    public = re.findall(r'"(\w+)"', package[package.index("__all__"):])
    assert "geometry" in public
    for name in {*public, "Simulation.step", "Case.changed"} - {"__version__", "field_names"}:
        assert f'id="fluvia.{name}"' in python, name
    headers = re.findall(r"^\| `([a-z_]+/[a-z_]+\.hpp)`", (SOURCE / "docs" / "cpp.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(headers) >= 10
    for header in headers:
        assert f">fluvia/{header}<" in cpp, header
    for text in ("set_boundary", "Begins again at step 0", "run_case", "measure_permeability"):
        assert text in cpp, text


def test_the_reference_of_cases_is_in_it(site):
    assert "taylor-green" in site[SITE / "docs" / "case-file.html"]


def test_pictures_of_the_theory_can_be_drawn_again(tmp_path):
    pytest.importorskip("matplotlib")
    subprocess.run([sys.executable, SOURCE / "scripts" / "draw_theory.py", "--output", tmp_path], check=True, capture_output=True)
    pages = "".join((SOURCE / "docs" / page).read_text(encoding="utf-8") for page in ("theory.md", "architecture.md", "fused-steps.md"))
    drawn = {file.name for file in tmp_path.iterdir()}
    assert drawn == {Path(name).name for name in re.findall(r"\(images/([a-z-]+\.svg)\)", pages)}
    assert all((SOURCE / "docs" / "images" / name).is_file() for name in drawn)
