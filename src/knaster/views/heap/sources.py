"""Sources: from an expression or a store, Python source that evaluates or does it, for either kind of memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from knaster.base.errors import InternalError
from knaster.program.expression import (
    Apply,
    Arithmetic,
    Binary,
    Compare,
    Conditional,
    Const,
    Expr,
    Field,
    Index,
    IntegerOperator,
    Member,
    New,
    Not,
    Operator,
    Part,
    Self,
    SizeOf,
    Var,
    operands,
    postorder,
)
from knaster.program.model import Assume, Call, Edge, Return
from knaster.program.objects import ArrayCell, ClassCell, Print, Store, Update
from knaster.program.types import Int, default
from knaster.views.heap import primitives
from knaster.views.heap.deep_expressions import evaluate_deep
from knaster.views.heap.memory_layout import Layout, Locals, number_value

if TYPE_CHECKING:
    from knaster.views.heap.compiler import Compiler

_DEEPEST = 30  # deeper expressions are evaluated with a stack of our own: Python's parser nests only so far

PLAIN = {
    "static": "G[{}]",
    "put_static": "G[{}] = {}",
    "field": "H[{}][{}]",
    "put": "put(H, {}, {}, {})",
    "at": "at(H[{}], {}, Q)",
    "put_at": "put_at(H, {}, {}, {})",
    "size": "size(H[{}], Q)",
    "elements": "elements(H[{}], Q)",
    "put_elements": "put(H, {}, 1, {})",
    "pop": "pop(H, {})",
    "class": "H[{}][0]",
    "new": "M.new(C[{}])",
    "array": "M.new(C[{}] + ({},) * length({}))",
}
TRACKED = {
    "static": "M.static({})",
    "put_static": "M.put_static({}, {})",
    "field": "M.field({}, {})",
    "put": "M.put({}, {}, {})",
    "at": "M.at({}, {})",
    "put_at": "M.put_at({}, {}, {})",
    "size": "M.size({})",
    "elements": "M.elements({})",
    "put_elements": "M.put({}, 1, {})",
    "pop": "M.pop({})",
    "class": "M.class_of({})",
    "new": "M.new(C[{}])",
    "array": "M.new(C[{}] + ({},) * length({}))",
}
_ARITHMETIC = {
    IntegerOperator.ADD: "ck({} + {})",
    IntegerOperator.SUBTRACT: "ck({} - {})",
    IntegerOperator.MULTIPLY: "ck({} * {})",
    IntegerOperator.DIVIDE: "dv({}, {})",
    IntegerOperator.REMAINDER: "rm({}, {})",
    IntegerOperator.AND: "({} & {})",
    IntegerOperator.OR: "({} | {})",
    IntegerOperator.XOR: "({} ^ {})",
    IntegerOperator.LEFT: "sl({}, {})",
    IntegerOperator.RIGHT: "sr({}, {})",
}
_OTHER_ARITHMETIC = {
    **_ARITHMETIC,
    IntegerOperator.ADD: "within({0} + {1}, {3}, {4})",
    IntegerOperator.SUBTRACT: "within({0} - {1}, {3}, {4})",
    IntegerOperator.MULTIPLY: "within({0} * {1}, {3}, {4})",
    IntegerOperator.DIVIDE: "within(quotient({0}, {1}), {3}, {4})",
    IntegerOperator.LEFT: "shifted({}, {}, {})",
    IntegerOperator.RIGHT: "({} >> ({} & {} - 1))",
}
"""The same in another type than `int`: behind the operands stand its width, its lowest and its highest number."""
_INT = Int(32)
_CONNECTIVES = {Operator.AND: "({} & {})", Operator.OR: "({} | {})", Operator.XOR: "({} != {})"}


class Sources:
    """Writes source for one location of one procedure."""

    def __init__(self, layout: Layout, frame: Locals, tracked: bool, compiler: Compiler) -> None:
        self.layout = layout
        self.frame = frame
        self.compiler = compiler
        self.memory = TRACKED if tracked else PLAIN
        self.prologue = ["Q = M.queues"] if tracked else ["G = M.statics; H = M.heap; Q = M.queues"]
        self.constants: list[Any] = []
        self._temporaries = 0

    def expression(self, expr: Expr) -> str:
        """Return the source of an expression."""
        depth: list[int] = []
        texts: list[str] = []
        for node in postorder(expr):
            count = len(operands(node))
            inner = texts[len(texts) - count :]
            level = max(depth[len(depth) - count :], default=0) + 1 if count else 0
            del texts[len(texts) - count :], depth[len(depth) - count :]
            texts.append(self.node(node, inner))
            depth.append(level)
        return texts.pop() if depth.pop() <= _DEEPEST else self._deep(expr)

    def node(self, node: Expr, given: Sequence[str]) -> str:
        """Return the source of an operator applied to the sources of its operands."""
        memory = self.memory
        match node:
            case Const(value):
                return repr(number_value(value))
            case Var(name):
                if name in self.frame.slots:
                    return f"L[{self.frame.slots[name]}]"
                return memory["static"].format(self.layout.statics[name])
            case Self():
                return "T"
            case Not():
                return f"(not {given[0]})"
            case Binary(operator):
                return _CONNECTIVES[operator].format(*given)
            case Conditional():
                return f"({given[1]} if {given[0]} else {given[2]})"
            case Compare(comparison):
                return f"({given[0]} {comparison.value} {given[1]})"
            case Arithmetic(integer, type=type):
                if type == _INT:
                    return _ARITHMETIC[integer].format(*given)
                return _OTHER_ARITHMETIC[integer].format(*given, type.width, type.low, type.high)
            case Part(_, index):
                return f"{given[0]}[{index}]"
            case Field(_, index):
                return memory["field"].format(given[0], index + 1)
            case Index():
                return memory["at"].format(*given)
            case SizeOf():
                return memory["size"].format(*given)
            case Member():
                return f"({given[0]} in {memory['elements'].format(given[1])})"
            case New(cell):
                return self._new(cell, given[0] if given else None)
            case Apply(procedure):
                number = self.layout.procedure_numbers[procedure]
                return f"M.apply({number}, ({''.join(f'{each}, ' for each in given)}))"
            case _:
                raise InternalError(f"{node} in a program with references")

    def _new(self, name: str, length: str | None) -> str:
        made = self.layout.classes[self.layout.class_numbers[name]]
        self.constants.append(made.empty)
        place = len(self.constants) - 1
        if isinstance(made.cell, ArrayCell):
            size = str(made.cell.length) if made.cell.length is not None else length
            return self.memory["array"].format(place, repr(number_value(default(made.cell.element))), size)
        if isinstance(made.cell, ClassCell) and made.cell.initial:
            names = [field for field, _ in made.cell.fields]
            values = [(names.index(field) + 1, self.expression(value)) for field, value in made.cell.initial]
            filled = "".join(f"({slot}, {value}), " for slot, value in values)
            return f"M.fill({self.memory['new'].format(place)}, ({filled}))"
        return self.memory["new"].format(place)

    def _deep(self, expr: Expr) -> str:
        """Return a call that evaluates a deep expression with a stack."""
        functions = {}
        for node in postorder(expr):
            if id(node) not in functions and not isinstance(node, Conditional):
                names = [f"v{index}" for index in range(len(operands(node)))]
                source = f"lambda M, L, T, {', '.join([*names, '*_'])}: {self.node(node, names)}"
                functions[id(node)] = source
        prologue = "".join(f"{line}; " for line in self.prologue)
        made: dict[int, Any] = {}
        for key, source in functions.items():
            head, body = source.split(": ", 1)
            arguments = head.removeprefix("lambda ")
            namespace: dict[str, Any] = {**vars(primitives), "C": self.constants}
            exec(f"def f({arguments}):\n    {prologue}return {body}", namespace)
            made[key] = namespace["f"]
        self.constants.append(lambda M, L, T: evaluate_deep(expr, made, M, L, T))
        return f"C[{len(self.constants) - 1}](M, L, T)"

    def store(self, places: Sequence[Expr], value: str) -> list[str]:
        """Return the lines that assign a value: the operands of the places first, then the value, then the stores."""
        lines: list[str] = []
        located: list[tuple[Expr, list[int], list[str]]] = []
        for place in places:
            path: list[int] = []
            while isinstance(place, Part):
                path.insert(0, place.index)
                place = place.struct
            names = []
            for operand in operands(place):
                names.append(self._temporary())
                lines.append(f"{names[-1]} = {self.expression(operand)}")
            located.append((place, path, names))
        given = self._temporary()
        lines.append(f"{given} = {value}")
        for place, path, names in reversed(located):
            new = given if not path else f"rep({self.node(place, names)}, {tuple(path)!r}, {given})"
            lines.append(self._put(place, names, new))
        return lines

    def _put(self, place: Expr, names: Sequence[str], value: str) -> str:
        match place:
            case Var(name):
                if name in self.frame.slots:
                    return f"L[{self.frame.slots[name]}] = {value}"
                return self.memory["put_static"].format(self.layout.statics[name], value)
            case Field(_, index):
                return self.memory["put"].format(names[0], index + 1, value)
            case Index():
                return self.memory["put_at"].format(names[0], names[1], value)
            case _:
                raise InternalError(f"{place} is no place")

    def push(self, channel: str, value: str) -> str:
        """Return the line that appends to a channel."""
        return self.memory["put_elements"].format(channel, f"(*{self.elements(channel)}, {value})")

    def pop(self, channel: str) -> str:
        """Return the source of the first message, which is taken."""
        return self.memory["pop"].format(channel)

    def elements(self, collection: str) -> str:
        """Return the source of the elements of a collection."""
        return self.memory["elements"].format(collection)

    def class_of(self, reference: str) -> str:
        """Return the source of the class of a cell."""
        return self.memory["class"].format(reference)

    def update(self, update: Update) -> list[str]:
        """Return the lines that change a set."""
        lines = [f"s = {self.expression(update.target)}", f"e = {self.expression(update.operand)}"]
        operand = self.elements("e") if update.whole else "(e,)"
        function = "join_elements" if update.adds else "remove_elements"
        new = f"{function}({self.elements('s')}, {operand})"
        return [*lines, self.memory["put_elements"].format("s", new)]

    def is_local(self, edge: Edge) -> bool:
        """Tell whether an edge touches nothing that another thread can see: locals, calls, jumps, new cells."""
        match edge.action:
            case Assume(condition):
                return self._private(condition)
            case Store(places, value):
                return self._private(value) and all(self.is_local_place(place) for place in places)
            case Call(_, arguments):
                return all(self._private(argument) for argument in arguments)
            case Return(values):
                return all(self._private(value) for value in values)
            case Print():
                return True
            case _:
                return False

    def is_local_place(self, place: Expr) -> bool:
        """Tell whether a place is in the frame."""
        while isinstance(place, Part):
            place = place.struct
        return isinstance(place, Var) and place.name in self.frame.slots

    def _private(self, expr: Expr) -> bool:
        for node in postorder(expr):
            if isinstance(node, Field | Index | SizeOf | Member | Apply):
                return False
            if isinstance(node, Var) and node.name not in self.frame.slots:
                return False
            if isinstance(node, New):
                cell = self.layout.classes[self.layout.class_numbers[node.cell]].cell
                if isinstance(cell, ClassCell) and cell.initial:
                    return False
        return True

    def _temporary(self) -> str:
        self._temporaries += 1
        return f"t{self._temporaries}"
