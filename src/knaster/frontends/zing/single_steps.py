"""Statements that are one step and hold no others: jumps, returns, asserts, messages, starts, traces."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from knaster.frontends.zing.body import Body
from knaster.frontends.zing.call_steps import CallSteps
from knaster.frontends.zing.graph import SKIP
from knaster.frontends.zing.kinds import words
from knaster.frontends.zing.lexer import is_name, is_text, text_of
from knaster.frontends.zing.mistakes import Unexpected
from knaster.program.expression import Expr
from knaster.program.model import Assume
from knaster.program.objects import Print, Raise, Send
from knaster.program.types import BOOL

PLACE = re.compile(r"\{\{|\}\}|\{\d+\}")


class SingleSteps:
    """Reads such statements, from their first word to what is behind them."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.expressions, self.mistakes, self.words = body.expressions, body.mistakes, body.words
        self.calls = CallSteps(body)
        self.handlers: Mapping[str, Callable[[int], int]] = {
            "goto": self._goto,
            "return": self._return,
            "assert": self._assert,
            "assume": self._assume,
            "send": self._send,
            "async": self._async,
            "trace": self._trace,
            "event": self._remark,
            "accept": self._remark,
            "raise": self._raise,
            "yield": self._yield,
        }

    def _goto(self, at: int) -> int:
        if not is_name(self.words[at + 1]):
            raise Unexpected(at + 1, "a label")
        draft = self.body.graph.step(SKIP, self.body.span(at, at + 2))
        self.body.graph.open = []
        self.body.graph.jumps.append((draft, at + 1, self.words[at + 1]))
        return at + 2

    def _return(self, at: int) -> int:
        assert self.body.method is not None
        if self.words[at + 1] == ";":
            if self.body.method.result is not None:
                self.mistakes.add(
                    at, f"'{self.body.method.name}' returns {words(self.body.method.result)}", "write return VALUE;"
                )
            self.body.graph.leave(self.body.results(None), self.body.span(at, at + 1))
            return at + 1
        found, behind = self.expressions.read(at + 1)
        if self.body.method.result is None:
            self.mistakes.add(at + 1, f"'{self.body.method.name}' is void and returns no value")
        result = self.expressions.operators.fit(self.body.method.result, found, "the result")
        self.body.graph.leave(self.body.results(result), self.body.span(at, behind))
        return behind

    def _assert(self, at: int) -> int:
        self.body.expect(at + 1, "(")
        operand, behind = self.expressions.read(at + 2)
        self.expressions.operators.require(operand, BOOL, "a condition is a bool")
        if self.words[behind] == ",":
            if not is_text(self.words[behind + 1]):
                raise Unexpected(behind + 1, "a string")
            behind += 2
        self.body.expect(behind, ")")
        self.body.graph.check(operand.expr, self.body.span(at, behind + 1))
        return behind + 1

    def _assume(self, at: int) -> int:
        condition, behind = self.body.condition(at + 1)
        self.body.graph.step(Assume(condition), self.body.span(at, behind))
        return behind

    def _send(self, at: int) -> int:
        self.body.expect(at + 1, "(")
        channel, behind = self.expressions.read(at + 2)
        element = self.body.channel(channel)
        self.body.expect(behind, ",")
        value, behind = self.expressions.read(behind + 1)
        message = self.expressions.operators.fit(element, value, "the message")
        self.body.expect(behind, ")")
        self.body.graph.step(Send(channel.expr, message), self.body.span(at, behind + 1))
        return behind + 1

    def _async(self, at: int) -> int:
        found, behind = self.expressions.read_whole(at + 1)
        if found.call is None:
            raise Unexpected(at + 1, "a call")
        self.calls.start(found.call, at, behind)
        return behind

    def _trace(self, at: int) -> int:
        self.body.expect(at + 1, "(")
        if not is_text(self.words[at + 2]):
            raise Unexpected(at + 2, "a string")
        behind = at + 3
        given: list[Expr | str] = []
        while self.words[behind] == ",":
            if is_text(self.words[behind + 1]):
                given.append(text_of(self.words[behind + 1]))
                behind += 2
                continue
            value, behind = self.expressions.read(behind + 1)
            given.append(value.expr)
        self.body.expect(behind, ")")
        self.body.graph.step(remark(text_of(self.words[at + 2]), given), self.body.span(at, behind + 1))
        return behind + 1

    def _remark(self, at: int) -> int:
        """Read `event(...)` or `accept(...)`: a step that means nothing where only safety is asked for."""
        self.body.expect(at + 1, "(")
        behind = at + 1
        while self.words[behind] in ("(", ","):
            _, behind = self.expressions.read(behind + 1)
        self.body.expect(behind, ")")
        self.body.graph.step(SKIP, self.body.span(at, behind + 1))
        return behind + 1

    def _raise(self, at: int) -> int:
        if not is_name(self.words[at + 1]):
            raise Unexpected(at + 1, "the name of an exception")
        self.body.graph.add(self.body.graph.enter(), Raise(self.words[at + 1]), self.body.span(at, at + 2)).target = -1
        self.body.graph.open = []
        return at + 2

    def _yield(self, at: int) -> int:
        self.body.graph.step(SKIP, self.body.span(at, at + 1))
        return at + 1


def remark(text: str, given: Sequence[Expr | str]) -> Print:
    """Return what a `trace` says: arguments stand where the text has `{0}`, `{1}`, ..., and the others behind it."""
    values = [each for each in given if not isinstance(each, str)]
    numbers = iter(range(len(values)))
    shown = [_escape(each) if isinstance(each, str) else f"{{{next(numbers)}}}" for each in given]
    places = {f"{{{number}}}": said for number, said in enumerate(shown)}
    used = set(PLACE.findall(text))
    filled = PLACE.sub(lambda match: places.get(match.group(), match.group()), text)
    return Print(" ".join([filled, *(said for place, said in places.items() if place not in used)]), tuple(values))


def _escape(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
