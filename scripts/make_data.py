#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the small geometry files that cases/stl.toml, voxels.toml and mask.toml, and the tutorial read.

Only the standard library; the same files every time. Usage: scripts/make_data.py [FOLDER] (default: cases/data).
"""
import gzip
import math
import pathlib
import random
import struct
import sys
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent


def bend_stl(diameter=6.0, bend_radius=15.0, straight=12.0, sides=24, bends=12):
    """A tube (mm) that comes along +x, turns by 90 degrees and leaves along +y; both ends are open. Binary STL."""
    stations = [((-straight, 0.0), 0.0)]  # centre and direction of travel
    for i in range(bends + 1):
        angle = 0.5 * math.pi * i / bends
        stations.append(((bend_radius * math.sin(angle), bend_radius * (1 - math.cos(angle))), angle))
    stations.append(((bend_radius, bend_radius + straight), 0.5 * math.pi))

    def ring(station):
        (x, y), angle = station
        points = []
        for k in range(sides):
            a = 2 * math.pi * k / sides
            side, up = 0.5 * diameter * math.cos(a), 0.5 * diameter * math.sin(a)
            points.append((x - side * math.sin(angle), y + side * math.cos(angle), up))
        return points

    rings = [ring(station) for station in stations]
    triangles = []
    for a, b in zip(rings, rings[1:]):
        for k in range(sides):
            n = (k + 1) % sides
            triangles += [(a[k], a[n], b[n]), (a[k], b[n], b[k])]
    return stl("bent tube, millimetres, both ends open", triangles)


def car_stl(half_width=0.85):
    """The body of a car (m) that heads along -x, that stands on the ground, z = 0, as with a skirt around its wheels: one closed
    surface. The cabin is narrower than what is below it. Binary STL."""
    outline = [  # x, z of the side view, counter-clockwise seen from -y
        (0.00, 0.16), (0.10, 0.00), (3.70, 0.00), (4.10, 0.14), (4.20, 0.40), (4.15, 0.72), (3.55, 0.85), (2.90, 1.12),
        (2.40, 1.22), (1.95, 1.22), (1.65, 1.12), (1.05, 0.70), (0.35, 0.56), (0.04, 0.42)]

    def side(sign):
        return [(x, sign * (half_width - 0.4 * max(0.0, z - 0.7)), z) for x, z in outline]

    left, right, middle = side(1), side(-1), (2.0, 0.5)
    triangles = []
    for k in range(len(outline)):
        n = (k + 1) % len(outline)
        triangles += [(right[k], right[n], (middle[0], -half_width, middle[1])), (left[n], left[k], (middle[0], half_width, middle[1])),
                      (right[k], left[k], left[n]), (right[k], left[n], right[n])]
    return stl("car on the ground, metres, closed", triangles)


def propeller_stl(radius=40.0, pitch=50.0, hub=10.0, thickness=3.6, sections=12, sides=32):
    """A propeller (mm) of three twisted blades on a round hub, which turns about x: four closed surfaces that overlap. It drives
    fluid towards +x where it turns left-handed about x. Binary STL."""

    def blade(turned):
        rings = []
        for k in range(sections):
            r = 0.8 * hub + (radius - 0.8 * hub) * k / (sections - 1)
            chord, angle = 15.0 - 5.0 * r / radius, math.atan2(pitch, 2 * math.pi * r)
            ring = []
            for along, across in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)):
                x = along * chord * math.sin(angle) + across * thickness * math.cos(angle)
                t = along * chord * math.cos(angle) - across * thickness * math.sin(angle)
                ring.append((x, r * math.cos(turned) - t * math.sin(turned), r * math.sin(turned) + t * math.cos(turned)))
            rings.append(ring)
        triangles = []
        for a, b in zip(rings, rings[1:]):
            for k in range(4):
                n = (k + 1) % 4
                triangles += [(a[k], a[n], b[n]), (a[k], b[n], b[k])]
        (a, b, c, d), (e, f, g, h) = rings[0], rings[-1]
        return triangles + [(a, c, b), (a, d, c), (e, f, g), (e, g, h)]

    def round_hub():
        ends = [[(x, hub * math.cos(2 * math.pi * k / sides), hub * math.sin(2 * math.pi * k / sides)) for k in range(sides)]
                for x in (-hub, hub)]
        triangles = []
        for k in range(sides):
            n = (k + 1) % sides
            a, b, c, d = ends[0][k], ends[0][n], ends[1][n], ends[1][k]
            triangles += [(a, b, c), (a, c, d), ((-hub, 0.0, 0.0), b, a), ((hub, 0.0, 0.0), d, c)]
        return triangles

    return stl("propeller, millimetres, closed", round_hub() + [t for k in range(3) for t in blade(2 * math.pi * k / 3)])


def artery_stl(spacing=0.77):
    """An artery (mm) that divides, with an aneurysm where it does: the ends of its three vessels are open. Binary STL.

    The wall is where a smooth union of round tubes and a ball is zero: where its sign changes between the corners of a cell, the
    cell has a vertex, and four cells around an edge that is crossed make two triangles (naive surface nets, S. Gibson 1998).
    """
    trunk, fork, up, down = (0.0, 0.0, 0.0), (24.0, 0.0, 0.0), (46.0, 14.0, 0.8), (45.0, -15.0, -0.8)
    tubes = ((trunk, fork, 3.0), (fork, up, 2.4), (fork, down, 2.1))
    ball, ball_radius = (31.5, 0.6, 0.5), 4.4

    def minus(a, b):
        return tuple(p - q for p, q in zip(a, b))

    def dot(a, b):
        return sum(p * q for p, q in zip(a, b))

    def smaller(a, b, width=2.4):  # smooth minimum: a polynomial over `width`
        h = max(width - abs(a - b), 0.0) / width
        return min(a, b) - 0.25 * h * h * width

    def distance(point):
        value = math.dist(point, ball) - ball_radius
        for begin, end, radius in tubes:
            along, from_begin = minus(end, begin), minus(point, begin)
            t = dot(from_begin, along) / dot(along, along)
            if begin == fork:  # tubes go on beyond their open ends
                t = max(0.0, t)
            else:
                t = min(1.0, t)
            value = smaller(value, math.dist(point, tuple(b + t * d for b, d in zip(begin, along))) - radius)
        return value

    low, size = (-1.5, -20.0, -5.0), (68, 54, 20)
    place = lambda i, j, k: (low[0] + spacing * i, low[1] + spacing * j, low[2] + spacing * k)  # noqa: E731
    value = {(i, j, k): distance(place(i, j, k)) for i in range(size[0]) for j in range(size[1]) for k in range(size[2])}
    corners = [(i, j, k) for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    edges = [(a, b) for a in corners for b in corners if a < b and sum(p != q for p, q in zip(a, b)) == 1]
    vertices = {}

    def vertex(cell):
        if cell not in vertices:
            crossings = []
            for a, b in edges:
                p, q = (tuple(c + d for c, d in zip(cell, e)) for e in (a, b))
                if (value[p] < 0) != (value[q] < 0):
                    t = value[p] / (value[p] - value[q])
                    crossings.append(tuple(u + t * (v - u) for u, v in zip(place(*p), place(*q))))
            point = tuple(sum(c) / len(crossings) for c in zip(*crossings))
            for _ in range(3):  # onto the surface, along the gradient
                step = 0.01
                gradient = tuple((distance(tuple(x + step * (n == m) for m, x in enumerate(point))) -
                                  distance(tuple(x - step * (n == m) for m, x in enumerate(point)))) / (2 * step) for n in range(3))
                scale = distance(point) / dot(gradient, gradient)
                point = tuple(x - scale * g for x, g in zip(point, gradient))
            vertices[cell] = point
        return vertices[cell]

    triangles = []
    for node, here in value.items():
        for axis in range(3):
            there = value.get(tuple(n + (m == axis) for m, n in enumerate(node)))
            one, two = (axis + 1) % 3, (axis + 2) % 3
            if there is None or (here < 0) == (there < 0) or 0 in (node[one], node[two]):
                continue
            cells = [tuple(n - (m == one) * a - (m == two) * b for m, n in enumerate(node)) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
            if any(n + 1 >= s for cell in cells for n, s in zip(cell, size)):
                continue
            a, b, c, d = (vertex(cell) for cell in (cells if here < 0 else cells[::-1]))
            triangles += [(a, b, c), (a, c, d)]
    for end, inside in ((trunk, fork), (up, fork), (down, fork)):
        triangles = cut(triangles, end, minus(inside, end))
    return stl("artery with an aneurysm, millimetres, three open ends", triangles)


def cut(triangles, point, inward):
    """What lies before the plane through `point`, at the side to which `inward` points."""
    def height(p):
        return sum((x - y) * n for x, y, n in zip(p, point, inward))

    def crossing(p, q):
        p, q = min(p, q), max(p, q)  # the same for both triangles at an edge
        t = height(p) / (height(p) - height(q))
        return tuple(u + t * (v - u) for u, v in zip(p, q))

    kept = []
    for triangle in triangles:
        polygon = []
        for p, q in zip(triangle, triangle[1:] + triangle[:1]):
            if height(p) >= 0:
                polygon.append(p)
            if (height(p) >= 0) != (height(q) >= 0):
                polygon.append(crossing(p, q))
        kept += [(polygon[0], polygon[n], polygon[n + 1]) for n in range(1, len(polygon) - 1)]
    return [t for t in kept if len(set(t)) == 3]


def box_stl(low, high):
    """A box, closed. Binary STL."""
    corner = [[(low, high)[n >> axis & 1][axis] for axis in range(3)] for n in range(8)]
    faces = ((0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3), (0, 2, 3, 1), (4, 5, 7, 6))
    triangles = [(corner[f[0]], corner[f[n]], corner[f[n + 1]]) for f in faces for n in (1, 2)]
    return stl("building, metres, closed", triangles)


def stl(title, triangles):
    """A binary STL of triangles whose corners go counter-clockwise seen from outside."""
    out = bytearray(title.encode().ljust(80) + struct.pack("<I", len(triangles)))
    for p, q, r in triangles:
        u = [q[i] - p[i] for i in range(3)]
        v = [r[i] - p[i] for i in range(3)]
        normal = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
        length = math.sqrt(sum(x * x for x in normal))
        out += struct.pack("<12fH", *(x / length for x in normal), *p, *q, *r, 0)
    return bytes(out)


def rock_raw(n=64, porosity=0.4, seed=7):
    """A loose packing of grains of different sizes: one byte a voxel, 0 = pore, 1 = grain, x fastest."""
    numbers = random.Random(seed)
    voxels = bytearray(n**3)
    pores = n**3
    while pores > porosity * n**3:
        radius = 5 + 6 * numbers.random()
        x, y, z = (numbers.random() * n for _ in range(3))
        for k in range(max(0, int(z - radius)), min(n, int(z + radius) + 1)):
            for j in range(max(0, int(y - radius)), min(n, int(y + radius) + 1)):
                half = radius**2 - (k + 0.5 - z) ** 2 - (j + 0.5 - y) ** 2
                if half <= 0:
                    continue
                for i in range(max(0, round(x - math.sqrt(half))), min(n, round(x + math.sqrt(half)))):
                    index = i + n * (j + n * k)
                    pores -= 1 - voxels[index]
                    voxels[index] = 1
    return bytes(voxels)


def network_png(width=240, height=160):
    """Channels that branch and meet again between the left and the right edge: white = fluid. 8-bit grey PNG."""
    mid = height / 2
    channels = [  # x0, y0, x1, y1, width; y counts downwards
        (-20, mid, 60, mid, 24), (60, mid, 110, 32, 16), (60, mid, 110, 128, 16), (110, 32, 170, 32, 16),
        (110, 128, 170, 128, 16), (110, 32, 140, mid, 11), (110, 128, 140, mid, 11), (140, mid, 170, 32, 11),
        (140, mid, 170, 128, 11), (170, 32, 200, mid, 16), (170, 128, 200, mid, 16), (200, mid, 260, mid, 24)]

    def inside(x, y):
        for x0, y0, x1, y1, thickness in channels:
            dx, dy = x1 - x0, y1 - y0
            t = min(1.0, max(0.0, ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy)))
            if math.hypot(x - x0 - t * dx, y - y0 - t * dy) < thickness / 2:
                return True
        return False

    rows = b"".join(b"\0" + bytes(255 if inside(i + 0.5, j + 0.5) else 0 for i in range(width)) for j in range(height))

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">2I5B", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "cases" / "data"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bend.stl").write_bytes(bend_stl())
    (folder / "car.stl").write_bytes(car_stl())
    (folder / "propeller.stl").write_bytes(propeller_stl())
    (folder / "artery.stl.gz").write_bytes(gzip.compress(artery_stl(), 9, mtime=0))
    (folder / "town").mkdir(exist_ok=True)
    for name, low, high in (("tower", (0, -10, 0), (20, 10, 60)), ("hall", (-50, -25, 0), (-20, 25, 18)), ("house", (40, 5, 0), (65, 30, 24))):
        (folder / "town" / f"{name}.stl").write_bytes(box_stl(low, high))
    (folder / "rock.raw.gz").write_bytes(gzip.compress(rock_raw(), 9, mtime=0))
    (folder / "channel_network.png").write_bytes(network_png())


if __name__ == "__main__":
    main()
