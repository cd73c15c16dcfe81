"""Which objects a pointer may ever point into, wherever control is: Andersen's constraints over a program with memory.

Andersen (PhD thesis, University of Copenhagen, 1994), without fields: an object has one set for all of its bytes, and a
value is whatever its operands may be, numbers included, so that nothing is lost where pointers are copied as bytes or
converted.  Locals of all activations of a procedure are one object; so is all that one line allocates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from knaster.base.named_tuples import NamedTuple
from knaster.program.expression import Compare, Expr, Not, Var, operands, postorder
from knaster.program.memory import AddressOf, Begin, Invoke, Library, Load, Store
from knaster.program.model import Assign, Call, Edge, Procedure, Program, Return

NEW = frozenset(("malloc", "calloc", "alloca", "__builtin_alloca", "aligned_alloc", "memalign", "valloc", "strdup"))
# They move no pointers:
_NUMBERS = (
    "memcmp",
    "__builtin_memcmp",
    "strlen",
    "strnlen",
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "strspn",
)
_LETTERS = (
    "isalpha",
    "isdigit",
    "isalnum",
    "isspace",
    "isblank",
    "isupper",
    "islower",
    "isxdigit",
    "ispunct",
    "isprint",
)
_OTHERS = (
    "free",
    "cfree",
    "exit",
    "memset",
    "__builtin_memset",
    "printf",
    "puts",
    "perror",
    "scanf",
    "fscanf",
    "time",
    "va_end",
)
SILENT = frozenset((*_NUMBERS, *_LETTERS, *_OTHERS, "strcspn", "atoi", "isgraph", "iscntrl", "toupper", "tolower"))
COPYING = frozenset(
    ("memcpy", "__builtin_memcpy", "memmove", "__builtin_memmove", "strcpy", "strncpy", "strcat", "strncat")
)
FINDING = frozenset(("strchr", "strrchr", "memchr", "strstr", "strpbrk"))  # their result is in their first argument


class Object(NamedTuple):
    """An object: what it is ("static", "local", "heap" or "function"), the procedure it is local to, and its name."""

    sort: str
    procedure: str
    name: str


class Node(NamedTuple):
    """A set of objects: of a variable of a procedure, of the bytes of an object (no procedure), or of a value."""

    procedure: str
    name: object


Parts = tuple[frozenset[Object], tuple[Node, ...]]  # addresses, and nodes that are copied
ARGUMENTS = Object("static", "", "the arguments")


def heap_object(procedure: str, edge: Edge, name: str) -> Object:
    """Return what one line of a procedure allocates."""
    return Object("heap", procedure, f"{name}@{edge.span.line}")


class PointsTo:
    """The least solution of the constraints of a program with memory."""

    def __init__(self, program: Program) -> None:
        assert program.memory is not None
        self.program = program
        self._procedures = {own.name: own for own in program.procedures}
        self._local = {
            (own.name, edge.action.name)
            for own in program.procedures
            for edge in own.edges
            if isinstance(edge.action, Begin)
        }
        self._sets: dict[Node, set[Object]] = {}
        self._copies: dict[Node, list[Node]] = {}
        self._loads: dict[Node, list[Node]] = {}  # where an address is → where the value goes
        self._stores: dict[Node, list[Node]] = {}  # where an address is → where the value is
        self._calls: dict[Node, list[tuple[str, Invoke]]] = {}
        self._todo: list[tuple[Node, Object]] = []
        self._values = 0
        for declared in program.memory.objects:
            for _, _, value in declared.cells:
                self._flow(self._parts("", value), Node("", Object("static", "", declared.name)))
        for own in program.procedures:
            for edge in own.edges:
                self._constrain(own, edge)
        self._solve()

    # Answers

    def object_of(self, procedure: str, name: str) -> Object:
        """Return the object that a name stands for in a procedure."""
        if (procedure, name) in self._local:
            return Object("local", procedure, name)
        return Object("function", "", name) if name in self._procedures else Object("static", "", name)

    def of_variable(self, procedure: str, name: str) -> frozenset[Object]:
        """Return what a variable may point into."""
        return frozenset(self._sets.get(Node(procedure, name), ()))

    def of_bytes(self, object: Object) -> frozenset[Object]:
        """Return what the bytes of an object may point into."""
        return frozenset(self._sets.get(Node("", object), ()))

    def of_value(self, procedure: str, expr: Expr) -> frozenset[Object]:
        """Return what the value of an expression may point into."""
        stack: list[frozenset[Object]] = []
        for node in postorder(expr):
            count = len(operands(node))
            inner: frozenset[Object] = frozenset().union(*stack[len(stack) - count :]) if count else frozenset()
            del stack[len(stack) - count :]
            match node:
                case Var(name):
                    inner = self.of_variable(procedure, name)
                case AddressOf(name):
                    inner = frozenset([self.object_of(procedure, name)])
                case Load():
                    inner = frozenset().union(*map(self.of_bytes, inner))
                case Compare() | Not():
                    inner = frozenset()
            stack.append(inner)
        return stack[-1]

    # Constraints

    def _constrain(self, own: Procedure, edge: Edge) -> None:
        match edge.action:
            case Assign(targets, values):
                self._assign(own.name, targets, values)
            case Return(values):
                self._assign(own.name, own.results, values)
            case Store(address, value):
                self._stores.setdefault(self._node(own.name, address), []).append(self._node(own.name, value))
            case Call(procedure, arguments, targets):
                self._bind(own.name, self._procedures[procedure], arguments, targets)
            case Invoke(function) as call:
                self._calls.setdefault(self._node(own.name, function), []).append((own.name, call))
            case Library() as call:
                self._library(own, edge, call)

    def _assign(self, procedure: str, targets: Sequence[str], values: Sequence[Expr]) -> None:
        for name, value in zip(targets, values, strict=False):
            self._flow(self._parts(procedure, value), Node(procedure, name))

    def _bind(
        self, caller: str, callee: Procedure, arguments: tuple[Expr, ...], targets: tuple[str | None, ...]
    ) -> None:
        for name, argument in zip(callee.parameters, arguments, strict=False):
            self._flow(self._parts(caller, argument), Node(callee.name, name))
        for argument in arguments[len(callee.parameters) :]:
            self._flow(self._parts(caller, argument), Node("", ARGUMENTS))
        for target, result in zip(targets, callee.results, strict=False):
            if target is not None:
                self._copy(Node(callee.name, result), Node(caller, target))

    def _library(self, own: Procedure, edge: Edge, call: Library) -> None:
        """Let a function that is not known move any pointer that it gets at to any place that it gets at."""
        everything = self._new_node()
        if call.name in COPYING or call.name in FINDING:
            target, source = (self._node(own.name, argument) for argument in call.arguments[:2])
            self._copy(target, everything)
            if call.name in COPYING:
                bytes_ = self._new_node()
                self._loads.setdefault(source, []).append(bytes_)
                self._stores.setdefault(target, []).append(bytes_)
        if call.name in NEW or call.name == "realloc":
            self._add(everything, heap_object(own.name, edge, call.name))
        if call.name not in NEW | SILENT | COPYING | FINDING:
            self._add(everything, ARGUMENTS)
            for argument in call.arguments:
                self._flow(self._parts(own.name, argument), everything)
            self._loads.setdefault(everything, []).append(everything)
            self._stores.setdefault(everything, []).append(everything)
        if call.target is not None:
            self._copy(everything, Node(own.name, call.target))

    def _parts(self, procedure: str, expr: Expr) -> Parts:
        """Return what a value is made of; a load gets a node of its own."""
        stack: list[Parts] = []
        for node in postorder(expr):
            count = len(operands(node))
            inner = _union(stack[len(stack) - count :] if count else ())
            del stack[len(stack) - count :]
            match node:
                case Var(name):
                    inner = frozenset(), (Node(procedure, name),)
                case AddressOf(name):
                    inner = frozenset([self.object_of(procedure, name)]), ()
                case Load():
                    address, value = self._new_node(), self._new_node()
                    self._flow(inner, address)
                    self._loads.setdefault(address, []).append(value)
                    inner = frozenset(), (value,)
                case Compare() | Not():
                    inner = frozenset(), ()
            stack.append(inner)
        return stack[-1]

    def _node(self, procedure: str, expr: Expr) -> Node:
        node = self._new_node()
        self._flow(self._parts(procedure, expr), node)
        return node

    def _new_node(self) -> Node:
        self._values += 1
        return Node("", self._values)

    def _flow(self, parts: Parts, target: Node) -> None:
        for each in parts[0]:
            self._add(target, each)
        for source in parts[1]:
            self._copy(source, target)

    def _copy(self, source: Node, target: Node) -> None:
        self._copies.setdefault(source, []).append(target)
        for each in self._sets.get(source, ()):
            self._todo.append((target, each))

    def _add(self, node: Node, object: Object) -> None:
        self._todo.append((node, object))

    # The solution

    def _solve(self) -> None:
        joined: set[tuple[Node, Node]] = set()
        while self._todo:
            node, object = self._todo.pop()
            known = self._sets.setdefault(node, set())
            if object in known:
                continue
            known.add(object)
            self._todo += [(target, object) for target in self._copies.get(node, ())]
            for source, target in self._new_copies(node, object):
                if (source, target) not in joined:
                    joined.add((source, target))
                    self._copy(source, target)
            if object.sort == "function" and object.name in self._procedures:
                for caller, call in self._calls.get(node, ()):
                    self._bind(caller, self._procedures[object.name], call.arguments, call.targets)

    def _new_copies(self, node: Node, object: Object) -> Iterator[tuple[Node, Node]]:
        """Yield the copies that an address at a node makes: what is loaded from there, and stored there."""
        for target in self._loads.get(node, ()):
            yield Node("", object), target
        for source in self._stores.get(node, ()):
            yield source, Node("", object)


def _union(parts: Iterable[Parts]) -> Parts:
    addresses: frozenset[Object] = frozenset()
    nodes: tuple[Node, ...] = ()
    for more, others in parts:
        addresses, nodes = addresses | more, nodes + others
    return addresses, nodes
