# SPDX-License-Identifier: Apache-2.0
"""Pages in a real browser without a window: nothing fails, nothing is loaded, and what is to be seen is seen."""
import io
import os
from pathlib import Path

import numpy as np
import pytest
from browser import Browser, find_browser
from conftest import must

pytestmark = pytest.mark.skipif(find_browser() is None, reason="no browser (Debian: chromium-headless-shell); FLUVIA_BROWSER names one")
READY = "document.getElementById('view-live')?.dataset.ready === 'true'"


def pixels(png, name=None):
    """[row, column, color]; kept in the folder FLUVIA_TEST_PICTURES to be looked at."""
    from PIL import Image

    if name and os.environ.get("FLUVIA_TEST_PICTURES"):
        (Path(os.environ["FLUVIA_TEST_PICTURES"]) / f"report-{name}.png").write_bytes(png)
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB")).astype(int)


def colorful(picture):
    """Share of pixels that are clearly no grey."""
    return float((np.ptp(picture, axis=2) > 40).mean())


@pytest.fixture(scope="module")
def pages(cavity, vessel):
    for run in (cavity, vessel):
        must("report", run)
    return {"cavity": cavity / "report.html", "vessel": vessel / "report.html"}


@pytest.fixture(scope="module")
def flow(pages):
    """A page with a flow to turn, opened once: that takes as long as all that is asked of it."""
    with Browser() as browser:
        browser.open(pages["vessel"])
        browser.wait_for(READY)
        yield browser


def test_the_flow_is_seen_and_turns(flow):
    before = pixels(flow.picture("#view-live"), "view")
    if os.environ.get("FLUVIA_TEST_PICTURES"):
        pixels(flow.picture(whole=True), "vessel")
    middle = before[60:-60, 150:-150]
    assert colorful(middle) > 0.08, "the canvas is blank"
    assert flow.value("getComputedStyle(document.getElementById('view-still')).display") == "none"
    flow.drag("#view-live", 160, 60)
    after = pixels(flow.picture("#view-live"), "turned")
    assert (np.abs(after - before).max(axis=2) > 40).mean() > 0.02, "it does not turn"
    assert flow.errors == []


def test_walls_are_opaque_and_have_a_choice_of_colours(flow):
    """Lines within the wall come when one looks through it; another colour brings its own bar."""
    data = "document.getElementById('view-live').data"
    assert flow.value(f"{data}[0].opacity") == 1 and flow.value(f"{data}[1].visible") is False
    first = pixels(flow.picture("#view-live"), "stress")
    assert flow.value(f"{data}[0].colorbar.title.text") == "wall shear stress [Pa]"
    flow.value("(select => { select.selectedIndex = 1; select.dispatchEvent(new Event('change')); })"
               "(document.querySelector('select[name=color]'))")
    flow.wait_for(f"{data}[0].colorbar.title.text === 'pressure [Pa]'")
    flow.value("new Promise(done => setTimeout(done, 800))")
    second = pixels(flow.picture("#view-live"), "pressure")
    assert (np.abs(second - first).max(axis=2) > 40).mean() > 0.02, "the wall keeps its colours"
    flow.value("document.querySelector('input[name=wall][value=\"0.45\"]').click()")
    flow.wait_for(f"{data}[0].opacity < 1 && {data}[1].visible === true")
    assert flow.errors == []


def test_buttons_of_the_view(flow):
    both = pixels(flow.picture("#view-live"))
    flow.value("document.querySelector('input[name=wall][value=\"0\"]').click()")
    flow.value("(box => { if (box.checked) box.click(); })(document.querySelector('input[name=lines]'))")
    flow.wait_for("document.getElementById('view-live').data.every(trace => trace.visible === false)")
    flow.value("new Promise(done => setTimeout(done, 500))")
    none = pixels(flow.picture("#view-live"), "hidden")
    assert colorful(none[60:-60, 150:-150]) < 0.2 * colorful(both[60:-60, 150:-150])
    flow.value("document.querySelector('input[name=wall][value=\"1\"]').click()")
    flow.wait_for("document.getElementById('view-live').data[0].opacity === 1")
    assert flow.errors == []


def test_without_scripts_there_is_a_picture(pages):
    with Browser(scripts=False) as browser:
        browser.open(pages["vessel"])
        browser.call("Emulation.setScriptExecutionDisabled", value=False)  # for the questions below only
        assert browser.value("document.getElementById('view-live').hidden && document.getElementById('view-buttons').hidden")
        assert colorful(pixels(browser.picture("#view-still"), "still")) > 0.05
        assert browser.errors == []


def test_two_dimensions_light_and_dark(pages):
    shown = {}
    for dark in (False, True):
        with Browser(dark=dark) as browser:
            browser.open(pages["cavity"])
            shown[dark] = pixels(browser.picture(whole=True), "cavity-dark" if dark else "cavity")
            assert browser.value("[...document.images].every(image => image.complete && image.naturalWidth > 0)")
            assert browser.value("document.title").startswith("<script>alert(1)</script>")
            # Text of the plots has the page's colour.
            assert browser.value("[...document.querySelectorAll('figure svg text')].every(text => "
                                 "getComputedStyle(text).fill === getComputedStyle(document.body).color)")
            assert browser.errors == []
    assert shown[False].mean() > 200 and shown[True].mean() < 90
    assert colorful(shown[False]) > 0.03


@pytest.mark.parametrize("width", [420, 1280])
def test_nothing_sticks_out(pages, width):
    with Browser(width=width) as browser:
        for page in pages.values():
            browser.open(page)
            assert browser.value("document.documentElement.scrollWidth <= innerWidth"), page
        assert browser.errors == []


def test_it_notices_what_goes_wrong(tmp_path):
    """Otherwise the tests above would say nothing."""
    page = tmp_path / "page.html"
    page.write_text("<script>console.error('x')</script><script>throw 1</script><img src='http://127.0.0.1:9/x.png'>")
    with Browser() as browser:
        browser.open(page)
        browser.value("1")
        assert len(browser.errors) >= 3
