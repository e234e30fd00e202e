# SPDX-License-Identifier: Apache-2.0
"""What PNG files say of themselves."""
from __future__ import annotations

import struct

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def png_texts(data: bytes) -> dict[str, str]:
    """Texts of a PNG file by keyword, from its chunks tEXt and uncompressed iTXt; what is damaged is left out."""
    texts: dict[str, str] = {}
    at = len(SIGNATURE)
    while data.startswith(SIGNATURE) and at + 12 <= len(data):
        (length,) = struct.unpack(">I", data[at:at + 4])
        kind, content = data[at + 4:at + 8], data[at + 8:at + 8 + length]
        if kind == b"IDAT":
            break  # Fluvia puts texts before the picture
        keyword, _, rest = content.partition(b"\0")
        if kind == b"tEXt":
            texts[keyword.decode("latin-1")] = rest.decode("latin-1")
        elif kind == b"iTXt" and rest[:1] == b"\0":
            texts[keyword.decode("latin-1")] = rest[2:].split(b"\0", 2)[-1].decode("utf-8", "replace")
        at += length + 12
    return texts
