"""The branches of a select: what they wait for, and what they receive."""

from __future__ import annotations

from knaster.frontends.zing.body import Body
from knaster.frontends.zing.kinds import words
from knaster.frontends.zing.mistakes import Unexpected
from knaster.program.expression import Expr


class Joins:
    """Reads the patterns of branches."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.expressions, self.mistakes, self.words = body.expressions, body.mistakes, body.words
        self.kinds, self.calls = body.kinds, body.calls

    def read(self, at: int) -> tuple[list[Expr], list[tuple[Expr, Expr]], int]:
        """Read the patterns of one branch."""
        waits: list[Expr] = []
        receives: list[tuple[Expr, Expr]] = []
        while True:
            match self.words[at]:
                case "wait":
                    condition, at = self.calls.wait(at + 1)
                    waits.append(condition)
                case "receive":
                    receive, at = self._receive(at)
                    receives.append(receive)
                case "timeout":
                    at += 1
                case "event":
                    raise Unexpected(at, "wait, receive or timeout")
                case _:
                    raise Unexpected(at, "wait, receive or timeout")
            if self.words[at] != "&&":
                return waits, receives, at
            at += 1

    def _receive(self, at: int) -> tuple[tuple[Expr, Expr], int]:
        self.body.expect(at + 1, "(")
        channel, at = self.expressions.read(at + 2)
        element = self.body.channel(channel)
        self.body.expect(at, ",")
        place, behind = self.calls.place(at + 1)
        self.body.expect(behind, ")")
        if not self.kinds.fits(place.type, element):
            self.mistakes.add(place.at, f"the channel carries {words(element)}, this is {words(place.type)}")
        return (channel.expr, place.expr), behind + 1
