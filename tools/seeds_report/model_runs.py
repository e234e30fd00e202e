# SPDX-License-Identifier: Apache-2.0
"""Makes DIR/model/*.json, what `fluvia model` says of the geometries of S1; a file that is there and whole stays."""
import json
import os
import subprocess
from pathlib import Path

RAS = (0.9, 0.8, 0.7, 0.5, 0.3, 0.2, 0.1)
CHANNELS = (8, 12, 16, 20, 24, 28, 32, 40, 48, 64)
TILES = (2, 4, 8, 16)  # of the sweep over tiles, RAS 0.8
TIME_LIMIT = 600  # seconds

NETWORK_CASE = """# Vessel network with channels of {channel} nodes, for fluvia model.
[domain]
dimension = 2
[geometry]
keep_isolated = true
[geometry.generator]
kind = "network"
diameter = {channel}.0
"""


def network_name(channel):
    return f"network_{channel:02d}"


def mask_name(channel):
    return f"mask_{channel:02d}"


def model_runs(folder, masks=()):
    """(name, arguments of `fluvia model`) of every geometry; `masks` are (channel, case file) of networks from images."""
    runs = [(f"ras_{p}", ["ras", "--size", "192", "--diameter", "40", "--porosity", str(p), "--seed", "4"]) for p in RAS]
    runs += [(f"ras_0.8_tile_{a}", ["ras", "--size", "192", "--diameter", "40", "--porosity", "0.8", "--seed", "4", "--tile",
                                    str(a)]) for a in TILES if a != 4]
    runs += [("aneurysm", ["aneurysm", "--diameter", "60"]), ("coarctation", ["coarctation", "--diameter", "30"]),
             ("cavity3d", ["box", "--size", "192"])]
    for channel in CHANNELS:
        runs.append((network_name(channel), [str(folder / f"{network_name(channel)}.toml")]))
    runs += [(mask_name(channel), [str(case)]) for channel, case in masks]
    return runs


def is_whole(path):
    try:
        return "schemes" in json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False


def write_network_case(folder, channel):
    path = folder / f"{network_name(channel)}.toml"
    path.write_text(NETWORK_CASE.format(channel=channel), encoding="utf-8")


def run_one(fluvia, path, arguments, device, bandwidth):
    """One file, or the reason why there is none."""
    part = path.with_suffix(".part")
    command = [str(fluvia), "model", *arguments, "--format", "fp64", "--device", device,
               "--bandwidth", f"{bandwidth / 1e9:.6g}", "--json", str(part)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode != 0:
        return " ".join(done.stderr.split())[:300] or f"exit code {done.returncode}"
    if not is_whole(part):
        return "no complete answer from fluvia model"
    os.replace(part, path)
    return ""


def make_models(fluvia, folder, device, bandwidth, masks=(), say=print):
    """Makes what is missing; returns {name: reason} of what could not be made. `bandwidth` in bytes a second."""
    folder = Path(folder) / "model"
    folder.mkdir(parents=True, exist_ok=True)
    failures = {}
    for channel in CHANNELS:
        write_network_case(folder, channel)
    for name, arguments in model_runs(folder, masks):
        path = folder / f"{name}.json"
        if is_whole(path):
            continue
        reason = run_one(fluvia, path, arguments, device, bandwidth)
        if reason:
            failures[name] = reason
        say(f"seeds_report: model of {name}{': ' + reason if reason else ''}")
    return failures
