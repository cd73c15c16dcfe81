"""Random texts: every construct of the language, in every spelling that some dialect has.

`random_text(rng)` takes any `random.Random`; `texts()` is the Hypothesis strategy over the same generator.  The texts
are well formed: names are declared, labels exist, numbers of arguments and results agree.  They need not make sense.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from hypothesis import strategies as st

_VARIABLES = ("a", "b", "x.1", "$t", "{p == q}", "wait", "dead", "v-w", "print", "call")
_LABELS = ("A", "B", "ERROR", "7", "12", "wait", "L.x", "{here}", "ASYNC_1")
_INFIX = ("&", "&&", "|", "||", "^", "=", "==", "!=", "=>", "->")
_SPACES = (" ", "\n", "  // rest of the line; end\n", " /* if\n then */ ", "\t", "\r\n")


def random_text(rng: Random) -> str:
    """Return the text of a well-formed program; the same for the same state of `rng`."""
    return _Text(rng).program()


def texts() -> st.SearchStrategy[str]:
    """Return a Hypothesis strategy for the texts of `random_text`."""
    return st.randoms(use_true_random=False).map(random_text)


class _Procedure:
    """A header, and the labels of the body with those that are placed."""

    def __init__(self, rng: Random, name: str, taken: Sequence[str]) -> None:
        self.name = name
        self.results = rng.choice((0, 0, 1, 2))
        self.declared = rng.random() < 0.7
        free = [variable for variable in _VARIABLES if variable not in taken or rng.random() < 0.1]
        rng.shuffle(free)
        self.parameters = free[: rng.choice((0, 0, 1, 2))]
        self.locals = free[len(self.parameters) : len(self.parameters) + rng.choice((0, 1, 2))]
        self.labels = rng.sample(_LABELS, rng.choice((0, 1, 3)))
        self.missing = list(self.labels)


class _Text:
    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._globals = rng.sample(_VARIABLES, rng.choice((0, 1, 2, 4)))
        names = ["main", "f", "g$", "init", "{h}"][: rng.randint(1, 5)]
        self._procedures = [_Procedure(rng, name, self._globals) for name in names]
        self._current = self._procedures[0]
        self._scope: list[str] = []

    def program(self) -> str:
        """Return the whole text."""
        parts = [self._global_declaration(name) for name in self._globals]
        self._scope = list(self._globals)
        if self._rng.random() < 0.3:
            parts.append(f"init ({self._expression()});")
        parts += [self._procedure(procedure) for procedure in self._procedures]
        if self._rng.random() < 0.3:
            self._rng.shuffle(parts)
        return self._space().join(parts)

    def _chance(self, probability: float) -> bool:
        return self._rng.random() < probability

    def _space(self) -> str:
        return self._rng.choice(_SPACES) if self._chance(0.3) else " "

    def _global_declaration(self, name: str) -> str:
        self._scope = list(self._globals)
        return f"decl {name} := {self._expression(1)};" if self._chance(0.2) else f"decl {name};"

    # Expressions

    def _expression(self, depth: int = 3, primes: bool = False) -> str:
        rng = self._rng
        if depth == 0 or self._chance(0.3):
            leaves = ["T", "F", "0", "1", "*", "?", *self._scope * 3]
            leaf = rng.choice(leaves)
            return f"'{leaf}" if primes and leaf in self._scope and self._chance(0.5) else leaf
        left = self._expression(depth - 1, primes)
        right = self._expression(depth - 1, primes)
        match rng.choice(("infix",) * 6 + ("not", "brackets", "conditional", "schoose")):
            case "not":
                return rng.choice("!~") + f"({left})" if self._chance(0.5) else f"!{self._leaf()}"
            case "brackets":
                return f"({left}{self._space()}{rng.choice(_INFIX)} {right})"
            case "conditional":
                return f"({left}) ? {right} : {self._expression(depth - 1, primes)}"
            case "schoose":
                return f"schoose[{left},{self._space()}{right}]"
        return f"{left}{self._space()}{rng.choice(_INFIX)}{self._space()}{right}"

    def _leaf(self) -> str:
        return self._rng.choice([*self._scope, "T", "*"])

    def _expressions(self, count: int) -> str:
        return ", ".join(self._expression(2) for _ in range(count))

    # Statements

    def _procedure(self, procedure: _Procedure) -> str:
        self._current = procedure
        self._scope = list(dict.fromkeys([*self._globals, *procedure.parameters, *procedure.locals]))
        kind = ("void", "bool", f"bool<{procedure.results}>")[procedure.results] if procedure.declared else ""
        if not kind:
            kind = self._rng.choice(("proc", "")) if procedure.results or self._chance(0.5) else "void"
        dfs = "dfs " if self._chance(0.1) and kind else ""
        local = f"decl {', '.join(procedure.locals)};" if procedure.locals else ""
        enforce = f"enforce {self._expression()};" if self._chance(0.1) else ""
        body = self._statements(self._rng.randint(0, 6), 3)
        body += "".join(f" {label}: skip;" for label in procedure.missing)
        if procedure.results and not procedure.declared:
            body += f" return {self._expressions(procedure.results)}"
        elif self._chance(0.2):
            body += " end_label:" if self._chance(0.5) else " ;"
        order = (local + enforce + body) if self._chance(0.8) or enforce else (body.rstrip("; ") + ";" + local)
        if order.startswith(";"):
            order = local + body
        parameters = ", ".join(procedure.parameters)
        return f"{dfs}{kind} {procedure.name}({parameters}){self._space()}begin {order} end"

    def _statements(self, count: int, depth: int) -> str:
        return "".join(self._space() + self._labelled(depth) for _ in range(count))

    def _labelled(self, depth: int) -> str:
        statement = self._statement(depth)
        while self._current.missing and self._chance(0.3):
            statement = f"{self._current.missing.pop()}:{self._space()}{statement}"
        return f"TWICE: {statement}" if self._chance(0.05) else statement

    def _statement(self, depth: int) -> str:
        rng = self._rng
        if depth and self._chance(0.35):
            return self._block(depth - 1)
        words = ["skip", "print", "goto", "return", "assign", "assign", "assign", "call", "call", "assert", "assume"]
        words += ["constrain", "abortif", "dead", "sync", "thread", "start", "empty"]
        match rng.choice(words):
            case "print":
                return f"print({self._expressions(rng.randint(0, 2))});"
            case "goto" if self._current.labels:
                count = rng.choice((1, 1, 2, 3))
                return f"goto {', '.join(rng.choice(self._current.labels) for _ in range(count))};"
            case "return":
                values = self._expressions(self._current.results)
                return f"return {values};"
            case "assign" if self._scope:
                return self._assignment()
            case "call":
                return self._call()
            case "assert" | "assume" | "abortif" | "constrain" as word:
                return f"{word} {self._expression(2, word == 'constrain')};"
            case "dead" if self._scope:
                return f"dead {', '.join(rng.sample(self._scope, rng.randint(1, len(self._scope))))};"
            case "sync":
                return "sync event;"
            case "thread":
                return rng.choice(("atomic_begin", "atomic_end", "wait", "broadcast", "end_thread")) + ";"
            case "start":
                return self._start()
            case "empty":
                return rng.choice((";", "; ;", "skip;;"))
        return "skip;"

    def _assignment(self) -> str:
        rng = self._rng
        targets = rng.sample([*self._scope, "_"], rng.randint(1, min(3, len(self._scope))))
        constraint = f" constrain {self._expression(2, True)}" if self._chance(0.2) else ""
        return f"{', '.join(targets)} :={self._space()}{self._expressions(len(targets))}{constraint};"

    def _call(self) -> str:
        rng = self._rng
        callee = rng.choice(self._procedures)
        call = f"{callee.name}({self._expressions(len(callee.parameters))})"
        targets = rng.sample(self._scope, min(callee.results, len(self._scope)))
        targets += ["_"] * (callee.results - len(targets))
        if targets and self._chance(0.7):
            return f"{', '.join(targets)} := {rng.choice(('', 'call '))}{call};"
        return f"{rng.choice(('', 'call '))}{call};"

    def _start(self) -> str:
        if self._current.labels and self._chance(0.5):
            return f"start_thread goto {self._rng.choice(self._current.labels)};"
        started = self._rng.choice(self._procedures)
        return f"start_thread {started.name}({self._expressions(len(started.parameters))});"

    def _block(self, depth: int) -> str:
        rng = self._rng
        first = self._statements(rng.randint(0, 3), depth)
        if self._chance(0.4):
            return f"while {self._expression(2)} do{first} od{rng.choice(('', ';'))}"
        text = f"if ({self._expression(2)}) then{first}"
        for _ in range(rng.choice((0, 0, 0, 1, 2))):
            text += f" elsif {self._expression(2)} then{self._statements(rng.randint(0, 2), depth)}"
        if self._chance(0.5):
            text += f" else{self._statements(rng.randint(0, 3), depth)}"
        if text.endswith(";") and self._chance(0.3):
            text = text.rstrip("; ")
        return f"{text} fi{rng.choice(('', ';'))}"
