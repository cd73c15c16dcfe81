"""Formulas, symbols and BDDs as text of the language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from knaster.base.trampoline import Steps, run
from knaster.bdd.store import Bdd
from knaster.calculus.answers.tuples import Relation
from knaster.calculus.fixpoints.plan import Tick
from knaster.calculus.language import formula as core
from knaster.calculus.language.formula import Argument, Bit, Formula, Predicate, Variable
from knaster.calculus.language.system import System
from knaster.calculus.language.types import Type


def part_of(variables: Sequence[Variable], bits: Sequence[Bit]) -> tuple[str, Type]:
    """Return the access that denotes the bits, and its type."""
    variable = variables[bits[0].variable]
    text, type_, offset = variable.name, variable.type, bits[0].position
    while (offset, len(bits)) != (0, type_.width):
        if type_.element is not None:
            index, offset = divmod(offset, type_.element.width)
            text, type_ = f"{text}[{index}]", type_.element
        elif type_.is_basic:
            return f"{text}[{type_.width - 1 - offset}]", type_
        else:
            name, (member, start) = next(
                (name, placed)
                for name, placed in reversed(type_.members.items())
                if placed[1] <= offset and placed[0].width
            )
            text, type_, offset = f"{text}.{name}", member, offset - start
    return text, type_


def code_of(values: Sequence[bool]) -> int:
    """Return the number of bits, most significant first."""
    code = 0
    for value in values:
        code = 2 * code + value
    return code


def formula_text(formula: Formula, variables: Sequence[Variable], predicates: Mapping[str, Predicate]) -> str:
    """Return a formula as text of the language."""
    return run(_text(formula, variables, predicates, top=True))


def _text(
    formula: Formula, variables: Sequence[Variable], predicates: Mapping[str, Predicate], top: bool = False
) -> Steps[str]:
    match formula:
        case core.Truth(value):
            return "true" if value else "false"
        case core.Fixed(bits, values):
            return _assignment_text(variables, bits, values)
        case core.Same(left, right):
            return f"{part_of(variables, left)[0]} = {part_of(variables, right)[0]}" if left else "true"
        case core.Order():
            return _order(variables, formula)
        case core.Call(name, arguments):
            return call_text(predicates[name], arguments, variables)
        case core.Not(core.Exists(quantified, core.Not(body))):
            inside: str = yield _text(body, variables, predicates, top=True)
            return _bracket(f"forall {_declaration(quantified)}. {inside}", top)
        case core.Exists(quantified, body):
            inside = yield _text(body, variables, predicates, top=True)
            return _bracket(f"exists {_declaration(quantified)}. {inside}", top)
    parts: list[str] = []
    for operand in core.operands(formula):
        part: str = yield _text(operand, variables, predicates)
        parts.append(part)
    match formula:
        case core.Not():
            return f"! {parts[0]}"
        case core.And() | core.Or():
            operator = " & " if isinstance(formula, core.And) else " | "
            return _bracket(operator.join(parts), top or len(parts) == 1)
        case core.Equivalent():
            return _bracket(f"{parts[0]} <-> {parts[1]}", top)
        case core.Choose():
            return _bracket(f"if ({parts[0]}) {parts[1]} else {parts[2]}", top)
        case core.Simplify(kind):
            return _bracket(f"{_bracket(parts[0], False)} {kind} {_bracket(parts[1], False)}", top)
    raise AssertionError(formula)


def _bracket(text: str, bare: bool) -> str:
    return text if bare else f"({text})"


def _declaration(variables: Sequence[Variable]) -> str:
    return ", ".join(declaration(variable) for variable in variables)


def declaration(variable: Variable) -> str:
    """Return `type name` or `type name[length]`."""
    element = variable.type.element
    if element is None:
        return f"{variable.type.name} {variable.name}"
    return f"{element.name} {variable.name}[{variable.type.length}]"


def _assignment_text(variables: Sequence[Variable], bits: Sequence[Bit], values: Sequence[bool]) -> str:
    if not bits:
        return "true"
    text, type_ = part_of(variables, bits)
    if len(bits) == 1 and (type_.name == "bool" or type_.width != 1):
        return text if values[0] else f"! {text}"
    return f"{text} = {type_.show(code_of(values))}"


def _order(variables: Sequence[Variable], order: core.Order) -> str:
    left, type_ = part_of(variables, order.left)
    if not order.right:
        return f"{left} {order.operator} {order.shift + type_.low}"
    right = part_of(variables, order.right)[0]
    shift = f" + {order.shift}" if order.shift > 0 else f" - {-order.shift}" if order.shift else ""
    return f"{left} {order.operator} {right}{shift}"


def call_text(predicate: Predicate, arguments: Sequence[Argument], variables: Sequence[Variable]) -> str:
    """Return the application of a predicate."""
    pieces: list[str] = []
    for parameter, argument in zip(predicate.parameters, arguments, strict=True):
        bits = [bit for bit in argument if isinstance(bit, Bit)]
        if bits:
            pieces.append(part_of(variables, bits)[0])
        else:
            pieces.append(parameter.type.show(code_of([bool(value) for value in argument])))
    return f"{predicate.name}({', '.join(pieces)})"


def describe_symbol(system: System, name: str) -> str:
    """Return the declaration of a type or predicate, or of all of them for `symbols`."""
    if name == "symbols":
        names = [*system.types, *system.predicates]
        return "\n".join(describe_symbol(system, each) for each in names)
    if name in system.predicates:
        predicate = system.predicates[name]
        kind = f"{predicate.kind} " if predicate.kind else ""
        what = "definition" if predicate.body is not None else "prototype"
        return f": (symbolic {what}) {kind}bool {name}({', '.join(p.type.name for p in predicate.parameters)})"
    if name in system.types:
        return f": (type) {_type_text(system.types[name])}"
    return f"--- there is no symbol '{name}'"


def _type_text(type_: Type) -> str:
    if type_.name == "bool":
        return "bool"
    if type_.names:
        return f"enum {type_.name} {{ {', '.join(type_.names)} }};"
    if type_.is_basic:
        return f"enum {type_.name} {{ {type_.low}..{type_.low + type_.size - 1} }};"
    members = "".join(f" {_member(name, part)};" for name, (part, _) in type_.members.items())
    return f"class {type_.name} {{{members} }};"


def _member(name: str, type_: Type) -> str:
    return f"{type_.name} {name}" if type_.element is None else f"{type_.element.name} {name}[{type_.length}]"


def dump(relation: Relation, parameters: Sequence[Variable], tick: Tick) -> str:
    """Return the BDD of a relation as equations between its nodes, as `#dump` prints it."""
    names: dict[int, str] = {}
    for parameter, levels in zip(parameters, relation.levels, strict=True):
        for leaf in parameter.type.leaves():
            for index in range(leaf.type.width):
                bit = f"[{leaf.type.width - 1 - index}]" if leaf.type.name != "bool" else ""
                names[levels[leaf.offset + index]] = f"{parameter.name}{leaf.path}{bit}"
    lines = [": <DUMP>"]
    numbers: dict[Bdd, str] = {relation.store.true: "1", relation.store.false: "0"}
    root = _dump_name(relation.bdd, numbers)
    lines.append(f": {relation.name} = {root};")
    todo = [relation.bdd]
    seen: set[Bdd] = set()
    while todo:
        tick()
        node = todo.pop()
        variable = node.node_var()
        if variable is None or node in seen:
            continue
        seen.add(node)
        high, low = node.cofactors()  # type: ignore[misc]
        name, one, two = names[variable], _dump_name(high, numbers), _dump_name(low, numbers)
        lines.append(f": {numbers[node]} = {name} & {one} | !{name} & {two};")
        todo += (low, high)
    return "\n".join([*lines, ": </DUMP>"])


def _dump_name(node: Bdd, numbers: dict[Bdd, str]) -> str:
    return numbers.setdefault(node, f"_{len(numbers) - 1}_")
