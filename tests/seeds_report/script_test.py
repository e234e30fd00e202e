# SPDX-License-Identifier: Apache-2.0
"""scripts/sphere_in_pipe.py, which makes what the report reads of S3, on a Python without packages."""
import subprocess
import sys
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "sphere_in_pipe.py"


def bare(*arguments):
    """Run without the folders that packages are installed in."""
    return subprocess.run([sys.executable, "-I", "-S", str(SCRIPT), *arguments], capture_output=True, text=True, check=False)


class WithoutPackages(unittest.TestCase):
    def test_commands_are_printed(self):
        for arguments in (("--table", "2"), ("--table", "3", "--lattice", "D3Q13", "--rates", "paper")):
            done = bare("commands", *arguments)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertTrue(all(line.startswith("fluvia run cases/sphere-in-pipe.toml ") for line in done.stdout.splitlines()))

    def test_the_papers_own_runs_can_be_asked_for(self):
        done = bare("commands", "--table", "3", "--reynolds", "300", "--lattice", "D3Q13", "--rates", "paper", "--paper-speed", "--full-length",
                    "--outlet", "non-reflecting")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for part in ("units.lattice_velocity=0.02 ", "--steps 1706880 ", 'type="non_reflecting"', "-paper-non-reflecting-paper-speed-re300-128\n"):
            self.assertIn(part, done.stdout)
        self.assertNotIn("boundary=", bare("commands", "--table", "3", "--reynolds", "300", "--outlet", "velocity").stdout)

    def test_what_is_missing_is_one_line(self):
        for arguments in (("stokes",), ("table", "out"), ("digest", "out", "--json", "x"), ("streamlines", "out", "--png", "x")):
            done = bare(*arguments)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1), done.stderr)
            self.assertIn(f"sphere_in_pipe.py {arguments[0]}: needs numpy", done.stderr)


if __name__ == "__main__":
    unittest.main()
