# SPDX-License-Identifier: Apache-2.0
"""`fluvia movie`: films of a run's pictures, whose colours mean the same values in every frame."""
import io
import json
import os
import re
import shutil
import subprocess

import numpy as np
import pytest
from browser import Browser, find_browser
from conftest import CASES, fluvia, must
from PIL import Image

with_ffmpeg = pytest.mark.skipif(shutil.which("ffmpeg") is None or shutil.which("ffprobe") is None,
                                 reason="no ffmpeg (Debian: ffmpeg)")


@pytest.fixture(scope="module")
def cavity_series(tmp_path_factory):
    """Two series of six pictures."""
    folder = tmp_path_factory.mktemp("movie") / "out"
    must("run", CASES / "cavity.toml", "--steps", 600, "--output", folder, "--device", "cpu", "--set", "domain.nodes=[41,40]",
         "--set", "monitor.probe.centre.position=[20.5,20.5]", "--set", "output.every=100")
    return folder


def copy_of(folder, tmp_path):
    return shutil.copytree(folder, tmp_path / "copy")


def without_ffmpeg(tmp_path):
    """PATH of a machine without ffmpeg."""
    empty = tmp_path / "bin"
    empty.mkdir(exist_ok=True)
    return str(empty)


def refused(code, *words, **environment):
    done = fluvia("movie", *words, **environment)
    assert done.returncode == code, done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    return done.stderr


def frames_of(film):
    """[frame, row, column, colour] of a film, by ffmpeg."""
    probe = subprocess.run(["ffprobe", "-v", "error", "-show_streams", "-of", "json", film], capture_output=True, check=True)
    stream = json.loads(probe.stdout)["streams"][0]
    raw = subprocess.run(["ffmpeg", "-v", "error", "-i", film, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], capture_output=True,
                         check=True).stdout
    return stream, np.frombuffer(raw, np.uint8).reshape(-1, stream["height"], stream["width"], 3).astype(int)


def pictures_of(folder, series="slice-velocity-z"):
    return [np.asarray(Image.open(file).convert("RGB")).astype(int) for file in sorted(folder.glob(series + "-*.png"))]


def beside(frame):
    """What is right of the picture: the colour bar and its numbers."""
    return frame[150:, -200:]


def keep(file):
    if os.environ.get("FLUVIA_TEST_PICTURES"):
        shutil.copy(file, os.environ["FLUVIA_TEST_PICTURES"])


@with_ffmpeg
def test_a_film_has_one_range_of_colours(cavity_series, tmp_path):
    film = tmp_path / "movie.mp4"
    done = must("movie", cavity_series, "--series", "slice-velocity-z", "--output", film, "--rate", 5)
    keep(film)
    stream, frames = frames_of(film)
    assert (stream["codec_name"], stream["pix_fmt"], stream["r_frame_rate"]) == ("h264", "yuv420p", "5/1")
    assert len(frames) == 6 and stream["width"] % 2 == 0 and stream["height"] % 2 == 0
    assert "6 frames of slice-velocity-z, 1.2 s" in done.stdout and "colours from 0 to 0.0" in done.stdout
    own = pictures_of(cavity_series)
    changes = np.abs(beside(own[0]) - beside(own[-1])).mean()
    assert changes > 1, "in pictures of a run the range changes"
    assert np.abs(beside(frames[0]) - beside(frames[-1])).mean() < 0.3 * changes, "but not in a film"
    # What is of no colour of the bar is as the run drew it: titles, and the frame around the picture.
    assert np.abs(frames[-1][:100, :600] - own[-1][:100, :600]).mean() < 4
    assert not [name for name in os.listdir(tmp_path) if "tmp" in name]


@with_ffmpeg
@pytest.mark.skipif(find_browser() is None, reason="no browser (Debian: chromium-headless-shell)")
def test_browsers_show_it(cavity_series, tmp_path):
    must("movie", cavity_series, "--series", "velocity-z", "--output", tmp_path / "movie.gif")
    keep(tmp_path / "movie.gif")
    page = tmp_path / "page.html"
    page.write_text("<img src='movie.gif'>")
    with Browser() as browser:
        browser.open(page)
        assert browser.value("document.images[0].naturalWidth") > 1000 and browser.errors == []


def test_a_gif_without_ffmpeg(cavity_series, tmp_path):
    film = tmp_path / "film.gif"
    must_env = fluvia("movie", cavity_series, "--series", "slice-vorticity-z", "--output", film, "--rate", 4,
                      PATH=without_ffmpeg(tmp_path))
    assert must_env.returncode == 0, must_env.stderr
    with Image.open(film) as gif:
        assert gif.n_frames == 6 and gif.info["duration"] == 250 and gif.info["loop"] == 0
        frames = []
        for k in range(gif.n_frames):
            gif.seek(k)
            frames.append(np.asarray(gif.convert("RGB")).astype(int))
    # The palettes of two frames differ, their colour bars do not.
    assert np.abs(beside(frames[0]) - beside(frames[-1])).mean() < 1.5
    assert np.abs(frames[1] - frames[-1]).max() > 100, "the flow moves"


def test_no_film_without_ffmpeg(cavity_series, tmp_path):
    words = refused(4, cavity_series, "--series", "velocity-z", PATH=without_ffmpeg(tmp_path))
    assert "Debian: the package ffmpeg" in words and not (cavity_series / "movie.mp4").exists()
    empty = tmp_path / "python"
    empty.write_text("#!/bin/sh\nexec /usr/bin/python3 -S -I \"$@\"\n")
    empty.chmod(0o755)
    if subprocess.run([empty, "-c", "import PIL"], capture_output=True, check=False).returncode != 0:
        words = refused(4, cavity_series, "--series", "velocity-z", "--output", tmp_path / "a.gif", PATH=without_ffmpeg(tmp_path),
                        FLUVIA_PYTHON=str(empty))
        assert "there is no ffmpeg" in words and "no Pillow" in words and not (tmp_path / "a.gif").exists()


def test_what_ffmpeg_says_is_told(cavity_series, tmp_path):
    fake = tmp_path / "ffmpeg"
    fake.write_text("#!/bin/sh\necho first >&2\necho Unknown encoder >&2\nexit 3\n")
    fake.chmod(0o755)
    words = refused(4, cavity_series, "--series", "velocity-z", "--output", tmp_path / "x.mp4",
                    PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert "'" + str(tmp_path / "x.mp4") + "' cannot be made: ffmpeg says: Unknown encoder" in words
    assert sorted(os.listdir(tmp_path)) == ["ffmpeg"]


def test_series_have_to_be_chosen(cavity_series, tmp_path):
    words = refused(2, cavity_series)
    assert "slice-velocity-z, slice-vorticity-z" in words
    assert "did you mean 'slice-velocity-z'" in refused(2, cavity_series, "--series", "slice-velocty-z")
    assert "has to end in .mp4 or .gif" in refused(2, cavity_series, "--output", tmp_path / "x.avi")
    assert "the lower one first" in refused(2, cavity_series, "--range=1,0")
    assert "the lower one first" in refused(2, cavity_series, "--range=1")


def test_folders_without_pictures(cavity_series, tmp_path):
    assert "has no pictures of slices" in refused(3, tmp_path)
    assert "No such file" in refused(3, tmp_path / "nowhere")
    shutil.copy(sorted(cavity_series.glob("slice-velocity-z-*.png"))[2], tmp_path)
    words = refused(3, tmp_path)
    assert "a film needs two pictures, and there is 1 of slice-velocity-z (step 300)" in words
    assert "output.every = 6" in words


@with_ffmpeg
def test_steps_and_range_can_be_chosen(cavity_series, tmp_path):
    film = tmp_path / "part.mp4"
    done = must("movie", cavity_series, "--series", "velocity-z", "--output", film, "--first", 150, "--last", 400, "--range=-0.01,0.02")
    assert "3 frames" in done.stdout and "colours from -0.01 to 0.02" in done.stdout
    assert len(frames_of(film)[1]) == 3
    assert "among those chosen of steps 100 to 600" in refused(3, cavity_series, "--series", "velocity-z", "--first", 590)


@with_ffmpeg
def test_pictures_without_values_are_taken_as_they_are(cavity_series, tmp_path):
    folder = copy_of(cavity_series, tmp_path)
    file = sorted(folder.glob("slice-velocity-z-*.png"))[2]
    with Image.open(file) as picture:
        small = picture.resize((picture.width - 101, picture.height - 51))
    small.save(file)
    done = must("movie", folder, "--series", "velocity-z")
    assert done.stderr.count("\n") == 1 and "these pictures have no values" in done.stderr and "colours" not in done.stdout
    _, frames = frames_of(folder / "movie.mp4")
    assert len(frames) == 6 and frames[2][-40:].min() > 240, "the smaller one is white below"
    assert np.abs(beside(frames[0]) - beside(frames[-1])).max() > 100
    assert "has no values" in refused(3, folder, "--series", "velocity-z", "--range=0,1")
    file.write_bytes(file.read_bytes()[:2000])
    assert f"{file}: is no PNG that can be read" in refused(3, folder, "--series", "velocity-z")


@with_ffmpeg
def test_damaged_values_cost_the_range_alone(cavity_series, tmp_path):
    folder = copy_of(cavity_series, tmp_path)
    file = sorted(folder.glob("slice-velocity-z-*.png"))[0]
    data = bytearray(file.read_bytes())
    data[data.index(b"fvFG") + 40] ^= 255
    file.write_bytes(data)
    assert "these pictures have no values" in must("movie", folder, "--series", "velocity-z").stderr


def test_pictures_of_a_run_are_those_that_programs_know(cavity_series):
    for file in cavity_series.glob("slice-*.png"):
        with Image.open(file) as picture:
            picture.load()
            assert picture.format == "PNG"
        assert re.search(rb"fvFG", file.read_bytes())
        with Image.open(io.BytesIO(file.read_bytes())) as picture:
            picture.verify()
