#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the Ahmed body as a binary STL, in metres: S. R. Ahmed, G. Ramm, G. Faltin, SAE paper 840300 (1984).

  ahmed_body.py ANGLE FILE     ANGLE: of the slant, degrees (25, 35)

1.044 m long, 0.389 m wide, 0.288 m high; its front is round with a radius of 0.1 m, its slant 0.222 m long. Without
the four stilts, on which it stands 0.05 m above the ground. The lowest points are at z = 0, the front at x = 0.
"""
import math
import struct
import sys

LENGTH, WIDTH, HEIGHT, RADIUS, SLANT = 1.044, 0.389, 0.288, 0.1, 0.222
STATIONS = 24  # of the round front


def sections(angle):
    """Rectangles (x, half width, lower z, upper z) that the body passes through from front to back."""
    for k in range(STATIONS + 1):
        turn = 0.5 * math.pi * k / STATIONS
        x, inset = RADIUS * (1 - math.cos(turn)), RADIUS * (1 - math.sin(turn))
        yield x, WIDTH / 2 - inset, inset, HEIGHT - inset
    yield LENGTH - SLANT * math.cos(angle), WIDTH / 2, 0.0, HEIGHT
    yield LENGTH, WIDTH / 2, 0.0, HEIGHT - SLANT * math.sin(angle)


def triangles(angle):
    """With their normals outwards."""
    rings = [[(x, -y, low), (x, y, low), (x, y, high), (x, -y, high)] for x, y, low, high in sections(angle)]
    for before, after in zip(rings, rings[1:]):
        for k in range(4):
            a, b, c, d = before[k], before[(k + 1) % 4], after[(k + 1) % 4], after[k]
            yield a, d, c
            yield a, c, b
    front, back = rings[0], rings[-1]
    yield front[0], front[1], front[2]
    yield front[0], front[2], front[3]
    yield back[0], back[2], back[1]
    yield back[0], back[3], back[2]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    angle = float(sys.argv[1])
    if not 0 <= angle <= 60:
        sys.exit(f"ahmed_body: ANGLE {sys.argv[1]}: expected 0 to 60 degrees")
    all_triangles = list(triangles(math.radians(angle)))
    with open(sys.argv[2], "wb") as file:
        file.write(b"Ahmed body".ljust(80) + struct.pack("<I", len(all_triangles)))
        for triangle in all_triangles:
            numbers = [0.0, 0.0, 0.0] + [x for point in triangle for x in point]
            file.write(struct.pack("<12fH", *numbers, 0))


if __name__ == "__main__":
    main()
