"""A file of C as a whole: its declarations, its functions, and the program that they are."""

from __future__ import annotations

from fnmatch import fnmatchcase

from knaster.base.errors import Problem, Span
from knaster.frontends.c.lower.functions import Functions
from knaster.frontends.c.lower.objects import Objects
from knaster.frontends.c.lower.values import Values
from knaster.frontends.c.names.library import TARGETS
from knaster.frontends.c.names.types import Foreign
from knaster.frontends.c.order.clashes import find_clashes
from knaster.frontends.c.order.labels import Orders
from knaster.frontends.c.tree import nodes
from knaster.frontends.c.tree.spots import Text
from knaster.frontends.text.options import COptions
from knaster.program.algebra import conjunction
from knaster.program.expression import Compare, Comparison, Var, has_choice
from knaster.program.model import Edge, Kind, Procedure, Program, Return
from knaster.program.types import Type


class Unit:
    """One file while it is read."""

    def __init__(self, text: Text, options: COptions, problems: list[Problem], notes: list[Problem]) -> None:
        self.text = text
        self.options = options
        self.problems = problems
        self.notes = notes
        self.values = Values(options.integers == "mathematical")
        self.names: dict[nodes.Object, str] = {}  # of the model, by the variables of C
        self.defined: dict[str, nodes.Function] = {}
        self.targets: dict[str, Span] = {}  # functions whose call is a target and that nobody defines; the first call
        self.undefined: dict[str, Type | None] = {}  # other functions that nobody defines, and what they return
        self.kept: dict[str, Span] = {}  # of these every call is a step; the first call
        self.calls: dict[str, set[str]] = {}
        self.file_names: frozenset[str] = frozenset()
        self.said: set[tuple[str, Span]] = set()
        self.refused: set[nodes.Object] = set()  # variables that are not read, once that was said
        self.orders = Orders()
        self.objects = Objects(self)
        self.functions = Functions(self)

    # Mistakes

    def problem(self, message: str, span: Span, hint: str = "") -> None:
        """Note something that is wrong, once."""
        if (message, span) not in self.said:
            self.said.add((message, span))
            self.problems.append(Problem(message, span, hint))

    def refuse_once(self, found: nodes.Object, span: Span) -> None:
        """Note the use of a variable of a type that is not read, unless its declaration was refused."""
        if found not in self.refused and isinstance(found.type, Foreign):
            self.refused.add(found)
            self.problem(f"{found.type.what}: '{found.name}'", span, found.type.advice)

    def refused_in(self, function: str) -> bool:
        """Tell whether something in a function was refused already."""
        return function in self.defined and bool(self.defined[function].problems)

    def note_undefined(self, name: str, span: Span) -> None:
        """Remark that a function is an input."""
        self.note_once(f"'{name}' is not defined: it returns any value of its type and changes nothing", span)

    def note_once(self, message: str, span: Span) -> None:
        """Remark something where it is the first time."""
        if (message, Span(0, 0, 0)) not in self.said:
            self.said.add((message, Span(0, 0, 0)))
            self.notes.append(Problem(message, span))

    # The file

    def read(self, file: nodes.File) -> list[Procedure]:
        """Declare all variables, then read all bodies; return the functions."""
        self.defined = {function.name: function for function in file.functions}
        self.file_names = file.names
        self.orders = Orders(find_clashes(file))
        for found in file.objects:
            self.names[found] = found.name
        for found in file.objects:  # an initial value may name what is defined later
            if found.storage != "extern":  # what is only declared is an object only where it is used
                self.objects.define(found)
        return self.bodies(file.functions)

    def bodies(self, functions: tuple[nodes.Function, ...]) -> list[Procedure]:
        """Read the bodies; a function with problems that main never calls is left out with a remark."""
        found: dict[str, tuple[Procedure | None, list[Problem], nodes.Function]] = {}
        for node in functions:
            before = len(self.problems)
            procedure = self.functions.procedure(node)
            found[node.name] = (procedure, [*node.problems, *self.problems[before:]], node)
            del self.problems[before:]
        needed = self.reachable("main") if "main" in found else set(found)
        left_out = self.users({name for name, (_, problems, _) in found.items() if problems} - needed)
        procedures = []
        for name, (made, problems, node) in found.items():
            if name in needed:
                self.problems += problems
                procedures += [made] if made is not None else []
            elif name in left_out:
                why = problems[0].message if problems else f"it needs '{left_out[name]}', which is left out"
                self.notes.append(Problem(f"'{name}' is never called and left out: {why}", self.text.token(node)))
            elif made is not None:
                procedures.append(made)
        self.note_orders(needed & found.keys())
        for name in sorted(self.targets):
            procedures.append(Procedure(name, (), (), (), 0, 1, (), ((name, 0),), span=self.targets[name]))
        for name, span in sorted(self.kept.items()):
            procedures.append(Procedure(name, (), (), (), 0, 1, (Edge(0, Return(()), 1, span),), span=span))
        return procedures

    def note_orders(self, functions: set[str]) -> None:
        """Say of some functions where the order of evaluation matters and is open in C."""
        self.notes += self.orders.notes(functions, self.text.token)
        for clash in self.orders.missed(functions):
            message = f"'{clash.place}' is changed and used in no fixed order, which is not read here"
            self.problem(message, self.text.token(clash.node), "write it as two statements")

    def keeps_call(self, name: str) -> bool:
        """Tell whether calls of a function that nobody defines are to be steps."""
        return any(fnmatchcase(name, pattern) for pattern in self.options.keep_call)

    def reachable(self, start: str) -> set[str]:
        """Return the functions that a function calls, directly or not, and itself."""
        found, todo = {start}, [start]
        while todo:
            for name in self.calls.get(todo.pop(), ()):
                if name not in found:
                    found.add(name)
                    todo.append(name)
        return found

    def users(self, names: set[str]) -> dict[str, str]:
        """Return some functions and those that call them, directly or not, each with the one that it calls of these."""
        callers: dict[str, list[str]] = {}
        for user, used in self.calls.items():
            for name in used:
                callers.setdefault(name, []).append(user)
        found, todo = {name: name for name in names}, sorted(names)
        while todo:
            name = todo.pop()
            for user in callers.get(name, ()):
                if user not in found:
                    found[user] = name
                    todo.append(user)
        return found

    def program(self, procedures: list[Procedure], file: str, source: str) -> Program:
        """Return the program."""
        initial = self.objects.initial
        known = (name for name in self.objects.globals if name in initial)
        init = conjunction(Compare(Comparison.EQUAL, Var(name), initial[name]) for name in known)
        assert not has_choice(init)
        return Program(
            tuple(self.objects.globals),
            tuple(procedures),
            ("main",),
            init,
            file,
            source,
            "c",
            kind=Kind.INTEGERS,
            types=tuple(self.objects.globals.items()),
            errors=(*TARGETS, "ERROR"),
            undefined=tuple(self.undefined.items()),
            reading=self.options.how(),
        )
