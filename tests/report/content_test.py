# SPDX-License-Identifier: Apache-2.0
"""What a page says, of runs with two and three dimensions, with and without fields."""
import html.parser
import json
import re
import shutil
import struct
import zlib

import numpy as np
import pytest
from conftest import CASES, must


class Reader(html.parser.HTMLParser):
    """Whether all elements are closed, what the page shows, and what it would load."""

    VOID = {"meta", "img", "input", "br", "hr", "path", "use", "link"}

    def __init__(self, page):
        super().__init__()
        self.open, self.words, self.images, self.loads, self.ids, self.heads = [], [], [], [], [], 0
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.heads += tag == "th" and attributes.get("scope") in ("row", "col")
        if tag == "img":
            self.images.append(attributes)
        if tag == "svg":
            assert attributes["role"] == "img" and len(attributes["aria-label"]) > 10
        if "id" in attributes:
            self.ids.append(attributes["id"])
        for name in ("src", "href"):
            if attributes.get(name, "#").split(":")[0] not in ("#", "data") and not attributes[name].startswith("#"):
                self.loads.append(attributes[name])
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        if tag not in self.VOID:
            self.handle_starttag(tag, attrs)
            self.open.pop()

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag, f"</{tag}> at {self.getpos()}"

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("script", "style"):
            self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())


MADE = {}


def report(folder):
    """What the program says, and the page; made once for each folder."""
    if folder not in MADE:
        MADE[folder] = must("report", folder), (folder / "report.html").read_text(encoding="utf-8")
    return MADE[folder]


def png_pixels(data):
    """Width, height and whether there is more than one colour, without other software."""
    width, height = struct.unpack(">II", data[16:24])
    body, at = b"", 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body += data[at + 8:at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    return width, height, len(set(zlib.decompress(body)))


def test_two_dimensions(cavity):
    done, page = report(cavity)
    assert done.stdout.startswith(str(cavity / "report.html")) and done.stderr == ""
    read = Reader(page)
    summary = json.loads((cavity / "summary.json").read_text())
    assert read.loads == [] and len(read.ids) == len(set(read.ids))
    for word in ("Results", "Checks", "Slices", "Convergence and monitors", "Geometry", "Files and warnings", "Statistics",
                 "max_velocity", "centre_u", summary["case_hash"], "Fluvia " + summary["version"], "fields-000000600.vtkhdf"):
        assert word in read.text, word
    assert "The flow" not in read.text and "view-data" not in page, "nothing to turn in two dimensions"
    for finding in summary["results"]["verdict"]["findings"]:
        assert " ".join(finding["found"].split()) in read.text
    assert summary["results"]["verdict"]["verdict"] in read.text
    assert read.heads > 20 and all(len(image["alt"]) > 5 for image in read.images)
    assert len(page) < 3e6


def test_texts_of_the_case_are_no_markup(cavity):
    _, page = report(cavity)
    assert "<script>alert" not in page
    assert "<script>alert(1)</script> & $x_1$" in Reader(page).text


def test_how_to_make_it_again(cavity, tmp_path):
    """The case in the page, saved and run by the command in the page, is the same flow."""
    _, page = report(cavity)
    text = Reader(page).text
    summary = json.loads((cavity / "summary.json").read_text())
    assert "fluvia run " + str(CASES / "cavity.toml") in text and "--set 'domain.nodes=[40,40]'" in text
    assert "fluvia run case.toml --steps 600" in text or "fluvia run case.toml --device cpu --steps 600" in text
    (tmp_path / "case.toml").write_text(summary["case"])
    must("run", tmp_path / "case.toml", "--device", "cpu", "--steps", 600, "--output", tmp_path / "again")
    again = json.loads((tmp_path / "again" / "summary.json").read_text())
    assert again["case_hash"] == summary["case_hash"]
    assert again["results"]["quantities"] == summary["results"]["quantities"]


def test_the_same_run_has_the_same_page(cavity, vessel, tmp_path):
    for run in (cavity, vessel):
        must("report", run, "--output", tmp_path / "again.html")
        assert (tmp_path / "again.html").read_text(encoding="utf-8") == report(run)[1]
    assert {file.name for file in tmp_path.iterdir()} == {"again.html"}, "nothing half-written stays"


def test_three_dimensions(vessel):
    done, page = report(vessel)
    assert done.stderr == ""
    read = Reader(page)
    assert read.loads == [] and len(page) < 15e6
    for word in ("The flow", "coloured by wall shear stress (from wall-000000300.vtp)", "streamlines", "x_min", "y_max",
                 "wall_shear_stress_max", "Openings"):
        assert word in read.text, word
    data = json.loads(re.search(r'id="view-data">(.*?)</script>', page, re.DOTALL).group(1))
    assert [trace["type"] for trace in data["data"]] == ["mesh3d", "scatter3d"]
    assert data["data"][0]["cmax"] > 0
    assert sum(image["src"].startswith("data:image/png") for image in read.images) >= 4


def test_the_drawn_pictures_are_not_blank(vessel):
    import base64

    read = Reader(report(vessel)[1])
    drawn = [image for image in read.images if "The wall" in image["alt"]]
    assert len(drawn) == 2
    for image in drawn:
        width, height, colors = png_pixels(base64.b64decode(image["src"].split(",")[1]))
        assert width == 1500 and height == 960 and colors > 50


def test_what_other_grids_said(cavity, tmp_path):
    """Value, ± in time, ± of the grid, limit and order stand side by side; without other grids the page says so."""
    assert "run the case on other grids, too (--refine-check)" in Reader(report(cavity)[1]).text
    must("verify", CASES / "cavity.toml", "--steps", 300, "--output", tmp_path / "run", "--device", "cpu",
         "--set", "domain.nodes=[32,32]", "--set", "monitor.every=10", "--set", "monitor.probe.centre.position=[16.5,16.5]")
    results = json.loads((tmp_path / "run" / "summary.json").read_text())["results"]
    text = Reader(report(tmp_path / "run")[1]).text
    assert "± of the grid" in text and "limit of fine grids" in text and "--refine-check)" not in text
    assert "Grids that the case ran on besides its own" in text
    stress = next(q for q in results["quantities"] if q["name"] == "wall_shear_stress_mean")
    row = text[text.index("wall_shear_stress_mean"):][:200]
    for key, digits in (("grid_error", 2), ("limit", 6), ("order", 2)):
        assert stress[key] is None or f"{stress[key]:.{digits}g}" in row, (key, row)
    for grid in results["grids"]:
        assert f"{grid['factor']:.3g} {grid['spacing']:.4g} {grid['steps']}" in text


def copy_of(run, tmp_path, without=()):
    folder = tmp_path / "copy"
    shutil.copytree(run, folder)
    for pattern in without:
        for file in folder.glob(pattern):
            file.unlink()
    return folder


def test_a_wall_without_its_file_comes_from_the_nodes(vessel, tmp_path):
    page = report(copy_of(vessel, tmp_path, ["wall-*"]))[1]
    assert "coloured by wall shear stress (from the surface between fluid and other nodes)" in Reader(page).text
    assert "mesh3d" in page


@pytest.mark.parametrize(("surfaces", "kept"), [((4, 7), 1), ((4, 5), 2), ((6, 7), 2)])
def test_faces_of_the_box_do_not_hide_a_body(tmp_path, surfaces, kept):
    import pyvista
    from fluvia_report.scene import wall_of_file

    points = [(0.0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1)]
    wall = pyvista.PolyData(points, faces=[3, 0, 1, 2, 3, 3, 4, 5])
    wall.cell_data["surface"] = surfaces
    wall.cell_data["wall_shear_stress"] = [(1.0, 0, 0), (0, 2.0, 0)]
    wall.save(tmp_path / "wall-000000001.vtp")
    shown = wall_of_file(tmp_path / "wall-000000001.vtp", si=True)
    assert len(shown.triangles) == kept
    assert ("without the faces of the box" in shown.origin) == (kept == 1)
    assert shown.colorings[0].values.max() == 2.0


def test_walls_have_all_colours_that_the_run_wrote(tmp_path):
    """Stress, its average, OSI and RRT, each with unit and range; the pressure of both signs around 0."""
    import pyvista
    from fluvia_report.scene import wall_of_file
    from fluvia_report.view import shown_as

    mesh = pyvista.Sphere(radius=0.01)
    height = mesh.cell_centers().points[:, 2] / 0.01
    mesh.cell_data["surface"] = np.full(mesh.n_cells, 6)
    mesh.cell_data["wall_shear_stress"] = np.column_stack([height, 0 * height, 0 * height])
    mesh.cell_data["pressure"] = 10 * height
    mesh.cell_data["average_shear_magnitude"] = 2 + height
    mesh.cell_data["oscillatory_shear_index"] = np.where(height > 0, np.nan, 0.25 * (1 + height))
    mesh.cell_data["relative_residence_time"] = 1 / (2 + height)
    mesh.save(tmp_path / "wall-000000001.vtp")
    colorings = wall_of_file(tmp_path / "wall-000000001.vtp", si=True).colorings
    assert [coloring.title for coloring in colorings] == [
        "wall shear stress [Pa]", "time-averaged wall shear stress (TAWSS) [Pa]", "oscillatory shear index (OSI)",
        "relative residence time (RRT) [1/Pa]", "pressure [Pa]"]
    assert all(len(coloring.values) == mesh.n_points and np.isfinite(coloring.values).all() for coloring in colorings)
    assert [coloring.range.low for coloring in colorings[:4]] == [0, 0, 0, 0]
    assert colorings[1].range.high == pytest.approx(3, rel=0.03)
    assert colorings[4].range.low == -colorings[4].range.high == pytest.approx(-10, rel=0.03)
    assert colorings[4].range.map != colorings[0].range.map
    assert shown_as(colorings[3])["colorbar"]["title"]["text"] == "relative residence time (RRT) [1/Pa]"


@pytest.mark.parametrize(("values", "from_zero", "low", "high", "diverges"), [
    ([1, 2, 3], False, 1, 3, False),
    ([0.1, 2, 3], False, 0, 3, False),
    ([-1, 2, 3], False, -3, 3, True),
    ([-0.01, 2, 3], False, -0.01, 3, False),
    ([-3, -2, -1], False, -3, -1, False),
    ([1, 2, 3], True, 0, 3, False),
    ([5, 5, 5], False, 4.75, 5.25, False),
    ([0, 0, 0], False, 0, 1, False),
    ([float("nan")], False, 0, 1, False),
    ([0] * 50 + list(range(100)) + [10_000], False, 0, 99, False),
])
def test_colours_of_values(values, from_zero, low, high, diverges):
    from fluvia_report.colors import DIVERGING, color_range

    found = color_range(np.array(values), 1, from_zero)
    assert found.limits == pytest.approx((low, high), rel=0.02)
    assert (found.map == DIVERGING) == diverges


def test_planes_go_through_bodies():
    """A body that is not in the middle of its box is cut through its own; without one it is the box's."""
    from fluvia_report.fields import Fields

    size = np.array([40, 20, 12])
    place = np.stack(np.meshgrid(*(np.arange(n) for n in size), indexing="ij"), axis=-1).reshape(-1, 3)
    body = np.all((place >= (6, 2, 0)) & (place < (11, 9, 4)), axis=1)

    def middles(index):
        fields = Fields(index, size, np.zeros(3), np.ones(3), {})
        return [fields.middle(axis) for axis in range(3)]

    assert middles(place[~body]) == [8, 5, 2]
    assert middles(place) == [20, 10, 6]


def test_pictures_of_the_run_have_their_titles(vessel):
    text = Reader(report(vessel)[1]).text
    assert re.search(r"Speed, z = [\d.]+ mm, t = [\d.]+ m?s", text), text


def test_without_fields_it_says_so(vessel, cavity, tmp_path):
    page = report(copy_of(vessel, tmp_path, ["wall-*", "fields-*", "slice-*"]))[1]
    text = Reader(page).text
    assert "There is no three-dimensional view" in text and "wrote no field file" in text and "view-data" not in page


def test_monitors_with_holes_and_many_rows(cavity, tmp_path):
    folder = copy_of(cavity, tmp_path)
    head = "step,time [lattice],kinetic_energy [lattice],gap [-]\n"
    rows = "".join(f"{k},{k},{1 if k != 70000 else 50},{'nan' if k % 3 else 'inf'}\n" for k in range(1, 100_001))
    (folder / "monitors.csv").write_text(head + rows + "100001,1000")  # cut off while it was written
    page = report(folder)[1]
    assert len(page) < 3e6
    assert "Course of kinetic_energy" in page and "gap" not in re.findall(r'aria-label="([^"]*)"', page)


def test_an_interrupted_run_and_an_older_one(cavity, tmp_path):
    folder = copy_of(cavity, tmp_path)
    summary = json.loads((folder / "summary.json").read_text())
    for key in ("case", "command"):
        del summary[key]
    del summary["results"]["verdict"]
    summary["results"] |= {"ended_because": "interrupted", "planned_last_step": 5000}
    (folder / "summary.json").write_text(json.dumps(summary))
    text = Reader(report(folder)[1]).text
    assert "step 600 of 5000 · ended: interrupted" in text
    assert "No verdict" in text and "does not have the text of the case" in text


def test_numbers_have_the_digits_that_their_errors_leave():
    from fluvia_report.markup import number, size, with_error

    assert with_error(3.033517, 0.0123) == ("3.034", "0.012")
    assert with_error(-19.34, 13) == ("-19", "13")
    assert with_error(24.001, 8.5) == ("24.0", "8.5") and with_error(1300, 130) == ("1300", "130")
    assert with_error(1.5, None) == ("1.5", "?") and with_error(None, 1) == ("–", "–")
    assert with_error(1.23456789e-6, 0) == ("1.23457e-06", "0")
    assert number(float("nan")) == "nan" and size(2048) == "2.0 KiB"


@pytest.mark.parametrize("count", [10, 1600, 1601, 250_000])
def test_thinned_courses_keep_their_peaks(count):
    from fluvia_report.plots import MOST_POINTS, thin

    y = np.sin(np.arange(count))
    y[count // 3] = 40
    kept, values = thin(np.arange(count), y)
    assert len(kept) <= MOST_POINTS and values.max() == 40 and np.all(np.diff(kept) > 0)
    assert kept[0] == 0 and kept[-1] == count - 1


def test_python_makes_the_same_page(cavity, tmp_path):
    fluvia_module = pytest.importorskip("fluvia", reason="the Python package is not built (FLUVIA_PYTHON)")
    page = fluvia_module.report(cavity, file=tmp_path / "python.html")
    assert page == tmp_path / "python.html" and page.read_text(encoding="utf-8") == report(cavity)[1]


def test_nothing_steps_out_of_its_place(vessel, tmp_path):
    """Whatever stands in the files of a run, say one that came by mail."""
    folder = copy_of(vessel, tmp_path)
    summary = json.loads((folder / "summary.json").read_text())
    evil = "</script></title><img src=x onerror=alert(1)>\"'$\\frac{"

    def spoil(value):
        if isinstance(value, dict):
            return {key: item if key in ("system", "judgement", "verdict") and isinstance(item, str) else spoil(item)
                    for key, item in value.items()}
        return [spoil(item) for item in value] if isinstance(value, list) else evil if isinstance(value, str) else value

    (folder / "summary.json").write_text(json.dumps(spoil(summary)))
    lines = (folder / "monitors.csv").read_text().splitlines()
    lines[0] = lines[0].replace("max_velocity", evil)
    (folder / "monitors.csv").write_text("\n".join(lines))
    page = report(folder)[1]
    assert "<img src=x" not in page and "</script></title>" not in page
    assert Reader(page).text.count("<img src=x onerror=alert(1)>") > 20


def test_a_result_at_another_reynolds_number_says_so(cavity, tmp_path):
    run = tmp_path / "replaced"
    must("run", CASES / "cavity.toml", "--steps", 100, "--output", run, "--device", "cpu", "--set", "domain.nodes=[20,20]",
         "--set", "monitor.probe.centre.position=[10.5,10.5]", "--set", "monitor.every=5",
         "--set", "units.physical_viscosity=1e-6", "--set", "monitor.forces=[\"y_max\"]")
    must("report", run)
    words = Reader((run / "report.html").read_text(encoding="utf-8")).text
    summary = json.loads((run / "summary.json").read_text(encoding="utf-8"))
    at = next(q["at"] for q in summary["results"]["quantities"] if q["name"].startswith("force_"))
    assert at and words.count("at " + at) >= 2
    assert "Reynolds number" in words and " asked" in words


def test_results_of_blood_are_read_in_clinical_units_too(cavity, tmp_path):
    """The factor is that of summary.json, whose values stay in SI."""
    run = tmp_path / "blood"
    shutil.copytree(cavity, run)
    summary = json.loads((run / "summary.json").read_text(encoding="utf-8"))
    first = summary["results"]["quantities"][0]
    first.update(name="flow_inlet", unit="m3/s", value=1.25e-6, error=None, also={"unit": "ml/min", "factor": 6e7})
    (run / "summary.json").write_text(json.dumps(summary), encoding="utf-8")
    must("report", run)
    words = Reader((run / "report.html").read_text(encoding="utf-8")).text
    assert "in the unit of the field" in words and "75 ml/min" in words and "1.25e-06" in words


def test_what_a_body_does_along_all_axes_is_one_plot():
    from fluvia_report.runs import Column

    def group(name, unit):
        return Column(name, unit, np.empty(0)).group

    for kind in ("shaft_torque", "position", "velocity", "angular_velocity"):
        assert group(f"{kind}_ball_x", "m") == group(f"{kind}_ball_z", "m")
    assert group("position_ball_x", "m") != group("angle_ball_x", "rad")
