"""Tokens to edges: every statement that is no block.

A handler gets the token where its statement starts, adds edges to the graph of the procedure, and returns the token
behind the statement; the semicolon is left to the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from knaster.frontends.boolean.expressions import ExpressionReader
from knaster.frontends.boolean.graph import SKIP, CallSite, Draft, Graph
from knaster.frontends.boolean.mistakes import Mistakes, Unexpected, with_noun
from knaster.frontends.text.tokens import Tokens
from knaster.program.expression import CHOICE, TRUE, Binary, Expr, Not, Operator, Var, primed_variables
from knaster.program.model import Action, Assign, Assume, Call, Concurrent, Return, ThreadOperation

_BARE_WORDS = {operation.value: operation for operation in ThreadOperation if operation is not ThreadOperation.START}
_ENDINGS = frozenset((";", "end", "fi", "od", "else", "elsif"))
_EQUALS = frozenset(("=", "=="))
_NEVER_BEFORE_PARENTHESIS = frozenset((*_BARE_WORDS, "call", "dead", "sync", "start_thread"))  # so they are names there


class StatementReader:
    """Reads single statements into the draft of the procedure that is being read."""

    def __init__(self, tokens: Tokens, expressions: ExpressionReader, mistakes: Mistakes) -> None:
        self._span = tokens.stretch
        self._line = tokens.line
        self._spellings = tokens.spellings
        self._names = tokens.names
        self._expressions = expressions
        self._mistakes = mistakes
        self._draft = Draft("", 0, None)
        self._graph = self._draft.graph

    def begin(self, draft: Draft, local: Mapping[str, Var]) -> Graph:
        """Read the following statements into `draft`, with these locals and parameters in scope."""
        self._draft, self._graph = draft, draft.graph
        self._expressions.local = local
        self._expressions.reported = set()
        return draft.graph

    def read(self, at: int) -> int:
        """Read the statement that starts at token `at`; return the token behind it."""
        token, follower = self._spellings[at], self._spellings[at + 1]
        if follower == ":=" and (token in self._names or token == "_"):
            return self._assignment(at, [at], at + 2)
        handler = _HANDLERS.get(token)
        if handler is None or follower == "," or (follower == "(" and token in _NEVER_BEFORE_PARENTHESIS):
            return self._assignment_or_call(at)  # a keyword may be used as a name
        return handler(self, at)

    # Assignments and calls

    def _assignment_or_call(self, at: int) -> int:
        token, follower = self._spellings[at], self._spellings[at + 1]
        if token not in self._names and token != "_":
            raise Unexpected(at, "a statement")
        if follower == "(" and token != "_":
            return self._call_to(at, at, None)
        if follower != "," and follower not in _EQUALS:
            raise Unexpected(at + 1, f"':=', '(' or ':' behind '{token}'")
        targets, behind = self._expressions.names(at)
        self._require_assignment(behind, "',' or ':='" if follower == "," else "':='")
        return self._assignment(at, targets, behind + 1)

    def _require_assignment(self, at: int, expected: str) -> None:
        """Report an `=` where `:=` is meant, and read on; raise `Unexpected` for anything else."""
        if self._spellings[at] in _EQUALS:
            self._mistakes.report_unexpected(Unexpected(at, expected))
        elif self._spellings[at] != ":=":
            raise Unexpected(at, expected)

    def _assignment(self, start: int, places: list[int], at: int) -> int:
        spellings = self._spellings
        if spellings[at] == "call" and spellings[at + 2] == "(" and spellings[at + 1] in self._names:
            at += 1
        if spellings[at + 1] == "(" and spellings[at] in self._names:
            return self._call_to(start, at, places)
        values, behind = self._expressions.values(at)
        constraint: Expr = TRUE
        if spellings[behind] == "constrain":
            constraint, behind = self._expressions.constraint(behind + 1)
        names = self._expressions.targets(places)
        if len(names) != len(values) and self._is_whole(behind):
            self._mistakes.add(start, f"{with_noun(len(names), 'variable')} but {with_noun(len(values), 'value')}")
        kept = [name for name in names if name is not None]
        if len(kept) < len(names):
            values = [value for name, value in zip(names, values, strict=False) if name is not None]
        self._graph.step(Assign(tuple(kept), tuple(values), constraint), self._span(start, behind))
        return behind

    def _call(self, at: int) -> int:
        if self._spellings[at + 1] not in self._names:
            raise Unexpected(at + 1, "the name of a procedure")
        return self._call_to(at, at + 1, None)

    def _call_to(self, start: int, callee: int, places: list[int] | None) -> int:
        arguments, behind = self._expressions.arguments(callee + 1)
        names = self._expressions.targets(places or [])
        action = Call(self._spellings[callee], tuple(arguments), tuple(names))
        edge = self._graph.step(action, self._span(start, behind))
        results = None if places is None else len(places)
        self._draft.calls.append(CallSite(edge, callee, len(arguments), results))
        return behind

    # The statements that start with a keyword

    def _condition(self, at: int) -> tuple[Expr, int]:
        return self._expressions.read(at + 1)

    def _skip(self, at: int) -> int:
        self._graph.step(SKIP, self._span(at, at + 1))
        return at + 1

    def _print(self, at: int) -> int:
        _, behind = self._expressions.arguments(at + 1)
        self._graph.step(SKIP, self._span(at, behind))
        return behind

    def _sync(self, at: int) -> int:
        if self._spellings[at + 1] not in self._names:
            raise Unexpected(at + 1, "a name")
        self._graph.step(SKIP, self._span(at, at + 2))
        return at + 2

    def _goto(self, at: int) -> int:
        labels: list[int] = []
        behind = at
        while not labels or self._spellings[behind] == ",":
            self._require_label(behind + 1)
            labels.append(behind + 1)
            behind += 2
        span = self._span(at, behind)
        location = self._graph.enter()
        self._graph.open = []
        self._draft.jumps += [(self._graph.add(location, SKIP, span), label) for label in labels]
        return behind

    def _require_label(self, at: int) -> None:
        if self._spellings[at] not in self._names and not self._spellings[at].isdecimal():
            raise Unexpected(at, "a label")

    def _return(self, at: int) -> int:
        values: list[Expr] = []
        behind = at + 1
        if self._spellings[behind] not in _ENDINGS and not self._starts_line(behind):
            values, behind = self._expressions.values(behind)
        if self._is_whole(behind):
            self._draft.returns.append((len(values), at))
        self._graph.leave(Return(tuple(values)), self._span(at, behind))
        return behind

    def _is_whole(self, behind: int) -> bool:
        """Tell whether a statement may end before token `behind`; otherwise what was read is only a part of it."""
        return self._spellings[behind] in _ENDINGS or self._line(behind) > self._line(behind - 1)

    def _starts_line(self, at: int) -> bool:
        """Tell whether a new line starts with a statement: then only a semicolon is missing before it."""
        starts = self._spellings[at + 1] in (":=", ":", "(") or self._spellings[at] in _HANDLERS
        return starts and self._line(at) > self._line(at - 1)

    def _assert(self, at: int) -> int:
        condition, behind = self._condition(at)
        self._graph.check(condition, self._span(at, behind))
        return behind

    def _assume(self, at: int) -> int:
        action: Action
        if self._spellings[at] == "constrain":
            condition, behind = self._expressions.constraint(at + 1)
            action = Assign((), (), condition) if primed_variables(condition) else Assume(condition)
        else:
            condition, behind = self._condition(at)
            action = Assume(condition)
        self._graph.step(action, self._span(at, behind))
        return behind

    def _abortif(self, at: int) -> int:
        condition, behind = self._condition(at)
        self._graph.step(Assume(Not(condition)), self._span(at, behind))
        return behind

    def _enforce(self, at: int) -> int:
        condition, behind = self._condition(at)
        if self._graph.size:
            self._mistakes.add(at, "'enforce' must be the first statement of its procedure")
        known = self._draft.enforce
        self._draft.enforce = condition if known == TRUE else Binary(Operator.AND, known, condition)
        return behind

    def _dead(self, at: int) -> int:
        places, behind = self._expressions.names(at + 1)
        names = [name for name in self._expressions.targets(places) if name is not None]
        self._graph.step(Assign(tuple(names), (CHOICE,) * len(names)), self._span(at, behind))
        return behind

    def _declaration(self, at: int) -> int:
        """Read `decl`: the names are known already, an initialiser is an assignment at this place."""
        while True:
            name = at + 1
            if self._spellings[name] not in self._names:
                raise Unexpected(name, "a name")
            at = name + 1
            if self._spellings[at] == ":=" or self._spellings[at] in _EQUALS:
                self._require_assignment(at, "':=', ',' or ';'")
                value, at = self._expressions.read(at + 1)
                self._graph.step(Assign((self._expressions.variable(name) or "",), (value,)), self._span(name, at))
            if self._spellings[at] != ",":
                return at

    # Threads

    def _start_thread(self, at: int) -> int:
        if self._spellings[at + 1] == "goto":
            self._require_label(at + 2)
            edge = self._graph.step(Concurrent(ThreadOperation.START), self._span(at, at + 3))
            self._draft.starts.append((edge, at + 2))
            return at + 3
        callee = at + 1
        if self._spellings[callee] not in self._names:
            raise Unexpected(callee, "'goto' or the name of a procedure")
        arguments, behind = self._expressions.arguments(callee + 1)
        action = Concurrent(ThreadOperation.START, procedure=self._spellings[callee], arguments=tuple(arguments))
        edge = self._graph.step(action, self._span(at, behind))
        self._draft.calls.append(CallSite(edge, callee, len(arguments), None))
        return behind

    def _thread_word(self, at: int) -> int:
        operation = _BARE_WORDS[self._spellings[at]]
        span = self._span(at, at + 1)
        if operation is ThreadOperation.END:
            self._graph.leave(Concurrent(operation), span)
        else:
            self._graph.step(Concurrent(operation), span)
        return at + 1


_HANDLERS: Mapping[str, Callable[[StatementReader, int], int]] = {
    "skip": StatementReader._skip,
    "goto": StatementReader._goto,
    "return": StatementReader._return,
    "assert": StatementReader._assert,
    "assume": StatementReader._assume,
    "constrain": StatementReader._assume,
    "decl": StatementReader._declaration,
    "print": StatementReader._print,
    "call": StatementReader._call,
    "dead": StatementReader._dead,
    "sync": StatementReader._sync,
    "enforce": StatementReader._enforce,
    "abortif": StatementReader._abortif,
    "start_thread": StatementReader._start_thread,
    **dict.fromkeys(_BARE_WORDS, StatementReader._thread_word),
}
