# SPDX-License-Identifier: Apache-2.0
"""The report of invented results: every table has its place, numbers come out in the right rows, what is missing or broken
is said."""
import json
import os
import re
import stat
import subprocess
import sys
import tempfile
import unittest
import zipapp
from html.parser import HTMLParser
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "seeds_report"
sys.path.insert(0, str(TOOL))

import counters  # noqa: E402
import inputs as results  # noqa: E402
import model_runs  # noqa: E402
import paper  # noqa: E402
import s2_statements  # noqa: E402
import s3  # noqa: E402
import speeds  # noqa: E402
import symbols  # noqa: E402
import synthetic  # noqa: E402
import verdicts  # noqa: E402
import waits  # noqa: E402

TABLES = ([f"S1 Table {k}" for k in range(1, 6)] + [f"S1 Fig {k}" for k in (7, 8, 9)] + ["S1 preprint Fig 2"] +
          [f"S1 section {k}" for k in ("2.2", "2.3", "3.1", "4.2.2")] + [f"S2 Table {k}" for k in range(1, 7)] +
          ["S2 Table 1 and Fig 1"] + [f"S3 Table {k}" for k in (1, 2, 3, 4)] + [f"S3 Fig {k}" for k in (8, 9, 10)] +
          ["S4 Fig 6", "S4 Fig 7", "All schemes"])


def run(*arguments, tool=TOOL):
    return subprocess.run([sys.executable, str(tool), *map(str, arguments)], capture_output=True, text=True, check=False)


def line_of(text, section, start, after=""):
    """The cells of the first line of a section's tables that starts with `start`, behind a line that starts with `after`."""
    part = text[text.index(f"### {section}"):]
    part = part[part.index(f"\n| {after}"):] if after else part
    line = next(row for row in part.splitlines()[1:] if row.startswith(f"| {start}"))
    return [cell.strip() for cell in line.strip("|").split("|")]


class Balanced(HTMLParser):
    """Every tag that is opened is closed."""

    def __init__(self):
        super().__init__()
        self.open, self.wrong = [], []

    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


class OfInventedResults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        synthetic.write(cls.folder.name, counters.key_of)
        done = run(cls.folder.name)
        assert done.returncode == 0, done.stderr
        cls.text = (Path(cls.folder.name) / "report.md").read_text(encoding="utf-8")
        cls.html = (Path(cls.folder.name) / "report.html").read_text(encoding="utf-8")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_every_table_and_figure_has_its_section_and_verdict(self):
        for name in TABLES:
            self.assertIn(f"\n### {name}", self.text)
        for section in self.text.split("\n### ")[1:]:
            if not section.startswith("All schemes"):
                self.assertIn("\n> **", section, section.splitlines()[0])

    def test_paper_and_measured_numbers_stand_in_the_same_row(self):
        # 0.66 of 3000 GB/s over 304 bytes, as a share of the card's 3352 GB/s.
        cells = line_of(self.text, "S1 Table 2", "D3Q19 BGK incompr.")
        self.assertEqual(cells[1:3], ["`t2c` 682 (0.72)", "6\u202f513 (0.59)"])
        cells = line_of(self.text, "S2 Table 1", "8192")
        self.assertEqual(cells[1:3], ["3\u202f007 (0.48)", "7\u202f917 (0.17)"])
        self.assertEqual(line_of(self.text, "S2 Table 1", "SOA | 2048")[2:], ["0.87", "worse"])
        self.assertTrue(line_of(self.text, "S2 Table 1", "SOA | 512")[3].startswith("cannot be shown here: 18.9 MB"))
        self.assertIn("Naive, apart: 0.35 to 0.36 times the paper's.", self.text)
        cells = line_of(self.text, "S3 Table 4", "64 × 128²")
        self.assertEqual(cells[1], "592 (0.59)")
        self.assertEqual(cells[2:5], [f"{s}" for s in self.expected_fcc()])

    @staticmethod
    def expected_fcc():
        rows = [synthetic.row([], "D3Q13", s, "fp32", [128, 128, 128]) for s in ("fcc", "fcc-shared", "fcc-aa")]
        return [f"{round(r['mlups']):,} ({r['roofline_fraction'] * 3000 / 3352:.2f})".replace(",", "\u202f") for r in rows]

    def test_kernels_that_do_without_something_are_judged_apart(self):
        # TGB reaches 0.33 of 3000 GB/s, and 2.4 and 2.5 times that on a card of 3352 GB/s.
        self.assertEqual(line_of(self.text, "S1 Table 2", "S1.60 ")[1:], ["from 0.617 on", "yes", "0.709 (2.40 times that with them)"])
        self.assertEqual(line_of(self.text, "S1 Table 2", "S1.61 ")[1:], ["from 0.766 on", "no", "0.738 (2.50 times that with them)"])
        self.assertEqual(line_of(self.text, "S1 Table 2", "S1.62 ")[2:], ["yes", "1.02 times as fast without collision"])
        self.assertEqual(line_of(self.text, "S1 Table 2", "S1.68 ")[2:],
                         ["yes", "`tgb` 0.70 times as fast if each thread looks around by itself"])
        self.assertEqual(line_of(self.text, "S1 Table 2", "D2Q9 `tgb` | barriers and ghosts")[3], "2.50")
        self.assertEqual(line_of(self.text, "S1 Table 2", "D2Q9 BGK incompr.")[3], "6\u202f875 (0.30)")  # of tgb as it is

    def test_model_and_paper_stand_below_each_other(self):
        self.assertEqual(line_of(self.text, "S1 Table 1", "RAS_0.9")[1:5], ["paper", "7\u202f077\u202f888", "0.90", "0.97"])
        self.assertEqual(line_of(self.text, "S1 Table 1", " ", after="RAS_0.9")[1:5],
                         ["here", "7\u202f077\u202f888", "0.90", "0.968"])
        self.assertIn("numbers of the RAS geometries", self.text)

    def test_counters_come_out_as_overheads(self):
        # Reads 1.05 of the least, writes 0.033 sectors of 32 bytes for each two bytes of it.
        self.assertEqual(line_of(self.text, "S1 Table 5", "RAS_0.8")[-3:], ["0.053", "0.056", "0.050"])
        self.assertEqual(line_of(self.text, "S2 Table 3", " ", after="2048 AA ")[1:4], ["here", "4.02", "4.00"])

    def test_drag_is_judged_at_the_papers_resolution(self):
        self.assertEqual(line_of(self.text, "S3 Table 2", " ", after="1, d = 14.9")[6], "+3.3%")
        self.assertIn("**Better**: at the paper's resolution 2 runs, of which 2 have a smaller error", self.text)

    def test_runs_tell_their_speed_memory_and_time_beside_the_papers(self):
        ours = [line for line in self.text.splitlines() if line.startswith("|  | D3Q19, 61.0 nodes across")]
        self.assertTrue(ours and all(line.endswith("| 14\u202f321 | 444 | 7 |") for line in ours), ours)
        self.assertIn("| +5.3% |  |  | 188 | 23 |  |", self.text)
        self.assertIn("| 0.93 |  |  |  | 106 |", self.text)

    def test_streamed_domains_stand_beside_those_that_fit(self):
        header = line_of(self.text, "S4 Fig 6", "nodes")
        time = header.index("`pull, streamed`")
        self.assertEqual(header[time + 1], "link, of both ways")
        self.assertEqual(line_of(self.text, "S4 Fig 6", "54 M")[time:time + 2], ["91.6 ms", "96.8%"])
        self.assertEqual(line_of(self.text, "S4 Fig 6", "36 M")[time:time + 2], ["", ""])
        self.assertEqual(line_of(self.text, "S4 Fig 6", "S4.1 ")[1:], ["more than half", "yes", "the link is busy both ways 96.8% of the time and more"])
        self.assertEqual(line_of(self.text, "S4 Fig 7", "S4.12 ")[1:], ["from 20 times on", "no", "10.2 times"])
        self.assertIn("limited to 6\u202f000 MiB", self.text)

    def test_the_summary_says_what_the_sections_say(self):
        summary = self.text[self.text.index("## Summary"):self.text.index("## S1")]
        words = {}
        for section in self.text.split("\n### ")[1:]:
            if "\n> **" in section:
                words[section.splitlines()[0]] = section.split("\n> **")[1].split("**")[0].lower()
        lines = [line.strip("|").split("|") for line in summary.splitlines() if line.startswith("| [")]
        self.assertEqual({title.split("](")[0].strip(" ["): word.strip() for title, word, *_ in lines}, words)
        for name in ("S1", "S2", "S3", "S4"):
            counts = next(line for line in summary.splitlines() if line.startswith(f"- {name}:"))
            of_paper = [word for title, word in words.items() if title.startswith(name)]
            expected = {word: of_paper.count(word) for word in of_paper}
            self.assertEqual({part.split(" ", 1)[1]: int(part.split()[0]) for part in counts[6:].split(", ")}, expected)

    def test_our_networks_bear_their_own_names(self):
        cells = line_of(self.text, "S1 Table 4", "Image_32 BGK incompr.")
        self.assertTrue(cells[1].startswith("ChipB_16 `tgb`"))
        self.assertEqual(line_of(self.text, "S1 Table 5", "Network_32")[1], "ChipA_16")
        self.assertEqual(line_of(self.text, "S1 Table 1", "ChipA_16")[1], "paper")
        self.assertEqual(line_of(self.text, "S1 Table 1", "Network_32")[1], "here")

    def test_statements_say_what_they_take_to_hold(self):
        self.assertEqual(line_of(self.text, "S2 Table 6", "S2.36 ")[1:3], ["0.95 to 1.05", "no"])
        widths = [line_of(self.text, "S1 Fig 7", f"S1.{number} ")[1:3] for number in (24, 25)]
        self.assertEqual(widths, [["from 40 to 68 nodes on, around 2 × 27", "yes"], ["from 58 to 98 nodes on, around 2 × 39", "no"]])
        self.assertEqual([line_of(self.text, "S3 Fig 10", f"S3.{number} ")[2] for number in (23, 24)], ["no", "yes"])

    def test_what_the_card_cannot_show_is_not_counted(self):
        self.assertEqual(line_of(self.text, "S3 Table 4", "S3.9 ")[2], "cannot be shown here")
        self.assertIn("cards since coalesce", line_of(self.text, "S3 Table 4", "S3.9 ")[3])
        self.assertIn("cannot be shown on this machine", self.text)
        self.assertEqual(line_of(self.text, "S2 Table 5", "S2.33 ")[1:3],
                         ["from 85.3% on, by what a plain copy reaches; here at N = 4096, which caches do not hold", "yes"])
        self.assertEqual(line_of(self.text, "S2 Table 5", "4096 AA FP16")[1:4], ["", "", ""])

    def test_a_cache_that_holds_the_only_domain_is_told(self):
        rows = [synthetic.row(["S2 Table 5"], "D2Q9", "soa-aa", "fp32", [1024, 1024, 1], flow=f) for f in ("poiseuille", "cavity")]
        found = s2_statements.table_5(results.Inputs(Path("."), device=synthetic.DEVICE, copy=synthetic.COPY, rows=rows))[33]
        self.assertEqual(found.word, "cannot be shown here")
        self.assertIn("37.7 MB lie in the second cache of this card, 50 MB", found.beyond)

    def test_ghost_cells_in_other_blocks_stand_apart(self):
        self.assertIn("| `ghost 16²` |", self.text)
        self.assertEqual(line_of(self.text, "S4 Fig 7", "S4.14 ")[2], "yes")

    def test_every_table_figure_and_statement_of_the_papers_has_its_verdict(self):
        """All that tools/seeds_report/paper names: a section with a verdict, a line of each statement in it with what was found."""
        lines = {line.split()[1]: [cell.strip() for cell in line.strip("| ").split(" | ")] for line in self.text.splitlines()
                 if re.match(r"\| S\d\.\d+ ", line)}
        sections = {part.splitlines()[0]: part for part in re.split(r"\n### ", self.text)[1:]}
        allowed = {"yes", "no", "cannot be shown here", "not measured"}
        seen = set()
        for tag in ("s1", "s2", "s3", "s4"):
            for where in {name for name in paper.load(tag) if re.match(r"(Preprint )?(Table|Fig) \d+$", name)}:
                title = f"{tag.upper()} {where[0].lower() + where[1:] if where.startswith('Preprint') else where}"
                found = [s for name, s in sections.items() if re.search(rf"{re.escape(title)}(:| and )", name) or
                         (where == "Fig 1" and name.startswith("S2 Table 1 and Fig 1"))]
                self.assertEqual(len(found), 1, title)
                self.assertIn("\n> **", found[0], title)
            for row in paper.rows(tag, "statements"):
                name = f"{tag.upper()}.{row['number']}"
                self.assertIn(name, lines, row["text"])
                text, rule, word, words = lines[name]
                self.assertTrue(row["text"][:20] in re.sub("</?su[bp]>", "", text) or re.search("[_^]", row["text"][:20]), name)
                self.assertIn(word, allowed, name)
                self.assertTrue(rule and words, f"{name}: nothing is said of what it takes or of what was found")
                seen.add(name)
        self.assertEqual(seen, set(lines), "statements that no paper makes")

    def test_what_is_not_built_is_all_that_is_not_measured(self):
        words = dict(re.findall(r"^\| (S\d\.\d+) .*? \| (yes|no|cannot be shown here|not measured) \| ", self.text, re.MULTILINE))
        self.assertEqual({name for name, word in words.items() if word == "not measured"},
                         {"S2.39", "S4.13"})

    def test_reasons_name_rows_of_any_other_scheme(self):
        part = self.text[self.text.index("### S1 Table 3"):self.text.index("### S1 Table 4")]
        self.assertIn("`compact-sliding` 0.78 beside `t2c`'s 0.58", part)
        self.assertIn("in fp32 and 19 MB in 16 bits; the second cache of this card has 50 MB", self.text)

    def test_rows_that_did_not_run_say_why(self):
        self.assertIn("- `fia`: needs 90000 MiB, the device has 80000", self.text)

    def test_the_page_is_whole_and_links_lead_somewhere(self):
        page = Balanced()
        page.feed(self.html)
        self.assertEqual((page.wrong, page.open), ([], []))
        for anchor in set(part.split('"')[0] for part in self.html.split('href="#')[1:]):
            self.assertIn(f'id="{anchor}"', self.html)
        self.assertEqual(self.html.count("<table"), self.text.count("\n| ---"))

    def test_figures_are_there_or_said_to_be_missing(self):
        named = {part.split(")")[0] for part in self.text.split("](figures/")[1:]}
        self.assertTrue(named or "There are no figures" in self.text)
        for name in named:
            self.assertLess((Path(self.folder.name) / "figures" / name).stat().st_size, 60000, name)


class OfOtherFolders(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = Path(self.temporary.name)

    def test_an_empty_folder_gives_a_report_that_says_so(self):
        self.assertEqual(run(self.folder).returncode, 0)
        text = (self.folder / "report.md").read_text(encoding="utf-8")
        for name in TABLES:
            self.assertIn(f"\n### {name}", text)
        self.assertNotIn("**Reproduced**", text)
        self.assertNotIn("**Better**", text)

    def test_bad_input_is_one_clear_line(self):
        for content, words in (("{", "rows.json: not JSON"), ('{"rows": []}', 'rows.json: no "device"'),
                               ('{"device": "cpu", "bandwidth": [], "rows": [{}]}', 'row 1 has no "experiments"')):
            (self.folder / "rows.json").write_text(content, encoding="utf-8")
            done = run(self.folder)
            self.assertEqual((done.returncode, done.stderr.count("seeds_report: " + str(self.folder))), (1, 1), done.stderr)
            self.assertNotIn("Traceback", done.stderr)
            self.assertIn(words, done.stderr)
        (self.folder / "rows.json").unlink()
        (self.folder / "sphere.json").write_text('{"runs": [{"reynolds": 1}]}', encoding="utf-8")
        self.assertIn('run 1 has no "lattice"', run(self.folder).stderr)
        self.assertIn("no such folder", run(self.folder / "none").stderr)
        self.assertIn("no such program", run(self.folder, "--fluvia", self.folder / "none").stderr)

    def test_it_runs_from_one_file(self):
        archive = self.folder / "seeds_report.pyz"
        zipapp.create_archive(TOOL, archive, filter=lambda path: "__pycache__" not in path.parts)
        self.assertEqual(run(self.folder, tool=archive).returncode, 0)
        self.assertTrue((self.folder / "report.html").exists())

    def test_models_are_made_once_and_failures_told(self):
        fluvia = self.folder / "fluvia"
        answer = json.dumps(synthetic.model("D3Q19", 0.9, 0.97))
        fluvia.write_text("#!/bin/sh\ncase \"$*\" in *network*) echo 'fluvia: no network' >&2; exit 3;; esac\n"
                          f"for file; do :; done\necho '{answer}' >\"$file\"\n", encoding="utf-8")
        os.chmod(fluvia, stat.S_IRWXU)
        said = []
        failures = model_runs.make_models(fluvia, self.folder, "cpu", 1e11, said.append)
        self.assertEqual(failures["network_16"], "no network")
        self.assertEqual(len(said), len(model_runs.model_runs()))
        (self.folder / "model" / "ras_0.9.json").write_text("{", encoding="utf-8")
        said.clear()
        model_runs.make_models(fluvia, self.folder, "cpu", 1e11, said.append)
        self.assertEqual([s for s in said if "no network" not in s], ["seeds_report: model of ras_0.9"])


class OfVerdicts(unittest.TestCase):
    HOLDS, FAILS = verdicts.Claim("a", True), verdicts.Claim("b", False)

    def test_statements_weigh_beside_speeds(self):
        equal = [("row", 0.6, 0.6)]
        word = {n: verdicts.by_utilisation(equal, claims=[self.HOLDS] * 2 + [self.FAILS] * n).word for n in (0, 1, 2)}
        self.assertEqual(word, {0: "reproduced", 1: "reproduced", 2: "partly reproduced"})
        worse = verdicts.by_utilisation([("row", 0.5, 0.6)], why="slow.", claims=[self.FAILS], claims_why="other.")
        self.assertEqual((worse.word, worse.why), ("worse", "slow. other."))
        self.assertEqual(verdicts.by_utilisation(equal, why="slow.", claims=[self.FAILS], claims_why="other.").why, "other.")
        self.assertEqual(verdicts.by_utilisation(equal, claims=[verdicts.Claim("c", None)]).word, "reproduced")

    def test_tolerances(self):
        self.assertEqual([verdicts.reaches("", v, 2.0).holds for v in (1.89, 1.91, None)], [False, True, None])
        self.assertEqual([verdicts.near("", v, 0.99, 0.05).holds for v in (0.93, 0.95, 1.05)], [False, True, False])

    def test_reasons_take_published_schemes_into_account(self):
        rows = [synthetic.row(["X"], "D2Q9", s, "fp64", [64, 64, 1]) for s in ("tgb", "cm", "fia")]
        rows.append(synthetic.row(["X"], "D2Q9", "compact-sliding", "fp64", [128, 128, 1]))  # another domain
        found = results.Inputs(Path("."), device=synthetic.DEVICE, copy=synthetic.COPY, rows=rows)
        self.assertEqual([r["scheme"] for r in speeds.beside(found, "X", "tgb")], ["tgb", "cm"])
        self.assertIsNone(speeds.beside(found, "X", "compact-sliding"))

    def test_a_peak_is_the_highest_of_its_range(self):
        run = {"lattice": "D3Q19", "reynolds": 400}
        frequency = [0.04, 0.07, 0.22, 0.34, 0.7]
        for amplitude, holds in (([1, 0.2, 0.8, 0.9, 0], (True, False)), ([1, 0.2, 0.8, 0.7, 0], (True, True)),
                                 ([0.4, 0.9, 1, 0.3, 0], (False, True)), ([1, 0.2, 0.4, 0.1, 0], (True, False))):
            found = tuple(s3.peak_found(run, at, frequency, amplitude).holds for at in (0.03, 0.22))
            self.assertEqual(found, holds, amplitude)

    def test_errors_have_the_signs_of_the_papers_drags(self):
        self.assertEqual([s3.signed_error(r, r["reference"]) < 0 for r in paper.rows("s3", "Table 3")],
                         [True, True, False, True, True, False])

    def test_symbols_have_indices(self):
        self.assertEqual(symbols.in_page("Δ^B_bt of α_M, Δ"), "Δ<sup>B</sup><sub>bt</sub> of α<sub>M</sub>, Δ")
        self.assertEqual(symbols.in_figure("φ_t"), r"$\varphi_{\mathrm{t}}$")
        self.assertEqual(symbols.letters(symbols.in_figure("α_M, here")), len("M, here"))


class OfCounters(unittest.TestCase):
    WIDE = ('==PROF== Profiling "step_sites"\n"ID","Kernel Name","dram__bytes_read.sum","gpu__time_duration.sum"\n'
            '"","","Mbyte","us"\n"0","step_sites","1,234.5","10"\n"1","step_sites","n/a","12.5"\n')
    LONG = ('"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"\n'
            '"0","step","dram__bytes_read.sum","byte","1,234"\n"0","step","l1tex__t_sector_hit_rate.pct","%","12.5"\n'
            '"1","step","dram__bytes_read.sum","Kbyte","2"\n')

    def test_both_forms_of_ncu_are_read(self):
        self.assertEqual(counters.parse_ncu(self.WIDE), [{"kernel": "step_sites", "dram_read": 1.2345e9, "nanoseconds": 1e4},
                                                         {"kernel": "step_sites", "nanoseconds": 12500.0}])
        self.assertEqual(counters.parse_ncu(self.LONG), [{"kernel": "step", "dram_read": 1234.0, "l1": 12.5},
                                                         {"kernel": "step", "dram_read": 2000.0}])
        self.assertEqual(counters.parse_ncu("==ERROR== ERR_NVGPUCTRPERM\n"), [])

    def test_a_counter_that_the_card_lacks_is_left_out(self):
        with tempfile.TemporaryDirectory() as folder:
            ncu = Path(folder) / "ncu"
            ncu.write_text("#!/bin/sh\ncase \"$*\" in *lts__t*) echo '==ERROR== Failed to find metric "
                           f"{counters.METRICS['l2_read_sectors']} {counters.METRICS['l2_write_sectors']}'; exit 1;; esac\n"
                           "while [ \"$1\" != --log-file ]; do shift; done\ncat >\"$2\" <<'END'\n" + self.WIDE + "END\n",
                           encoding="utf-8")
            os.chmod(ncu, stat.S_IRWXU)
            launches, reason = counters.profile(str(ncu), "fluvia", {"size": 64}, counters.TRAFFIC)
            self.assertEqual((len(launches), reason), (2, ""))
            ncu.write_text("#!/bin/sh\necho '==ERROR== ERR_NVGPUCTRPERM'; exit 1\n", encoding="utf-8")
            launches, reason = counters.profile(str(ncu), "fluvia", {"size": 64}, counters.TRAFFIC)
            self.assertEqual(launches, [])
            self.assertTrue(counters.is_useless(reason), reason)

    def test_counters_of_another_machine_stay(self):
        with tempfile.TemporaryDirectory() as folder:
            synthetic.write(folder, counters.key_of)
            found = results.read_inputs(folder)
            content = counters.make_counters("fluvia", found, say=lambda words: None)
            self.assertEqual((content["kernels"], content["reason"]), (found.counters["kernels"], ""))
            (Path(folder) / "counters.json").unlink()
            found.device = "cpu"
            self.assertIn("CPU", counters.make_counters("fluvia", found, say=lambda words: None)["reason"])

    def test_a_kernel_of_which_little_was_counted_is_profiled_again(self):
        traffic = {"launches": [dict.fromkeys(counters.TRAFFIC, 1.0)]}
        self.assertTrue(counters.tells(traffic, counters.TRAFFIC))
        self.assertFalse(counters.tells(traffic, counters.TRAFFIC_AND_QUALITY))

    def test_what_kernels_wait_for_is_said(self):
        with tempfile.TemporaryDirectory() as folder:
            synthetic.write(folder, counters.key_of)
            self.assertEqual(run(folder).returncode, 0)
            text = (Path(folder) / "report.md").read_text(encoding="utf-8")
        for section, words in (("S2 Table 1", "`soa-push` (fp32, 8192×8192): memory is 91% busy, a warp waits 73% of its time for "
                                "what it loads from memory, 18% of its time for other warps of its block"),
                               ("S2 Table 5", "the kernel that completes the lid, which the channel does not have, takes 100.0 µs"),
                               ("S3 Table 4", "its blocks fill 50% of the card"),
                               ("S4 Fig 6", "and moves 10.0% of its bytes between memory and chip")):
            part = text[text.index(f"### {section}"):]
            self.assertIn(words, part[:part.index("\n### ", 1)], section)
            self.assertNotIn("o counters of these kernels were read", part[:part.index("\n### ", 1)], section)

    def test_waits_need_counters(self):
        self.assertEqual(waits.words([]), "")
        self.assertEqual(waits.words([{"dram": 50.0}]), "")

    def test_a_step_may_be_two_kernels(self):
        launches = [{"dram_read": 1.0}, {"dram_read": 3.0}]
        self.assertEqual(counters.step_sums({"launches": launches}, "t2c")["dram_read"], 2.0)
        sums = counters.step_sums({"launches": launches}, "fia")
        self.assertEqual((sums["dram_read"], sums["dram_write"]), (4.0, None))
        self.assertEqual(counters.traffic({"dram_read": 1.0, "dram_write": 2.0, "l2_write_sectors": None}), (1.0, 2.0))


if __name__ == "__main__":
    unittest.main()
