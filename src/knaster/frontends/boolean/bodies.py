"""Tokens to the graph of one procedure: sequences, labels, `if` and `while`.

One loop reads all statements; open blocks stand on the stack of the graph, so nesting costs no recursion.  After a
mistake reading goes on behind the next semicolon or at the next word that can only start or end a statement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from knaster.base.errors import Span
from knaster.frontends.boolean.declarations import is_declaration
from knaster.frontends.boolean.expressions import ExpressionReader
from knaster.frontends.boolean.graph import SKIP, Block, Draft, Graph
from knaster.frontends.boolean.mistakes import (
    WRONG_CLOSERS,
    Mistakes,
    Unexpected,
    closed_behind,
    ends_procedure,
    other_word,
    starts_statement,
)
from knaster.frontends.boolean.statements import StatementReader
from knaster.frontends.text.tokens import Tokens
from knaster.program.expression import TRUE, Expr, Var
from knaster.program.model import Call, Concurrent, ThreadOperation

_ASYNC = "ASYNC_"
_ENDING = {"if": "fi", "while": "od"}
_CLOSERS = frozenset(("end", "fi", "od", "else", "elsif"))
_HEADERS = frozenset(("", "void", "bool"))
_ENDS = _HEADERS | {"end", "proc", "dfs"}
_RESUME = _CLOSERS | _HEADERS | {"if", "while", "goto", "return", "skip", "assert", "assume", "decl"}

_MOST_GUESSES = 50  # looking ahead takes time


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
        self._guesses = 0
        self._labels: list[int] = []  # the labels that wait for their statement

    def read(self, draft: Draft, local: Mapping[str, Var], at: int) -> int:
        """Read the statements from token `at` up to `end` into `draft`; return the token behind."""
        self._draft = draft
        self._graph = graph = self._statements.begin(draft, local)
        spellings, structure, statement = self._spellings, _STRUCTURE, self._statements.read
        while True:
            start = at
            token = spellings[at]
            if token in _ENDS and self._ends(at):
                if token != "end" or not graph.blocks or ends_procedure(spellings, at):
                    return self._finish(at)
                at = self._close(at)
                continue
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
                    at = handler(self, at)
                else:
                    at = statement(at)
                    if spellings[at] == ";":
                        at += 1
                    elif spellings[at] not in _CLOSERS and spellings[at] not in _HEADERS:
                        at = self._miss_semicolon(start, at)
                if self._labels and graph.size > before:
                    self._place_labels(before)
            except Unexpected as mistake:
                self._mistakes.report_unexpected(mistake)
                if token in WRONG_CLOSERS and graph.blocks:
                    graph.close_block()
                at = self._resume(max(mistake.at, start + 1))

    def _ends(self, at: int) -> bool:
        """Tell whether a word that may end the body does; `proc` and `dfs` may also be names, `bool` is no `decl`."""
        if self._spellings[at] in ("proc", "dfs"):
            return self._spellings[at + 1] in self._names
        return not is_declaration(self._spellings, at)

    def _finish(self, at: int) -> int:
        graph = self._graph
        if self._labels:
            graph.step(SKIP, self._tokens.span(self._labels[0]))
            self._place_labels(graph.size - 1)
        while graph.blocks:
            block = graph.blocks[-1]
            if block.else_if is not None:
                self._miss_elsif(block.else_if)
            elif not block.is_broken:
                message = f"this '{block.keyword}' has no '{_ENDING[block.keyword]}'"
                self._mistakes.add(block.at, message, self._suspicion(block))
            graph.close_block()
        graph.finish()
        if self._spellings[at] == "end":
            return at + 1
        line = self._tokens.line(self._draft.at)
        self._mistakes.report_unexpected(Unexpected(at, f"'end' of the procedure '{self._draft.name}' of line {line}"))
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

    def _miss_semicolon(self, start: int, at: int) -> int:
        """Report that no semicolon stands at `at`, behind a statement; go on there if a new line starts."""
        hint = other_word(self._spellings[start])
        mistake = Unexpected(at, "';'", hint)
        if self._tokens.line(at) == self._tokens.line(at - 1):
            if hint and self._draft.calls and self._draft.calls[-1].at == start:
                self._draft.calls.pop()  # `elseif (x) then` is no call
            raise mistake
        self._mistakes.report_unexpected(mistake)
        return at

    def _resume(self, at: int) -> int:
        while (
            self._spellings[at] != ";" and self._spellings[at] not in _RESUME and not starts_statement(self._tokens, at)
        ):
            at += 1
        return at + 1 if self._spellings[at] == ";" else at

    # Blocks

    def _open(self, at: int) -> int:
        keyword = self._spellings[at]
        condition, span, behind = self._condition(at, "then" if keyword == "if" else "do")
        is_broken = self._spellings[behind - 1] not in ("then", "do")
        self._graph.open_block(keyword, condition, span, at, is_broken)
        return behind

    def _condition(self, at: int, word: str) -> tuple[Expr, Span, int]:
        """Read a condition and the word behind it; after a mistake the block is open all the same."""
        try:
            condition, behind = self._expressions.read(at + 1)
            if self._spellings[behind] != word:
                raise Unexpected(behind, f"an operator or '{word}'")
            return condition, self._tokens.stretch(at, behind + 1), behind + 1
        except Unexpected as mistake:
            self._mistakes.report_unexpected(mistake)
            behind = mistake.at
            ends = _RESUME | {"then", "do", ";"}
            while self._spellings[behind] not in ends and not starts_statement(self._tokens, behind):
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
            block = self._graph.next_branch()
            if self._spellings[at + 1] == "if":
                block.else_if = at
        return at + 1

    def _miss_elsif(self, at: int) -> None:
        self._mistakes.add(
            at, "this 'else if' opens a second 'if', for which a 'fi' is missing", "did you mean 'elsif'?"
        )

    def _may_branch(self, at: int) -> bool:
        """Tell whether an `if` is innermost here; report where `else` or `elsif` may not stand."""
        blocks = self._graph.blocks
        if not (blocks and blocks[-1].keyword == "if" and blocks[-1].otherwise is not None):
            self._close_forgotten(at)
        inside = bool(blocks) and blocks[-1].keyword == "if"
        if not inside:
            self._mistakes.add(at, f"{self._mistakes.show_token(at)} belongs to no open 'if'")
        elif blocks[-1].otherwise is None:
            line = self._tokens.line(blocks[-1].at)
            self._mistakes.add(at, f"{self._mistakes.show_token(at)} behind the 'else' of the 'if' of line {line}")
        return inside

    def _close_forgotten(self, at: int) -> None:
        """Close the blocks whose ends are missing before an `else` of an outer `if`."""
        blocks = self._graph.blocks
        outer = [index for index, block in enumerate(blocks) if block.keyword == "if" and block.otherwise is not None]
        if outer and self._closed_behind(at) == outer[-1] + 1:
            while len(blocks) > outer[-1] + 1:
                self._report_unclosed(at)
                self._graph.close_block()

    def _close(self, at: int) -> int:
        word, blocks = self._spellings[at], self._graph.blocks
        if not blocks:
            self._mistakes.add(at, f"{self._mistakes.show_token(at)} closes nothing")
            return at + 1
        while self._is_forgotten(at):
            self._report_unclosed(at)
            self._graph.close_block()
        if word != _ENDING[blocks[-1].keyword]:
            self._report_unclosed(at)
        self._graph.close_block()
        return at + 1

    def _report_unclosed(self, at: int) -> None:
        """Report that the innermost block is not closed before token `at`."""
        block = self._graph.blocks[-1]
        if block.else_if is not None:
            self._miss_elsif(block.else_if)
        elif not block.is_broken:
            line = self._tokens.line(block.at)
            expected = f"'{_ENDING[block.keyword]}' of the '{block.keyword}' of line {line}"
            self._mistakes.report_unexpected(Unexpected(at, expected, self._suspicion(block)))

    def _suspicion(self, block: Block) -> str:
        """Return why an `if` may lack its end: an `else if` inside has taken it."""
        if block.keyword == "while" or block.inner_else_if is None:
            return ""
        return f"the 'else if' of line {self._tokens.line(block.inner_else_if)} opens a second 'if'; is 'elsif' meant?"

    def _is_forgotten(self, at: int) -> bool:
        """Tell whether the end of the innermost block is missing, rather than misspelt as token `at`.

        It is missing where an outer block ends with this word, unless the words that follow close the other blocks.
        """
        word, blocks = self._spellings[at], self._graph.blocks
        if word == _ENDING[blocks[-1].keyword] or all(word != _ENDING[block.keyword] for block in blocks):
            return False
        return self._closed_behind(at) != len(blocks) - 1

    def _closed_behind(self, at: int) -> int:
        """Return how many of the open blocks are closed behind token `at`; -1 where mistakes abound."""
        self._guesses += 1
        return closed_behind(self._spellings, at) if self._guesses <= _MOST_GUESSES else -1


_STRUCTURE: Mapping[str, Callable[[BodyReader, int], int]] = {
    ";": lambda _, at: at + 1,
    "if": BodyReader._open,
    "while": BodyReader._open,
    "elsif": BodyReader._elsif,
    "else": BodyReader._else,
    "fi": BodyReader._close,
    "od": BodyReader._close,
}
