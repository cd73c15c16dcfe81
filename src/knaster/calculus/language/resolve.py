"""Names and types: expressions as written -> formulas over bits.

A problem is reported, stands for `false`, and the rest is looked at all the same.  Rules of the language that matter
here: enumeration constants live inside their type and are looked up through the type that is expected; on the right of
a comparison and as an argument a constant hides a variable of the same name; types are equal by name.
"""

from __future__ import annotations

from collections.abc import Iterable

from knaster.base.errors import Problem
from knaster.base.hints import did_you_mean
from knaster.base.trampoline import Steps, run
from knaster.calculus.language import formula as core
from knaster.calculus.language import syntax
from knaster.calculus.language.formula import Argument, Bit, Formula, Predicate, Truth, Variable
from knaster.calculus.language.lexer import Source
from knaster.calculus.language.syntax import Access, Declared, Number, Shifted, Term
from knaster.calculus.language.terms import Place, code_bits, compare_numbers, connect, select, unshift, values_of
from knaster.calculus.language.types import BOOL, MAX_WIDTH, UNKNOWN, Type, array

FALSE = Truth(False)
_FLIPPED = {">": "<", ">=": "<=", "<": ">", "<=": ">=", "=": "=", "!=": "!="}


class Resolver:
    """Everything declared so far, and the problems and warnings found."""

    def __init__(self) -> None:
        self.types: dict[str, Type] = {"bool": BOOL}
        self.predicates: dict[str, Predicate] = {}
        self.variables: list[Variable] = []
        self.problems: list[tuple[Source, Problem]] = []
        self.warnings: list[tuple[Source, Problem]] = []
        self.source = Source("", "")
        self._visible: dict[str, list[Variable]] = {}

    def problem(self, message: str, start: int, end: int, hint: str = "") -> None:
        """Report something that is wrong."""
        self.problems.append((self.source, Problem(message, self.source.span(start, end), hint)))

    def warn(self, message: str, start: int, end: int, hint: str = "") -> None:
        """Report something that is allowed but probably not meant."""
        self.warnings.append((self.source, Problem(message, self.source.span(start, end), hint)))

    # Declarations

    def type_of(self, declared: Declared) -> Type:
        """Return the type of a declaration; an unknown one is reported once."""
        type_ = self.types.get(declared.type_name)
        if type_ is None:
            hint = did_you_mean(declared.type_name, self.types)
            if declared.type_name in self.predicates:
                hint = f"'{declared.type_name}' is a predicate"
            self.problem(f"unknown type '{declared.type_name}'", declared.start, declared.end, hint)
            self.types[declared.type_name] = UNKNOWN
            return UNKNOWN
        if declared.length is None or type_ is UNKNOWN:
            return type_
        if declared.length == 0:
            self.problem("an array has at least one element", declared.start, declared.end)
            return type_
        if type_.width * declared.length > MAX_WIDTH:
            self.problem(f"a value of this type has more than {MAX_WIDTH} bits", declared.start, declared.end)
            return type_
        return array(type_, declared.length)

    def declare(self, declared: Iterable[Declared]) -> tuple[Variable, ...]:
        """Return new variables for the declarations, visible from now on."""
        found: list[Variable] = []
        for each in declared:
            if any(each.name == other.name for other in found):
                self.problem(f"'{each.name}' is declared twice here", each.start, each.end)
            elif self._visible.get(each.name):
                self.warn(f"'{each.name}' hides an outer variable of this name", each.start, each.end)
            variable = Variable(len(self.variables), each.name, self.type_of(each))
            self.variables.append(variable)
            found.append(variable)
        for variable in found:
            self._visible.setdefault(variable.name, []).append(variable)
        return tuple(found)

    def forget(self, variables: Iterable[Variable]) -> None:
        """End the scope of the variables."""
        for variable in variables:
            self._visible[variable.name].pop()

    # Expressions

    def formula(self, expr: syntax.Expr) -> Formula:
        """Return what `expr` means."""
        return run(self._formula(expr))

    def _leaf(self, expr: syntax.Expr) -> Formula | None:
        """Return the meaning of an expression without subexpressions; None of any other."""
        match expr:
            case syntax.TermFormula(term):
                return self._atom(term)
            case syntax.Comparison():
                return self._comparison(expr)
            case syntax.Application():
                return self._call(expr)
            case _:
                return None

    def _formula(self, expr: syntax.Expr) -> Steps[Formula]:
        leaf = self._leaf(expr)
        if leaf is not None:
            return leaf
        match expr:
            case syntax.Negation(operand):
                inner: Formula = yield self._formula(operand)
                return core.Not(inner)
            case syntax.Connective(operator, operands):
                parts: list[Formula] = []
                for operand in operands:
                    part = self._leaf(operand)
                    parts.append(part if part is not None else (yield self._formula(operand)))
                return connect(operator, parts)
            case syntax.Quantifier(kind, declared, body):
                variables = self.declare(declared)
                inside: Formula = yield self._formula(body)
                self.forget(variables)
                if kind == "exists":
                    return core.Exists(variables, inside)
                return core.Not(core.Exists(variables, core.Not(inside)))
            case syntax.Cases(arms, otherwise):
                result: Formula = yield self._formula(otherwise)
                for condition_expr, then_expr in reversed(arms):
                    condition: Formula = yield self._formula(condition_expr)
                    then: Formula = yield self._formula(then_expr)
                    result = core.Choose(condition, then, result)
                return result
            case syntax.Simplified(kind, body, care_expr):
                simplified: Formula = yield self._formula(body)
                care: Formula = yield self._formula(care_expr)
                return core.Simplify(kind, simplified, care)
            case syntax.Shown(body, _, accesses):
                shown: Formula = yield self._formula(body)
                for access in accesses:
                    self.place(access)
                return shown
        raise AssertionError(expr)

    def _atom(self, term: Access | Number) -> Formula:
        if isinstance(term, Number):
            if term.value > 1:
                self.problem(f"{term.value} is no truth value", term.start, term.end, "write 0, 1, true or false")
            return Truth(term.value == 1)
        place = self.place(term)
        if place is None:
            return FALSE
        type_, bits = place
        if type_.name != "bool":
            self.problem(
                f"a formula is expected, this has type {type_.name}", term.start, term.end, "compare it: x = c"
            )
            return FALSE
        return core.Fixed(bits, (True,))

    def place(self, access: Access) -> Place | None:
        """Return the type and the bits of a variable or a part of one; None (reported) where there is none."""
        visible = self._visible.get(access.name)
        if not visible:
            names = [name for name, variables in self._visible.items() if variables]
            hint = did_you_mean(access.name, names)
            if access.name in self.predicates:
                hint = f"'{access.name}' is a predicate: write {access.name}(...)"
            self.problem(f"unknown variable '{access.name}'", access.start, access.end, hint)
            return None
        type_, bits = visible[-1].type, visible[-1].bits()
        for selector in access.path:
            if type_ is UNKNOWN:
                return None
            part = select(type_, bits, selector)
            if isinstance(part, str):
                self.problem(part, access.start, access.end)
                return None
            type_, bits = part
        return None if type_ is UNKNOWN else (type_, bits)

    def _comparison(self, expr: syntax.Comparison) -> Formula:
        left, right, operator = expr.left, expr.right, expr.operator
        if not self._is_variable(left):
            left, right, operator = right, left, _FLIPPED[operator]
        left_shift, left_access = unshift(left)
        if isinstance(left_access, Number):
            self.problem("two constants are compared", expr.start, expr.end, "at least one side is a variable")
            return FALSE
        place = self.place(left_access)
        if place is None:
            return FALSE
        type_, bits = place
        right_shift, right_term = unshift(right)
        is_order = operator not in ("=", "!=")
        if (is_order or left_shift or right_shift) and not type_.is_basic:
            self.problem(f"values of type {type_.name} have no order and no sums", expr.start, expr.end)
            return FALSE
        other = self._value(right_term, type_, bounded=not is_order and not left_shift and not right_shift)
        if other is None:
            return FALSE
        shift = right_shift - left_shift
        if is_order or shift:
            return compare_numbers(operator, bits, other, shift)
        same = core.Fixed(bits, code_bits(other, len(bits))) if isinstance(other, int) else core.Same(bits, other)
        return core.Not(same) if operator == "!=" else same

    def _is_variable(self, term: Term) -> bool:
        access = term.access if isinstance(term, Shifted) else term
        return isinstance(access, Access) and bool(self._visible.get(access.name))

    def _value(self, term: Access | Number, type_: Type, bounded: bool) -> int | tuple[Bit, ...] | None:
        """Return the code of a constant of `type_` or the bits of a variable of that type; None where reported."""
        if isinstance(term, Number):
            code = term.value - type_.low
            if not type_.is_basic or (bounded and type_.number_code(term.value) is None):
                self.problem(f"{term.value} is no value of type {type_.name}", term.start, term.end, values_of(type_))
                return None
            return code
        if not term.path:
            named = type_.code(term.name)
            if named is not None:
                if self._visible.get(term.name):
                    self.warn(f"the constant '{term.name}' hides the variable of this name", term.start, term.end)
                return named
            if not self._visible.get(term.name) and type_.is_basic:
                hint = did_you_mean(term.name, [*type_.names, *(n for n, v in self._visible.items() if v)])
                message = f"'{term.name}' is neither a variable nor a value of type {type_.name}"
                self.problem(message, term.start, term.end, hint or values_of(type_))
                return None
        place = self.place(term)
        if place is None:
            return None
        if place[0].name != type_.name:
            self.problem(
                f"a value of type {type_.name} is expected, this has type {place[0].name}", term.start, term.end
            )
            return None
        return place[1]

    def _call(self, expr: syntax.Application) -> Formula:
        predicate = self.predicates.get(expr.name)
        if predicate is None:
            hint = did_you_mean(expr.name, self.predicates) or "declare it before its use; a prototype will do"
            self.problem(f"unknown predicate '{expr.name}'", expr.start, expr.start + len(expr.name), hint)
            return FALSE
        wanted, given = len(predicate.parameters), len(expr.arguments)
        if wanted != given:
            signature = ", ".join(f"{each.type.name} {each.name}" for each in predicate.parameters)
            message = f"'{expr.name}' takes {wanted} argument{'s' * (wanted != 1)}, not {given}"
            self.problem(message, expr.start, expr.end, f"it is declared {expr.name}({signature})")
            return FALSE
        arguments: list[Argument] = []
        for parameter, term in zip(predicate.parameters, expr.arguments, strict=True):
            if isinstance(term, Shifted):
                self.problem(
                    "an argument is a variable or a constant", term.start, term.end, "quantify: exists ... z = x + 1"
                )
                return FALSE
            value = None if parameter.type is UNKNOWN else self._value(term, parameter.type, bounded=True)
            if value is None:
                return FALSE
            arguments.append(code_bits(value, parameter.type.width) if isinstance(value, int) else value)
        return core.Call(expr.name, tuple(arguments), expr.start, expr.end)
