# SPDX-License-Identifier: Apache-2.0
"""A page as one file: head, style, title, sections with links to them."""
from __future__ import annotations

import pkgutil
from collections.abc import Sequence
from typing import Any

from .markup import Html, element, join, text

# Nothing may be loaded from elsewhere: a page that asks for it shows so in the browser.
POLICY = "default-src 'none'; img-src data: blob:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def document(title: str, top: Sequence[Any], sections: Sequence[tuple[str, str, Sequence[Any]]], made: str,
             scripts: Sequence[Html] = ()) -> str:
    """The text of a page. `top`: below its title; `sections`: name for links, title, content, without those that have
    none; `made`: a sentence on where the page is from; `scripts`: at its end."""
    sections = [entry for entry in sections if entry[2]]
    links = join(element("li", element("a", heading, href="#" + name)) for name, heading, _ in sections)
    head = join([
        Html('<meta charset="utf-8">'),
        Html(f'<meta http-equiv="Content-Security-Policy" content="{text(POLICY)}">'),
        Html('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        element("title", f"{title}: report"),
        element("style", Html(resource("page.css"))),
    ])
    body = join([
        element("a", "Skip to the results", href="#results", class_="skip"),
        element("header", element("h1", title), *top, element("nav", element("ul", links), aria_label="Sections of this page")),
        element("main", *(element("section", element("h2", heading, id=f"{name}-title"), *content, id=name,
                                  aria_labelledby=f"{name}-title") for name, heading, content in sections)),
        element("footer", element("p", f"{made} This page is one file, loads nothing from elsewhere and can be sent as it "
                                       "is.")),
        *scripts,
    ])
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>{body}</body></html>\n'


def resource(name: str) -> str:
    """A file of this package, which may be a zip file."""
    return (pkgutil.get_data(__package__, name) or b"").decode("utf-8")
