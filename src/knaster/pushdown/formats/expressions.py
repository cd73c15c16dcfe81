"""Sets of configurations as expressions: `< [p, q], [a] .* > | < r, a b? >`.

PDAAAL's language: a set is a union of parts < states, stack >; a stack is a regular expression over labels, its first
letter the top.  `[a, b]` is one of the labels, `[^a, b]` any other, `.` any at all; `* + ?` repeat, `|` chooses,
brackets group, nothing at all is the empty stack.  A single label needs no brackets; names with other characters are
written in double quotes; `#` starts a comment.

Notation: a fragment is a pair (start, end) of states of the automaton under construction (Thompson, CACM 11(6), 1968).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NoReturn

from knaster.base.errors import Problem, SourceError, Span
from knaster.base.named_tuples import NamedTuple
from knaster.pushdown.automaton import ANY, EMPTY, Automaton, Edge, Inner, Wildcard
from knaster.pushdown.domains.minpath import Length
from knaster.pushdown.system import State, Symbol

TOKEN = re.compile(
    r'\s+|#[^\n]*|(?P<mark>[<>\[\](),|*+?.^])|"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<name>[^\s<>\[\](),|*+?.^#"]+)'
)

Fragment = tuple[State, State]


class Token(NamedTuple):
    """A mark, or a name with `mark` empty, and where it starts."""

    mark: str
    name: str
    offset: int


def parse_set(text: str, state: Callable[[str], State | None], file: str = "<set>") -> Automaton[Length]:
    """Return the set that `text` describes; `state` returns the control state of a name, None if there is none."""
    return _Parser(text, state, file).parse()


class _Parser:
    """One pass over the tokens; groups of a stack expression are kept on a list, not on Python's stack."""

    def __init__(self, text: str, state: Callable[[str], State | None], file: str) -> None:
        self.text, self.file, self.state = text, file, state
        self.position = 0
        self.tokens: list[Token] = []
        self.tokens = self._tokens()
        self.position = 0
        self.edges: list[Edge[Length]] = []
        self.count = 0

    def parse(self) -> Automaton[Length]:
        """Return the union of the parts."""
        final: set[State] = set()
        initial: set[State] = set()
        while True:
            self._expect("<")
            states = self._states()
            self._expect(",")
            start, end = self._stack()
            self._expect(">")
            self.edges += [Edge(state, EMPTY, start) for state in states]
            initial.update(states)
            final.add(end)
            if self._mark() != "|":
                break
            self.position += 1
        if self.position < len(self.tokens):
            self._fail("expected `|` or the end of the set")
        return Automaton(tuple(self.edges), frozenset(final), frozenset(initial))

    def _states(self) -> list[State]:
        names = self._names() if self._mark() == "[" else [self._name()]
        states: list[State] = []
        for token in names:
            found = self.state(token.name)
            if found is None:
                self._fail(f"there is no control state `{token.name}`", token)
            states.append(found)
        return states

    def _names(self) -> list[Token]:
        """Return the names of a list in square brackets."""
        self._expect("[")
        names = [self._name()]
        while self._mark() == ",":
            self.position += 1
            names.append(self._name())
        self._expect("]")
        return names

    def _stack(self) -> Fragment:
        """Return the fragment of a stack expression, up to the `>` that ends it."""
        groups = [_Group(self._fresh())]
        while (mark := self._mark()) != ">":
            group = groups[-1]
            match mark:
                case "(":
                    self.position += 1
                    groups.append(_Group(self._fresh()))
                case ")":
                    if len(groups) == 1:
                        self._fail("there is nothing to close here")
                    self.position += 1
                    groups.pop()
                    self._repeat(groups[-1], self._close(group))
                case "|":
                    self.position += 1
                    group.alternatives.append(group.end)
                    group.end = group.start
                case _:
                    self._repeat(group, self._letter())
        if len(groups) > 1:
            self._fail("expected `)`")
        return self._close(groups[0])

    def _letter(self) -> Fragment:
        """Return the fragment of one label, a set of labels, or the wildcard."""
        symbols: list[Symbol]
        if self._mark() == ".":
            self.position += 1
            symbols = [ANY]
        elif self._mark() == "[" and self._mark(1) == "^":
            del self.tokens[self.position + 1]
            symbols = [Wildcard(frozenset(token.name for token in self._names()))]
        else:
            symbols = [token.name for token in (self._names() if self._mark() == "[" else [self._name()])]
        start, end = self._fresh(), self._fresh()
        self.edges += [Edge(start, symbol, end) for symbol in symbols]
        return start, end

    def _repeat(self, group: _Group, fragment: Fragment) -> None:
        """Append a fragment to a group, repeated as the next mark says."""
        start, end = fragment
        mark = self._mark()
        if mark in ("*", "+", "?"):
            self.position += 1
            before, after = self._fresh(), self._fresh()
            self.edges += [Edge(before, EMPTY, start), Edge(end, EMPTY, after)]
            if mark != "?":
                self.edges.append(Edge(end, EMPTY, start))
            if mark != "+":
                self.edges.append(Edge(before, EMPTY, after))
            start, end = before, after
        self.edges.append(Edge(group.end, EMPTY, start))
        group.end = end

    def _close(self, group: _Group) -> Fragment:
        end = self._fresh()
        self.edges += [Edge(last, EMPTY, end) for last in (*group.alternatives, group.end)]
        return group.start, end

    def _fresh(self) -> State:
        self.count += 1
        return Inner(0, self.count)

    def _tokens(self) -> list[Token]:
        tokens: list[Token] = []
        offset = 0
        while offset < len(self.text):
            found = TOKEN.match(self.text, offset)
            if found is None:
                self._fail("this text ends inside a quoted name", Token("", "", offset))
            quoted, name = found["quoted"], found["name"]
            if quoted is not None:
                tokens.append(Token("", re.sub(r"\\(.)", r"\1", quoted), offset))
            elif name or found["mark"]:
                tokens.append(Token(found["mark"] or "", name or "", offset))
            offset = found.end()
        return tokens

    def _mark(self, ahead: int = 0) -> str | None:
        """Return the mark of a token; "" for a name, None at the end."""
        position = self.position + ahead
        return self.tokens[position].mark if position < len(self.tokens) else None

    def _expect(self, mark: str) -> None:
        if self._mark() != mark:
            self._fail(f"expected `{mark}`")
        self.position += 1

    def _name(self) -> Token:
        if self._mark() != "":
            self._fail("expected a name")
        self.position += 1
        return self.tokens[self.position - 1]

    def _fail(self, message: str, token: Token | None = None) -> NoReturn:
        if token is None and self.position < len(self.tokens):
            token = self.tokens[self.position]
        offset = token.offset if token else len(self.text)
        line = self.text.count("\n", 0, offset) + 1
        column = offset - (self.text.rfind("\n", 0, offset) + 1) + 1
        raise SourceError(self.file, self.text, [Problem(message, Span(line, column))])


class _Group:
    """A bracket under construction: its start, the ends of finished alternatives, the end of the current one."""

    def __init__(self, start: State) -> None:
        self.start = self.end = start
        self.alternatives: list[State] = []
