# SPDX-License-Identifier: Apache-2.0
"""A report of sections, each of paragraphs, tables, figures and verdicts, as Markdown and as one HTML page."""
import html
import re
from dataclasses import dataclass, field

from symbols import in_page

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #1c1e21; max-width: 68rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; } h2 { margin-top: 2.6rem; border-bottom: 1px solid #d5d9de; } h3 { margin-top: 1.8rem; }
table { border-collapse: collapse; margin: .8rem 0; font-size: .88em; display: block; overflow-x: auto; }
th, td { border: 1px solid #d5d9de; padding: .2rem .55rem; text-align: right; white-space: nowrap; }
.words th, .words td { text-align: left; white-space: normal; }
th { background: #f1f3f5; } td:first-child, th:first-child { text-align: left; }
img { max-width: 100%; } figcaption, .source { color: #5c636a; font-size: .88em; } figure { margin: 1rem 0; }
.verdict { border-left: .35rem solid #999; background: #f6f7f8; padding: .45rem .8rem; margin: .8rem 0; }
.reproduced, .partly-reproduced { border-color: #0072b2; } .better { border-color: #009e73; }
.worse, .not-reproduced { border-color: #d55e00; }
code { background: #f1f3f5; padding: 0 .2em; } nav a { margin-right: .8rem; white-space: nowrap; }
""".strip()


@dataclass
class Table:
    header: list
    rows: list  # of lists; None is an empty cell
    caption: str = ""
    words: bool = False  # words in all cells, so to the left


@dataclass
class Figure:
    file: str  # relative to the report
    caption: str


@dataclass
class Verdict:
    word: str  # reproduced, better, worse, partly reproduced, not reproduced, not judged or not measured
    text: str
    why: str = ""  # what keeps it from being reproduced


@dataclass
class Section:
    title: str
    level: int = 3
    blocks: list = field(default_factory=list)

    def say(self, text):
        self.blocks.append(text)

    def add(self, block):
        if block is not None:
            self.blocks.append(block)

    def verdict(self):
        return next((b for b in self.blocks if isinstance(b, Verdict)), None)

    def anchor(self):
        """As GitHub makes them."""
        return re.sub(r"[^\w -]", "", self.title.lower()).replace(" ", "-")


def verdict_text(verdict):
    return f"{verdict.text} Why: {verdict.why}" if verdict.why else verdict.text


def cell(value):
    return "" if value is None else str(value)


def inline(text):
    """`code`, **strong** and [links](to) of Markdown as HTML."""
    text = in_page(html.escape(text, quote=False))
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    text = re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", text)
    return re.sub(r"\[([^\]]+)\]\(([^)]+)\)", r'<a href="\2">\1</a>', text)


def markdown_table(table):
    lines = [[cell(v).replace("|", "\\|") for v in row] for row in [table.header] + table.rows]
    lines.insert(1, ["---"] + ["---" if table.words else "---:"] * (len(table.header) - 1))
    text = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    return f"{table.caption}\n\n{text}" if table.caption else text


def markdown_block(block):
    if isinstance(block, Table):
        return in_page(markdown_table(block))
    if isinstance(block, Figure):
        return f"![{block.caption}]({block.file})\n\n*{in_page(block.caption)}*"
    if isinstance(block, Verdict):
        return in_page(f"> **{block.word.capitalize()}**: {verdict_text(block)}")
    return in_page(block)


def html_table(table):
    def line(cells, tag):
        return "<tr>" + "".join(f"<{tag}>{inline(cell(v))}</{tag}>" for v in cells) + "</tr>"

    body = "\n".join([line(table.header, "th")] + [line(row, "td") for row in table.rows])
    caption = f'<p class="source">{inline(table.caption)}</p>\n' if table.caption else ""
    kind = ' class="words"' if table.words else ""
    return f"{caption}<table{kind}>\n{body}\n</table>"


def html_block(block):
    if isinstance(block, Table):
        return html_table(block)
    if isinstance(block, Figure):
        caption = inline(block.caption)
        return (f'<figure><img src="{html.escape(block.file)}" alt="{html.escape(block.caption)}">'
                f"<figcaption>{caption}</figcaption></figure>")
    if isinstance(block, Verdict):
        kind = block.word.replace(" ", "-")
        return f'<p class="verdict {kind}"><strong>{block.word.capitalize()}</strong>: {inline(verdict_text(block))}</p>'
    if block.startswith("- "):
        return "<ul>" + "".join(f"<li>{inline(item[2:])}</li>" for item in block.split("\n")) + "</ul>"
    if block.startswith("```"):
        return f"<pre>{html.escape(block.strip('`').strip())}</pre>"
    return f"<p>{inline(block)}</p>"


def to_markdown(title, sections):
    parts = [f"# {title}"]
    for section in sections:
        parts.append("#" * section.level + " " + section.title)
        parts += [markdown_block(block) for block in section.blocks]
    return "\n\n".join(parts) + "\n"


def to_html(title, sections):
    chapters = [s for s in sections if s.level == 2]
    links = " ".join(f'<a href="#{s.anchor()}">{inline(s.title)}</a>' for s in chapters)
    parts = [f"<h1>{inline(title)}</h1>", f"<nav>{links}</nav>"]
    for section in sections:
        parts.append(f'<h{section.level} id="{section.anchor()}">{inline(section.title)}</h{section.level}>')
        parts += [html_block(block) for block in section.blocks]
    body = "\n".join(parts)
    return (f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{html.escape(title)}</title>\n'
            f"<style>\n{STYLE}\n</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n")
