"""Findings of later turns of a portfolio, made before their time by further processes, where `--jobs` allows some.

A helper is a fork of this process.  It waits for a second, since most questions are decided by then, and takes turns
that need nothing of those before them.  What it found is asked for when its turn comes, so it does not matter who is
faster: the first turn that decides wins, as in one process.  Evidence comes as plain records; parts of the program are
sent by number, and are the same objects here.  What cannot be sent (such as BDDs) is found again in this process.
"""

from __future__ import annotations

import io
import os
import pickle
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any, NoReturn

from knaster.base.named_tuples import NamedTuple
from knaster.base.records import replace
from knaster.checkers.checked import Checked
from knaster.engines.contract import Findings, Task
from knaster.evidence.proofs.table import Proof
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.trace import Trace
from knaster.program.expression import FALSE, TRUE

PATIENCE = 1.0  # seconds of a question before anybody helps
Turns = Iterator[tuple[int, Callable[[Task], Findings]]]  # by their places in the order, what finds


class Letter(NamedTuple):
    """Findings as plain records; nothing in them is believed."""

    findings: Findings  # without functions
    traces: Mapping[Target, Trace] | None
    proof: Proof | None

    @classmethod
    def of(cls, task: Task, findings: Findings) -> Letter:
        """Return findings with their evidence; a proof that was checked elsewhere is one that nobody has checked."""
        wanted = [target for target in task.targets if target in findings.reached]
        traces = dict(findings.traces(wanted)) if findings.traces is not None else None
        proof = findings.proof() if findings.proof is not None else None
        if isinstance(proof, Checked):
            proof = proof.proof
        return cls(replace(findings, traces=None, proof=None, table=None), traces, proof)

    def open(self) -> Findings:
        """Return the findings as the method returns them."""
        traces, proof = self.traces, self.proof
        return replace(
            self.findings,
            traces=None if traces is None else lambda targets: {target: traces[target] for target in targets},
            proof=None if proof is None else lambda: proof,
        )


class Helpers:
    """So many processes that take turns before their time, each one of them in so many; `turns` is called there."""

    def __init__(self, task: Task, turns: Callable[[], Turns], count: int) -> None:
        self._parts = list(_parts_of(task))
        self._helpers = [
            _Helper(task, lambda first=first: islice(turns(), first, None, count), self._parts)  # type: ignore[misc]
            for first in range(count)
        ]

    def find(self, number: int) -> Findings | None:
        """Return what a helper found in a turn, as soon as it is there; None where this process must take it."""
        for helper in self._helpers:
            if letter := helper.receive(number):
                return _read(letter, self._parts).open()
        return None

    def stop(self) -> None:
        """End all helpers."""
        for helper in self._helpers:
            helper.stop()


def can_help() -> bool:
    """Tell whether this process can be forked: not from another thread, nor with the threads of the BDD library."""
    main = threading.current_thread() is threading.main_thread()
    return hasattr(os, "fork") and main and "oxidd.bcdd" not in sys.modules


class _Helper:
    """One process that takes some turns, in their order."""

    def __init__(self, task: Task, turns: Callable[[], Turns], parts: Sequence[object]) -> None:
        self._begun: set[int] = set()
        self._letters: dict[int, bytes] = {}
        self._connection, theirs = Pipe()
        with warnings.catch_warnings():  # the threads of the watchdog hold nothing that is needed
            warnings.simplefilter("ignore", DeprecationWarning)
            self._process = os.fork()
        if not self._process:
            self._connection.close()
            _serve(theirs, task, turns, parts)
        theirs.close()

    def receive(self, number: int) -> bytes | None:
        """Return the letter about a turn, waiting for it if the turn was begun; None where there is none."""
        with suppress(EOFError, OSError):
            while number not in self._letters and (number in self._begun or self._connection.poll()):
                about, letter = self._connection.recv()
                if letter is None:
                    self._begun.add(about)
                else:
                    self._letters[about] = letter
            if number not in self._letters:
                self._connection.send(number)  # the turn is taken here, or was taken by another helper
        return self._letters.get(number) or None

    def stop(self) -> None:
        """End the process."""
        self._connection.close()
        with suppress(OSError):
            os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)


def _serve(connection: Connection, task: Task, turns: Callable[[], Turns], parts: Sequence[object]) -> NoReturn:
    """Take turns in a process of one's own until all are taken, or nobody asks any more."""
    try:
        signal.set_wakeup_fd(-1)
        for stops in (signal.SIGINT, signal.SIGTERM):
            signal.signal(stops, signal.SIG_IGN)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (1, 2):
            os.dup2(nowhere, stream)
        taken = [-1]
        threading.Thread(target=_listen, args=(connection, taken), daemon=True).start()
        task.budget.progress = None
        time.sleep(max(0.0, PATIENCE - task.budget.seconds_spent))
        for number, find in turns():
            if number > taken[0]:
                connection.send((number, None))
                connection.send((number, _write(task, find, parts)))
        threading.Event().wait()  # until nobody asks any more
    finally:
        os._exit(0)


def _listen(connection: Connection, taken: list[int]) -> None:
    """Hear which turns the other process takes itself; end where it has ended."""
    try:
        while True:
            taken[0] = max(taken[0], connection.recv())
    except (EOFError, OSError):
        os._exit(0)


def _write(task: Task, find: Callable[[Task], Findings], parts: Sequence[object]) -> bytes:
    """Return what a turn finds as a letter; nothing where it breaks down or cannot be sent."""
    try:
        text = io.BytesIO()
        _Writer(text, parts).dump(Letter.of(task, find(task)))
        return text.getvalue()
    except Exception:  # whatever it is, the other process finds it, too
        return b""


def _read(letter: bytes, parts: Sequence[object]) -> Letter:
    content = _Reader(io.BytesIO(letter), parts).load()
    assert isinstance(content, Letter)
    return content


def _parts_of(task: Task) -> Iterator[object]:
    """Yield what both processes have: the program with its parts, and the targets."""
    yield from (TRUE, FALSE, task.program, *task.targets)
    for procedure in task.program.procedures:
        yield procedure
        yield from procedure.edges


class _Writer(pickle.Pickler):
    """Writes parts that the reader has by their numbers."""

    def __init__(self, text: io.BytesIO, parts: Sequence[object]) -> None:
        super().__init__(text, pickle.HIGHEST_PROTOCOL)
        self._numbers = {id(part): number for number, part in enumerate(parts)}

    def persistent_id(self, thing: Any) -> int | None:
        """Return the number of a part; None of everything else."""
        return self._numbers.get(id(thing))


class _Reader(pickle.Unpickler):
    """Reads what a `_Writer` wrote; it comes from a process of our own."""

    def __init__(self, text: io.BytesIO, parts: Sequence[object]) -> None:
        super().__init__(text)
        self._parts = parts

    def persistent_load(self, number: Any) -> object:
        """Return the part of this number."""
        return self._parts[number]
