# SPDX-License-Identifier: Apache-2.0
"""Films as GIF where there is no ffmpeg, by Pillow, which matplotlib brings along."""
from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO

from .problems import ResourceProblem


def frames(stream: BinaryIO, width: int, height: int) -> Iterator[Any]:
    """Pictures of the stream, three bytes a pixel, one after the other, each with colours of its own."""
    from PIL import Image

    while len(data := stream.read(3 * width * height)) == 3 * width * height:
        yield Image.frombytes("RGB", (width, height), data).quantize(256, dither=Image.Dither.NONE)


def write_gif(stream: BinaryIO, width: int, height: int, rate: float, file: str) -> None:
    """Writes a GIF that begins again when it ends. Raises ResourceProblem without Pillow."""
    if importlib.util.find_spec("PIL") is None:
        raise ResourceProblem("there is no ffmpeg (install the Debian package ffmpeg), and this Python, which could make a GIF "
                              f"without it, has no Pillow: '{sys.executable} -m pip install pillow' installs that")
    pictures = frames(stream, width, height)
    first = next(pictures)
    first.save(file, format="GIF", save_all=True, append_images=pictures, duration=max(20, round(1000 / rate)), loop=0)
