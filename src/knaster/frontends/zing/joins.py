"""The branches of a select: what they wait for, and what they receive."""

from __future__ import annotations

from knaster.frontends.zing.body import Body
from knaster.frontends.zing.kinds import words
from knaster.frontends.zing.mistakes import Unexpected
from knaster.frontends.zing.nested_calls import calls
from knaster.program.expression import Apply, Expr, postorder


class Joins:
    """Reads the patterns of branches."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.expressions, self.mistakes, self.words = body.expressions, body.mistakes, body.words
        self.kinds, self.calls = body.kinds, body.expressions.calls

    def read(self, at: int) -> tuple[list[Expr], list[tuple[Expr, Expr]], int]:
        """Read the patterns of one branch."""
        waits: list[Expr] = []
        receives: list[tuple[Expr, Expr]] = []
        while True:
            match self.words[at]:
                case "wait":
                    condition, at = self.body.condition(at + 1)
                    self._check_calls(condition)
                    waits.append(condition)
                case "receive":
                    receive, at = self._receive(at)
                    receives.append(receive)
                case "timeout":
                    at += 1
                case "event":
                    hint = "wait for a variable that the environment sets, or receive from a channel"
                    self.mistakes.add(at, "'event' in a select is not read by Knaster", hint)
                    raise Unexpected(at, "")
                case _:
                    raise Unexpected(at, "wait, receive or timeout")
            if self.words[at] != "&&":
                return waits, receives, at
            at += 1

    def _receive(self, at: int) -> tuple[tuple[Expr, Expr], int]:
        self.body.expect(at + 1, "(")
        channel, at = self.expressions.read(at + 2)
        element = self.body.channel(channel)
        if calls(channel.expr):
            self.mistakes.add(
                channel.at, "a channel to receive from is not called for", "assign it to a variable first"
            )
        self.body.expect(at, ",")
        place, behind = self.calls.place(at + 1)
        self.body.expect(behind, ")")
        if calls(place.expr):
            self.mistakes.add(place.at, "a place to receive into is not called for", "receive into a variable first")
        message = f"the channel carries {words(element)}, this is {words(place.type)}"
        self.expressions.operators.take(place, element, place.at, message)
        return (channel.expr, place.expr), behind + 1

    def _check_calls(self, condition: Expr) -> None:
        """Report a call of a method that only an instance knows: a condition is looked at, not done."""
        for node in postorder(condition):
            if isinstance(node, Apply) and node.procedure in self.body.interface_methods:
                hint = "keep the answer in a field"
                self.mistakes.add_at(node.span, f"a condition cannot call '{node.procedure}' of an interface", hint)
