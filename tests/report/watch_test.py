# SPDX-License-Identifier: Apache-2.0
"""`fluvia run --view`: the page of a run that goes on shows what there is, can be read by its address alone, and ends."""
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from browser import Browser, find_browser
from conftest import BINARY, CASES, fluvia

SMALL = ["--device", "cpu", "--threads", "1", "--set", "domain.nodes=[40,40]", "--set", "monitor.every=20",
         "--set", "monitor.probe.centre.position=[20.5,20.5]", "--set", "output.every=4000",
         "--set", 'output.slice=[{field="velocity"}]', "--set", 'title="<b>bold</b> cavity"',
         "--set", "run.steady.tolerance=1e-30"]


class Shown:
    """A run with a page; stopped at the end if it still goes on."""

    def __init__(self, folder, steps=10**9, **environment):
        self.folder = folder
        command = [BINARY, "run", CASES / "cavity.toml", *SMALL, "--steps", steps, "--output", folder, "--view", "0"]
        self.process = subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env={**os.environ, **environment})
        self.said, self.address = "", None
        while self.address is None:
            line = self.process.stderr.readline()
            assert line, self.said
            self.said += line
            found = re.search(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/", line)
            if found:
                self.address, self.port, self.token = found[0], int(found[1]), found[2]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def get(self, place, method="GET", **headers):
        """The answer's code, headers and content, the path sent as it is."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request(method, place, headers=headers)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, answer.headers, content

    def state(self):
        code, _, content = self.get(f"/{self.token}/state")
        assert code == 200
        return json.loads(content)

    def wait_for(self, condition, seconds=60):
        end = time.monotonic() + seconds
        while not condition(state := self.state()):
            assert time.monotonic() < end, state
            time.sleep(0.1)
        return state

    def server_ends(self, seconds=20):
        """Whether nobody listens any more."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) != 0:
                    return True
            time.sleep(0.1)
        return False


@pytest.fixture(scope="module")
def going(tmp_path_factory):
    with Shown(tmp_path_factory.mktemp("view") / "out") as run:
        run.wait_for(lambda state: state["pictures"] and state["pictures"][0]["step"] >= 4000 and "step" in state)
        yield run


def test_what_the_run_is_at(going):
    state = going.state()
    assert state["title"] == "<b>bold</b> cavity" and state["ended"] is None
    assert state["last_step"] == 10**9 and state["mflups"] > 0
    assert state["monitors"]["heads"][0] == "step" and len(state["monitors"]["rows"]) >= 20
    assert state["pictures"][0]["series"] == "slice-velocity-z"
    code, headers, picture = going.get(f"/{going.token}/picture/{state['pictures'][0]['file']}")
    assert code == 200 and headers["Content-Type"] == "image/png" and picture.startswith(b"\x89PNG")
    assert "default-src 'none'" in headers["Content-Security-Policy"] and headers["Cache-Control"] == "no-store"


def test_another_address_gets_nothing(going):
    wrong = going.token[:-1] + ("0" if going.token[-1] != "0" else "1")
    for place in ("/", "/state", f"/{wrong}/", f"/{wrong}/state", f"/{going.token}", f"/{going.token[:-1]}/state", "//state", "/é/state"):
        code, _, content = going.get(urllib.request.quote(place, safe="/"))
        assert code == 404 and going.token.encode() not in content, place
    assert going.get(f"/{going.token}/state", Host="example.org")[0] == 403, "a name that leads here"


def test_nothing_else_is_served(going):
    (going.folder / "slice-link-z-000000001.png").symlink_to("/etc/passwd")
    (going.folder / "slice-folder-z-000000001.png").mkdir()
    os.mkfifo(going.folder / "slice-pipe-z-000000001.png")
    for name in ("slice-link-z-000000001.png", "slice-folder-z-000000001.png", "slice-pipe-z-000000001.png", "../monitors.csv",
                 "..%2fmonitors.csv", "monitors.csv", "/etc/passwd", "..", "", "slice-../../x-000000001.png",
                 "slice-velocity-z-000000000.png%00"):
        assert going.get(f"/{going.token}/picture/{name}")[0] == 404, name
    for place in ("monitors.csv", "../../etc/passwd", "summary.json", "watch.py", "%2e%2e/"):
        assert going.get(f"/{going.token}/{place}")[0] == 404, place
    assert going.get("http://example.org/")[0] == 403, "it is no proxy"


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_nothing_can_be_changed(going, method):
    before = going.state()["monitors"]["heads"]
    assert going.get(f"/{going.token}/state", method)[0] == 405
    assert going.state()["monitors"]["heads"] == before and going.process.poll() is None


def test_the_address_is_no_word_of_a_command(going):
    words = b"".join(file.read_bytes() for file in Path("/proc").glob("[0-9]*/cmdline") if file.exists())
    assert going.token.encode() not in words


def test_only_this_machine(going):
    with open("/proc/net/tcp", encoding="ascii") as table:
        listening = [line.split()[1] for line in table if line.split()[3] == "0A"]
    assert f"0100007F:{going.port:04X}" in listening and f"00000000:{going.port:04X}" not in listening


def test_a_port_that_is_taken(going, tmp_path):
    done = fluvia("run", CASES / "cavity.toml", "--output", tmp_path / "out", "--view", going.port)
    assert done.returncode == 4 and len(done.stderr.splitlines()) == 1
    assert f"--view: port {going.port} cannot be had (Address already in use): another program has it" in done.stderr
    assert not (tmp_path / "out").exists(), "the run has begun"
    assert fluvia("run", CASES / "cavity.toml", "--view", 70000).returncode == 2


def test_without_python(tmp_path):
    done = fluvia("run", CASES / "cavity.toml", "--output", tmp_path / "out", "--view", 0, FLUVIA_PYTHON="nopython")
    assert done.returncode == 4 and "--view: nopython has to serve the page, but nopython cannot be run" in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(find_browser() is None, reason="no browser (Debian: chromium-headless-shell)")
def test_in_a_browser(tmp_path):
    with Shown(tmp_path / "out") as run, Browser(server=run.address, height=1400) as browser:
        browser.open(run.address)
        browser.wait_for("document.querySelectorAll('#pictures img').length >= 1 && "
                         "document.querySelector('#pictures img').naturalWidth > 500")
        browser.wait_for("document.querySelectorAll('#monitors polyline').length >= 3")
        first = browser.value("document.querySelector('#pictures figcaption').textContent")
        browser.wait_for(f"document.querySelector('#pictures figcaption').textContent !== {json.dumps(first)}")
        assert browser.value("document.getElementById('title').textContent") == "<b>bold</b> cavity"
        assert browser.value("document.getElementById('end').hidden")
        if os.environ.get("FLUVIA_TEST_PICTURES"):
            (Path(os.environ["FLUVIA_TEST_PICTURES"]) / "watch-going.png").write_bytes(browser.picture(whole=True))
        run.process.send_signal(signal.SIGINT)
        browser.wait_for("document.body.dataset.ended === 'interrupted'")
        assert "verdict" in browser.value("document.getElementById('report').textContent")
        assert "renews itself no more" in browser.value("document.getElementById('state').textContent")
        if os.environ.get("FLUVIA_TEST_PICTURES"):
            (Path(os.environ["FLUVIA_TEST_PICTURES"]) / "watch-end.png").write_bytes(browser.picture(whole=True))
        assert run.process.wait(30) == 6 and run.server_ends()
        assert browser.value("document.querySelector('#pictures img').naturalWidth > 500"), "what was seen stays"
        assert browser.errors == []


def test_it_says_why_a_run_failed(tmp_path):
    with Shown(tmp_path / "out") as run:
        run.wait_for(lambda state: state["pictures"])
        shutil.rmtree(run.folder)
        run.folder.write_text("no folder any more")
        state = run.wait_for(lambda state: state["ended"])
        assert state["ended"] == "failed" and "out" in state["words"]
        assert run.process.wait(30) == 4 and run.server_ends()


def test_it_ends_with_a_run_that_is_killed(tmp_path):
    with Shown(tmp_path / "out") as run:
        state = run.state()  # who has looked is told of the end
        run.process.kill()
        while state["ended"] is None:
            state = run.state()
        assert state["ended"] == "killed" and run.server_ends()


def test_the_run_goes_on_without_its_page(tmp_path):
    with Shown(tmp_path / "out", steps=20_000) as run:
        children = Path(f"/proc/{run.process.pid}/task/{run.process.pid}/children").read_text().split()
        for child in children:
            os.kill(int(child), signal.SIGKILL)
        assert run.process.wait(120) == 0


def test_a_page_that_hangs_holds_nothing_up(tmp_path):
    with Shown(tmp_path / "out", steps=2000) as run:
        children = Path(f"/proc/{run.process.pid}/task/{run.process.pid}/children").read_text().split()
        for child in children:
            os.kill(int(child), signal.SIGSTOP)
        assert run.process.wait(120) == 0
        assert all(not Path(f"/proc/{child}").exists() for child in children), "it is left over"


def test_rows_are_read_on_and_thinned(tmp_path):
    from fluvia_report.watch import MOST_ROWS, Monitors

    file = tmp_path / "monitors.csv"
    monitors = Monitors()
    monitors.read(str(tmp_path))
    assert monitors.shown() == {"heads": [], "rows": [], "left_out": 0}
    with open(file, "w", encoding="utf-8") as stream:
        stream.write("step,a\n" + "".join(f"{k},{k * k}\n" for k in range(5000)) + "5000,2")
        stream.flush()
        monitors.read(str(tmp_path))
        rows = monitors.shown()["rows"]
        assert len(rows) <= MOST_ROWS + 1 and rows[0] == [0, 0] and rows[-1] == [4999, 4999**2], "no half row"
        stream.write("5\nx,inf\n")
    monitors.read(str(tmp_path))
    assert monitors.count == 5002 and monitors.newest == [None, None]
    other = tmp_path / "other"
    other.write_text("step,b\n7,8\n", encoding="utf-8")
    other.replace(file)  # another run in this folder
    monitors.read(str(tmp_path))
    assert monitors.shown() == {"heads": ["step", "b"], "rows": [[7, 8]], "left_out": 0}
