# SPDX-License-Identifier: Apache-2.0
"""The page of a run that goes on: `fluvia run --view PORT` starts this beside itself, with the standard library alone.

What is served can be read by whoever knows the token in the address, and by nobody else; nothing can be changed. From the
folder of the run come its pictures of slices and its monitors, read as they are and never through a link.
"""
from __future__ import annotations

import hmac
import json
import math
import os
import pkgutil
import re
import socket
import stat
import sys
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, BinaryIO

PICTURE = re.compile(r"(slice-[\w.-]+)-(\d{9,18})\.png")
MOST_ROWS = 400  # of monitors that a page gets
MOST_COLUMNS = 24
FAREWELL = 3.0  # seconds in which pages may fetch how the run ended
QUIET = 1.0  # seconds without a question after which all pages that were told of the end have its pictures, too
POLICY = "default-src 'none'; img-src 'self' data:; style-src 'self'; script-src 'self'; connect-src 'self'"
PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Fluvia: a run</title><link rel="icon" href="data:,"><link rel="stylesheet" href="page.css"><link rel="stylesheet" href="watch.css"></head>
<body><header><h1 id="title">A run</h1><p class="soft" id="progress">No step yet.</p>
<progress id="bar" max="1" value="0" aria-label="Steps done"></progress>
<div class="verdict unknown" role="status"><strong id="state">The run goes on.</strong><p id="words"></p></div></header>
<main><section id="end" hidden><h2>Results and verdict</h2><pre id="report"></pre></section>
<section><h2>Slices</h2><p class="soft" id="no-pictures">No picture yet: a run draws them where the case has
[[output.slice]], every output.every steps.</p><div class="pair" id="pictures"></div></section>
<section><h2>Monitors</h2><p class="soft" id="no-monitors">No rows yet (monitor.every).</p>
<div class="pair" id="monitors"></div></section></main>
<noscript><p>This page needs JavaScript to renew itself.</p></noscript><script src="watch.js"></script></body></html>
"""


def open_file(folder: str, name: str) -> BinaryIO | None:
    """A regular file of the folder, by its name alone; None if there is none. Links are not followed."""
    try:
        place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=place)
    except OSError:
        return None
    finally:
        os.close(place)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return None
    return os.fdopen(descriptor, "rb")


@dataclass
class Monitors:
    """Rows of monitors.csv, at most 2 * MOST_ROWS, evenly over all that there are; read on from where it was read last."""

    heads: list[str] = field(default_factory=list)
    rows: list[list[float | None]] = field(default_factory=list)
    identity: tuple[int, int] = (0, 0)
    offset: int = 0
    stride: int = 1
    count: int = 0
    newest: list[float | None] = field(default_factory=list)

    def read(self, folder: str) -> None:
        stream = open_file(folder, "monitors.csv")
        if stream is None:
            return
        with stream:
            known = os.fstat(stream.fileno())
            if self.identity != (known.st_dev, known.st_ino) or known.st_size < self.offset:
                vars(self).update(vars(Monitors(identity=(known.st_dev, known.st_ino))))  # another file: from the start
            stream.seek(self.offset)
            for line in stream:
                if not line.endswith(b"\n"):
                    break  # it is being written
                self.offset += len(line)
                self.add(line.decode("utf-8", "replace").rstrip("\r\n").split(","))

    def add(self, cells: list[str]) -> None:
        if not self.heads:
            self.heads = cells
            return
        if len(cells) != len(self.heads):
            return
        self.newest = [number(cell) for cell in cells]
        if self.count % self.stride == 0:
            self.rows.append(self.newest)
        self.count += 1
        if len(self.rows) >= 2 * MOST_ROWS:
            self.rows = self.rows[::2]
            self.stride *= 2

    def shown(self) -> dict[str, Any]:
        rows = self.rows[::2] if len(self.rows) > MOST_ROWS else self.rows
        if self.newest and (not rows or rows[-1] is not self.newest):
            rows = [*rows, self.newest]
        width = MOST_COLUMNS + 2
        return {"heads": self.heads[:width], "rows": [row[:width] for row in rows], "left_out": max(0, len(self.heads) - width)}


def number(cell: str) -> float | None:
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


class Watched:
    """What pages are told of the run."""

    def __init__(self, folder: str, token: str):
        self.folder, self.token = folder, token
        self.lock = threading.Lock()
        self.told: dict[str, Any] = {"ended": None}
        self.monitors = Monitors()
        self.asked_at = self.questioned_at = 0.0
        self.told_end = threading.Event()

    def tell(self, line: bytes) -> None:
        try:
            message = json.loads(line)
        except ValueError:
            return  # one line was cut short
        with self.lock:
            self.told.update(message)

    def pictures(self) -> list[dict[str, Any]]:
        """The newest picture of each series."""
        newest: dict[str, tuple[int, str]] = {}
        try:
            names = os.listdir(self.folder)
        except OSError:
            names = []
        for name in names:
            match = PICTURE.fullmatch(name)
            if match:
                newest[match[1]] = max(newest.get(match[1], (-1, "")), (int(match[2]), name))
        return [{"series": series, "step": step, "file": name} for series, (step, name) in sorted(newest.items())]

    def state(self) -> bytes:
        with self.lock:
            self.monitors.read(self.folder)
            answer = {**self.told, "monitors": self.monitors.shown(), "pictures": self.pictures()}
            self.asked_at = time.monotonic()
        return json.dumps(answer, allow_nan=False).encode("utf-8")


class Handler(BaseHTTPRequestHandler):
    server_version, sys_version = "fluvia", ""
    timeout = 20
    server: Server

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002  # its name in the class above
        """Says nothing: the terminal is the run's."""

    def do_GET(self) -> None:
        watched = self.server.watched
        watched.questioned_at = time.monotonic()
        port = self.server.server_address[1]
        if self.headers.get("Host") not in (f"127.0.0.1:{port}", f"localhost:{port}"):
            return self.refuse(403)  # a name elsewhere that leads here
        parts = self.path.split("?")[0].split("/")
        if len(parts) < 3 or not hmac.compare_digest(parts[1].encode("utf-8", "replace"), watched.token.encode()):
            return self.refuse(404)
        place = parts[2:]
        if place == [""]:
            return self.answer("text/html; charset=utf-8", PAGE.encode("utf-8"))
        if place == ["state"]:
            content = watched.state()
            self.answer("application/json", content)
            if watched.told["ended"]:
                watched.told_end.set()
            return None
        if place in (["page.css"], ["watch.css"], ["watch.js"]):
            kind = "text/css" if place[0].endswith("css") else "text/javascript"
            return self.answer(kind + "; charset=utf-8", pkgutil.get_data(__package__, place[0]) or b"")
        if len(place) == 2 and place[0] == "picture" and PICTURE.fullmatch(place[1]):
            return self.send_picture(place[1])
        return self.refuse(404)

    def send_picture(self, name: str) -> None:
        stream = open_file(self.server.watched.folder, name)
        if stream is None:
            return self.refuse(404)
        with stream:
            return self.answer("image/png", stream.read())

    def answer(self, kind: str, content: bytes, code: int = 200) -> None:
        self.send_response(code)
        for name, value in (("Content-Type", kind), ("Content-Length", str(len(content))), ("Cache-Control", "no-store"),
                            ("Content-Security-Policy", POLICY), ("X-Content-Type-Options", "nosniff"),
                            ("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer"),
                            ("Cross-Origin-Resource-Policy", "same-origin")):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def refuse(self, code: int) -> None:
        self.answer("text/plain; charset=utf-8", b"There is nothing here. The run said the whole address.\n", code)

    def refuse_method(self) -> None:
        self.answer("text/plain; charset=utf-8", b"The page of a run can only be read.\n", 405)
        self.close_connection = True

    do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = refuse_method


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, descriptor: int, watched: Watched):
        self.watched = watched
        listening = socket.socket(fileno=descriptor)
        super().__init__(listening.getsockname(), Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listening
        self.server_address = listening.getsockname()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Says nothing: a browser that is closed while it reads is no error."""


def serve(folder: str, descriptor: int, control: BinaryIO) -> None:
    """Serves on a socket that listens already, until `control` ends: its first line is the token, each other one a JSON
    object that adds to what is told of the run."""
    import signal

    for number_of in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # they are the run's, which then ends this
        signal.signal(number_of, signal.SIG_IGN)
    watched = Watched(folder, control.readline().decode("ascii").strip())
    server = Server(descriptor, watched)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print("ready", flush=True)
    for line in control:
        watched.tell(line)
    with watched.lock:
        if not watched.told["ended"]:
            watched.told["ended"] = "killed"
        watched.told_end.clear()
    if time.monotonic() - watched.asked_at < FAREWELL:  # somebody looks at it
        last = time.monotonic() + FAREWELL
        watched.told_end.wait(FAREWELL)
        while time.monotonic() < min(last, watched.questioned_at + QUIET):
            time.sleep(0.05)
    server.shutdown()
    sys.stdout.flush()
