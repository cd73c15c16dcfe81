"""A program as constrained Horn clauses, in the SMT-LIB fixed-point format that z3's Datalog engine and Spacer read.

One relation for each location, over Boolean columns: the globals and parameters at the entry of the procedure (E), then
every variable in scope there (V).  At the exit only globals and results are kept: that relation is the summary.

    entry       L(V, V) for every context, main included; a procedure that no call leads to has no entry columns
    x := e      M(E, V[W/x]) <- L(E, V), W = e             a constant or a variable goes straight into the head
    x := f(e)   M(E, V[W]) <- L(E, V), A = e, summary of f (globals, A, W)
    targets     bad <- L(E, V); where a call has to happen first: context of p (E), which holds for main and, at a call
                of f from p, for (globals, A) <- context of p (E), L(E, V), A = e

Summaries for every context need no context relation, so the clauses of a procedure depend on its callees only.  With
the reachable contexts instead, all clauses depend on each other: on T(200) z3's Datalog engine then takes 17 s, not
0.5 s, and with a column for the location, 2.8 s (one relation for each procedure) or 0.8 s (one in all).

A `Choice` is a variable that nothing binds; in a condition it is eliminated: c[0] or c[1].
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from knaster.base.errors import UnsupportedError
from knaster.frontends.languages import load
from knaster.program.expression import (
    TRUE,
    Binary,
    Choice,
    Conditional,
    Const,
    Expr,
    Not,
    Operator,
    Var,
    postorder,
)
from knaster.program.model import Assign, Assume, Call, Concurrent, Edge, Location, Procedure, Program, Return

Place = tuple[str, Location]
Values = Mapping[str, str]  # the SMT term that stands for a program variable

_CONNECTIVES = {
    Operator.AND: "and",
    Operator.OR: "or",
    Operator.XOR: "xor",
    Operator.EQUAL: "=",
    Operator.IMPLIES: "=>",
}


def horn_clauses(program: Program, targets: Iterable[Place], entry: str = "main") -> str:
    """Return a script that answers `sat` where one of the targets is reachable and `unsat` where none is."""
    return "\n".join(_Script(program, entry).lines(sorted(targets)))


class _Script:
    """The clauses of one program, and how many variables of each kind they use."""

    def __init__(self, program: Program, entry: str) -> None:
        self.program = program
        self.entry = entry
        self.numbers = {procedure.name: number for number, procedure in enumerate(program.procedures)}
        self.procedures = {procedure.name: procedure for procedure in program.procedures}
        calls = [
            (procedure.name, edge)
            for procedure in program.procedures
            for edge in procedure.edges
            if isinstance(edge.action, Call)
        ]
        self.callers: dict[str, set[str]] = {}
        for caller, edge in calls:
            assert isinstance(edge.action, Call)
            self.callers.setdefault(edge.action.procedure, set()).add(caller)
        self.names: set[str] = set()

    def lines(self, targets: Sequence[Place]) -> list[str]:
        """Return the whole script."""
        above = self._above({procedure for procedure, _ in targets})
        clauses: list[str] = []
        for procedure in self.program.procedures:
            clauses += self._procedure(procedure, above)
        clauses += self._contexts(above)
        for name, location in targets:
            body = [self._at(self.procedures[name], location), *self._context(name, above)]
            clauses.append(_rule(body, "bad"))
        relations = [self._declare(procedure, location) for procedure, location in self._places()]
        relations += [
            f"(declare-rel c{self.numbers[name]} ({_bools(len(self._entry_columns(self.procedures[name])))}))"
            for name in sorted(above)
        ]
        variables = [f"(declare-var {name} Bool)" for name in sorted(self.names)]
        return [*relations, "(declare-rel bad ())", *variables, *clauses, "(query bad)", ""]

    def _above(self, names: set[str]) -> set[str]:
        """Return the procedures from which a call may lead to one of `names`, with these; none for main alone."""
        if names <= {self.entry} and self.entry not in self.callers:
            return set()
        above, todo = set(names), sorted(names)
        while todo:
            for caller in sorted(self.callers.get(todo.pop(), set()) - above):
                above.add(caller)
                todo.append(caller)
        return above

    def _places(self) -> Iterator[tuple[Procedure, Location]]:
        for procedure in self.program.procedures:
            for location in range(procedure.size):
                yield procedure, location

    def _entry_columns(self, procedure: Procedure) -> tuple[str, ...]:
        return self.program.globals + procedure.parameters if procedure.name in self.callers else ()

    def _columns(self, procedure: Procedure, location: Location) -> tuple[str, ...]:
        if location == procedure.exit:
            return self.program.globals + procedure.results
        return self.program.scope(procedure)

    def _declare(self, procedure: Procedure, location: Location) -> str:
        arity = len(self._entry_columns(procedure)) + len(self._columns(procedure, location))
        return f"(declare-rel p{self.numbers[procedure.name]}_{location} ({_bools(arity)}))"

    def _name(self, name: str) -> str:
        self.names.add(name)
        return name

    def _current(self, procedure: Procedure) -> dict[str, str]:
        return {variable: self._name(f"V{index}") for index, variable in enumerate(self.program.scope(procedure))}

    def _entered(self, procedure: Procedure) -> list[str]:
        return [self._name(f"E{index}") for index in range(len(self._entry_columns(procedure)))]

    def _at(self, procedure: Procedure, location: Location, values: Values | None = None) -> str:
        """Return the atom for standing at a location, with the current values or the given ones."""
        values = self._current(procedure) if values is None else values
        return self._atom(
            procedure,
            location,
            self._entered(procedure),
            [values[variable] for variable in self._columns(procedure, location)],
        )

    def _atom(self, procedure: Procedure, location: Location, entered: Sequence[str], values: Sequence[str]) -> str:
        arguments = "".join(f" {term}" for term in (*entered, *values))
        return _apply(f"p{self.numbers[procedure.name]}_{location}", arguments)

    def _procedure(self, procedure: Procedure, above: set[str]) -> Iterator[str]:
        current = self._current(procedure)
        entered = [current[variable] for variable in self._entry_columns(procedure)]
        start = self._atom(procedure, procedure.entry, entered, [current[v] for v in self.program.scope(procedure)])
        conditions = self._conditions(procedure.enforce, current)
        if procedure.name == self.entry and procedure.name not in self.callers:
            conditions += self._conditions(self.program.init, current)
        yield _rule(conditions, start)
        for edge in procedure.edges:
            yield from self._edge(procedure, edge, current, above)

    def _edge(self, procedure: Procedure, edge: Edge, current: Values, above: set[str]) -> Iterator[str]:
        body = [self._at(procedure, edge.source)]
        after = dict(current)
        match edge.action:
            case Assume(condition):
                body += self._conditions(condition, current)
            case Assign(targets, values, constraint):
                after |= zip(targets, self._terms("W", values, current, body), strict=True)
                body += self._conditions(constraint, current, after)
            case Return(values):
                after |= zip(procedure.results, self._terms("W", values, current, body), strict=True)
            case Call(name, arguments, targets):
                callee = self.procedures[name]
                passed = [current[variable] for variable in self.program.globals]
                passed += self._terms("A", arguments, current, body)
                if name in above:
                    context = [*body, *self._context(procedure.name, above)]
                    yield _rule(context, _apply(f"c{self.numbers[name]}", "".join(f" {term}" for term in passed)))
                left = self._columns(callee, callee.exit)
                fresh = [self._name(f"R{index}") for index in range(len(left))]
                body.append(self._atom(callee, callee.exit, passed, fresh))
                count = len(self.program.globals)
                after |= zip(self.program.globals, fresh[:count], strict=True)
                results = zip(targets, fresh[count:], strict=True)
                after |= {target: value for target, value in results if target is not None}
            case Concurrent(operation):
                raise UnsupportedError(f"{operation.value} in Horn clauses", edge.span, self.program.file)
        body += self._conditions(procedure.enforce, after)
        yield _rule(body, self._at(procedure, edge.target, after))

    def _contexts(self, above: set[str]) -> list[str]:
        """Return the clause that main runs: without a context relation for main there is nothing to say."""
        if self.entry not in above:
            return []
        main = self.procedures[self.entry]
        current = self._current(main)
        columns = [current[variable] for variable in self._entry_columns(main)]
        initial = self._conditions(self.program.init, current) if self.entry in self.callers else []
        return [_rule(initial, _apply(f"c{self.numbers[self.entry]}", "".join(f" {term}" for term in columns)))]

    def _context(self, name: str, above: set[str]) -> list[str]:
        """Return the condition that the procedure was entered with its entry columns; nothing where no call matters."""
        if name not in above:
            return []
        entered = self._entered(self.procedures[name])
        return [_apply(f"c{self.numbers[name]}", "".join(f" {term}" for term in entered))]

    def _terms(self, kind: str, values: Sequence[Expr], current: Values, body: list[str]) -> list[str]:
        """Return a constant or variable for each value; add to `body` what defines the new variables."""
        terms = []
        for index, value in enumerate(values):
            if isinstance(value, Const | Var):
                terms.append(_text(value, current, {}, ()))
                continue
            name = self._name(f"{kind}{index}")
            terms.append(name)
            if not isinstance(value, Choice):
                free = (self._name(f"C{kind}{index}_{choice}") for choice in range(_choices(value)))
                body.append(f"(= {name} {_text(value, current, {}, tuple(free))})")
        return terms

    def _conditions(self, condition: Expr, current: Values, after: Values | None = None) -> list[str]:
        """Return the condition that `condition` can be true, as no or one formula."""
        if condition == TRUE or isinstance(condition, Choice) or condition == Not(Choice()):
            return []
        count = _choices(condition)
        if count > 4:
            raise UnsupportedError("more than 4 choices in one condition, in Horn clauses", None, self.program.file)
        cases = [
            _text(condition, current, after or {}, tuple(_bit(case >> choice & 1) for choice in range(count)))
            for case in range(1 << count)
        ]
        return [cases[0] if len(cases) == 1 else f"(or {' '.join(cases)})"]


def _choices(expr: Expr) -> int:
    return sum(isinstance(node, Choice) for node in postorder(expr))


def _text(expr: Expr, current: Values, after: Values, choices: Sequence[str]) -> str:
    """Return the SMT term for `expr`; its choices, left to right, are the given terms."""
    stack: list[str] = []
    free = iter(choices)
    for node in postorder(expr):
        match node:
            case Const(value):
                stack.append(_bit(bool(value)))
            case Var(name, primed):
                stack.append(after[name] if primed else current[name])
            case Choice():
                stack.append(next(free))
            case Not():
                stack.append(f"(not {stack.pop()})")
            case Binary(operator):
                right, left = stack.pop(), stack.pop()
                stack.append(f"({_CONNECTIVES[operator]} {left} {right})")
            case Conditional():
                otherwise, then, condition = stack.pop(), stack.pop(), stack.pop()
                stack.append(f"(ite {condition} {then} {otherwise})")
    return stack.pop()


def _bit(value: int) -> str:
    return "true" if value else "false"


def _bools(count: int) -> str:
    return " ".join(["Bool"] * count)


def _apply(relation: str, arguments: str) -> str:
    return f"({relation}{arguments})" if arguments else relation


def _rule(body: Sequence[str], head: str) -> str:
    if not body:
        return f"(rule {head})"
    return f"(rule (=> {body[0] if len(body) == 1 else '(and ' + ' '.join(body) + ')'} {head}))"


def main(source: Path, label: str, clauses: Path) -> None:
    """Write the clauses that ask whether a label of the program in a file is reachable."""
    program = load(source)
    targets = [
        (procedure.name, place) for procedure in program.procedures for name, place in procedure.labels if name == label
    ]
    clauses.write_text(horn_clauses(program, targets))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
