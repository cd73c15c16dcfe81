"""Expressions of C: their values, and the edges for what they do besides.

Evaluation is from left to right.  A call is an edge of its own, an input is an assignment of its own (so that no
`Choice` is ever copied), and `&&`, `||` and `?:` are branches unless their operands are plain.  All recursion is by
`descent`, so nesting is bounded by memory alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pycparser import c_ast as syntax

from knaster.descent import Steps, run
from knaster.errors import Span
from knaster.frontends.c.calls import Calls
from knaster.frontends.c.conditions import integer_of
from knaster.frontends.c.declarations import number_type
from knaster.frontends.c.effects import Effect, effect_of, is_plain
from knaster.frontends.c.graph import Graph
from knaster.frontends.c.places import Place, read, written
from knaster.frontends.c.scope import Enumerator, FunctionName, TypeName, Variable
from knaster.frontends.c.types import (
    FLOAT,
    FUNCTION_POINTER,
    INT,
    POINTER,
    Boolean,
    CType,
    Foreign,
    Integer,
    Record,
    Scalar,
    Vector,
    Void,
    array_of,
    common,
    size_of,
)
from knaster.frontends.c.values import Value, both, either
from knaster.program.expression import FALSE, TRUE, Choice, Const, Convert, Expr, Var, variables
from knaster.program.model import Assign
from knaster.program.types import Type

if TYPE_CHECKING:
    from knaster.frontends.c.unit import Unit

_NOTHING = Void()


class Expressions:
    """The expressions of one function; edges are added to its graph, temporaries to its locals."""

    def __init__(self, unit: Unit, graph: Graph, function: str) -> None:
        self.unit = unit
        self.values = unit.values
        self.graph = graph
        self.function = function
        self.parameters: dict[str, Type] = {}
        self.locals: dict[str, Type] = {}
        self.span = Span(0, 0, 0)  # of the statement
        self.calls = Calls(self)
        self._temporaries = 0

    # What the other modules ask for

    def evaluate(self, node: Any) -> Value:
        """Return the value of an expression."""
        return run(self.value(node))

    def perform(self, node: Any) -> None:
        """Evaluate an expression for what it does."""
        run(self.effect(node))

    def struct(self, node: Any) -> Place | None:
        """Return the place of a struct."""
        return run(self.place(node))

    def assign_call(self, place: Place, node: Any) -> None:
        """Give a place the result of a call."""
        run(self.called_into(place, node))

    def decide(self, node: Any, yes: int, no: int) -> None:
        """Branch on an expression."""
        run(self.branch(node, yes, no))

    def temporary(self, type: Type, about: str = "") -> str:
        """Return a new variable of the model."""
        self._temporaries += 1
        name = f"{about}${self._temporaries}"
        self.locals[name] = type
        return name

    def assign(self, variable: str, value: Expr) -> None:
        """Give a variable of the model a value."""
        self.graph.emit(Assign((variable,), (value,)), self.span)

    def store(self, place: Place, value: Value) -> None:
        """Give a scalar place a value, converted to its type."""
        assert isinstance(place.type, Integer | Boolean)
        converted = self.values.convert(value, place.type, place.span).expr
        self.assign(place.name, written(place.name, place.indices, converted, place.span))

    def load(self, place: Place) -> Value:
        """Return the value of a scalar place."""
        if isinstance(place.type, Integer | Boolean):
            return Value(read(place.name, place.indices, place.span), place.type)
        if isinstance(place.type, Vector):
            self.refuse(POINTER, place.span, "an array without an index is a pointer")
        elif isinstance(place.type, Record):
            self.problem("a struct is used as a number", place.span)
        return self.values.constant(0)

    def choose(self, type: Scalar, lengths: tuple[int, ...], variable: str, origin: str, span: Span) -> None:
        """Let a variable of the model take an input."""
        self.assign(variable, Choice(array_of(self.values.model(type), lengths), span, origin))

    def refuse(self, foreign: Foreign, span: Span, what: str = "") -> None:
        """Note something that is not read."""
        self.unit.problem(what or foreign.what, span, foreign.advice)

    def problem(self, message: str, span: Span, hint: str = "") -> None:
        """Note a mistake."""
        self.unit.problem(message, span, hint)

    # Values

    def value(self, node: Any) -> Steps[Value]:
        """Return the value of an expression of scalar type."""
        match node:
            case syntax.Constant():
                return self.constant(node)
            case syntax.ID() | syntax.ArrayRef() | syntax.StructRef():
                done: Value = yield self.loaded(node)
                return done
            case syntax.BinaryOp() if node.op in ("&&", "||"):
                done = yield self.connective(node)
                return done
            case syntax.BinaryOp():
                left, right = yield self.operands((node.left, node.right))
                return self.values.binary(node.op, left, right, self.at(node))
            case syntax.UnaryOp():
                done = yield self.unary(node)
                return done
            case syntax.Assignment():
                place = yield self.assignment(node)
                return self.load(place) if place is not None else self.values.constant(0)
            case syntax.TernaryOp():
                done = yield self.conditional(node)
                return done
            case syntax.Cast():
                done = yield self.cast(node)
                return done
            case syntax.FuncCall():
                place = yield self.calls.call(node, None)
                return self.load(place) if isinstance(place, Place) else place
            case syntax.ExprList():
                for part in node.exprs[:-1]:
                    yield self.effect(part)
                done = yield self.value(node.exprs[-1])
                return done
            case _:
                self.problem("this expression is not read", self.at(node), "write it in plain C")
                return self.values.constant(0)

    def at(self, node: Any) -> Span:
        """Return where a node begins."""
        return self.unit.text.token(node)

    def loaded(self, node: Any) -> Steps[Value]:
        """Return the value of a place or of an enumeration constant."""
        if isinstance(node, syntax.ID) and isinstance(symbol := self.unit.scopes.find(node.name), Enumerator):
            return self.values.constant(symbol.value)
        place = yield self.place(node)
        return self.load(place) if place is not None else self.values.constant(0)

    def constant(self, node: Any) -> Value:
        """Return the value of a constant."""
        text = node.value
        if node.type == "char" or text.startswith(("'", "L'", "u'", "U'")):
            return self.values.constant(_character(text))
        if node.type == "string":
            self.refuse(POINTER, self.at(node), "a text is a pointer, except as the initial value of an array")
            return self.values.constant(0)
        number = integer_of(text)
        if number is None:
            if any(letter in text for letter in ".eEpPfF"):
                self.refuse(FLOAT, self.at(node))
            else:
                self.problem(f"'{text}' is no integer constant", self.at(node))
            return self.values.constant(0)
        decimal = not text.startswith("0") or text.rstrip("uUlL") == "0"
        suffix = text[len(text.rstrip("uUlL")) :]
        return self.values.constant(number, number_type(number, suffix, decimal, self.unit.long))

    def operands(self, nodes: Sequence[Any]) -> Steps[list[Value]]:
        """Return the values of several operands, evaluated from left to right."""
        found: list[Value] = []
        later = [effect_of(node, self.unit.defined) for node in nodes]
        for number, node in enumerate(nodes):
            value = yield self.value(node)
            for effect in later[number + 1 :]:
                value = self.kept(value, effect)
            found.append(value)
        return found

    def kept(self, value: Value, effect: Effect) -> Value:
        """Return a value that an effect does not change: a copy where it may."""
        if not effect or not self.changes(effect, variables(value.expr)):
            return value
        name = self.temporary(self.values.model(value.type))
        self.assign(name, value.expr)
        return Value(Var(name), value.type)

    def changes(self, effect: Effect, read: set[str]) -> bool:
        """Tell whether an effect may change one of some variables of the model."""
        if effect.calls and not read <= self.locals.keys() | self.parameters.keys():
            return True
        for name in effect.assigned:
            symbol = self.unit.scopes.find(name)
            base = symbol.name if isinstance(symbol, Variable) else name
            if any(variable == base or variable.startswith(f"{base}.") for variable in read):
                return True
        return False

    def unary(self, node: Any) -> Steps[Value]:
        """Return the value of a unary operator."""
        span = self.at(node)
        match node.op:
            case "-" | "+" | "~" | "!":
                return self.values.unary(node.op, (yield self.value(node.expr)), span)
            case "++" | "--":
                place = yield self.step(node)
                return self.load(place) if place is not None else self.values.constant(0)
            case "p++" | "p--":
                done: Value = yield self.step_after(node)
                return done
            case "sizeof" | "_Alignof":
                type = self.unit.declarations.type_of(node.expr) if _is_type(node.expr) else self.type_of(node.expr)
                return self.values.constant(size_of(type, self.unit.long // 8), Integer(self.unit.long, False))
            case "&":
                self.refuse(POINTER, span, "the address of a variable is a pointer")
            case "*":
                self.refuse(POINTER, span)
            case other:
                self.problem(f"the operator '{other}' is not read", span)
        return self.values.constant(0)

    def type_of(self, node: Any) -> CType:
        """Return the type of an expression that is not evaluated."""
        graph, self.graph = self.graph, Graph()
        try:
            if isinstance(node, syntax.ID | syntax.ArrayRef | syntax.StructRef):
                place = run(self.place(node))
                return place.type if place is not None else INT
            return self.evaluate(node).type
        finally:
            self.graph = graph

    def step(self, node: Any) -> Steps[Place | None]:
        """Add or subtract 1; return the place."""
        place = yield self.place(node.expr)
        if place is None or not isinstance(place.type, Integer | Boolean):
            return None
        place = self.pinned(place)
        one = self.values.constant(1)
        self.store(place, self.values.binary(node.op[-1], self.load(place), one, self.at(node)))
        return place

    def step_after(self, node: Any) -> Steps[Value]:
        """Add or subtract 1; return the value before."""
        place = yield self.place(node.expr)
        if place is None or not isinstance(place.type, Integer | Boolean):
            return self.values.constant(0)
        type = place.type
        place = self.pinned(place)
        old, one = self.load(place), self.values.constant(1)
        kept = Value(Var(self.temporary(self.values.model(type))), type)
        assert isinstance(kept.expr, Var)
        self.assign(kept.expr.name, old.expr)
        self.store(place, self.values.binary(node.op[-1], kept, one, self.at(node)))
        return kept

    def pinned(self, place: Place) -> Place:
        """Return a place whose indices stay the same while it changes."""
        if not any(place.name in variables(index) for index in place.indices):
            return place
        return Place(place.name, place.type, tuple(self.copied(index) for index in place.indices), place.span)

    def copied(self, index: Expr) -> Expr:
        """Return a copy of an index."""
        if isinstance(index, Const):
            return index
        name = self.temporary(self.values.model(Integer(64)))
        self.assign(name, Convert(index, self.values.model(Integer(64))))
        return Var(name)

    def assignment(self, node: Any) -> Steps[Place | None]:
        """Perform an assignment; return the place."""
        place: Place | None = yield self.place(node.lvalue)
        if place is None:
            yield self.effect(node.rvalue)
            return None
        if node.op == "=" and isinstance(node.rvalue, syntax.FuncCall):
            done: Place = yield self.called_into(place, node.rvalue)
            return done
        effect = effect_of(node.rvalue, self.unit.defined)
        if effect and any(self.changes(effect, variables(index)) for index in place.indices):
            place = Place(place.name, place.type, tuple(map(self.copied, place.indices)), place.span)
        if isinstance(place.type, Record):
            source = yield self.place(node.rvalue)
            if source is not None:
                self.copy(place, source)
            return place
        if isinstance(place.type, Vector):
            self.problem("an array cannot be assigned", place.span, "assign its elements")
            return None
        value = yield self.value(node.rvalue)
        if node.op != "=":
            value = self.values.binary(node.op[:-1], self.load(place), value, self.at(node))
        place = self.pinned(place)
        self.store(place, value)
        return place

    def called_into(self, place: Place, node: Any) -> Steps[Place]:
        """Assign the result of a call, without a temporary where the types agree."""
        effect = effect_of(node, self.unit.defined)
        if any(self.changes(effect, variables(index)) for index in place.indices):
            place = Place(place.name, place.type, tuple(map(self.copied, place.indices)), place.span)
        result = yield self.calls.call(node, place)
        if isinstance(result, Place) and result is not place:
            if isinstance(place.type, Record) or isinstance(result.type, Record):
                self.copy(place, result)
            else:
                self.store(place, self.load(result))
        elif isinstance(result, Value):
            self.store(place, result)
        return place

    def copy(self, target: Place, source: Place) -> None:
        """Assign a struct, all of its parts at once."""
        if target.type != source.type:
            self.problem("a struct is assigned a value of another type", target.span)
            return
        parts = list(zip(target.leaves(), source.leaves(), strict=True))
        names = tuple(name for (_, name), _ in parts)
        values = [
            written(name, target.indices, read(other, source.indices, source.span), target.span)
            for (_, name), (_, other) in parts
        ]
        self.graph.emit(Assign(names, tuple(values)), self.span)

    def connective(self, node: Any) -> Steps[Value]:
        """Return the value of && or ||."""
        if is_plain(node.right):
            left = yield self.value(node.left)
            right = yield self.value(node.right)
            joined = both if node.op == "&&" else either
            return self.values.from_truth(joined(self.values.truth(left), self.values.truth(right)))
        name = self.temporary(self.values.model(Boolean()))
        yes, no, end = self.graph.new(), self.graph.new(), self.graph.new()
        yield self.branch(node, yes, no)
        for location, value in ((yes, TRUE), (no, FALSE)):
            self.graph.place(location)
            self.assign(name, value)
            self.graph.jump(end)
        self.graph.place(end)
        return self.values.from_truth(Var(name))

    def conditional(self, node: Any) -> Steps[Value]:
        """Return the value of ?:."""
        if is_plain(node.iftrue) and is_plain(node.iffalse):
            condition = self.values.truth((yield self.value(node.cond)))
            then, otherwise = yield self.operands((node.iftrue, node.iffalse))
            return self.values.choose(condition, then, otherwise, self.at(node))
        yes, no, end = self.graph.new(), self.graph.new(), self.graph.new()
        yield self.branch(node.cond, yes, no)
        self.graph.place(yes)
        then = yield self.value(node.iftrue)
        first = self.graph.current()
        self.graph.here = None
        self.graph.place(no)
        otherwise = yield self.value(node.iffalse)
        same = then.type == otherwise.type
        type: Scalar = then.type if same else common(then.type, otherwise.type)
        name = self.temporary(self.values.model(type))
        self.assign(name, self.values.convert(otherwise, type, self.at(node)).expr)
        self.graph.jump(end)
        self.graph.here = first
        self.assign(name, self.values.convert(then, type, self.at(node)).expr)
        self.graph.place(end)
        return Value(Var(name), type)

    def cast(self, node: Any) -> Steps[Value]:
        """Return a value converted."""
        type = self.unit.declarations.type_of(node.to_type)
        match type:
            case Integer() | Boolean():
                return self.values.convert((yield self.value(node.expr)), type, self.at(node))
            case Void():
                yield self.effect(node.expr)
            case Foreign():
                self.refuse(type, self.at(node))
            case _:
                self.problem("a value can only be converted to an integer type", self.at(node))
        return self.values.constant(0)

    # Places

    def place(self, node: Any) -> Steps[Place | None]:
        """Return the place that an expression stands for; None, with a problem noted, where it is none."""
        span = self.at(node)
        match node:
            case syntax.ID():
                return self.named(node.name, span)
            case syntax.StructRef() if node.type == ".":
                place = yield self.place(node.name)
                return self.field(place, node.field.name, span)
            case syntax.ArrayRef():
                place = yield self.place(node.name)
                index = yield self.value(node.subscript)
                if place is None:
                    return None
                if not isinstance(place.type, Vector):
                    self.refuse(POINTER, span, "what has an index here is no array")
                    return None
                return Place(place.name, place.type.element, (*place.indices, index.expr), span)
            case syntax.FuncCall():
                found = yield self.calls.call(node, None)
                return found if isinstance(found, Place) else None
            case syntax.StructRef() | syntax.UnaryOp(op="*"):
                self.refuse(POINTER, span)
            case syntax.Cast():
                done: Place | None = yield self.place(node.expr)
                return done
            case syntax.Assignment():
                done = yield self.assignment(node)
                return done
            case _:
                self.problem("this cannot be assigned to", span)
        return None

    def named(self, name: str, span: Span) -> Place | None:
        """Return the place of a variable."""
        symbol = self.unit.scopes.find(name)
        match symbol:
            case Variable(base, type):
                if isinstance(type, Foreign):
                    self.unit.refuse_once(name, type, span)
                    return None
                self.unit.used(symbol)
                return Place(base, type, (), span)
            case FunctionName():
                self.refuse(FUNCTION_POINTER, span, f"the function '{name}' is used without being called")
            case TypeName() | Enumerator():
                self.problem(f"'{name}' is no variable", span)
            case None:
                self.unit.undeclared(name, span)
        return None

    def field(self, place: Place | None, name: str, span: Span) -> Place | None:
        """Return the place of a field."""
        if place is None:
            return None
        fields = dict(place.type.fields) if isinstance(place.type, Record) else {}
        if name not in fields:
            self.problem(f"there is no field '{name}' here", span)
            return None
        return Place(f"{place.name}.{name}", fields[name], place.indices, span)

    # Effects and branches

    def effect(self, node: Any) -> Steps[None]:
        """Evaluate an expression whose value nobody wants."""
        match node:
            case syntax.Assignment():
                yield self.assignment(node)
            case syntax.UnaryOp() if node.op in ("++", "--", "p++", "p--"):
                yield self.step(node)
            case syntax.FuncCall():
                yield self.calls.call(node, _NOTHING)
            case syntax.ExprList():
                for part in node.exprs:
                    yield self.effect(part)
            case syntax.Cast():
                yield self.effect(node.expr)
            case syntax.TernaryOp():
                yes, no, end = self.graph.new(), self.graph.new(), self.graph.new()
                yield self.branch(node.cond, yes, no)
                for location, part in ((yes, node.iftrue), (no, node.iffalse)):
                    self.graph.place(location)
                    yield self.effect(part)
                    self.graph.jump(end)
                self.graph.place(end)
            case syntax.BinaryOp() if node.op in ("&&", "||") and not is_plain(node.right):
                end = self.graph.new()
                yield self.branch(node, end, end)
                self.graph.place(end)
            case syntax.Constant():
                pass
            case _:
                yield self.value(node)

    def branch(self, node: Any, yes: int, no: int) -> Steps[None]:
        """Go to `yes` where an expression is different from 0, else to `no`."""
        match node:
            case syntax.UnaryOp(op="!"):
                yield self.branch(node.expr, no, yes)
            case syntax.BinaryOp() if node.op in ("&&", "||") and not is_plain(node.right):
                middle = self.graph.new()
                yield self.branch(node.left, *((middle, no) if node.op == "&&" else (yes, middle)))
                self.graph.place(middle)
                yield self.branch(node.right, yes, no)
            case _:
                value = yield self.value(node)
                self.graph.branch(self.values.truth(value), yes, no, self.span)


def _is_type(node: Any) -> bool:
    return isinstance(node, syntax.Typename)


_ESCAPES = {"n": 10, "t": 9, "r": 13, "0": 0, "a": 7, "b": 8, "f": 12, "v": 11, "\\": 92, "'": 39, '"': 34, "?": 63}


def _character(text: str) -> int:
    """Return the value of a character constant."""
    body = characters(text[text.index("'") + 1 : -1])
    value = 0
    for code in body:
        value = value << 8 | code
    return value if len(body) > 1 else (value - 256 if value > 127 else value)


def characters(body: str) -> list[int]:
    """Return the codes of the characters of a text or character constant, as bytes."""
    codes: list[int] = []
    index = 0
    while index < len(body):
        letter = body[index]
        index += 1
        if letter != "\\" or index == len(body):
            codes += letter.encode("utf-8")
            continue
        letter = body[index]
        index += 1
        if letter in "xX":
            end = index
            while end < len(body) and body[end] in "0123456789abcdefABCDEF":
                end += 1
            codes.append(int(body[index:end] or "0", 16) & 255)
            index = end
        elif letter in "01234567":
            end = index
            while end < len(body) and end < index + 2 and body[end] in "01234567":
                end += 1
            codes.append(int(body[index - 1 : end], 8) & 255)
            index = end
        else:
            codes.append(_ESCAPES.get(letter, ord(letter) & 255))
    return codes
