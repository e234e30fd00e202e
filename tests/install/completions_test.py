# SPDX-License-Identifier: Apache-2.0
"""Completions in the shells themselves: lines are typed at a terminal, and what the shell makes of them is read back."""
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

FLUVIA = os.environ["FLUVIA_BINARY"]

# What is typed before the key Tab, and what the line is then. One possibility only, so that nothing is listed.
LINES = {
    "fluvia perm": "fluvia permeability",
    "fluvia --vers": "fluvia --version",
    "fluvia --print-completions zs": "fluvia --print-completions zsh",
    "fluvia run --memory": "fluvia run --memory-limit",
    "fluvia run ca": "fluvia run case.toml",
    "fluvia run fold": "fluvia run folder/",
    "fluvia run case.toml --device cp": "fluvia run case.toml --device cpu",
    "fluvia run case.toml --set numerics.sche": "fluvia run case.toml --set numerics.scheme=",
    "fluvia run case.toml --set numerics.scheme=esot": "fluvia run case.toml --set numerics.scheme=esoteric-pull",
    "fluvia run case.toml --set boundary.1.ty": "fluvia run case.toml --set boundary.1.type=",
    "fluvia run case.toml --set=geometry.keep_isolated=tr": "fluvia run case.toml --set=geometry.keep_isolated=true",
    "fluvia sweep case.toml --vary numerics.format=fp64,fp16s,fp3":
        "fluvia sweep case.toml --vary numerics.format=fp64,fp16s,fp32",
    "fluvia run case.toml --output fol": "fluvia run case.toml --output folder/",
    "fluvia plan --device cpu cas": "fluvia plan --device cpu case.toml",
    "fluvia bench --lattice D2Q9 D3Q2": "fluvia bench --lattice D2Q9 D3Q27",
    "fluvia new aneu": "fluvia new aneurysm",
    "fluvia model coar": "fluvia model coarctation",
    "fluvia geometry no": "fluvia geometry notes.txt",
}


class Terminal:
    """A shell at a terminal."""

    def __init__(self, command, folder):
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.chdir(folder)
            environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "TERM": "dumb", "LC_ALL": "C.UTF-8"}
            os.execvpe(command[0], command, environment)

    def send(self, text):
        os.write(self.terminal, text.encode())

    def read_until(self, pattern, seconds=60):
        text, end = "", time.monotonic() + seconds
        while not (found := re.search(pattern, text)):
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.terminal], [], [], left)[0]:
                raise AssertionError(f"no '{pattern}' in what the shell wrote: {text!r}")
            try:
                text += os.read(self.terminal, 65536).decode(errors="replace")
            except OSError as error:
                raise AssertionError(f"the shell ended after {text!r}") from error
        return found

    def completed(self, line):
        """The line after Tab, which the shell tells itself as words in brackets."""
        self.send(line + "\t\x01told \r")
        return self.read_until(r"<<(.*?)>>")[1]

    def close(self):
        os.close(self.terminal)
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)


class Completions(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="fluvia-completions-"))
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "case.toml").touch()
        (self.folder / "cast.txt").touch()
        (self.folder / "notes.txt").touch()
        (self.folder / "folder").mkdir()

    def script(self, shell, name):
        if not shutil.which(shell):
            self.skipTest(f"{shell} is not installed (scripts/setup --test)")
        file = self.folder.parent / f"{self.folder.name}.{name}"
        self.addCleanup(file.unlink)
        text = subprocess.run([FLUVIA, "--print-completions", shell], stdout=subprocess.PIPE, check=True).stdout
        file.write_bytes(text)
        return file

    def check_lines(self, terminal):
        self.addCleanup(terminal.close)
        terminal.read_until("ready")
        for line, expected in LINES.items():
            with self.subTest(line=line):
                self.assertEqual(terminal.completed(line), expected)

    def test_bash(self):
        file = self.script("bash", "bash")
        terminal = Terminal(["bash", "--norc", "--noprofile", "-i"], self.folder)
        terminal.send(f"source {file}; bind 'set bell-style none'; PS1=; told() {{ echo '<''<'\"$*\"'>''>'; }}; "
                      "bind 'set enable-bracketed-paste off'; echo rea''dy\r")
        self.check_lines(terminal)

    def test_zsh(self):
        file = self.script("zsh", "zsh")
        terminal = Terminal(["zsh", "-f", "-i"], self.folder)
        terminal.send("autoload -Uz compinit; compinit -u -D; PS1=; unsetopt zle_bracketed_paste beep auto_remove_slash; bindkey -e; "
                      f"source {file}; told() {{ echo '<''<'\"$*\"'>''>'; }}; echo rea''dy\r")
        self.check_lines(terminal)

    def test_zsh_loads_it_as_a_function(self):
        file = self.script("zsh", "zsh")
        functions = self.folder.parent / (self.folder.name + ".functions")
        functions.mkdir()
        self.addCleanup(shutil.rmtree, functions)
        shutil.copy(file, functions / "_fluvia")
        terminal = Terminal(["zsh", "-f", "-i"], self.folder)
        terminal.send(f"fpath=({functions} $fpath); autoload -Uz compinit; compinit -u -D; PS1=; bindkey -e; "
                      "told() { echo '<''<'\"$*\"'>''>'; }; echo rea''dy\r")
        self.addCleanup(terminal.close)
        terminal.read_until("ready")
        self.assertEqual(terminal.completed("fluvia perm"), "fluvia permeability")

    def test_fish(self):
        file = self.script("fish", "fish")
        for line, expected in LINES.items():
            with self.subTest(line=line):
                done = subprocess.run(["fish", "--no-config", "-c", f"source {file}; complete -C \"$argv\"", line],
                                      cwd=self.folder, env={**os.environ, "HOME": str(self.folder)},
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True)
                self.assertEqual(done.stderr, "")
                words = [found.split("\t")[0] for found in done.stdout.splitlines()]
                self.assertIn(expected.split(" ")[-1], words)
                self.assertNotIn("cast.txt", words)

    def test_every_option_of_the_help_is_in_every_script(self):
        def printed(*arguments):
            return subprocess.run([FLUVIA, *arguments], stdout=subprocess.PIPE, text=True, check=True).stdout

        commands = re.findall(r"^  ([a-z]+) +\S", printed("--help").split("Subcommands:")[1], re.MULTILINE)
        bash, zsh, fish = (printed("--print-completions", shell) for shell in ("bash", "zsh", "fish"))
        for command in commands:
            for option in re.findall(r"^  (?:-\w,)?(--[a-z-]+)", printed(command, "--help"), re.MULTILINE):
                self.assertIn(f"\n{command}|{option}|", bash)
                self.assertRegex(zsh.split(f"\n    {command})\n")[1].split(";;")[0], rf"'\*?{option}[=\[]")
                self.assertRegex(fish, rf"'__fluvia_command {command}'.* -l {option[2:]} ")

    def test_another_shell_is_refused(self):
        done = subprocess.run([FLUVIA, "--print-completions", "tcsh"], stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("bash,zsh,fish", done.stderr)


if __name__ == "__main__":
    unittest.main()
