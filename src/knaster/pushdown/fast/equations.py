"""Out-node equations: one for every variable, solved component by component, only where an answer needs them.

Lal (PhD thesis, University of Wisconsin, 2009), sections 4.1.2 and 4.2.3.  The equation t = r(t1, …, tn) of an
out-node is the path expression of its vertex.  Equations are solved callees first; inside a strongly connected
component, a group of mutually recursive procedures, they are evaluated until nothing changes.

After an edit a component is solved again if one of its right sides is another one or contains a variable that changed.
If rules were only added, it goes on from its old weights; otherwise from 0.  A weight that comes out as it was stops
the propagation there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

from knaster.base.graphs import components
from knaster.base.named_tuples import NamedTuple
from knaster.pushdown.fast.evaluate import Evaluator
from knaster.pushdown.fast.expression import VARIABLE, Expressions
from knaster.pushdown.saturation.least import unbounded_error
from knaster.pushdown.semiring import Semiring

W = TypeVar("W")


class Version(NamedTuple, Generic[W]):
    """A weight that a recursive variable had, and from which versions of the others it was computed."""

    weight: W
    versions: Mapping[int, int]


class Equations(Generic[W]):
    """The weights of out-nodes; `right_side` gives the path expression of a vertex.

    `recomputed` collects the vertices whose equations needed operations on weights or got another one, since it was
    last cleared.  With `remember` the versions of recursive variables are kept, for runs that justify weights.
    """

    def __init__(
        self,
        domain: Semiring[W],
        expressions: Expressions[W],
        evaluator: Evaluator[W],
        right_side: Callable[[int], int],
        limit: int,
        remember: bool = False,
    ) -> None:
        self.recomputed: set[int] = set()
        self._domain = domain
        self._graph = expressions
        self._evaluator = evaluator
        self._right_side = right_side
        self._limit = limit
        self._solved: dict[int, tuple[int, int]] = {}  # variable -> right side and time when its weight was found
        self._owners: dict[int, set[int]] = {}  # right side -> the variables that were solved with it
        self._shrunk: set[int] = set()
        self._remember = remember
        self._history: dict[int, list[Version[W]]] = {}

    def weight(self, expression: int) -> W:
        """Return the weight of an expression, for the least solution of the equations."""
        if self._evaluator.is_stale(expression):
            self._solve(self._evaluator.stale_variables(expression))
        return self._evaluator.weight(expression)

    def solved_vertices(self) -> list[int]:
        """Return the vertices whose equations were ever solved."""
        return [self._graph.left[variable] for variable in self._solved]

    def reconsider(self, vertices: Iterable[int], shrinks: bool) -> None:
        """Doubt the weights of out-nodes whose right sides changed, and of all that depend on them.

        `shrinks` tells that edges were removed, so that weights may have to become smaller.
        """
        todo = [self._graph.variable(vertex) for vertex in vertices]
        seen: set[int] = set()
        while todo:
            for expression in self._evaluator.doubt(todo.pop(), seen):
                todo += self._owners.get(expression, ())
                if shrinks and self._graph.kind[expression] == VARIABLE:
                    self._shrunk.add(expression)

    def _solve(self, variables: Iterable[int]) -> None:
        for component in components(variables, self._uses):
            component.reverse()  # what was found last is nearest to the callees
            before = self._evaluator.evaluations, self._evaluator.time
            if len(component) > 1 or component[0] in self._uses(component[0]):
                try:
                    self._iterate(component)
                except BaseException:  # a domain may give up in the middle, and weights that still grow must not stay
                    self.reconsider((self._graph.left[variable] for variable in component), shrinks=False)
                    raise
            else:
                self._evaluate(component[0])
            if (self._evaluator.evaluations, self._evaluator.time) != before:
                self.recomputed.update(self._graph.left[variable] for variable in component)
            for variable in component:
                self._close(variable)

    def _root(self, variable: int) -> int:
        return self._right_side(self._graph.left[variable])

    def _uses(self, variable: int) -> list[int]:
        """Return the variables that are in doubt in the equation of a variable."""
        return self._evaluator.stale_variables(self._root(variable))

    def _close(self, variable: int) -> None:
        """Note that a variable has its weight."""
        root = self._root(variable)
        if variable in self._solved:
            self._owners[self._solved[variable][0]].discard(variable)
        self._owners.setdefault(root, set()).add(variable)
        self._solved[variable] = root, self._evaluator.time
        self._shrunk.discard(variable)

    def _evaluate(self, variable: int) -> None:
        """Solve an equation that does not depend on itself."""
        weight = self._evaluator.weight(self._root(variable))
        self._evaluator.assign(variable, weight, grows=variable not in self._shrunk)

    def _iterate(self, component: Sequence[int]) -> None:
        """Solve equations that depend on each other."""
        evaluator, zero = self._evaluator, self._domain.zero
        old = {variable: evaluator.assigned_weight(variable) for variable in component}
        stamps = {variable: evaluator.stamp(variable) for variable in component}
        shrunk = any(variable in self._shrunk for variable in component)
        restart = self._remember or (shrunk and self._is_modified(component))
        for variable, weight in old.items():
            start = zero if restart or weight is None else weight
            evaluator.assign(variable, start, grows=not restart)
        changes = dict.fromkeys(component, 0)
        if self._remember:
            self._history.update((variable, []) for variable in component)
        waiting = True
        while waiting:
            waiting = False
            for variable in component:
                root = self._root(variable)
                while evaluator.assign(variable, weight := evaluator.weight(root)):
                    waiting = True
                    if self._remember:
                        versions = {each: changes[each] - 1 for each in component}
                        self._history[variable].append(Version(weight, versions))
                    changes[variable] += 1
                    if changes[variable] > self._limit:
                        raise unbounded_error(self._domain, self._limit, weight)
        if restart:
            for variable, weight in old.items():
                if weight is not None and evaluator.assigned_weight(variable) == weight:
                    evaluator.restore(variable, stamps[variable])

    def derivation(self, variable: int) -> tuple[int, Sequence[Version[W]]]:
        """Return the right side of a solved variable and, if it is recursive, its versions."""
        return self._solved[variable][0], self._history.get(variable, ())

    def weights_then(self, expression: int, versions: Mapping[int, int]) -> dict[int, W]:
        """Return the weights of the parts of an expression in which variables of `versions` occur, as they were then.

        A version of -1 is the weight 0, from which every variable starts.
        """
        graph, zero = self._graph, self._domain.zero
        weights: dict[int, W] = {
            variable: self._history[variable][version].weight if version >= 0 else zero
            for variable, version in versions.items()
        }
        for part in sorted(self._varying_parts(expression)):
            operands = list(graph.operands(part))
            if part not in weights and any(operand in weights for operand in operands):
                weights[part] = self._evaluator.compute(
                    part, [weights[each] if each in weights else self._evaluator.weight(each) for each in operands]
                )
        return weights

    def _is_modified(self, component: Sequence[int]) -> bool:
        """Tell whether the equations of a component changed, or the weight of a variable from outside in them."""
        inside = set(component)
        for variable in component:
            root, time = self._solved.get(variable, (-1, -1))
            if root != self._root(variable):
                return True
            if any(self._evaluator.stamp(used) > time for used in self._variables(root) if used not in inside):
                return True
        return False

    def _variables(self, expression: int) -> list[int]:
        """Return the variables that occur in an expression."""
        return [part for part in self._varying_parts(expression) if self._graph.kind[part] == VARIABLE]

    def _varying_parts(self, expression: int) -> set[int]:
        """Return the parts of an expression in which variables occur."""
        graph = self._graph
        if not graph.varies[expression]:
            return set()
        todo, seen = [expression], {expression}
        while todo:
            for operand in graph.operands(todo.pop()):
                if graph.varies[operand] and operand not in seen:
                    seen.add(operand)
                    todo.append(operand)
        return seen
