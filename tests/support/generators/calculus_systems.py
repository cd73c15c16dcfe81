"""Random equation systems, and the meaning of a system by enumeration: the paper's Evaluate on sets of tuples."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from knaster.calculus.language import formula as core
from knaster.calculus.language.formula import Bit, Formula, Predicate
from knaster.calculus.language.system import System
from knaster.calculus.language.values import all_values, encode

Row = tuple[tuple[bool, ...], ...]
Rows = frozenset[Row]


class NeverStable(Exception):
    """Evaluate does not end."""


@dataclass
class Oracle:
    """Section 3 of the paper by enumeration; everything is recomputed in every round."""

    system: System
    given: dict[str, Rows] = field(default_factory=dict)

    def evaluate(self, name: str, frozen: dict[str, Rows]) -> Rows:
        if name in frozen:
            return frozen[name]
        if name in self.given:
            return self.given[name]
        return self.rounds(name, frozen)[-1]

    def rounds(self, name: str, frozen: dict[str, Rows]) -> list[Rows]:
        """Return the value before the first round and after each that changes it."""
        predicate = self.system.predicates[name]
        assert predicate.body is not None
        found: list[Rows] = [frozenset(self._rows(predicate)) if predicate.kind == "nu" else frozenset()]
        while True:
            inner = {**frozen, name: found[-1]}
            values = {callee: self.evaluate(callee, inner) for callee in core.callees(predicate.body)}
            numbers = [parameter.number for parameter in predicate.parameters]
            following = frozenset(
                row
                for row in self._rows(predicate)
                if self.holds(predicate.body, dict(zip(numbers, row, strict=True)), values)
            )
            if following == found[-1]:
                return found
            if not predicate.kind:
                return [following]
            if following in found:
                raise NeverStable(name)
            found.append(following)

    def _rows(self, predicate: Predicate) -> list[Row]:
        types = [parameter.type for parameter in predicate.parameters]
        return [tuple(tuple(encode(t, v)) for t, v in zip(types, values, strict=True)) for values in all_values(types)]

    def holds(self, formula: Formula, at: dict[int, tuple[bool, ...]], values: dict[str, Rows]) -> bool:
        def bit(each: Bit | bool) -> bool:
            return each if isinstance(each, bool) else at[each.variable][each.position]

        match formula:
            case core.Truth(value):
                return value
            case core.Fixed(bits, wanted):
                return all(bit(one) == two for one, two in zip(bits, wanted, strict=True))
            case core.Same(left, right):
                return all(bit(one) == bit(two) for one, two in zip(left, right, strict=True))
            case core.Order(operator, left, right, shift):
                one, two = number([bit(b) for b in left]), number([bit(b) for b in right]) + shift
                return one == two if operator == "=" else one < two if operator == "<" else one <= two
            case core.Call(name, arguments):
                return tuple(tuple(bit(each) for each in argument) for argument in arguments) in values[name]
            case core.Not(operand):
                return not self.holds(operand, at, values)
            case core.And(operands):
                return all(self.holds(each, at, values) for each in operands)
            case core.Or(operands):
                return any(self.holds(each, at, values) for each in operands)
            case core.Equivalent(one_side, other_side):
                return self.holds(one_side, at, values) == self.holds(other_side, at, values)
            case core.Choose(condition, then, otherwise):
                return self.holds(then if self.holds(condition, at, values) else otherwise, at, values)
            case core.Exists(variables, body):
                types = [variable.type for variable in variables]
                for row in all_values(types):
                    codes = {v.number: tuple(encode(v.type, value)) for v, value in zip(variables, row, strict=True)}
                    if self.holds(body, {**at, **codes}, values):
                        return True
                return False
            case core.Simplify():
                raise AssertionError("left open by the language")
        raise AssertionError(formula)

    def query(self, formula: Formula) -> bool:
        values = {callee: self.evaluate(callee, {}) for callee in core.callees(formula)}
        return self.holds(formula, {}, values)


def number(bits: list[bool]) -> int:
    value = 0
    for each in bits:
        value = 2 * value + each
    return value


def nested(random: Random, positive: bool) -> str:
    """Write a random system of many fixed points, least and greatest, that refer to each other and to little else.

    Bodies are short, so that most dependencies are cycles: what is recursive with an outer fixed point often is not
    with an inner one.
    """
    names = [f"X{number}" for number in range(random.randint(2, 5))]
    argument = random.random() < 0.35
    head = "(S s)" if argument else "()"
    kinds = {name: random.choice(("mu", "nu")) for name in names}

    def part(depth: int) -> str:
        choice = random.random()
        if depth and choice < 0.55:
            return f"({part(depth - 1)} {random.choice('&|')} {part(depth - 1)})"
        if choice < 0.9:
            sign = "! " if not positive and random.random() < 0.15 else ""
            name = random.choice(names)
            if argument and random.random() < 0.5:
                move = random.choice(("t = s + 1", "s = t + 1", "t != s"))
                return f"{sign}(exists S t. {move} & {name}(t))"
            return f"{sign}{name}({'s' if argument else ''})"
        if argument and choice < 0.97:
            return f"s {random.choice(('=', '!='))} {random.randrange(3)}"
        return random.choice("01")

    lines = ["enum S { 0..2 };"] + [f"{kinds[name]} bool {name}{head};" for name in names]
    lines += [f"{kinds[name]} bool {name}{head} {part(2)};" for name in names]
    lines += [f"{name}({random.randrange(3) if argument else ''});" for name in names]
    return "\n".join(lines)


TYPES = "enum E { red, green, blue };\nenum N { 1..3 };\nclass C { bool a; N n; };\n"
CONSTANTS = {"bool": ("0", "1", "true"), "E": ("red", "green", "blue"), "N": ("1", "2", "3")}


@dataclass
class Writer:
    """Writes a random system: inputs, plain predicates, mutually recursive ones, and queries."""

    random: Random
    positive: bool  # recursive predicates stand below no negation
    mixed: bool  # mu and nu in one system
    predicates: dict[str, tuple[str, ...]] = field(default_factory=dict)
    recursive: set[str] = field(default_factory=set)
    scope: list[tuple[str, str]] = field(default_factory=list)
    fresh: int = 0

    def text(self) -> str:
        lines = [TYPES]
        for name in ("T", "I"):
            lines.append(f"bool {self.head(name)};")
        for name in ("P", "Q")[: self.random.randint(0, 2)]:
            head = self.head(name)
            types = self.predicates.pop(name)  # a plain predicate may not call itself
            body = self.body(name, types, 2)
            self.predicates[name] = types
            lines.append(f"bool {head} {body};")
        names = ["X", "Y", "Z"][: self.random.randint(1, 3)]
        kind = self.random.choice(("mu", "nu"))
        kinds = {name: self.random.choice(("mu", "nu")) if self.mixed else kind for name in names}
        heads = {name: self.head(name) for name in names}
        self.recursive = set(names)
        lines += [f"{kinds[name]} bool {heads[name]};" for name in names]
        lines += [f"{kinds[name]} bool {heads[name]} {self.body(name, self.predicates[name], 3)};" for name in names]
        lines += [f"#ons {name};" for name in names]
        self.scope = []
        lines.append(f"{self.expression(3, True)};")
        return "\n".join(lines)

    def head(self, name: str) -> str:
        types = tuple(self.random.choice(("bool", "E", "N", "C")) for _ in range(self.random.randint(1, 2)))
        self.predicates[name] = types
        return f"{name}({', '.join(f'{t} {name.lower()}{i}' for i, t in enumerate(types))})"

    def body(self, name: str, types: tuple[str, ...], depth: int) -> str:
        self.scope = [(f"{name.lower()}{i}", t) for i, t in enumerate(types)]
        return f"({self.expression(depth, True)})"

    def expression(self, depth: int, sign: bool) -> str:
        choice = self.random.randrange(10) if depth else 0
        if choice < 3:
            return self.atom(sign)
        if choice < 5:
            operator = self.random.choice(("&", "|"))
            parts = (self.expression(depth - 1, sign) for _ in range(self.random.randint(2, 3)))
            return f"({f' {operator} '.join(parts)})"
        if choice == 5:
            return f"(! {self.expression(depth - 1, not sign)})"
        if choice == 6:
            return f"({self.expression(depth - 1, not sign)} -> {self.expression(depth - 1, sign)})"
        if choice == 7 and not self.positive:
            return f"({self.expression(depth - 1, sign)} <-> {self.expression(depth - 1, sign)})"
        return self.quantified(depth, sign)

    def quantified(self, depth: int, sign: bool) -> str:
        count = self.random.randint(1, 2)
        declared = []
        for _ in range(count):
            self.fresh += 1
            declared.append((f"v{self.fresh}", self.random.choice(("bool", "E", "N", "C"))))
        self.scope += declared
        inner = self.expression(depth - 1, sign)
        del self.scope[-count:]
        word = self.random.choice(("exists", "exists", "forall"))
        return f"({word} {', '.join(f'{t} {n}' for n, t in declared)}. {inner})"

    def atom(self, sign: bool) -> str:
        places = [(n, t) for n, t in self.scope if t != "C"]
        places += [(f"{n}.{m}", t) for n, c in self.scope if c == "C" for m, t in (("a", "bool"), ("n", "N"))]
        usable = [name for name in self.predicates if sign or not self.positive or name not in self.recursive]
        if usable and self.random.random() < 0.6:
            name = self.random.choice(usable)
            arguments = [self.argument(t) for t in self.predicates[name]]
            if all(arguments):
                return f"{name}({', '.join(arguments)})"
        if not places:
            return self.random.choice(("0", "1"))
        place, type_ = self.random.choice(places)
        if type_ == "bool" and self.random.random() < 0.5:
            return place
        others = [n for n, t in places if t == type_ and n != place]
        if type_ == "N" and self.random.random() < 0.4:
            right = f"{self.random.choice(others)} + 1" if others else "2"
            return f"{place} {self.random.choice(('<', '<=', '>', '>=', '=', '!='))} {right}"
        right = self.random.choice(others) if others and self.random.random() < 0.6 else self.constant(type_)
        return f"{place} {self.random.choice(('=', '!='))} {right}"

    def constant(self, type_: str) -> str:
        return self.random.choice(CONSTANTS[type_])

    def argument(self, type_: str) -> str:
        fitting = [n for n, t in self.scope if t == type_]
        fitting += [f"{n}.a" for n, t in self.scope if t == "C" and type_ == "bool"]
        fitting += [f"{n}.n" for n, t in self.scope if t == "C" and type_ == "N"]
        if fitting and self.random.random() < 0.8:
            return self.random.choice(fitting)
        return self.constant(type_) if type_ in CONSTANTS else ""
