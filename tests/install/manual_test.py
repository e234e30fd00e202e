# SPDX-License-Identifier: Apache-2.0
"""The manual page: troff takes it without a word, and it has everything that the pages and the help have."""
import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
FLUVIA = os.environ["FLUVIA_BINARY"]


def output_of(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True)


class Manual(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.source = output_of(FLUVIA, "--print-manual").stdout

    def rendered(self):
        if not shutil.which("groff"):
            self.skipTest("groff is not installed (scripts/setup --test)")
        done = output_of("groff", "-man", "-ww", "-Tutf8", "-P-c", "-P-b", "-P-u", text=self.source)
        self.assertEqual(done.stderr, "")
        return done.stdout.replace("\u2212", "-").replace("\u2010", "-")

    def test_troff_is_content(self):
        page = self.rendered()
        self.assertIn("FLUVIA(1)", page)
        self.assertIn("fluvia - lattice Boltzmann flow solver", page)
        self.assertRegex(page, r"--set KEY=VALUE")

    def test_every_command_and_option_of_the_help_is_there(self):
        page = " ".join(self.source.replace("\\-", "-").split())
        commands = re.findall(r"^  ([a-z]+) +\S", output_of(FLUVIA, "--help").stdout.split("Subcommands:")[1], re.MULTILINE)
        self.assertGreaterEqual(len(commands), 9)
        for command in commands:
            self.assertIn(f".SS fluvia {command} ", page)
            help_text = output_of(FLUVIA, command, "--help").stdout
            options = re.findall(r"^  (?:-\w,)?(--[a-z-]+)", help_text, re.MULTILINE)
            for option in options:
                self.assertIn(f"\\fB{option}\\fR", page, command)
            examples = re.findall(r"^  (fluvia .*)$", help_text.split("Examples:")[1], re.MULTILINE)
            self.assertTrue(examples, command)
            for example in examples:
                self.assertIn(f"\\fB{example}\\fR", page, command)

    def test_it_has_the_codes_and_variables_of_the_page(self):
        page = (SOURCE / "docs" / "command-line.md").read_text(encoding="utf-8")
        codes = re.findall(r"^\| (\d) \| \w+ \|", page, re.MULTILINE)
        variables = re.findall(r"^\| `(FLUVIA_\w+)`", page, re.MULTILINE)
        self.assertEqual((len(codes), len(variables)), (7, 4))
        for name in codes + variables:
            self.assertIn(f".TP\n.B {name}\n", self.source)


if __name__ == "__main__":
    unittest.main()
