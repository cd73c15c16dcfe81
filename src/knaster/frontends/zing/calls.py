"""Calls: which method is meant, and whether the arguments fit."""

from __future__ import annotations

from typing import Protocol

from knaster.base.hints import did_you_mean
from knaster.frontends.zing.kinds import Class, Kinds, Method, words
from knaster.frontends.zing.mistakes import Mistakes, Unexpected
from knaster.frontends.zing.operators import Invocation, Operand, Operators
from knaster.frontends.zing.primaries import Callee, Scope
from knaster.program.expression import Apply, Const, Expr, Field, Index, Part, Var
from knaster.program.types import Pointer, Type


class Around(Protocol):
    """What the reader of expressions offers."""

    kinds: Kinds
    mistakes: Mistakes
    operators: Operators

    @property
    def scope(self) -> Scope:
        """What names mean."""

    def read(self, at: int) -> tuple[Operand, int]:
        """Read an expression; return it and the token behind it."""


class Calls:
    """Reads calls, from their method's name to what is behind the arguments."""

    def __init__(self, expressions: Around) -> None:
        self.expressions = expressions
        self.kinds = expressions.kinds
        self.mistakes = expressions.mistakes
        self.words = expressions.mistakes.tokens.spellings

    def read(self, callee: Callee) -> tuple[Operand, int]:
        """Read a call; its value is an `Apply`, which whoever adds it makes a step of."""
        method, receiver = self._method(callee)
        values, outs, behind = self._arguments(method, callee.at)
        passed = (*(() if receiver is None else (receiver,)), *values)
        found = Invocation(method, passed, tuple(outs), callee.at)
        if method is None:
            return Operand(Const(None), None, callee.at, call=found), behind
        value = Apply(method.procedure, passed, self.mistakes.tokens.span(callee.at))
        return Operand(value, method.result, callee.at, call=found), behind

    def require_value(self, operand: Operand) -> None:
        """Report a call inside an expression that has no value, or others beside it."""
        call = operand.call
        assert call is not None
        if call.method is not None and call.method.result is None:
            self.mistakes.add(operand.at, f"'{call.method.name}' is void and has no result")
        elif call.outs:
            hint = "assign the result first"
            self.mistakes.add(operand.at, "a call with 'out' stands alone or right of '='", hint)

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

    def _method(self, callee: Callee) -> tuple[Method | None, Expr | None]:
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

    def _arguments(self, method: Method | None, at: int) -> tuple[list[Expr], list[Operand], int]:
        """Read `(...)`; return the values, the places of out parameters, and the token behind."""
        name, start = self.words[at], at
        values: list[Expr] = []
        outs: list[Operand] = []
        at, number = at + 2, 0
        while self.words[at] != ")":
            wanted = method.parameters[number] if method is not None and number < len(method.parameters) else None
            out = self.words[at] == "out"
            operand, behind = self.place(at + 1) if out else self.expressions.read(at)
            value = operand.expr if wanted is None else self._argument(wanted, operand, at, out)
            if out:
                outs.append(operand)
            else:
                values.append(value)
            number, at = number + 1, behind
            if self.words[at] == ",":
                at += 1
            elif self.words[at] != ")":
                raise Unexpected(at, "',' or ')'")
        if method is not None and number != len(method.parameters):
            self.mistakes.add(start, f"'{name}' takes {_with_noun(len(method.parameters))}, not {number}")
        return values, outs, at + 1

    def _argument(self, wanted: tuple[str, Type | None, bool, int], operand: Operand, at: int, out: bool) -> Expr:
        """Return what is passed for a parameter; report what does not fit."""
        parameter, type, is_out, _ = wanted
        if out != is_out:
            hint = f"write out {self.words[at]}" if is_out else "remove 'out'"
            self.mistakes.add(at, f"'{parameter}' is {'an' if is_out else 'no'} out parameter", hint)
        elif out:
            message = f"'{parameter}' is {words(type)}, this is {words(operand.type)}"
            self.expressions.operators.take(operand, type, operand.at, message)
        else:
            return self.expressions.operators.fit(type, operand, f"'{parameter}'")
        return operand.expr


def _with_noun(number: int) -> str:
    return "no argument" if number == 0 else "1 argument" if number == 1 else f"{number} arguments"
