#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures Fluvia beside lbmpy's generated kernels on this machine's CPU, in turns, so that both see the same minutes.

    python3 -m venv build/lbmpy && build/lbmpy/bin/pip install lbmpy py-cpuinfo
    build/lbmpy/bin/python scripts/compare_lbmpy.py --size 192 --threads 2
    build/lbmpy/bin/python scripts/compare_lbmpy.py --vectors avx --fluvia build/avx2/fluvia   # built with -DFLUVIA_ARCH=x86-64-v3

A tool for developers: nothing of Fluvia needs lbmpy. lbmpy runs its in-place pattern `aa` of D3Q19 BGK on a periodic box with a layer of
ghost nodes that it does not fill, so without any boundary; Fluvia its cavity, with all of its walls.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def generated_step(size, double, vectors):
    """A function that does two steps of lbmpy's generated kernels."""
    import numpy
    import pystencils
    from lbmpy import LBMConfig, LBMOptimisation, LBStencil, Method, Stencil, create_lb_update_rule
    from lbmpy.advanced_streaming import Timestep

    number = numpy.float64 if double else numpy.float32
    field = pystencils.fields(f"pdfs(19): {'float64' if double else 'float32'}[3D]", layout="fzyx")
    targets = pystencils.Target.available_vector_cpu_targets()
    if vectors:
        targets = [target for target in targets if target.name == f"X86_{vectors.upper()}"]
        if not targets:
            sys.exit(f"--vectors {vectors}: lbmpy or this processor has none")
    kernels = []
    for parity in (Timestep.EVEN, Timestep.ODD):
        rule = create_lb_update_rule(
            lbm_config=LBMConfig(stencil=LBStencil(Stencil.D3Q19), method=Method.SRT, relaxation_rate=1.2, compressible=True,
                                 zero_centered=True, streaming_pattern="aa", timestep=parity),
            lbm_optimisation=LBMOptimisation(symbolic_field=field, cse_global=True))
        config = pystencils.CreateKernelConfig(target=targets[-1] if targets else pystencils.Target.GenericCPU,
                                               default_dtype=number)
        config.cpu.openmp.enable = True
        config.cpu.vectorize.enable = bool(targets)
        config.cpu.vectorize.assume_inner_stride_one = True
        kernels.append(pystencils.create_kernel(rule, config).compile())
    populations = numpy.zeros((19, size + 2, size + 2, size + 2), dtype=number).transpose(3, 2, 1, 0)
    populations[...] = 0  # touches all pages

    def two_steps():
        for kernel in kernels:
            kernel(pdfs=populations)

    two_steps()
    return two_steps


def measure_lbmpy(two_steps, size, seconds):
    start, steps = time.perf_counter(), 0
    while (spent := time.perf_counter() - start) < seconds:
        two_steps()
        steps += 2
    return size**3 * steps / spent * 1e-6


def measure_fluvia(arguments, scheme, number_format):
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "rows.json"
        subprocess.run([arguments.fluvia, "bench", "--device", "cpu", "--scheme", scheme, "--format", number_format, "--threads",
                        str(arguments.threads), "--size", str(arguments.size), "--seconds", str(arguments.seconds),
                        "--json", str(table)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        document = json.loads(table.read_text())
    return document["rows"][0]["mlups"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fluvia", default=str(ROOT / "build" / "release" / "fluvia"))
    parser.add_argument("--size", type=int, default=192, help="nodes along each axis (default: 192)")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1, help="of each measurement (default: 1)")
    parser.add_argument("--vectors", help="of lbmpy's kernels: sse, avx, avx512 (default: the widest of this processor)")
    parser.add_argument("--scheme", nargs="+", default=["aa", "esoteric-pull", "pull"])
    parser.add_argument("--format", nargs="+", default=["fp32", "fp64"], choices=["fp32", "fp64"])
    arguments = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = str(arguments.threads)
    print(f"D3Q19 BGK {arguments.size}^3, {arguments.threads} threads, MFLUPS: median of {arguments.rounds} rounds (least to most)")
    for number_format in arguments.format:
        two_steps = generated_step(arguments.size, number_format == "fp64", arguments.vectors)
        results = {name: [] for name in ["lbmpy aa", *arguments.scheme]}
        for _ in range(arguments.rounds):
            results["lbmpy aa"].append(measure_lbmpy(two_steps, arguments.size, arguments.seconds))
            for scheme in arguments.scheme:
                results[scheme].append(measure_fluvia(arguments, scheme, number_format))
        beside = statistics.median(results["lbmpy aa"])
        for name, rates in results.items():
            middle = statistics.median(rates)
            print(f"{number_format}  {name:<14} {middle:7.1f} ({min(rates):.1f} to {max(rates):.1f})  {middle / beside:.2f} of lbmpy")


if __name__ == "__main__":
    sys.exit(main())
