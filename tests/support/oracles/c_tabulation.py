"""What random programs of C do, whatever they read: all calls with all their states, and cycles among these.

A call is a function with arguments and globals; its states are numbered statements with values.  A call that is waited
for gives the values with which it returns, and a state at a call goes on with each of them, or into the call for good:
an endless run goes around in one call, or into calls for ever, and with finitely many states both are cycles
(Gurfinkel, Wei and Chechik, Model Checking Recursive Programs with Exact Predicate Abstraction, ATVA 2008, section 4:
mixed semantics).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from support.generators.c_programs import INPUTS, CProgram, Function, Oracle, Tree, Truth, wrap

Values = tuple[int, ...]
Call = tuple[str, Values, Values]  # function, arguments, globals
State = tuple[Call, int, Values, Values]  # in which call, before which statement, with which locals and globals
END = -1


@dataclass
class Graph:
    """A function as numbered statements; each has the numbers of those that can follow."""

    nodes: list[Tree] = field(default_factory=list)

    def add(self, body: tuple[Tree, ...], after: int) -> int:
        """Add statements in front of number `after`; return the number of the first."""
        for statement in reversed(body):
            match statement:
                case ("if", condition, then, otherwise):
                    yes, no = self.add(then, after), self.add(otherwise, after)
                    after = self.node(("branch", condition, yes, no))
                case ("while", _, condition, inside):
                    head = self.node(())
                    self.nodes[head] = ("branch", condition, self.add(inside, head), after)
                    after = head
                case _:
                    after = self.node((*statement, after))
        return after

    def node(self, node: Tree) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1


def tabulated(program: CProgram, states: int = 3_000) -> Truth:
    """Return whether the error is reached and whether a run never ends; None where there are too many states."""
    table = _Table(program)
    complete = table.fill(states)
    unknown = None if not complete else False
    return Truth(table.error or unknown, table.has_cycle() or unknown)


class _Table:
    def __init__(self, program: CProgram) -> None:
        self.functions = {function.name: function for function in program.functions}
        self.graphs, self.first = {}, {}
        for function in program.functions:
            self.graphs[function.name] = Graph()
            self.first[function.name] = self.graphs[function.name].add(function.body, END)
        self.machine = Oracle(program, 0)
        self.names = tuple(self.machine.types)
        self.error = False
        self.steps: dict[State, list[State]] = {}
        self.waiting: dict[Call, list[State]] = {}  # who called
        self.results: dict[Call, set[tuple[int, Values]]] = {}
        self.todo: list[State] = []
        main = self.functions["main"]
        for inputs in _all(program.inputs):
            given = {f"i{index}": value for index, value in enumerate(inputs)}
            frame = tuple(given.get(name, 0) for name, _ in main.locals)
            call = ("main", inputs, (0,) * len(self.names))
            self._reach((call, self.first["main"], frame, call[2]))

    def fill(self, limit: int) -> bool:
        """Find all states; tell whether there are no more than so many."""
        while self.todo:
            if len(self.steps) > limit:
                return False
            self._step(self.todo.pop())
        return True

    def _reach(self, state: State, source: State | None = None) -> None:
        if source is not None:
            self.steps[source].append(state)
        if state not in self.steps:
            self.steps[state] = []
            self.todo.append(state)

    def _step(self, state: State) -> None:
        call, number, locals, globals = state
        function = self.functions[call[0]]
        types = dict((*function.parameters, *function.locals))
        frame = dict(zip(types, locals, strict=True))
        self.machine.globals = dict(zip(self.names, globals, strict=True))

        def store(name: str, value: int, after: int) -> None:
            mine = dict(frame)
            self.machine.store(name, value, mine, types)
            self._reach((call, after, tuple(mine.values()), tuple(self.machine.globals.values())), state)
            self.machine.globals = dict(zip(self.names, globals, strict=True))

        match self.graphs[call[0]].nodes[number]:
            case ("error", _):
                self.error = True
            case ("return", value, _):
                self._return(call, wrap(self.machine.value(value, frame, types)[0], "int"), globals)
            case ("branch", ("choice",), yes, no):
                self._reach((call, yes, locals, globals), state)
                self._reach((call, no, locals, globals), state)
            case ("branch", condition, yes, no):
                chosen = yes if self.machine.value(condition, frame, types)[0] else no
                self._reach((call, chosen, locals, globals), state)
            case ("input", name, after):
                for value in INPUTS:
                    store(name, value, after)
            case ("step", name, sign, after):
                store(name, self.machine.load(name, frame) + (1 if sign == "++" else -1), after)
            case ("assign", name, value, after):
                store(name, self.machine.value(value, frame, types)[0], after)
            case ("call", _, name, arguments, _):
                callee = self.functions[name]
                values = [self.machine.value(argument, frame, types)[0] for argument in arguments]
                passed = tuple(wrap(v, type) for v, (_, type) in zip(values, callee.parameters, strict=True))
                self._call(state, callee, passed, globals)

    def _call(self, state: State, callee: Function, passed: Values, globals: Values) -> None:
        called = (callee.name, passed, globals)
        self.waiting.setdefault(called, []).append(state)
        frame = (*passed, *(0 for _ in callee.locals))
        self._reach((called, self.first[callee.name], frame, globals), state)
        for value, after in sorted(self.results.get(called, ())):
            self._go_on(state, value, after)

    def _return(self, call: Call, value: int, globals: Values) -> None:
        known = self.results.setdefault(call, set())
        if (value, globals) not in known:
            known.add((value, globals))
            for state in self.waiting.get(call, ()):
                self._go_on(state, value, globals)

    def _go_on(self, state: State, value: int, globals: Values) -> None:
        """Let a caller go on with what a call returned."""
        call, number, locals, _ = state
        function = self.functions[call[0]]
        types = dict((*function.parameters, *function.locals))
        frame = dict(zip(types, locals, strict=True))
        _, target, _, _, after = self.graphs[call[0]].nodes[number]
        self.machine.globals = dict(zip(self.names, globals, strict=True))
        self.machine.store(target, value, frame, types)
        self._reach((call, after, tuple(frame.values()), tuple(self.machine.globals.values())), state)

    def has_cycle(self) -> bool:
        """Tell whether some state comes back to itself."""
        degree = dict.fromkeys(self.steps, 0)
        for targets in self.steps.values():
            for target in targets:
                degree[target] += 1
        free = [state for state, count in degree.items() if not count]
        while free:
            for target in self.steps[free.pop()]:
                degree[target] -= 1
                if not degree[target]:
                    free.append(target)
        return any(degree.values())


def _all(count: int) -> list[Values]:
    found: list[Values] = [()]
    for _ in range(count):
        found = [(*before, value) for before in found for value in INPUTS]
    return found
