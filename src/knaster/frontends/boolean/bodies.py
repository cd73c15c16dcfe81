"""Tokens to the graph of one procedure: sequences, labels, `if` and `while`.

One loop reads all statements; open blocks stand on the stack of the graph, so nesting costs no recursion.  After a
mistake reading goes on behind the next semicolon or at the next word that can only start or end a statement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from knaster.errors import Span
from knaster.frontends.boolean.draft import Draft
from knaster.frontends.boolean.expressions import ExpressionReader
from knaster.frontends.boolean.graph import SKIP, Graph
from knaster.frontends.boolean.lexer import Tokens
from knaster.frontends.boolean.mistakes import Mistakes, Unexpected
from knaster.frontends.boolean.statements import StatementReader
from knaster.program.expression import TRUE, Expr, Var
from knaster.program.model import Call, Concurrent, ThreadOperation

_ASYNC = "ASYNC_"
_CLOSERS = frozenset(("end", "fi", "od", "else", "elsif"))
_HEADERS = frozenset(("", "void", "bool"))
_ENDS = _HEADERS | {"end", "proc", "dfs"}
_RESUME = _CLOSERS | _HEADERS | {"if", "while", "goto", "return", "skip", "assert", "assume", "decl"}


class BodyReader:
    """Reads the body of one procedure after the other."""

    def __init__(
        self, tokens: Tokens, expressions: ExpressionReader, statements: StatementReader, mistakes: Mistakes
    ) -> None:
        self._tokens = tokens
        self._spellings = tokens.spellings
        self._names = tokens.names
        self._expressions = expressions
        self._statements = statements
        self._mistakes = mistakes
        self._draft = Draft("", 0, None)
        self._graph = Graph()
        self._labels: list[int] = []  # the labels that wait for their statement
        self._structure: Mapping[str, Callable[[int], int]] = {
            ";": lambda at: at + 1,
            "if": self._open,
            "while": self._open,
            "elsif": self._elsif,
            "else": self._else,
            "fi": self._close,
            "od": self._close,
        }

    def read(self, draft: Draft, local: Mapping[str, Var], at: int) -> int:
        """Read the statements from token `at` up to `end` into `draft`; return the token behind."""
        self._draft = draft
        self._graph = graph = self._statements.begin(draft, local)
        spellings, structure, statement = self._spellings, self._structure, self._statements.read
        while True:
            start = at
            token = spellings[at]
            if token in _ENDS and self._ends(at):
                return self._finish(at)
            try:
                if spellings[at + 1] == ":" and (token in self._names or token.isdecimal()):
                    self._labels.append(at)
                    at += 2
                    continue
                handler = structure.get(token)
                if self._labels and (token == ";" or token in _CLOSERS):
                    graph.step(SKIP, self._tokens.span(self._labels[0]))
                    self._place_labels(graph.size - 1)
                before = graph.size
                if handler is not None:
                    at = handler(at)
                else:
                    at = statement(at)
                    if spellings[at] == ";":
                        at += 1
                    elif spellings[at] not in _CLOSERS and spellings[at] not in _HEADERS:
                        at = self._miss_semicolon(at)
                if self._labels and graph.size > before:
                    self._place_labels(before)
            except Unexpected as mistake:
                self._mistakes.unexpected(mistake)
                at = self._resume(max(mistake.at, start + 1))

    def _ends(self, at: int) -> bool:
        """Tell whether a word that may end the body does; `proc` and `dfs` may also be names."""
        return self._spellings[at] not in ("proc", "dfs") or self._spellings[at + 1] in self._names

    def _finish(self, at: int) -> int:
        graph = self._graph
        if self._labels:
            graph.step(SKIP, self._tokens.span(self._labels[0]))
            self._place_labels(graph.size - 1)
        while graph.blocks:
            block = graph.blocks[-1]
            self._mistakes.add(block.at, f"this '{block.keyword}' has no '{_ending(block.keyword)}'")
            graph.close_block()
        graph.finish()
        if self._spellings[at] == "end":
            return at + 1
        line = self._tokens.line(self._draft.at)
        self._mistakes.unexpected(Unexpected(at, f"'end' of the procedure '{self._draft.name}' of line {line}"))
        return at

    def _place_labels(self, location: int) -> None:
        names = dict.fromkeys(self._spellings[at] for at in self._labels)
        self._draft.labels += [(name, location) for name in names]
        self._labels.clear()
        if any(name.startswith(_ASYNC) for name in names):
            self._start_thread(location)

    def _start_thread(self, location: int) -> None:
        """Read a call at a label that begins with `ASYNC_` as the start of a thread, as SLAM and Boppo do."""
        graph = self._graph
        call = graph.actions[-1]
        if graph.sources[-1] == location and isinstance(call, Call):
            start = Concurrent(ThreadOperation.START, procedure=call.procedure, arguments=call.arguments)
            graph.actions[-1] = start

    def _miss_semicolon(self, at: int) -> int:
        """Report that no semicolon stands at `at`; go on there if a new line starts."""
        mistake = Unexpected(at, "';'")
        if self._tokens.line(at) == self._tokens.line(at - 1):
            raise mistake
        self._mistakes.unexpected(mistake)
        return at

    def _resume(self, at: int) -> int:
        while self._spellings[at] != ";" and self._spellings[at] not in _RESUME:
            at += 1
        return at + 1 if self._spellings[at] == ";" else at

    # Blocks

    def _open(self, at: int) -> int:
        keyword = self._spellings[at]
        condition, span, behind = self._condition(at, "then" if keyword == "if" else "do")
        self._graph.open_block(keyword, condition, span, at)
        return behind

    def _condition(self, at: int, word: str) -> tuple[Expr, Span, int]:
        """Read a condition and the word behind it; after a mistake the block is open all the same."""
        try:
            condition, behind = self._expressions.read(at + 1)
            if self._spellings[behind] != word:
                raise Unexpected(behind, f"an operator or '{word}'")
            return condition, self._tokens.stretch(at, behind), behind + 1
        except Unexpected as mistake:
            self._mistakes.unexpected(mistake)
            behind = mistake.at
            while self._spellings[behind] not in ("then", "do", ";") and self._spellings[behind] not in _RESUME:
                behind += 1
            if self._spellings[behind] in ("then", "do"):
                behind += 1
            return TRUE, self._tokens.span(at), behind

    def _elsif(self, at: int) -> int:
        branches = self._may_branch(at)
        block = self._graph.next_branch() if branches else None
        condition, span, behind = self._condition(at, "then")
        if block is not None:
            _, block.otherwise = self._graph.branch(condition, span)
        return behind

    def _else(self, at: int) -> int:
        if self._may_branch(at):
            self._graph.next_branch()
        return at + 1

    def _may_branch(self, at: int) -> bool:
        """Tell whether an `if` is innermost here; report where `else` or `elsif` may not stand."""
        blocks = self._graph.blocks
        inside = bool(blocks) and blocks[-1].keyword == "if"
        if not inside:
            self._mistakes.add(at, f"{self._mistakes.shown(at)} belongs to no open 'if'")
        elif blocks[-1].otherwise is None:
            line = self._tokens.line(blocks[-1].at)
            self._mistakes.add(at, f"{self._mistakes.shown(at)} behind the 'else' of the 'if' of line {line}")
        return inside

    def _close(self, at: int) -> int:
        word, blocks = self._spellings[at], self._graph.blocks
        if not blocks:
            self._mistakes.add(at, f"{self._mistakes.shown(at)} closes nothing")
            return at + 1
        expected = _ending(blocks[-1].keyword)
        if word != expected:
            line = self._tokens.line(blocks[-1].at)
            self._mistakes.unexpected(Unexpected(at, f"'{expected}' of the '{blocks[-1].keyword}' of line {line}"))
            if len(blocks) > 1 and _ending(blocks[-2].keyword) == word:
                self._graph.close_block()
        self._graph.close_block()
        return at + 1


def _ending(keyword: str) -> str:
    return "fi" if keyword == "if" else "od"
