# SPDX-License-Identifier: Apache-2.0
"""Makes DIR/model/*.json, what `fluvia model` says of the geometries of S1; a file that is there and whole stays."""
import json
import os
import subprocess
from pathlib import Path

RAS = (0.9, 0.8, 0.7, 0.5, 0.3, 0.2, 0.1)
WIDER = 2  # our networks have the tile porosity of the paper's chips at so many times the width of channels
CHANNELS = (8, 16, 24, 32, 40, 48, 56, 64, 80, 96)
TILES = (2, 4, 8, 16)  # of the sweep over tiles, RAS 0.8
TIME_LIMIT = 600  # seconds
IMAGE, IMAGE_CHANNEL = "vessel_network.png", 8  # pixels across its channels

COMMON = """[units]
viscosity = 0.05
[run]
steps = 1
"""

# The geometries of `fluvia bench --suite seeds` at its default size, as large and as sparse as the paper's.
CASES = {
    "aneurysm": """[geometry.generator]
kind = "aneurysm"
diameter = 64.0
sac_diameter = 294.4
length = 588.8
""",
    "coarctation": """[geometry.generator]
kind = "coarctation"
diameter = 32.0
severity = 0.5
bend_radius = 124.8
length = 819.2
""",
    "network": """[domain]
dimension = 2
[geometry]
keep_isolated = true
[geometry.generator]
kind = "network"
diameter = {channel}.0
""",
    "mask": """[domain]
dimension = 2
[geometry]
keep_isolated = true
[geometry.mask]
file = "{image}"
refine = {refine}
mirror = [false, true, false]
""",
}


def network_name(channel):
    return f"network_{channel:02d}"


def mask_name(channel):
    return f"mask_{channel:02d}"


def model_runs():
    """(name, arguments of `fluvia model` or the text of a case) of every geometry."""
    spheres = ["ras", "--size", "192", "--diameter", "40", "--seed", "4", "--porosity"]
    runs = [(f"ras_{p}", [*spheres, str(p)]) for p in RAS]
    runs += [(f"ras_0.8_tile_{a}", [*spheres, "0.8", "--tile", str(a)]) for a in TILES if a != 4]
    runs += [("cavity3d", ["box", "--size", "192"]), ("aneurysm", CASES["aneurysm"]), ("coarctation", CASES["coarctation"])]
    runs += [(network_name(c), CASES["network"].format(channel=c)) for c in CHANNELS]
    runs += [(mask_name(WIDER * c), CASES["mask"].format(image=IMAGE, refine=WIDER * c // IMAGE_CHANNEL)) for c in (8, 16, 32)]
    return runs + [("network_16_fp32", CASES["network"].format(channel=16))]


def place_image(folder):
    """Puts the image of the network beside the cases: from the tool's archive, or from the source tree."""
    here = Path(__file__).resolve().parent
    for place in (here, here.parents[1] / "cases" / "data"):
        try:
            (folder / IMAGE).write_bytes(__loader__.get_data(str(place / IMAGE)))
            return
        except OSError:
            continue


def is_whole(path):
    try:
        return "schemes" in json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False


def run_one(fluvia, path, arguments, device, bandwidth):
    """One file, or the reason why there is none."""
    part = path.with_suffix(".part")
    command = [str(fluvia), "model", *arguments, "--format", "fp32" if path.stem.endswith("_fp32") else "fp64", "--device", device,
               "--bandwidth", f"{bandwidth / 1e9:.6g}", "--json", str(part)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode != 0:
        words = " ".join(done.stderr.split()).replace(f"{path.parent}{os.sep}", "").removeprefix("fluvia: ").removeprefix(f"{path.stem}.toml: ")
        return words[:200] or f"exit code {done.returncode}"
    if not is_whole(part):
        return "no complete answer from fluvia model"
    os.replace(part, path)
    return ""


def make_models(fluvia, folder, device, bandwidth, say=print):
    """Makes what is missing; returns {name: reason} of what could not be made. `bandwidth` in bytes a second."""
    folder = Path(folder) / "model"
    folder.mkdir(parents=True, exist_ok=True)
    place_image(folder)
    failures = {}
    for name, arguments in model_runs():
        path = folder / f"{name}.json"
        if is_whole(path):
            continue
        if isinstance(arguments, str):
            case = path.with_suffix(".toml")
            case.write_text(COMMON + arguments, encoding="utf-8")
            arguments = [str(case)]
        reason = run_one(fluvia, path, arguments, device, bandwidth)
        if reason:
            failures[name] = reason
        say(f"seeds_report: model of {name}{': ' + reason if reason else ''}")
    return failures
