# SPDX-License-Identifier: Apache-2.0
"""A folder in which a reader could type what the pages show."""
import gzip
import os
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from pages import SOURCE

# Patients' vessels, rocks and bodies lie beside the source tree, not in it (their licences differ).
GEOMETRY = SOURCE.parent / "shared" / "geometry"


def write_stl(file, triangles):
    """A binary STL of `triangles`, (n, 3, 3)."""
    record = np.zeros(len(triangles), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    record["corners"] = triangles
    file.write_bytes(b"\0" * 80 + len(triangles).to_bytes(4, "little") + record.tobytes())


def tube(radius, length, around=32):
    """The wall of a pipe along z, open at both ends, normals outwards."""
    angles = np.linspace(0, 2 * np.pi, around + 1)
    ring = np.stack([radius * np.cos(angles), radius * np.sin(angles)], axis=1)
    triangles = []
    for a, b in zip(ring[:-1], ring[1:]):
        low_a, low_b, high_a, high_b = (*a, 0), (*b, 0), (*a, length), (*b, length)
        triangles += [(low_a, low_b, high_b), (low_a, high_b, high_a)]
    return np.array(triangles)


def brick(x, y, z):
    """A closed box from the origin to (x, y, z), normals outwards."""
    p = np.array([[i & 1, i >> 1 & 1, i >> 2 & 1] for i in range(8)]) * (x, y, z)
    faces = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    return np.array([triangle for a, b, c, d in faces for triangle in ((p[a], p[b], p[c]), (p[a], p[c], p[d]))])


def write_rock(file, edge=256):
    """A raw image: spheres on a lattice, 0 where there is fluid."""
    axis = np.arange(edge) % 16 - 7.5
    solid = axis[:, None, None] ** 2 + axis[None, :, None] ** 2 + axis[None, None, :] ** 2 < 66
    file.write_bytes(gzip.compress(solid.astype(np.uint8).tobytes(), 1))


def write_network(file):
    import matplotlib.image

    picture = np.zeros((48, 96))
    picture[8:16] = picture[32:40] = 1
    picture[:, 20:28] = picture[:, 60:68] = 1
    matplotlib.image.imsave(file, picture, cmap="gray")


def make_files(folder):
    """What the pages take for given."""
    write_stl(folder / "artery.stl", tube(2.0, 12.0))
    (folder / "q.csv").write_text("t;Q\n0,0;0,1\n0,4;0,15\n0,8;0,1\n")
    write_stl(folder / "car.stl", brick(4.0, 1.8, 1.4))
    write_stl(folder / "sink.stl", brick(40.0, 20.0, 10.0))
    write_stl(folder / "propeller.stl", brick(4.0, 30.0, 6.0))
    (folder / "town").mkdir()
    write_stl(folder / "town" / "church.stl", brick(20.0, 10.0, 25.0))
    write_stl(folder / "town" / "house.stl", brick(10.0, 8.0, 9.0) + (35.0, 3.0, 0.0))
    write_rock(folder / "rock.raw.gz")
    write_network(folder / "network.png")
    program = folder / "build" / "release" / "fluvia"
    program.parent.mkdir(parents=True)
    shortened = Path(__file__).with_name("fluvia_shortened.py")
    program.write_text(f"#!/bin/sh\nexec {shlex.quote(sys.executable)} -I {shlex.quote(str(shortened))} \"$@\"\n", encoding="utf-8")
    program.chmod(0o755)
    for name in ("cases", "scripts", "tools", "examples"):
        (folder / name).symlink_to(SOURCE / name)
    if GEOMETRY.is_dir():
        (folder.parent / "shared").symlink_to(SOURCE.parent / "shared")


@pytest.fixture
def place(tmp_path):
    folder = tmp_path / "fluvia"
    folder.mkdir()
    make_files(folder)

    def run(command, **more):
        path = f"{folder / 'build' / 'release'}:{Path(sys.executable).parent}:{os.environ['PATH']}"
        return subprocess.run(["bash", "-e", "-o", "pipefail", "-c", command], cwd=folder, capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL, timeout=600, env={**os.environ, "PATH": path, **more})

    run.folder = folder
    return run
