# SPDX-License-Identifier: Apache-2.0
"""Cases: what `fluvia run` reads, from a file, a text or keywords."""
from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import tomli_w

from fluvia import _core
from fluvia.arrays import ArrayFile, to_files


class Case:
    """A flow to be computed; checked like a case file when it is made, and not changed afterwards.

    `Case(units={"system": "lattice", "tau": 0.6}, domain={...}, boundary=[{...}], run={"steps": 100})` takes the
    sections of a case file (docs/case-file.md) as keywords. Files that it names are sought from `directory`. Keys of
    files take numpy arrays, too: `geometry={"voxels": solid == 0}`, `physics={"initial_velocity_file": u}`, ...
    Raises InputError that names the key, its value and what would be right.
    """

    def __init__(self, *, directory: str | os.PathLike[str] = ".", **sections: Any) -> None:
        plain, files = to_files(sections)
        self._set(_to_toml(plain), Path(directory) / "case.toml", [], files)

    @classmethod
    def read(cls, file: str | os.PathLike[str], settings: Iterable[str] = ()) -> Case:
        """The case in a file, with `settings` like those after `--set` ("numerics.scheme=aa")."""
        path = Path(file)
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            from fluvia.errors import InputError

            raise InputError(f"{path}: {error.strerror}") from error
        return cls.parse(text, origin=path, settings=settings)

    @classmethod
    def parse(cls, text: str, origin: str | os.PathLike[str] = "case.toml", settings: Iterable[str] = ()) -> Case:
        """The case in a text; `origin` is the file name for messages, in whose folder other files are sought."""
        return cls._make(text, Path(origin), list(settings), {})

    def _set(self, text: str, origin: Path, settings: list[str], files: Mapping[str, ArrayFile] = MappingProxyType({})) -> None:
        self._text, self._origin, self._settings, self._files = text, origin, settings, files
        self._core = _core.Case.parse(text, origin, settings, self._paths)

    @property
    def _paths(self) -> dict[str, Path]:
        """Where the files are that stand for arrays."""
        return {name: file.path for name, file in self._files.items()}

    @classmethod
    def _make(cls, text: str, origin: Path, settings: list[str], files: Mapping[str, ArrayFile]) -> Case:
        case = cls.__new__(cls)
        case._set(text, origin, settings, files)
        return case

    def _with_sections(self, sections: Mapping[str, Any]) -> Case:
        """A case with other sections, among whose files may be those of this case."""
        plain, files = to_files(sections)
        return Case._make(_to_toml(plain), self._origin, [], {**self._files, **files})

    def changed(self, *settings: str, **values: Any) -> Case:
        """This case with other values: `case.changed("boundary.inlet.speed=0.2", "numerics.scheme=aa")`, or
        `case.changed(**{"units.tau": 0.55})`."""
        more = [*settings, *(f"{key}={literal(value)}" for key, value in values.items())]
        return Case._make(self._text, self._origin, [*self._settings, *more], self._files)

    def __reduce__(self) -> tuple[Any, ...]:
        """Cases travel to other processes by their text and their arrays; files that they name are sought where they were."""
        return _remade, (self._text, os.path.abspath(self._origin), self._settings, dict(self._files))

    def __copy__(self) -> Case:
        return self

    def __deepcopy__(self, _: dict[int, Any]) -> Case:
        return self

    @property
    def title(self) -> str:
        """Title of the case; "" if it has no title."""
        return self._core.title

    @property
    def dimension(self) -> int:
        """Number of dimensions, 2 or 3."""
        return self._core.dimension

    @property
    def sections(self) -> dict[str, Any]:
        """A copy of the whole case as a dictionary, includes and settings carried out."""
        return tomllib.loads(self.to_toml())

    def to_toml(self) -> str:
        """The case as a text, includes and settings carried out. Comments stay only where there are neither."""
        if not self._settings and "include" not in tomllib.loads(self._text):
            return self._text
        return _core.merge_toml(self._text, self._origin, self._settings)

    def write(self, file: str | os.PathLike[str]) -> None:
        """Writes a case file. Names of other files in it are relative to its folder: write it beside them. Arrays of the
        case are written there, as `array-....npy` and `.csv`."""
        path = Path(file)
        for array in self._files.values():
            _write_whole(path.with_name(array.name), array.path.read_bytes())
        _write_whole(path, self.to_toml().encode())

    def __repr__(self) -> str:
        return f"<fluvia.Case {self.title or self._origin.name!r}>"


def _remade(text: str, origin: str, settings: list[str], files: Mapping[str, ArrayFile]) -> Case:
    return Case._make(text, Path(origin), settings, files)


def _write_whole(path: Path, content: bytes) -> None:
    partial = path.with_name(path.name + ".tmp")
    partial.write_bytes(content)
    partial.replace(path)


def _to_toml(sections: Mapping[str, Any]) -> str:
    try:
        return tomli_w.dumps(_plain(sections))
    except TypeError as error:
        from fluvia.errors import InputError

        raise InputError(f"case: {error}; expected numbers, texts, lists and dictionaries") from error


def _plain(value: Any) -> Any:
    """numpy's numbers and arrays, paths and tuples as types of TOML."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items() if item is not None}
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def literal(value: Any) -> str:
    """A value as TOML has it after a key."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {literal(item)}" for key, item in value.items()) + "}"
    value = _plain(value)
    if isinstance(value, list):
        return "[" + ", ".join(literal(item) for item in value) + "]"
    return tomli_w.dumps({"v": value}).removeprefix("v = ").strip()
