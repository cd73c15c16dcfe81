"""Formulas over Boolean variables as one kind of gate, and whether one implies another, by a SAT solver.

A *literal* is a number: n or -n for gate n and its negation; `TRUE` is 1.  Every gate but the variables is
`if(a, b, c)`; equal gates have one number.  An implication is refuted by a conjunction in CNF (Tseitin's gates, in the
directions that are needed: Plaisted and Greenbaum, A Structure-preserving Clause Form Translation, 1986) that has to be
unsatisfiable (`obligations`, `sat`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from knaster_check.formula import arity
from knaster_check.program import Formula
from knaster_check.refused import Refused, expect, list_of

Literal = int
TRUE, FALSE = 1, -1
Valuation = Mapping[str, Literal]


class Circuit:
    """Gates; number 0 is none, number 1 is true."""

    def __init__(self) -> None:
        self.gates: list[tuple[int, int, int] | None] = [None, None]  # None: a variable
        self._numbers: dict[tuple[int, int, int], int] = {}
        self.work = 0  # since somebody took it into account

    def take_work(self) -> int:
        """Return how many rows of functions were looked at since the last time."""
        done, self.work = self.work, 0
        return done

    def variable(self) -> Literal:
        """Return a new variable."""
        self.gates.append(None)
        return len(self.gates) - 1  # mutant: its negation is as good

    def choose(self, condition: Literal, then: Literal, otherwise: Literal) -> Literal:
        """Return `condition ? then : otherwise`."""
        if condition < 0:  # mutant(<): no literal is 0
            condition, then, otherwise = -condition, otherwise, then
        then = TRUE if then == condition else FALSE if then == -condition else then
        otherwise = FALSE if otherwise == condition else TRUE if otherwise == -condition else otherwise
        if condition == TRUE or then == otherwise:
            return then
        if then == TRUE and otherwise == FALSE:
            return condition
        if then == FALSE and otherwise == TRUE:
            return -condition
        sign = -1 if then < 0 else 1  # mutant: one form for a gate and its negation, whichever
        gate = (condition, sign * then, sign * otherwise)
        if gate not in self._numbers:
            self._numbers[gate] = len(self.gates)
            self.gates.append(gate)
        return sign * self._numbers[gate]

    def both(self, left: Literal, right: Literal) -> Literal:
        """Return the conjunction."""
        return self.choose(left, right, FALSE)

    def equal(self, left: Literal, right: Literal) -> Literal:
        """Return whether two literals have one value."""
        return self.choose(left, right, -right)

    def every(self, literals: Iterable[Literal]) -> Literal:
        """Return the conjunction of several."""
        found = TRUE
        for literal in literals:
            found = self.both(found, literal)
        return found

    def value(self, formula: Formula, now: Valuation, after: Valuation | None = None) -> Literal:
        """Return what a Boolean formula stands for; each choice is a new variable."""
        stack: list[Literal] = []
        for node in formula:
            cut = len(stack) - arity(node)
            operands = stack[cut:]
            del stack[cut:]
            match node:
                case ("truth", value):
                    found = TRUE if value else FALSE
                case ("variable", name):
                    found = now[name]
                case ("next", name) if after is not None:
                    found = after[name]
                case ("choice", ("bool",)):
                    found = self.variable()
                case ("not",):
                    found = -operands[0]
                case ("if",):
                    found = self.choose(*operands)
                case ("logic", operator):
                    found = self._connect(operator, *operands)
                case _:
                    raise Refused(f"'{node[0]}' is no part of a Boolean formula")
            stack.append(found)
        return stack[0]

    def _connect(self, operator: str, left: Literal, right: Literal) -> Literal:
        match operator:
            case "&":
                return self.choose(left, right, FALSE)
            case "|":
                return self.choose(left, TRUE, right)
            case "=>":
                return self.choose(left, right, TRUE)
            case "=":
                return self.choose(left, right, -right)
        return self.choose(left, -right, right)

    def replace(self, literal: Literal, known: dict[Literal, Literal]) -> Literal:
        """Return a literal with others in the place of variables that are `known`; gates are noted there, too."""
        todo = [abs(literal)]
        while todo:
            number = todo[-1]
            gate = self.gates[number]
            if number in known or gate is None:
                known.setdefault(number, number)
                todo.pop()
                continue
            missing = [abs(part) for part in gate if abs(part) not in known]
            todo += missing
            if not missing:
                self.work += 1  # mutant: how much work it is said to be
                # mutant(>): no literal is 0
                known[number] = self.choose(*(known[part] if part > 0 else -known[-part] for part in gate))
                todo.pop()
        return known[literal] if literal > 0 else -known[-literal]  # mutant(>): no literal is 0

    def variables(self, literal: Literal) -> list[Literal]:
        """Return the variables below a literal."""
        todo = [abs(literal)]
        seen = set(todo)
        for number in todo:  # grows
            self.work += 1  # mutant: how much work it is said to be
            fresh = {abs(part) for part in self.gates[number] or ()} - seen
            seen |= fresh
            todo += sorted(fresh)
        return [number for number in todo if number != TRUE and self.gates[number] is None]

    def clauses(self, literals: Iterable[Literal]) -> list[list[int]]:
        """Return clauses that are satisfiable iff all literals can be true together."""
        roots = [literal for literal in literals if literal != TRUE]
        found, todo, seen = [[literal] for literal in roots], list(roots), set(roots)
        while todo:
            literal = todo.pop()
            gate = self.gates[abs(literal)] if literal not in (TRUE, FALSE) else None
            if literal == FALSE:
                found.append([])
            if gate is None:
                continue
            condition, then, otherwise = gate if literal > 0 else (gate[0], -gate[1], -gate[2])  # mutant(>): none is 0
            for clause in ((-condition, then), (condition, otherwise)):  # literal implies both
                if clause[1] != TRUE:
                    found.append([-literal, clause[0]] + ([clause[1]] if clause[1] != FALSE else []))
            for used in (condition, -condition, then, otherwise):
                if used not in seen and used not in (TRUE, FALSE):
                    seen.add(used)
                    todo.append(used)
        return found


class Functions:
    """The decision diagrams of a proof file: rows of a variable and two functions, where it is true and where false.

    Functions 0 and 1 are false and true, row n is function n + 2; a row uses earlier functions alone.  Nothing else is
    asked of them, neither an order of variables nor that there are no two for one function.
    """

    def __init__(self, data: object) -> None:
        self.rows: list[tuple[int, int, int]] = [(0, 0, 0), (0, 1, 1)]
        for row in list_of(data, "nodes"):
            parts = list_of(row, "a node", 3)
            known = all(type(part) is int and part >= 0 for part in parts) and max(parts[1:]) < len(self.rows)
            expect(known, f"{str(row)[:60]} is no node")
            self.rows.append((parts[0], parts[1], parts[2]))

    def number(self, data: object) -> int:
        """Return the number of a function."""
        expect(type(data) is int and 0 <= data < len(self.rows), f"{str(data)[:60]} is no function")
        assert isinstance(data, int)
        return data

    def numbers(self, data: object) -> list[int]:
        """Return the numbers of functions."""
        return [self.number(part) for part in list_of(data, "functions")]


class View:
    """Functions with a literal in the place of each variable; a variable that has none is refused."""

    def __init__(self, circuit: Circuit, functions: Functions, places: Mapping[int, Literal]) -> None:
        self.circuit, self.rows, self.places = circuit, functions.rows, places
        self.known: dict[int, Literal] = {0: FALSE, 1: TRUE}

    def of(self, function: int) -> Literal:
        """Return a function as a literal."""
        known, todo = self.known, [function]
        while todo:
            self.circuit.work += 1
            number = todo[-1]
            if number in known:
                todo.pop()
                continue
            variable, then, otherwise = self.rows[number]
            missing = [part for part in (then, otherwise) if part not in known]
            if missing:
                todo += missing
                continue
            if variable not in self.places:
                raise Refused(f"a set mentions variable {variable}, which stands for nothing there")
            known[number] = self.circuit.choose(self.places[variable], known[then], known[otherwise])
            todo.pop()
        return known[function]
