"""Random programs with threads, as text: small, recursive, with sections, results for globals, and started threads.

Every statement has a label, so that each is a target.  The text is read by the front end; nothing else is shared with
what is tested.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True)
class Crowd:
    """How large a random program with threads is, and which of the rarer constructs it has."""

    threads: tuple[int, int] = (2, 3)
    globals: int = 2
    statements: tuple[int, int] = (1, 4)
    starts: float = 0.0
    sections: float = 0.15
    calls: float = 0.35
    lock: float = 0.0  # a global called `atomic`, as Getafix has it
    enforces: float = 0.0
    copies: bool = False  # threads are started by labels `ASYNC_...` and as copies too


def threaded_text(rng: Random, crowd: Crowd = Crowd()) -> str:  # noqa: B008  # frozen
    """Return the text of a program with threads; the same for the same state of `rng`."""
    return _Author(rng, crowd).text()


class _Author:
    def __init__(self, rng: Random, crowd: Crowd) -> None:
        self.rng = rng
        self.crowd = crowd
        self.locked = rng.random() < crowd.lock
        self.shared = [f"g{index}" for index in range(crowd.globals)] + ["atomic"] * self.locked
        self.labels = 0
        self.own: list[str] = []
        self.first = 1  # label of the procedure

    def text(self) -> str:
        rng, count = self.rng, self.rng.randint(*self.crowd.threads)
        init = " & ".join(f"!{name}" for name in self.shared if rng.random() < 0.8 or name == "atomic")
        name = "thread{}" if self.locked else "main_{}"
        parts = [f"decl {', '.join(self.shared)};", f"init({init});" if init else ""]
        if self.locked:
            parts = [parts[0], "void init() begin " + "".join(f"{x} := F; " for x in self.shared) + "end"]
        threads = [name.format(number) for number in range(1, count + 1)]
        for number, thread in enumerate(threads):
            if number and rng.random() < 0.2:
                parts.append(parts[-1].replace(f"void {threads[number - 1]}(", f"void {thread}("))
            else:
                parts.append(self._procedure(f"void {thread}()", [], ""))
        parts.append(self._procedure("bool f(p)", ["p"], f"return {self._expression(['p'])};"))
        parts.append(self._procedure("void h()", [], ""))
        return "\n".join(parts) + "\n"

    def _procedure(self, head: str, parameters: list[str], last: str) -> str:
        self.own = [*parameters, *(["l"] if self.rng.random() < 0.6 else [])]
        declared = "decl l; " if "l" in self.own else ""
        self.first = self.labels + 1
        if self.crowd.enforces and self.rng.random() < self.crowd.enforces:
            declared += f"enforce({self._expression()}); "
        body = " ".join(self._statement(0) for _ in range(self.rng.randint(*self.crowd.statements)))
        return f"{head} begin {declared}{body} {last or self._label() + 'skip;'} end"

    def _label(self) -> str:
        self.labels += 1
        return f"X{self.labels}: "

    def _statement(self, depth: int) -> str:
        rng, crowd, label = self.rng, self.crowd, self._label()
        kind = rng.random()
        if kind < crowd.starts:
            ways = [f"start_thread f({self._expression()});", "start_thread h();"]
            if self.crowd.copies:
                ways += [f"ASYNC_{self.labels}: h();", f"start_thread goto X{self.first};"]
            return label + rng.choice(ways)
        kind = rng.random()
        if kind < crowd.sections:
            return label + rng.choice(["atomic_begin;", "atomic_begin;", "atomic_end;", "atomic_end;", "end_thread;"])
        if kind < crowd.sections + crowd.calls * 0.5:
            target = rng.choice([*self.shared, *self.own])
            return label + rng.choice([f"{target} := f({self._expression()});", "h();", f"f({self._expression()});"])
        if kind < 0.75 or depth > 1:
            names = rng.sample([*self.shared, *self.own], k=min(rng.choice([1, 1, 2]), len(self.shared)))
            values = ", ".join(self._expression() for _ in names)
            return label + f"{', '.join(names)} := {values};"
        if kind < 0.85:
            return label + rng.choice(["assume", "assume", "assert"]) + f"({self._expression()});"
        inner = " ".join(self._statement(depth + 1) for _ in range(rng.randint(1, 2)))
        if kind < 0.95:
            return label + f"if ({self._expression()}) then {inner} fi"
        return label + f"while ({self._expression()}) do {inner} od"

    def _expression(self, names: list[str] | None = None) -> str:
        rng = self.rng
        leaves = [*self.shared, *(self.own if names is None else names)]
        pick = rng.choice(leaves) if rng.random() < 0.8 else rng.choice(["T", "F", "*"])
        if rng.random() < 0.3:
            return f"({pick} {rng.choice(['&', '|', '^'])} {self._expression(names)})"
        return rng.choice(["", "!"]) + pick
