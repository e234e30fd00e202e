# SPDX-License-Identifier: Apache-2.0
"""The whole report: chapters in order, a summary of verdicts in front, two files."""
import os

import comparison
import paper
import s1_model
import s1_speed
import s1_work
import s2
import s3
import s4
from document import Section, Table, to_html, to_markdown
from verdicts import RULES, WORDS

TITLE = "Four lattice Boltzmann papers, measured again with Fluvia"


def chapter(tag, about):
    found = paper.load(tag)
    bandwidth = f"{found['bandwidth_gb_s']} GB/s ({found['bandwidth_source']})"
    return Section(f"{tag.upper()}: {about}", 2, [f"{found['paper']}. Measured there: {found['hardware']}; bandwidth {bandwidth}."])


def introduction(inputs, draw):
    section = Section("What this is", 2)
    machine = f"{inputs.device}, Fluvia {inputs.version}" if inputs.device else "no machine"
    settings = ", ".join(f"{k} {v}" for k, v in inputs.settings.items())
    section.say("Every table and figure of four papers on lattice Boltzmann solvers for GPUs (S1 to S4), beside what Fluvia's "
                f"versions of their systems do on one machine: {machine}" + (f" (`fluvia bench` with {settings})." if settings else "."))
    section.say(s1_speed.introduction(inputs))
    section.say("Made by `fluvia bench --suite seeds --output DIR`, which measures and then runs `tools/seeds_report`.")
    if not draw.available:
        section.say("There are no figures, since matplotlib was not installed where this was made.")
    section.say("\n".join(f"- {rule}" for rule in RULES))
    return section


def counts(sections):
    """How many of each paper's tables and figures came to which verdict."""
    found = {}
    for section in sections:
        if section.verdict():
            found.setdefault(section.title.split()[0], []).append(section.verdict().word)
    return [f"- {name}: " + ", ".join(f"{words.count(w)} {w}" for w in WORDS if w in words) for name, words in found.items()]


def summary(sections):
    section = Section("Summary", 2)
    section.say("\n".join(counts(sections)))
    lines = [[f"[{s.title}](#{s.anchor()})", s.verdict().word, s.verdict().text] for s in sections if s.verdict()]
    section.add(Table(["table or figure", "verdict", ""], lines, words=True))
    return section


def build(inputs, draw):
    body = [chapter("s1", "sparse geometries on tiles"), s1_work.section_2_2(inputs), *s1_model.sections(inputs, draw),
            *s1_speed.sections(inputs, draw), s1_work.section_4_2_2(inputs, draw),
            chapter("s2", "D2Q9 from naive to 16 bits"), *s2.sections(inputs, draw),
            chapter("s3", "D3Q13 and a sphere in a pipe"), *s3.sections(inputs, draw),
            chapter("s4", "ghost cells and domains beyond the memory"), *s4.sections(inputs, draw),
            Section("Fluvia", 2), *comparison.sections(inputs, draw)]
    return [introduction(inputs, draw), summary(body), *body]


def replace(path, text):
    part = path.with_suffix(path.suffix + ".part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, path)
    return path


def write(inputs, draw):
    """Writes report.md and report.html; returns their paths."""
    sections = build(inputs, draw)
    return [replace(inputs.folder / "report.md", to_markdown(TITLE, sections)),
            replace(inputs.folder / "report.html", to_html(TITLE, sections))]
