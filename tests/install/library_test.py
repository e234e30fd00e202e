# SPDX-License-Identifier: Apache-2.0
"""`cmake --install` into a folder that is then moved, and a program that finds Fluvia there."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
BUILD, CMAKE, COMPILER = os.environ["FLUVIA_BUILD"], os.environ["FLUVIA_CMAKE"], os.environ["CXX"]


def run(*command, **options):
    return subprocess.run([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, **options)


class Library(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="fluvia-install-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        done = run(CMAKE, "--install", BUILD, "--prefix", "/usr", env={**os.environ, "DESTDIR": str(cls.folder / "root")})
        if done.returncode != 0:
            raise AssertionError(done.stdout)
        cls.place = cls.folder / "another place"
        shutil.move(cls.folder / "root" / "usr", cls.place)

    def configure(self, source, name):
        return run(CMAKE, "-S", source, "-B", self.folder / name, f"-DCMAKE_PREFIX_PATH={self.place}",
                   f"-DCMAKE_CXX_COMPILER={COMPILER}")

    def project(self, line):
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        (folder / "CMakeLists.txt").write_text(f"cmake_minimum_required(VERSION 3.25)\nproject(p LANGUAGES CXX)\n{line}\n")
        return folder

    def test_every_header_compiles_alone(self):
        include = self.place / "include"
        headers = sorted(str(header.relative_to(include)) for header in include.rglob("*.hpp"))
        self.assertIn("fluvia/run/session.hpp", headers)
        unit = self.folder / "unit.cpp"

        def compile_header(header):
            unit = self.folder / (header.replace("/", "_") + ".cpp")
            unit.write_text(f"#include <{header}>\n#include <{header}>\n")
            return run(COMPILER, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I", include, unit)

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for header, done in zip(headers, pool.map(compile_header, headers)):
                self.assertEqual(done.returncode, 0, header + "\n" + done.stdout)

    def test_the_example_is_built_and_runs(self):
        done = self.configure(SOURCE / "examples" / "cpp", "example")
        self.assertEqual(done.returncode, 0, done.stdout)
        done = run(CMAKE, "--build", self.folder / "example")
        self.assertEqual(done.returncode, 0, done.stdout)
        done = run(self.folder / "example" / "cavity")
        self.assertEqual(done.returncode, 0, done.stdout)
        found = re.fullmatch(r"step 500, largest component of the velocity (\S+)\n", done.stdout)
        self.assertTrue(found, done.stdout)
        # The node next to the lid has nearly its speed, 0.1.
        self.assertAlmostEqual(float(found[1]), 0.0925, delta=0.002)

    def test_the_page_shows_the_example(self):
        page = (SOURCE / "docs" / "cpp.md").read_text(encoding="utf-8")
        for file, language in (("CMakeLists.txt", "cmake"), ("main.cpp", "cpp")):
            text = (SOURCE / "examples" / "cpp" / file).read_text(encoding="utf-8")
            self.assertIn(f"```{language}\n{text}```", page)

    def test_the_page_names_every_header_to_include(self):
        page = (SOURCE / "docs" / "cpp.md").read_text(encoding="utf-8")
        listed = re.search(r"set\(headers ([^)]*)\)", (SOURCE / "cmake" / "Install.cmake").read_text(encoding="utf-8"))
        for header in listed[1].split():
            self.assertIn(f"`{header}`", page)

    def test_another_version_is_refused(self):
        done = self.configure(self.project("find_package(fluvia 99 REQUIRED)"), "other-version")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("compatible with requested version \"99\"", " ".join(done.stdout.split()))

    def test_a_missing_library_is_named(self):
        copy = self.folder / "without library"
        shutil.copytree(self.place, copy, symlinks=True)
        for library in copy.rglob("libfluvia*.so*"):
            library.unlink()
        done = run(CMAKE, "-S", self.project("find_package(fluvia REQUIRED)"), "-B", self.folder / "missing",
                   f"-DCMAKE_PREFIX_PATH={copy}", f"-DCMAKE_CXX_COMPILER={COMPILER}")
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(" ".join(done.stdout.split()), r"libfluvia\S* ?is missing")

    def test_the_program_runs_from_there(self):
        done = run(self.place / "bin" / "fluvia", "--version", cwd="/")
        self.assertRegex(done.stdout, r"^fluvia [0-9.]+\n$")
        for page in ("man/man1/fluvia.1", "bash-completion/completions/fluvia", "zsh/site-functions/_fluvia",
                     "fish/vendor_completions.d/fluvia.fish"):
            self.assertGreater((self.place / "share" / page).stat().st_size, 10000, page)

    def test_nothing_of_the_python_package_is_there(self):
        self.assertEqual([str(file) for file in self.place.rglob("*") if "_core" in file.name or file.suffix == ".py"], [])


if __name__ == "__main__":
    unittest.main()
