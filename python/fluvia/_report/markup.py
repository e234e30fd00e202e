# SPDX-License-Identifier: Apache-2.0
"""Elements of HTML. Texts of cases and files become HTML by `text` only."""
from __future__ import annotations

import base64
import html
import math
from collections.abc import Iterable, Sequence
from typing import Any


class Html(str):
    """A string that is HTML already."""


def text(value: Any) -> Html:
    """Any value as HTML that shows it."""
    return value if isinstance(value, Html) else Html(html.escape(str(value), quote=True))


def element(name: str, /, *content: Any, **attributes: Any) -> Html:
    """<name ...>content</name>; `class_` for class, dashes for underscores, None leaves an attribute out."""
    words = "".join(f' {key.rstrip("_").replace("_", "-")}="{text(value)}"' for key, value in attributes.items()
                    if value is not None)
    return Html(f"<{name}{words}>{''.join(text(part) for part in content)}</{name}>")


def join(parts: Iterable[Any], between: str = "") -> Html:
    return Html(text(between).join(text(part) for part in parts))


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[Any]], numbers: Iterable[int] = ()) -> Html:
    """A table whose first cells head its rows; `numbers` are columns to align on the right."""
    right = set(numbers)
    top = join(element("th", head, scope="col", class_="number" if k in right else None)
               for k, head in enumerate(heads))
    body = []
    for row in rows:
        cells = [element("th", row[0], scope="row")]
        cells += [element("td", cell, class_="number" if k in right else None) for k, cell in enumerate(row[1:], 1)]
        body.append(element("tr", *cells))
    return element("div", element("table", element("caption", caption), element("thead", element("tr", top)),
                                  element("tbody", *body)), class_="scroll")


def pairs(rows: Iterable[Sequence[Any]]) -> Html:
    """A table of names and their values."""
    body = [element("tr", element("th", name, scope="row"), element("td", value)) for name, value in rows]
    return element("div", element("table", element("tbody", *body)), class_="scroll")


def picture(data: bytes, kind: str, words: str, **attributes: Any) -> Html:
    """An image within the page; `words` describe it."""
    source = f"data:image/{kind};base64,{base64.b64encode(data).decode('ascii')}"
    attributes_text = "".join(f' {key.rstrip("_")}="{text(value)}"' for key, value in attributes.items())
    return Html(f'<img src="{source}" alt="{text(words)}"{attributes_text}>')


def figure(content: Html, caption: Any, **attributes: Any) -> Html:
    return element("figure", content, element("figcaption", caption), **attributes)


def number(value: Any, digits: int = 6) -> str:
    """The text of a number that may be missing (null) or not finite."""
    if value is None or not isinstance(value, (int, float)) or isinstance(value, bool):
        return "–" if value is None else str(value)
    return f"{value:.{digits}g}" if math.isfinite(value) else str(value)


def with_error(value: Any, error: Any) -> tuple[str, str]:
    """A value with as many digits as its error leaves, and the error; "?" where nobody knows it."""
    if not isinstance(value, (int, float)) or not math.isfinite(value):
        return number(value), "–"
    if not isinstance(error, (int, float)) or not math.isfinite(error):
        return number(value), "?"
    if value == 0 or error <= 0:
        return number(value), number(error, 2)
    large, small = math.floor(math.log10(abs(value))), math.floor(math.log10(error))
    if -5 < large < 6:
        wanted, most = 1 - small, 5 - large  # decimals: two digits of the error, six of the value
        decimals = max(min(wanted, most), 0)
        return f"{value:.{decimals}f}", f"{error:.{decimals}f}" if max(wanted, 0) == decimals else number(error, 2)
    digits = min(max(large - small + 2, 1), 6)
    return f"{value:#.{digits}g}".replace(".e", "e"), number(error, 2)


def size(count: int) -> str:
    for unit, limit in (("B", 1024), ("KiB", 1024**2), ("MiB", 1024**3)):
        if count < limit:
            return f"{count / (limit / 1024):.{0 if unit == 'B' else 1}f} {unit}"
    return f"{count / 1024**3:.1f} GiB"
