"""Binary decision diagrams: the engine protocol.  Only this module imports a BDD library (`oxidd`).

A `Bdd` is a Boolean function; `&`, `|`, `^`, `~` and `==` (same function) work on it, its truth value does not: ask
`store.is_false`.  A `Store` owns the variables, numbered from 0 in their order from the root, and the node table.

The table has a fixed capacity: an operation that does not fit raises `OutOfNodes`.  Its memory is taken as it fills,
so a generous capacity costs little.  `collect` throws garbage away when the table is half full; call it between
operations.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec, module_from_spec
from typing import Any

from knaster.base.errors import MissingError
from knaster.bdd.address_space import INSTALL, ensure_room


@contextmanager
def _without_init(package: str) -> Iterator[None]:
    """Let modules of a package be imported without its `__init__`; whoever imports the package later gets all of it.

    That of oxidd looks its version up, which takes three times as long as everything else.
    """
    found = find_spec(package) if package not in sys.modules else None
    if found is not None:
        sys.modules[package] = module_from_spec(found)
    try:
        yield
    finally:
        if found is not None:
            del sys.modules[package]


try:
    with _without_init("oxidd"):
        from oxidd.bcdd import BCDDFunction, BCDDManager, BCDDSubstitution
        from oxidd.util import BooleanOperator, DDMemoryError
except ImportError:
    raise MissingError(INSTALL) from None

Bdd = BCDDFunction
Renaming = BCDDSubstitution
OutOfNodes = DDMemoryError

DEFAULT_NODES = 1 << 22


class _Operator:
    """An operator as oxidd reads it: a value.  That of an enumeration is computed, a third of a small operation."""

    __slots__ = ("value",)

    def __init__(self, operator: BooleanOperator) -> None:
        self.value = operator.value


AND: Any = _Operator(BooleanOperator.AND)


class Store:
    """The variables and the node table of one computation.

    One worker thread only: with two, small operations are twenty times slower.
    """

    def __init__(self, variables: int, nodes: int = DEFAULT_NODES, cache: int | None = None) -> None:
        sizes = nodes, cache or max(1 << 16, min(1 << 22, nodes // 4)), 1
        ensure_room(lambda: BCDDManager(*sizes))
        self._manager = BCDDManager(*sizes)
        self._manager.add_vars(variables)
        self.variables = variables
        self.capacity = nodes
        self._collect_at = nodes // 2
        self.true: Bdd = self._manager.true()
        self.false: Bdd = self._manager.false()
        self._vars: list[Bdd] = [self._manager.var(index) for index in range(variables)]
        self._cubes: dict[frozenset[int], Bdd] = {}
        self._renamings: dict[tuple[tuple[int, int], ...], Renaming] = {}

    def extend(self, variables: int) -> list[int]:
        """Add variables at the bottom of the order and return their numbers."""
        added = list(self._manager.add_vars(variables))
        self._vars += [self._manager.var(index) for index in added]
        self.variables += variables
        return added

    def var(self, index: int) -> Bdd:
        """Return the function that is true where variable `index` is."""
        return self._vars[index]

    def const(self, value: bool) -> Bdd:
        """Return the constant function."""
        return self.true if value else self.false

    def cube(self, indices: Iterable[int]) -> Bdd:
        """Return the conjunction of the variables `indices`, the form in which quantifiers want them."""
        key = frozenset(indices)
        cube = self._cubes.get(key)
        if cube is None:
            cube = self.true
            for index in sorted(key, reverse=True):
                cube = self._vars[index] & cube
            self._cubes[key] = cube
        return cube

    def assignment(self, values: Mapping[int, bool]) -> Bdd:
        """Return the conjunction of literals that gives each variable of `values` its value."""
        literals = self.true
        for index in sorted(values, reverse=True):
            variable = self._vars[index]
            literals = (variable if values[index] else ~variable) & literals
        return literals

    def renaming(self, pairs: Mapping[int, int]) -> Renaming:
        """Return the simultaneous renaming of each key variable to its value; made once, used with `rename`."""
        key = tuple(sorted(pairs.items()))
        renaming = self._renamings.get(key)
        if renaming is None:
            renaming = BCDDSubstitution([(old, self._vars[new]) for old, new in key])
            self._renamings[key] = renaming
        return renaming

    def substitution(self, pairs: Mapping[int, Bdd]) -> Renaming:
        """Return the simultaneous substitution of functions for variables, for use with `rename`."""
        return BCDDSubstitution(sorted(pairs.items()))

    def owns(self, function: object) -> bool:
        """Tell whether `function` is one of this store; an operation on functions of two stores ends the process."""
        return isinstance(function, Bdd) and function.manager == self._manager

    def is_false(self, function: Bdd) -> bool:
        """Tell whether `function` is constantly false."""
        return function == self.false

    def support(self, function: Bdd) -> set[int]:
        """Return the variables that `function` depends on.  Walks every node in Python: not for a hot path."""
        found: set[int] = set()
        seen: set[Bdd] = set()
        todo = [function]
        while todo:
            node = todo.pop()
            variable = node.node_var()
            if variable is None or node in seen or (inverse := ~node) in seen:
                continue
            seen.add(node)
            seen.add(inverse)
            found.add(variable)
            cofactors = node.cofactors()
            assert cofactors is not None
            todo += cofactors
        return found

    def pick(self, function: Bdd) -> dict[int, bool] | None:
        """Return some partial assignment that makes `function` true, always the same one; None where there is none."""
        cube = function.pick_cube()
        if cube is None:
            return None
        return {index: value for index, value in enumerate(cube) if value is not None}

    def count(self, function: Bdd, variables: Sequence[int] | int) -> int:
        """Return how many assignments to `variables` (or to so many of them) make `function` true.

        Requires: `function` depends on no other variable.
        """
        wanted = variables if isinstance(variables, int) else len(variables)
        return function.sat_count(self.variables) >> (self.variables - wanted)

    @property
    def nodes(self) -> int:
        """About how many nodes the table holds, garbage included."""
        return self._manager.approx_num_inner_nodes()

    def collect(self) -> bool:
        """Throw garbage away where the table is half full; tell whether it was.

        Where most of it was no garbage, the next time comes later: half-way between what is left and the capacity.
        """
        if self.nodes < self._collect_at:
            return False
        self._manager.gc()
        self._collect_at = max(self.capacity // 2, (self.nodes + self.capacity) // 2)
        return True


def and_exists(left: Bdd, right: Bdd, cube: Bdd) -> Bdd:
    """Return ∃ cube. left ∧ right, without building the conjunction."""
    return left.apply_exists(AND, right, cube)


def exists(function: Bdd, cube: Bdd) -> Bdd:
    """Return ∃ cube. function."""
    return function.exists(cube)


def rename(function: Bdd, renaming: Renaming) -> Bdd:
    """Return `function` with a renaming or substitution applied to all variables at once."""
    return function.substitute(renaming)


def minus(left: Bdd, right: Bdd) -> Bdd:
    """Return left ∧ ¬right in one operation."""
    return right.imp_strict(left)
