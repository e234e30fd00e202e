# SPDX-License-Identifier: Apache-2.0
"""Exceptions that Fluvia raises. The messages are those of the program `fluvia`: the place, the value and what would be right."""


class Error(Exception):
    """Base of all errors that Fluvia raises. `code` is the exit code that `fluvia` would end with."""

    code: int = 1


class InputError(Error, ValueError):
    """A case, geometry, checkpoint or argument is wrong."""

    code = 3


class ResourceError(Error, OSError):
    """Memory, disk, permissions or devices do not suffice."""

    code = 4


class UnstableError(Error, ArithmeticError):
    """The flow diverged; the message says where and why."""

    code = 5


INTERRUPTED = 6  # exit code of the program after Ctrl-C
_USAGE = 2  # of the program: what it was asked for is not possible
_BY_CODE: dict[int, type[Error]] = {_USAGE: InputError, **{kind.code: kind for kind in (InputError, ResourceError, UnstableError)}}


def from_code(code: int, message: str) -> Error:
    """The error of an exit code."""
    return _BY_CODE.get(code, Error)(message)
