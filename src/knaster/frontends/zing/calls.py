"""Calls: which method is meant, whether the arguments fit, and where the results go."""

from __future__ import annotations

from knaster.base.hints import did_you_mean
from knaster.frontends.zing.expressions import Expressions
from knaster.frontends.zing.graph import Graph
from knaster.frontends.zing.kinds import Class, Method, words
from knaster.frontends.zing.mistakes import Mistakes, Unexpected
from knaster.frontends.zing.operators import PRECEDENCE, Operand
from knaster.frontends.zing.primaries import NESTED, NESTED_HINT, Callee
from knaster.program.expression import Apply, Expr, Field, Index, Part, Var
from knaster.program.model import Call, Concurrent, ThreadOperation
from knaster.program.types import BOOL, Pointer


class Calls:
    """Reads calls and the places that take their results."""

    def __init__(self, expressions: Expressions, mistakes: Mistakes) -> None:
        self.expressions = expressions
        self.kinds = expressions.kinds
        self.mistakes = mistakes
        self.words = mistakes.tokens.spellings
        self.graph = Graph()

    def assignable(self, operand: Operand) -> Operand:
        """Return an operand that is to be assigned to; report one that is no place."""
        inner = operand.expr
        while isinstance(inner, Part):
            inner = inner.struct
        if not isinstance(inner, Var | Field | Index) and operand.type is not None:
            self.mistakes.add(operand.at, "nothing can be assigned to this")
        return operand

    def place(self, at: int) -> tuple[Operand, int]:
        """Read a place."""
        operand, behind = self.expressions.read(at)
        return self.assignable(operand), behind

    def method(self, callee: Callee) -> tuple[Method | None, Expr | None]:
        """Return the method that is called and the receiver, None where it has none."""
        name = self.words[callee.at]
        owner: Class | None = callee.owner or self.expressions.scope.owner
        if callee.receiver is not None:
            type = callee.receiver.type
            owner = self.kinds.classes.get(type.target) if isinstance(type, Pointer) else None
            if owner is None and type is not None:
                self.mistakes.add(callee.at, f"{words(type)} has no methods")
        if owner is None:
            return None, None
        method = owner.methods.get(name)
        if method is None:
            self.mistakes.add(
                callee.at, f"the class '{owner.name}' has no method '{name}'", did_you_mean(name, owner.methods)
            )
            return None, None
        if method.static:
            return method, None
        if callee.receiver is not None:
            return method, callee.receiver.expr
        if callee.owner is not None or self.expressions.scope.static:
            self.mistakes.add(callee.at, f"'{name}' is called on an instance", f"write x.{name}(...)")
            return None, None
        return method, Var("this")

    def arguments(self, method: Method | None, at: int) -> tuple[list[Expr], list[Operand], int]:
        """Read `(...)`; return the values, the places of out parameters, and the token behind."""
        name, start = self.words[at], at
        values: list[Expr] = []
        outs: list[Operand] = []
        at, number = at + 2, 0
        while self.words[at] != ")":
            wanted = method.parameters[number] if method is not None and number < len(method.parameters) else None
            out = self.words[at] == "out"
            operand, behind = self.place(at + 1) if out else self.expressions.read(at)
            if wanted is not None:
                parameter, type, is_out, _ = wanted
                if out != is_out:
                    hint = f"write out {self.words[at]}" if is_out else "remove 'out'"
                    self.mistakes.add(at, f"'{parameter}' is {'an' if is_out else 'no'} out parameter", hint)
                elif out and not self.kinds.fits(operand.type, type):
                    self.mistakes.add(operand.at, f"'{parameter}' is {words(type)}, this is {words(operand.type)}")
                else:
                    self.expressions.operators.fit(type, operand, f"'{parameter}'")
            if out:
                outs.append(operand)
            else:
                values.append(operand.expr)
            number, at = number + 1, behind
            if self.words[at] == ",":
                at += 1
            elif self.words[at] != ")":
                raise Unexpected(at, "',' or ')'")
        if method is not None and number != len(method.parameters):
            self.mistakes.add(start, f"'{name}' takes {_with_noun(len(method.parameters))}, not {number}")
        return values, outs, at + 1

    def call(self, callee: Callee, start: int, places: list[Operand] | None) -> int:
        """Add the call that begins at token `start`; its result goes to the place, if there is one."""
        method, receiver = self.method(callee)
        values, outs, behind = self.arguments(method, callee.at)
        if self.words[behind] in PRECEDENCE or self.words[behind] == ".":
            self.mistakes.add(callee.at, NESTED, NESTED_HINT)
            raise Unexpected(behind, "")
        span = self.mistakes.tokens.stretch(start, behind)
        taken: list[Expr | None] = []
        if places is not None and len(places) > 1:
            self.mistakes.add(callee.at, "a result is assigned to one variable", "assign it once more")
        if method is not None:
            if method.result is not None:
                taken.append(places[0].expr if places else None)
            elif places:
                self.mistakes.add(callee.at, f"'{method.name}' is void and has no result")
            if places and not self.kinds.fits(places[0].type, method.result):
                result = Operand(places[0].expr, method.result, callee.at)
                self.expressions.operators.fit(places[0].type, result, "the left side")
            taken += [out.expr for out in outs]
            passed = (*(() if receiver is None else (receiver,)), *values)
            action = Call(self.procedure(method), passed, places=tuple(taken), dispatch=self.dispatch(method))
            self.graph.step(action, span)
        return behind

    def start(self, callee: Callee, start: int) -> int:
        """Add the start of a thread that runs a call."""
        method, receiver = self.method(callee)
        values, outs, behind = self.arguments(method, callee.at)
        if outs:
            self.mistakes.add(outs[0].at, "a thread gives nothing back", "there are no out parameters behind async")
        if method is not None:
            if self.dispatch(method):
                self.mistakes.add(callee.at, "a thread starts in a method of a class, not of an interface")
            passed = (*(() if receiver is None else (receiver,)), *values)
            action = Concurrent(ThreadOperation.START, procedure=self.procedure(method), arguments=passed)
            self.graph.step(action, self.mistakes.tokens.stretch(start, behind))
        return behind

    def wait(self, at: int) -> tuple[Expr, int]:
        """Read `(e)` or `(m(...))` behind `wait`."""
        if self.words[at] != "(":
            raise Unexpected(at, "'('")
        found, behind = self.expressions.read_or_call(at + 1)
        if isinstance(found, Callee):
            method, receiver = self.method(found)
            values, outs, behind = self.arguments(method, found.at)
            if method is not None and (method.result != BOOL or outs or self.dispatch(method)):
                self.mistakes.add(found.at, f"'{method.name}' is no condition", "a condition returns a bool")
            passed = (*(() if receiver is None else (receiver,)), *values)
            name = self.procedure(method) if method is not None else ""
            found = Operand(Apply(name, passed, self.mistakes.tokens.span(found.at)), BOOL, found.at)
        self.expressions.operators.require(found, BOOL, "a condition is a bool")
        if self.words[behind] != ")":
            raise Unexpected(behind, "')'")
        return found.expr, behind + 1

    def procedure(self, method: Method) -> str:
        """Return the name of a method in the model."""
        return method.procedure

    def dispatch(self, method: Method) -> tuple[tuple[str, str], ...]:
        """Return the procedure for each class that implements an interface's method."""
        if not self.kinds.classes[method.owner].is_interface:
            return ()
        return tuple(
            (owner.name, owner.methods[method.name].procedure)
            for owner in self.kinds.classes.values()
            if method.owner in (name for name, _ in owner.implements) and method.name in owner.methods
        )


def _with_noun(number: int) -> str:
    return "no argument" if number == 0 else "1 argument" if number == 1 else f"{number} arguments"
