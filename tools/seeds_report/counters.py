# SPDX-License-Identifier: Apache-2.0
"""Makes DIR/counters.json: hardware counters of single steps by NVIDIA's profiler `ncu` around
`fluvia bench --profile --rows`.

Every kernel is profiled once; what failed is kept with its reason and tried again next time. Sums are those of one step."""
import csv
import json
import math
import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

METRICS = {  # name in counters.json: ncu's name
    "dram_read": "dram__bytes_read.sum",
    "dram_write": "dram__bytes_write.sum",
    "l2_read_sectors": "lts__t_sectors_srcunit_tex_op_read.sum",
    "l2_write_sectors": "lts__t_sectors_srcunit_tex_op_write.sum",
    "nanoseconds": "gpu__time_duration.sum",
    "dram": "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "sm": "sm__throughput.avg.pct_of_peak_sustained_elapsed",
    "l1": "l1tex__t_sector_hit_rate.pct",
    "l2": "lts__t_sector_hit_rate.pct",
    "occupancy": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "load": "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
    "store": "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio",
}
BUSY = {  # shares of what units of the card could do at most, besides "dram"
    "l2_busy": "lts__throughput.avg.pct_of_peak_sustained_elapsed",
    "l1_busy": "l1tex__throughput.avg.pct_of_peak_sustained_active",
    "issue_busy": "smsp__issue_active.avg.pct_of_peak_sustained_active",
}
WAITS = ("long_scoreboard", "lg_throttle", "barrier", "short_scoreboard", "mio_throttle", "wait", "math_pipe_throttle",
         "not_selected", "selected", "drain", "no_instruction", "branch_resolving", "imc_miss", "membar", "dispatch_stall")
METRICS.update(BUSY)
METRICS.update({f"wait_{w}": f"smsp__average_warps_issue_stalled_{w}_per_issue_active.ratio" for w in WAITS})
FLOP = ("dadd", "dmul", "dfma", "fadd", "fmul", "ffma")
METRICS.update({k: f"smsp__sass_thread_inst_executed_op_{k}_pred_on.sum" for k in FLOP})
METRICS["waves"] = "launch__waves_per_multiprocessor"
SUMS = ("dram_read", "dram_write", "l2_read_sectors", "l2_write_sectors", "nanoseconds")
TRAFFIC = SUMS
CAUSES = ("dram", *BUSY, *(f"wait_{w}" for w in WAITS), "occupancy", "waves", "nanoseconds", "dram_read", "dram_write")
QUALITY = ("sm", "l1", "l2", "load", "store", *CAUSES)
TRAFFIC_AND_QUALITY = (*TRAFFIC, *(m for m in QUALITY if m not in TRAFFIC))
CONDITIONS = " conditions"  # after a row's name: the kernel that completes boundaries
UNITS = {"k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12}
VERSIONS = (("aos-push", "fp32"), ("soa-push", "fp32"), ("soa-aa", "fp32"), ("soa-aa", "fp16s"), ("aa", "fp32"),
            ("aa", "fp16s"))  # of S2 Tables 2 and 3; `aa` where rows have no `soa-aa`
NAIVE_EDGES = (64, 128, 256, 1024, 2048)  # N of Naive there; of the others all
ROWS = ((16, 32), (64, 64), (128, 128))  # stored nodes along x, nodes across: of S3 Table 4
LARGEST_NUMBER = 110  # of kernels
TWO_KERNELS = ("ghost", "fia")  # schemes whose step is two kernels
IN_STEP = ("aos-push", "soa-push", "soa-aa")  # schemes whose step completes a lid's links itself
TIME_LIMIT = 180  # seconds for one kernel


def find_ncu():
    return shutil.which("ncu") or next((str(p) for p in [Path("/usr/local/cuda/bin/ncu")] if p.exists()), None)


def key_of(row):
    """A row's name in counters.json."""
    scheme = row.get("of", row["scheme"])  # rows may bear another name in a table
    parts = [row["geometry"], scheme, row["format"], row["lattice"], row["flow"]]
    parts.append(f"{row['porosity']:.2f}" if row["geometry"] == "box" else f"{row.get('channel') or row['size']}")
    parts.append("x".join(map(str, row["nodes"])))
    if scheme == "ghost" and row.get("tile") == 32:  # S4's blocks, beside those that Fluvia takes
        parts.append("blocks 32x32")
    if row.get("gpu_threads"):
        parts.append(f"blocks {row['gpu_threads']}x{row.get('gpu_rows') or 1}")
    return " ".join(parts)


def flop_key(row):
    """The name of a row's count of floating-point operations, which depend on its collision."""
    return f"{key_of(row)} flop {row['collision']} {row['equilibrium']}"


def operations(kernel):
    """Floating-point operations of a step, a fused multiply-add being two; None if they were not counted."""
    launches = [launch for launch in kernel["launches"] if any(launch.get(k) is not None for k in FLOP)]
    total = sum((2 if k.endswith("fma") else 1) * (launch.get(k) or 0) for launch in launches for k in FLOP)
    return total / len(launches) if launches else None


def block_rows(inputs):
    """Those rows of S2 Table 4's sweep that its statements on hits are about: N = 512 and 1024, blocks of one and two rows."""
    rows = [r for r in inputs.find("S2 Table 4") if r["nodes"][0] in (512, 1024) and r.get("gpu_threads")]
    return [r for r in rows if (r.get("gpu_rows") or 1) <= 2 and 128 <= r["gpu_threads"] <= 512]


def wanted_kernels(inputs):
    """{name: (row, metrics, kernels)} of what S1 section 2.2 and Table 5 and S2 Tables 2 and 3 show and of what explains S1 Tables
    3 and 4, S2 Tables 1, 4 and 5, S3 Table 4 and S4, at most `LARGEST_NUMBER`; `kernels`: what their names have in common."""
    wanted = {}
    table_5 = inputs.find("S1 Table 5", collision="bgk", equilibrium="quasi-compressible")
    table_5 = [r for r in table_5 if r["scheme"] == ("t2c" if r["lattice"] == "D3Q19" else "tgb")]
    quality = inputs.find("S2 Table 2") + inputs.find("S2 Table 3")
    quality = [r for r in quality if (r["scheme"], r["format"]) in VERSIONS and
               (r["scheme"] != "aos-push" or r["nodes"][0] in NAIVE_EDGES)]
    channels = {(r["scheme"], r["format"], r["nodes"][0]) for r in quality if r["flow"] == "poiseuille"}  # the paper's flow
    quality = [r for r in quality if r["flow"] == "poiseuille" or (r["scheme"], r["format"], r["nodes"][0]) not in channels]
    flows = [r for r in inputs.find("S2 Table 5") if (r["scheme"], r["format"]) in VERSIONS]
    short_rows = [r for r in inputs.find("S3 Table 4") if r["scheme"] in ("fcc", "fcc-shared") and
                  (r["nodes"][0] // 2, r["nodes"][1]) in ROWS]
    ghosts = [r for r in inputs.find("S4 Fig 6") if r["scheme"] in ("ghost", "soa-pull") and not r["memory_limit_mib"]]
    ghosts = [r for r in ghosts if r["nodes"] == max(g["nodes"] for g in ghosts)]
    work = [r for r in inputs.find("S1 Table 2") if r["scheme"] == ("t2c" if r["lattice"] == "D3Q19" else "tgb")]
    for rows, metrics in ((table_5, TRAFFIC_AND_QUALITY), (quality + flows + short_rows + ghosts + block_rows(inputs), QUALITY)):
        for row in rows:
            wanted.setdefault(key_of(row), (row, metrics, "step"))
    for row in work:
        wanted[flop_key(row)] = (row, ("occupancy", *FLOP), "step")
    for row in (r for r in flows if r["flow"] == "cavity" and r["scheme"] not in IN_STEP):
        wanted[key_of(row) + CONDITIONS] = (row, CAUSES, "complete")
    return dict(list(wanted.items())[:LARGEST_NUMBER])


def to_number(text, unit=""):
    """A value as ncu prints it: thousands by commas, units such as Mbyte or usecond."""
    value = float(text.replace(",", ""))
    prefix = re.match(r"([kmgt])(byte|sector)", unit.lower())
    if prefix:
        return value * UNITS[prefix[1]]
    return value * {"usecond": 1e3, "us": 1e3, "msecond": 1e6, "ms": 1e6, "second": 1e9, "s": 1e9}.get(unit.lower(), 1)


def table_of(text):
    """The CSV within what ncu printed, as (header, rows)."""
    lines = text.splitlines()
    start = next((k for k, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        return [], []
    rows = list(csv.reader(line for line in lines[start:] if line.startswith('"')))
    return rows[0], rows[1:]


def parse_long(header, rows):
    """One line a metric: "Metric Name", "Metric Unit", "Metric Value"."""
    launches = {}
    place = {name: header.index(name) for name in ("ID", "Kernel Name", "Metric Name", "Metric Unit", "Metric Value")}
    for row in rows:
        launch = launches.setdefault(row[place["ID"]], {"kernel": row[place["Kernel Name"]]})
        try:
            launch[row[place["Metric Name"]]] = to_number(row[place["Metric Value"]], row[place["Metric Unit"]])
        except ValueError:
            continue  # "n/a": this card does not have the counter
    return list(launches.values())


def parse_wide(header, rows):
    """One line a launch, a column a metric, units in the line below the header."""
    units = rows[0] if rows and rows[0][0] == "" else [""] * len(header)
    launches = []
    for row in rows:
        if not row or row[0] == "":
            continue
        launch = {"kernel": row[header.index("Kernel Name")]}
        for name, unit, value in zip(header, units, row):
            if name in METRICS.values():
                try:
                    launch[name] = to_number(value, unit)
                except ValueError:
                    continue
        launches.append(launch)
    return launches


def parse_ncu(text):
    """Launches in order, each {"kernel": name, metric: value} by our names of metrics."""
    header, rows = table_of(text)
    if not header or "Kernel Name" not in header:
        return []
    launches = parse_long(header, rows) if "Metric Name" in header else parse_wide(header, rows)
    own = {theirs: ours for ours, theirs in METRICS.items()}
    return [{own.get(key, key): value for key, value in launch.items()} for launch in launches]


def run_ncu(ncu, fluvia, row, metrics, kernels, log):
    """Profiles steps 3 and 4 of a row (step 2 where a step is two kernels): what ncu wrote, and what it said besides."""
    combination = log.with_suffix(".json")
    combination.write_text(json.dumps({"device": "", "settings": {"size": row["size"], "seconds": 0}, "bandwidth": [],
                                       "rows": [row]}), encoding="utf-8")
    command = [ncu, "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none", "--log-file", str(log),
               "--kernel-name", f"regex:{kernels}", "--launch-skip", "2", "--launch-count", "2", "--metrics",
               ",".join(METRICS[m] for m in metrics), str(fluvia), "bench", "--device", "cuda", "--profile", "--rows",
               str(combination)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return "", str(error)
    text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
    errors = [line for line in (text + done.stdout).splitlines() if "==ERROR==" in line]
    return text, " ".join(f"{done.stderr} {' '.join(errors)}".split())


def profile(ncu, fluvia, row, metrics, kernels="step"):
    """The profiled launches, or a reason. Counters that this card does not have are left out."""
    metrics = list(metrics)
    with tempfile.TemporaryDirectory() as folder:
        while metrics:
            text, words = run_ncu(ncu, fluvia, row, metrics, kernels, Path(folder) / "ncu.csv")
            launches = parse_ncu(text)
            if launches:
                return launches, ""
            unknown = [m for m in metrics if "metric" in words.lower() and METRICS[m] in words]
            if not unknown:
                break
            metrics = [m for m in metrics if m not in unknown]
    return [], words[:300] or "ncu saw no kernel of a step"


def write_json(path, content):
    part = path.with_suffix(".part")
    part.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    os.replace(part, path)


def is_useless(reason):
    """Nothing will be measured on this machine, so there is no point in trying the other kernels."""
    return "ERR_NVGPUCTRPERM" in reason or "permission" in reason.lower()


def kept_content(path):
    """What an earlier run has measured."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return {"kernels": dict(content["kernels"]), "reasons": dict(content["reasons"])}
    except (OSError, ValueError, KeyError, TypeError):
        return {"kernels": {}, "reasons": {}}


def tells(kernel, metrics):
    """Whether a kernel that was profiled before has most of these metrics: some cards do not have all."""
    have = [m for m in metrics if any(m in launch for launch in kernel["launches"])]
    return 2 * len(have) >= len(metrics)


def why_not(inputs):
    """Why nothing can be profiled here, or ""."""
    if not inputs.is_gpu:
        return "the rows were measured on a CPU, which ncu does not know" if inputs.rows else "there are no rows"
    return "" if find_ncu() else "ncu is neither on PATH nor in /usr/local/cuda/bin"


def make_counters(fluvia, inputs, seconds=math.inf, say=print):
    """Profiles what is missing, as far as `seconds` reach, and writes counters.json after each kernel."""
    start = time.monotonic()
    path = inputs.folder / "counters.json"
    content = kept_content(path)
    wanted = {name: kernel for name, kernel in wanted_kernels(inputs).items()
              if name not in content["kernels"] or not tells(content["kernels"][name], kernel[1])}
    content["reason"] = why_not(inputs) if wanted or not content["kernels"] else ""
    for name, (row, metrics, kernels) in {} if content["reason"] else wanted.items():
        if time.monotonic() - start > seconds:
            content["reasons"][name] = f"not reached within {seconds:g} s; run tools/seeds_report again"
            continue
        launches, reason = profile(find_ncu(), fluvia, row, metrics, kernels)
        content["reasons"].pop(name, None)
        if reason:
            content["reasons"][name] = reason
        else:
            content["kernels"][name] = {"launches": launches}
        if is_useless(reason):
            content["reason"] = reason
        write_json(path, content)
        say(f"seeds_report: counters of {name}{': ' + reason if reason else ''}")
        if content["reason"]:
            break
    write_json(path, content)
    return content


def step_sums(kernel, scheme):
    """What one step moves and takes, all its launches together; None for what was not counted."""
    launches = kernel["launches"]
    steps = 1 if scheme in TWO_KERNELS else len(launches)
    counted = {m: [launch.get(m) for launch in launches] for m in SUMS}
    return {m: None if None in values else sum(values) / steps for m, values in counted.items()}


def traffic(sums):
    """Bytes read and written in one step. What is written last stays in the second cache, and only what leaves it shows in
    DRAM, so writes are counted on their way into that cache, if that was counted."""
    sectors = sums["l2_write_sectors"]
    return sums["dram_read"], sums["dram_write"] if sectors is None else 32 * sectors
