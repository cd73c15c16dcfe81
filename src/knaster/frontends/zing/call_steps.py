"""Steps that call or start a method: where its results go, and which method a class has for one of an interface."""

from __future__ import annotations

from knaster.frontends.zing.body import Body
from knaster.frontends.zing.operators import Invocation, Operand
from knaster.program.expression import Expr
from knaster.program.model import Call, Concurrent, ThreadOperation


class CallSteps:
    """Adds such steps to the graph of a method."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.mistakes, self.kinds, self.operators = body.mistakes, body.kinds, body.expressions.operators

    def call(self, call: Invocation, start: int, behind: int, places: list[Operand] | None) -> None:
        """Add the call that stands from token `start` to `behind`; its result goes to the place, if there is one."""
        if places is not None and len(places) > 1:
            self.mistakes.add(call.at, "a result is assigned to one variable", "assign it once more")
        method = call.method
        if method is None:
            return
        taken: list[Expr | None] = []
        if method.result is not None:
            taken.append(places[0].expr if places else None)
        elif places:
            self.mistakes.add(call.at, f"'{method.name}' is void and has no result")
        if places and method.result is not None:
            self._check_result(places[0], call)
        taken += [out.expr for out in call.outs]
        dispatch = self.kinds.dispatch(method)
        action = Call(method.procedure, call.passed, places=tuple(taken), dispatch=dispatch)
        self.body.graph.step(action, self.body.span(start, behind))

    def _check_result(self, place: Operand, call: Invocation) -> None:
        assert call.method is not None
        result = Operand(place.expr, call.method.result, call.at)
        if not self.kinds.fits(place.type, call.method.result):
            self.operators.fit(place.type, result, "the left side")
        else:
            self.operators.take(place, call.method.result, call.at, "the result may not fit into the left side")

    def start(self, call: Invocation, start: int, behind: int) -> None:
        """Add the start of a thread that runs a call."""
        if call.outs:
            self.mistakes.add(
                call.outs[0].at, "a thread gives nothing back", "there are no out parameters behind async"
            )
        if call.method is None:
            return
        if self.kinds.dispatch(call.method):
            self.mistakes.add(call.at, "a thread starts in a method of a class, not of an interface")
        action = Concurrent(ThreadOperation.START, procedure=call.method.procedure, arguments=call.passed)
        self.body.graph.step(action, self.body.span(start, behind))
