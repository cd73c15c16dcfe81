"""`f assume c` and `f cofactor c` in native code, on a copy of the graphs: the walk of `simplify.py`.

Python copies functions into the native table, asks, and copies the answer back.  Both copies stay for later
questions, because mostly the same f meets many similar c; they are thrown away when they have grown large.
"""

from __future__ import annotations

import ctypes
import weakref
from array import array
from functools import cache

from knaster.bdd.store import Bdd, Store
from knaster.calculus.fixpoints.plan import Tick
from knaster.native.library import open_library

MOST_NODES = 4_000_000
MOST_RESULTS = 16_000_000  # of pairs
SLICE = 1 << 18  # pieces of work before Python is asked again: some hundredths of a second
_OFTEN = 1 << 12  # nodes
_SOLVED, _NO_MEMORY, _RUNNING = 0, 1, 3
_ASSUME, _COFACTOR = 0, 1


@cache
def load() -> ctypes.CDLL | None:
    """Return the library, ready to be called; None where there is none that fits its source."""
    library = open_library("simplify")
    if library is None:
        return None
    table, number, size = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int64
    signatures = {
        "open": (table, [number]),
        "close": (None, [table]),
        "add": (ctypes.c_int, [table, table, size, table]),
        "ask": (ctypes.c_int, [table, number, number, ctypes.c_int]),
        "run": (ctypes.c_int, [table, size]),
        "answer": (number, [table]),
        "nodes": (table, [table]),
        "count": (number, [table]),
        "results": (size, [table]),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(library, f"knaster_simplify_{name}")
        function.restype, function.argtypes = result, arguments
    return library


class NativeSimplifier:
    """Simplifies functions of one store.  Requires: `load` returns a library."""

    def __init__(self, store: Store, tick: Tick = lambda: None) -> None:
        library = load()
        assert library is not None
        self.store = store
        self.tick = tick  # called before every slice of work and now and then between
        self._library = library
        self._open()

    def _open(self) -> None:
        self._table = self._library.knaster_simplify_open(self.store.variables)
        if not self._table:
            raise MemoryError
        self._close = weakref.finalize(self, self._library.knaster_simplify_close, self._table)
        self._functions = {0: self.store.false, 1: self.store.true}
        self._number = {self.store.false: 0, self.store.true: 1}

    def assume(self, function: Bdd, care: Bdd) -> Bdd:
        """Return h with h & care = function & care, no variable of which is above or besides those of `function`."""
        return self._simplify(function, care, _ASSUME)

    def cofactor(self, function: Bdd, care: Bdd) -> Bdd:
        """Return h with h & care = function & care and, quantified over all variables, ∃ h = ∃ (function & care)."""
        return self._simplify(function, care, _COFACTOR)

    def _simplify(self, function: Bdd, care: Bdd, operation: int) -> Bdd:
        if care == self.store.false:
            return care
        library = self._library
        if self._is_large():
            self._close()
            self._open()
        status = library.knaster_simplify_ask(self._table, self._import(function), self._import(care), operation)
        while status == _RUNNING:
            self.tick()
            status = library.knaster_simplify_run(self._table, SLICE)
        if status == _NO_MEMORY:
            raise MemoryError
        return self._export(library.knaster_simplify_answer(self._table))

    def _is_large(self) -> bool:
        nodes: int = self._library.knaster_simplify_count(self._table)
        results: int = self._library.knaster_simplify_results(self._table)
        return nodes > MOST_NODES or results > MOST_RESULTS

    def _import(self, function: Bdd) -> int:
        """Return the number of a function, copying what is not there yet."""
        number = self._number
        if function not in number:
            added: list[Bdd] = []  # in the order in which they are copied; until then the number of the i-th is ~i
            numbers: array[int] | None = None
            try:
                numbers = self._add(self._list_nodes(function, added), len(added))
            finally:
                if numbers is None:
                    for each in added:
                        del number[each]
            number.update(zip(added, numbers, strict=True))
            self._functions.update(zip(numbers, added, strict=True))
        return number[function]

    def _list_nodes(self, function: Bdd, added: list[Bdd]) -> array[int]:
        number, nodes, todo = self._number, array("i"), [function]
        while todo:
            current = todo[-1]
            if current in number:
                todo.pop()
                continue
            cofactors, level = current.cofactors(), current.node_level()
            assert cofactors is not None and level is not None
            high, low = number.get(cofactors[0]), number.get(cofactors[1])
            if high is None or low is None:
                todo += cofactors
                continue
            todo.pop()
            nodes.extend((level, high, low))
            number[current] = ~len(added)
            added.append(current)
            if len(added) % _OFTEN == 0:
                self.tick()
        return nodes

    def _add(self, nodes: array[int], count: int) -> array[int]:
        numbers = array("i", bytes(4 * count))
        addresses = nodes.buffer_info()[0], count, numbers.buffer_info()[0]
        if self._library.knaster_simplify_add(self._table, *addresses) != _SOLVED:
            raise MemoryError
        return numbers

    def _export(self, number: int) -> Bdd:
        """Return the function of a number, making what does not exist yet."""
        functions = self._functions
        if number in functions:
            return functions[number]
        library, table = self._library, self._table
        kind = ctypes.c_uint32 * (3 * library.knaster_simplify_count(table))
        nodes = memoryview(kind.from_address(library.knaster_simplify_nodes(table))).cast("B").cast("I")
        todo = [number]
        while todo:
            current = todo[-1]
            if current in functions:
                todo.pop()
                continue
            high, low = nodes[3 * current + 1], nodes[3 * current + 2]
            if high not in functions or low not in functions:
                todo += (high, low)
                continue
            todo.pop()
            function = self.store.var(nodes[3 * current]).ite(functions[high], functions[low])
            functions[current] = function
            self._number[function] = current
        return functions[number]
