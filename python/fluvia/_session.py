# SPDX-License-Identifier: Apache-2.0
"""The flow behind a Simulation, for whatever thread or process asks it."""
from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from fluvia import _core
from fluvia.errors import ResourceError

_forks = 0


def _count_fork() -> None:
    global _forks
    _forks += 1


os.register_at_fork(after_in_child=_count_fork)


class SharedSession:
    """Hands everything on to a _core.Session, for one thread at a time.

    In a process that was forked, threads of OpenMP are gone which the thread that forked still counts on, and it would
    wait for them for ever. So there a thread of its own asks the session, for which OpenMP starts new ones. What a GPU
    has, a forked process cannot reach: it gets a ResourceError.
    """

    def __init__(self, case: _core.Case) -> None:
        self._begin()
        self._session: _core.Session = self._call(_core.Session, case)
        self._on_gpu = self._session.plan["device"] == "cuda"

    def _begin(self) -> None:
        self._lock, self._process = threading.RLock(), os.getpid()
        self._thread = ThreadPoolExecutor(1, "fluvia") if _forks > 0 else None

    def _call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        if os.getpid() != self._process:
            if self._on_gpu:
                raise ResourceError("a forked process cannot reach the GPU of the flow; make the flow there, or start the "
                                    'process by multiprocessing.get_context("spawn")')
            self._begin()  # whoever held the lock is not here, either
        with self._lock:
            if self._thread is None:
                return function(*arguments)
            return self._thread.submit(function, *arguments).result()

    def together(self, function: Callable[[_core.Session], Any]) -> Any:
        """Calls `function(session)`, whose calls no other thread's come between."""
        return self._call(function, self._session)

    def __getattr__(self, name: str) -> Any:
        value = self._call(getattr, self._session, name)
        return functools.partial(self._call, value) if callable(value) else value
