"""Statements as Clang read them, as nodes; what is no statement of C that is read is refused by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster.base.trampoline import Steps
from knaster.frontends.c.memory.nodes import has_effect
from knaster.frontends.c.memory.types import Pointer
from knaster.frontends.c.names.types import INT, Boolean, Integer, promote
from knaster.frontends.c.tree import nodes
from knaster.frontends.c.tree.assembly import AssemblyTexts
from knaster.frontends.c.tree.loops import Loops

if TYPE_CHECKING:
    from knaster.frontends.c.tree.unit import Reader

SILENT = frozenset(["STRUCT_DECL", "UNION_DECL", "ENUM_DECL", "TYPEDEF_DECL", "STATIC_ASSERT"])


_WHERE = "what this operand of assembly is"


class Statements:
    """The statements of one file."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.unit = reader.unit
        self.cursors = reader.unit.cursors
        self.loops: Loops | None = None  # of the function that is being read
        self.assemblies: AssemblyTexts | None = None  # likewise
        self.function = ""
        self.labels: dict[int, str] = {}  # of this function: their names by Clang's own addresses of them
        self._ways = {
            "COMPOUND_STMT": self.compound,
            "DECL_STMT": self.declarations,
            "IF_STMT": self.branch,
            "WHILE_STMT": self.while_loop,
            "DO_STMT": self.do_loop,
            "FOR_STMT": self.for_loop,
            "SWITCH_STMT": self.switch,
            "CASE_STMT": self.case,
            "DEFAULT_STMT": self.default,
            "LABEL_STMT": self.label,
            "GOTO_STMT": self.goto,
            "BREAK_STMT": self.single,
            "CONTINUE_STMT": self.single,
            "NULL_STMT": self.single,
            "RETURN_STMT": self.leave,
            "UNEXPOSED_STMT": self.unexposed,
            "ASM_STMT": self.assembly,
        }

    @property
    def known_kinds(self) -> frozenset[str]:
        """The kinds of cursors that are read."""
        return frozenset(self._ways)

    def read(self, cursor: Any) -> Steps[nodes.Node]:
        """Return the node of a statement; an expression is one, too."""
        kind = self.cursors.kind(cursor)
        way = self._ways.get(kind)
        if way is not None:
            found: nodes.Node = yield way(cursor)
            return found
        if self.reader.is_expression(cursor):
            found = yield self.reader.expressions.read(cursor)
            return found
        return self.refuse(cursor)

    def refuse(self, cursor: Any) -> nodes.Node:
        """Note that a statement is not read."""
        kind, at = self.cursors.kind(cursor), self.unit.start(cursor)
        what = "assembly is" if "ASM" in kind else "a jump to a value is" if "GOTO" in kind else "this statement is"
        hint = "replace it by C" if "ASM" in kind else "write it in plain C"
        name = "" if "ASM" in kind or "GOTO" in kind else f" ({kind.lower().replace('_', ' ')})"
        self.reader.problem(f"{what} not read{name}", at, hint)
        return nodes.Empty(at)

    def assembly(self, cursor: Any) -> Steps[nodes.Node]:
        """Read assembly without an instruction: its operands are evaluated, outputs last."""
        text = self.assemblies.of_cursor(cursor) if self.assemblies is not None else None
        if text is None or not text.is_empty:
            return self.refuse(cursor)
        operands, kept, written = self.cursors.below(cursor), [], []
        sources: dict[int, Any] = {}
        for number, part in enumerate(operands[len(text.outputs) :]):
            shared = text.shared(number)
            if shared is not None:
                sources[shared] = part
            elif text.inputs[number].stays:
                kept.append((yield self.place_of(part)))
            else:
                kept.append((yield self.reader.expressions.read(part)))
        for number, part in enumerate(operands[: len(text.outputs)]):
            place = text.outputs[number]
            if number in sources:
                written.append((yield self.shared(part, sources[number])))
            elif not place.constraint.startswith("+"):
                return self.refuse_operand(part, "what this output of assembly is")
            else:
                kept.append((yield self.place_of(part) if place.stays else self.unchanged(part)))
        if -1 in sources or len(written) > 1:
            return self.refuse_operand(cursor, "which operands of this assembly share a place")
        found = tuple(part for part in (*kept, *written) if not isinstance(part, nodes.Empty))
        return found[0] if len(found) == 1 else nodes.Compound(found, self.unit.start(cursor))

    def refuse_operand(self, cursor: Any, what: str) -> nodes.Node:
        """Note that an operand of assembly is not read."""
        self.reader.problem(f"{what} cannot be told", self.unit.start(cursor), "replace it by C")
        return nodes.Empty(self.unit.start(cursor))

    def place_of(self, cursor: Any) -> Steps[nodes.Node]:
        """Read an operand that stays where it is: nobody looks at its value."""
        found: nodes.Expr = yield self.reader.expressions.read(cursor)
        if isinstance(found, nodes.Name):
            return nodes.Empty(found.at)
        return found if isinstance(found.type, Integer | Boolean) else self.refuse_operand(cursor, _WHERE)

    def unchanged(self, cursor: Any) -> Steps[nodes.Node]:
        """Read an operand that is read and written: it has the value that it had."""
        place: Any = yield self.reader.expressions.read(cursor)
        if has_effect(place):
            zero = nodes.Number(0, INT, place.at)
            if isinstance(place.type, Integer | Boolean):
                return nodes.Assign("|=", place, zero, promote(place.type), place.at)
            return self.refuse_operand(cursor, _WHERE)
        value: Any = yield self.reader.expressions.read(cursor)
        return nodes.Assign("=", place, value, place.type, place.at)

    def shared(self, output: Any, source: Any) -> Steps[nodes.Node]:
        """Read an output that has the value of an input, whose bits it takes over."""
        place: Any = yield self.reader.expressions.read(output)
        value: Any = yield self.reader.expressions.read(source)
        number, bits = self.cursors.constant(source), _bits(value.type)
        fits = isinstance(number, int) and 0 <= number < 1 << 31 and isinstance(place.type, Integer)
        if bits and (fits or bits == _bits(place.type)):
            value = nodes.Convert(value, place.type, value.at)
        if place.type == value.type:
            return nodes.Assign("=", place, value, place.type, place.at)
        return self.refuse_operand(source, "what assembly makes of a value of another type")

    def compound(self, cursor: Any) -> Steps[nodes.Node]:
        """Read a block."""
        found = []
        for part in self.cursors.below(cursor):
            found.append((yield self.read(part)))
        return nodes.Compound(tuple(found), self.unit.start(cursor))

    def declarations(self, cursor: Any) -> Steps[nodes.Node]:
        """Read declarations inside a function; several of them stand in a block of no meaning of its own."""
        found: list[nodes.Node] = []
        for part in self.cursors.below(cursor):
            kind = self.cursors.kind(part)
            if kind == "VAR_DECL":
                declared = yield self.reader.declarations.local(part)
                found += [declared] if declared is not None else []
            elif kind == "FUNCTION_DECL":
                self.reader.declarations.note_function(part)
            elif kind == "TYPEDEF_DECL":
                computed = yield self.reader.declarations.type_name(part)
                found += [computed] if computed is not None else []
            elif kind not in SILENT and not self._is_label(part):
                found.append(self.refuse(part))
        return found[0] if len(found) == 1 else nodes.Declarations(tuple(found), self.unit.start(cursor))

    def branch(self, cursor: Any) -> Steps[nodes.Node]:
        """Read an `if`."""
        condition, then, *otherwise = self.cursors.below(cursor)
        first: nodes.Expr = yield self.reader.expressions.read(condition)
        second: nodes.Node = yield self.read(then)
        third: nodes.Node | None = (yield self.read(otherwise[0])) if otherwise else None
        return nodes.If(first, second, third, self.unit.start(cursor))

    def while_loop(self, cursor: Any) -> Steps[nodes.Node]:
        """Read a `while`."""
        condition, body = self.cursors.below(cursor)
        first: nodes.Expr = yield self.reader.expressions.read(condition)
        return nodes.While(first, (yield self.read(body)), self.unit.start(cursor))

    def do_loop(self, cursor: Any) -> Steps[nodes.Node]:
        """Read a `do`."""
        body, condition = self.cursors.below(cursor)
        first: nodes.Node = yield self.read(body)
        return nodes.DoWhile(first, (yield self.reader.expressions.read(condition)), self.unit.start(cursor))

    def for_loop(self, cursor: Any) -> Steps[nodes.Node]:
        """Read a `for`, whose parts may be missing."""
        *parts, body = self.cursors.below(cursor)
        present = (True, True, True) if len(parts) == 3 else (False,) * 3 if not parts else None
        if present is None and self.loops is not None:
            present = self.loops.present(cursor)
        if present is None:
            self.reader.problem("which parts this 'for' has cannot be told", self.unit.start(cursor), "use 'while'")
            return nodes.Empty(self.unit.start(cursor))
        rest = iter(parts)
        start: nodes.Node | None = (yield self.read(next(rest))) if present[0] else None
        condition: nodes.Expr | None = (yield self.reader.expressions.read(next(rest))) if present[1] else None
        step: nodes.Expr | None = (yield self.reader.expressions.read(next(rest))) if present[2] else None
        return nodes.For(start, condition, step, (yield self.read(body)), self.unit.start(cursor))

    def switch(self, cursor: Any) -> Steps[nodes.Node]:
        """Read a `switch`."""
        subject, body = self.cursors.below(cursor)
        first: nodes.Expr = yield self.reader.expressions.read(subject)
        return nodes.Switch(first, (yield self.read(body)), self.unit.start(cursor))

    def case(self, cursor: Any) -> Steps[nodes.Node]:
        """Read a case: a value or a range of values, converted to the type of the switch, before a statement."""
        *values, body = self.cursors.below(cursor)
        numbers = [self.cursors.constant(value) for value in values]
        at = self.unit.start(cursor)
        if None in numbers or not 1 <= len(numbers) <= 2:
            self.reader.problem("the value of a case is no constant", at)
            numbers = [0]
        return nodes.Case(numbers[0], numbers[-1], (yield self.read(body)), at)

    def default(self, cursor: Any) -> Steps[nodes.Node]:
        """Read the default of a switch."""
        (body,) = self.cursors.below(cursor)
        return nodes.Case(None, None, (yield self.read(body)), self.unit.start(cursor))

    def label(self, cursor: Any) -> Steps[nodes.Node]:
        """Read a label before a statement."""
        body = self.cursors.below(cursor)[-1]
        return nodes.Label(self.label_name(cursor), (yield self.read(body)), self.unit.start(cursor))

    def label_name(self, cursor: Any) -> str:
        """Return the name of a label; one that has its name in another block too (`__label__`) has a number."""
        address = cursor.data[1]
        if address not in self.labels:
            same = sum(name.partition("#")[0] == cursor.spelling for name in self.labels.values())
            self.labels[address] = f"{cursor.spelling}#{same + 1}" if same else str(cursor.spelling)
        return self.labels[address]

    def _is_label(self, cursor: Any) -> bool:
        """Tell whether a cursor is a declaration by `__label__`."""
        is_named = self.cursors.kind(cursor) == "UNEXPOSED_DECL" and bool(cursor.spelling)
        return is_named and self.cursors.printed(cursor) == f"{cursor.spelling}:"

    def goto(self, cursor: Any) -> Steps[nodes.Node]:
        """Read a jump."""
        (label,) = self.cursors.below(cursor)
        return nodes.Goto(self.label_name(label.referenced), self.unit.start(cursor))
        yield

    def single(self, cursor: Any) -> Steps[nodes.Node]:
        """Read a statement of one word, or none."""
        at = self.unit.start(cursor)
        match self.cursors.kind(cursor):
            case "BREAK_STMT":
                return nodes.Break(at)
            case "CONTINUE_STMT":
                return nodes.Continue(at)
            case _:
                return nodes.Empty(at)
        yield

    def leave(self, cursor: Any) -> Steps[nodes.Node]:
        """Read a `return`."""
        parts, at = self.cursors.below(cursor), self.unit.start(cursor)
        value: nodes.Expr | None = (yield self.reader.expressions.read(parts[0])) if parts else None
        return nodes.Return(value, at)

    def unexposed(self, cursor: Any) -> Steps[nodes.Node]:
        """Read a statement with attributes before it; those of statements are hints for the compiler."""
        parts = self.cursors.below(cursor)
        rest = [part for part in parts if not self.cursors.kind(part).endswith("_ATTR")]
        if len(rest) != 1 or (len(parts) == 1 and self.cursors.kind(rest[0]) != "NULL_STMT"):
            return self.refuse(cursor)
        found: nodes.Node = yield self.read(rest[0])
        return found


def _bits(type: Any) -> int | None:
    """Return how many bits a number or a pointer has."""
    return type.width if isinstance(type, Integer) else 8 * type.size if isinstance(type, Pointer) else None
