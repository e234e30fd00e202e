# SPDX-License-Identifier: Apache-2.0
"""fluvia.movie: films of the pictures of a run, as `fluvia movie` makes them."""
import os
import subprocess
import sys
from pathlib import Path

import fluvia
import pytest

Image = pytest.importorskip("PIL.Image", reason="no Pillow (scripts/setup --test)")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("movie") / "out"
    case = fluvia.Case.read(Path(os.environ["FLUVIA_CASES"]) / "cavity.toml",
                            settings=["domain.nodes=[41,40]", "monitor.probe.centre.position=[20.5,20.5]", "numerics.device='cpu'",
                                      "run.steps=400", "output.every=100"])
    fluvia.run(case, folder)
    return folder


def test_a_film_is_that_of_the_program(folder, tmp_path):
    film = fluvia.movie(folder, tmp_path / "film.gif", series="slice-velocity-z", rate=5, first=100, last=300, range=(0, 0.1))
    assert film == tmp_path / "film.gif"
    with Image.open(film) as picture:
        assert picture.n_frames == 3 and picture.info["duration"] == 200
    by_program = tmp_path / "program.gif"
    subprocess.run([os.environ["FLUVIA_BINARY"], "movie", folder, "--output", by_program, "--series", "slice-velocity-z", "--rate", "5",
                    "--first", "100", "--last", "300", "--range=0,0.1"], check=True, capture_output=True,
                   env={**os.environ, "FLUVIA_PYTHON": sys.executable})
    assert film.read_bytes() == by_program.read_bytes()


def test_films_that_cannot_be_are_refused(folder, tmp_path):
    for error, words, options in [
        (fluvia.InputError, "several series", {}),
        (fluvia.InputError, "needs two pictures", dict(series="slice-velocity-z", first=400)),
        (fluvia.InputError, "lower one first", dict(series="slice-velocity-z", range=(1, 0))),
        (fluvia.InputError, "3 numbers", dict(range=(0, 1, 2))),
    ]:
        with pytest.raises(error, match=words) as raised:
            fluvia.movie(folder, tmp_path / "film.gif", **options)
        assert "\n" not in str(raised.value) and not str(raised.value).startswith("fluvia")
    with pytest.raises(fluvia.InputError, match=r"\.mp4 or \.gif"):
        fluvia.movie(folder, tmp_path / "film.avi")
    with pytest.raises(fluvia.InputError, match="no pictures of slices"):
        fluvia.movie(tmp_path, tmp_path / "film.gif")
    assert not (tmp_path / "film.gif").exists()
