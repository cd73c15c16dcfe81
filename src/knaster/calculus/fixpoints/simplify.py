"""`f assume c` and `f cofactor c`: a simpler function that agrees with f where c holds.

Both walk f and c together, from the root.  Where one branch of c is empty, f takes its other branch; elsewhere both
branch.  A variable of c above f's root is forgotten by `assume` (the "restrict" of Coudert and Madre, ICCAD 1990) and
branched on by `cofactor` (their "constrain", the generalized cofactor).  The result depends on the order of the
variables.  Where c is false everywhere, the language defines the result as false.

The BDD library has neither operation, so they run here, on a copy of the graphs in lists: nodes are numbers, 0 and 1
the constants.  The copy and the results stay, because mostly the same f meets many similar c; they are thrown away
when they have grown large.  `native_simplify` is the same in native code; `make_simplifier` takes it where it is there.
"""

from __future__ import annotations

from typing import Protocol

from knaster.bdd.store import Bdd, Store
from knaster.calculus.fixpoints.plan import Tick

_LIMIT = 4_000_000  # nodes in the copy and pairs with known results
_OFTEN = 1 << 12  # nodes
_SHIFT = 32
_LOW = (1 << _SHIFT) - 1
_Pair = int  # f << _SHIFT | c
_Step = tuple[list[_Pair], list[_Pair], list[_Pair]]  # pairs of one level, their branches where it is true and false


class Simplifier(Protocol):
    """What simplifies functions of one store."""

    def assume(self, function: Bdd, care: Bdd) -> Bdd:
        """Return h with h & care = function & care, no variable of which is above or besides those of `function`."""

    def cofactor(self, function: Bdd, care: Bdd) -> Bdd:
        """Return h with h & care = function & care and, quantified over all variables, ∃ h = ∃ (function & care)."""


def make_simplifier(store: Store, tick: Tick) -> Simplifier:
    """Return one in native code where that was compiled, else one in Python; `tick` stops its work by raising."""
    from knaster.calculus.fixpoints.native_simplify import NativeSimplifier, load

    return PythonSimplifier(store, tick) if load() is None else NativeSimplifier(store, tick)


class PythonSimplifier:
    """Simplifies functions of one store."""

    def __init__(self, store: Store, tick: Tick = lambda: None) -> None:
        self.store = store
        self.tick = tick  # called for every level and now and then between
        self._bottom = store.variables  # the level of the constants
        self._clear()

    def _clear(self) -> None:
        self._functions: list[Bdd | None] = [self.store.false, self.store.true]
        self._level = [self._bottom, self._bottom]
        self._high = [0, 1]
        self._low = [0, 1]
        self._number: dict[Bdd, int] = {self.store.false: 0, self.store.true: 1}
        self._unique: dict[tuple[int, int, int], int] = {}
        self._known: dict[bool, dict[_Pair, int]] = {False: {}, True: {}}

    def assume(self, function: Bdd, care: Bdd) -> Bdd:
        """Return h with h & care = function & care, no variable of which is above or besides those of `function`."""
        return self._simplify(function, care, branch_on_care=False)

    def cofactor(self, function: Bdd, care: Bdd) -> Bdd:
        """Return h with h & care = function & care and, quantified over all variables, ∃ h = ∃ (function & care)."""
        return self._simplify(function, care, branch_on_care=True)

    def _simplify(self, function: Bdd, care: Bdd, branch_on_care: bool) -> Bdd:
        if care == self.store.false:
            return care
        if len(self._level) + sum(map(len, self._known.values())) > _LIMIT:
            self._clear()
        root = self._import(function) << _SHIFT | self._import(care)
        if root & _LOW == 1 or root >> _SHIFT < 2:
            return function
        known = self._known[branch_on_care]
        if root not in known:
            self._ascend(self._descend(root, branch_on_care), known)
        return self._export(known[root])

    def _import(self, function: Bdd) -> int:
        """Return the number of a function, copying what is not there yet."""
        number, functions = self._number, self._functions
        todo = [function]
        while todo:
            current = todo[-1]
            if current in number:
                todo.pop()
                continue
            cofactors = current.cofactors()
            level = current.node_level()
            assert cofactors is not None and level is not None
            high, low = number.get(cofactors[0]), number.get(cofactors[1])
            if high is None or low is None:
                todo += cofactors
                continue
            todo.pop()
            key = (level, high, low)
            known = self._unique.get(key)
            if known is None:
                known = self._add(key)
            number[current] = known
            functions[known] = current
        return number[function]

    def _add(self, key: tuple[int, int, int]) -> int:
        level, high, low = key
        number = len(self._level)
        if number % _OFTEN == 0:
            self.tick()
        self._level.append(level)
        self._high.append(high)
        self._low.append(low)
        self._functions.append(None)
        self._unique[key] = number
        return number

    def _descend(self, root: _Pair, branch_on_care: bool) -> list[_Step]:
        """Return for each level the pairs met there and the pairs of their branches (the same twice: no branch).

        A pair whose value is known is written f << _SHIFT | 1.
        """
        levels, highs, lows, known = self._level, self._high, self._low, self._known[branch_on_care]
        waiting: list[set[_Pair]] = [set() for _ in range(self._bottom + 1)]
        waiting[min(levels[root >> _SHIFT], levels[root & _LOW])].add(root)
        steps: list[_Step] = []
        for level in range(self._bottom):
            self.tick()
            pairs = list(waiting[level])
            waiting[level].clear()
            highers: list[_Pair] = []
            lowers: list[_Pair] = []
            for pair in pairs:
                f, c = pair >> _SHIFT, pair & _LOW
                f_level = levels[f]
                if f_level == level:
                    f_high, f_low = highs[f], lows[f]
                else:
                    f_high = f_low = f
                if levels[c] == level:
                    c_high, c_low = highs[c], lows[c]
                    if not c_high:
                        f_high, c_high = f_low, c_low
                    elif not c_low:
                        f_low, c_low = f_high, c_high
                    elif f_level != level and not branch_on_care:
                        c_high = c_low = self._either(c_high, c_low)
                else:
                    c_high = c_low = c
                higher = f_high << _SHIFT | (c_high if f_high > 1 else 1)
                highers.append(higher)
                if higher & _LOW != 1 and higher not in known:
                    f_level, c_level = levels[f_high], levels[c_high]
                    waiting[f_level if f_level < c_level else c_level].add(higher)
                if f_low == f_high and c_low == c_high:
                    lowers.append(higher)
                    continue
                lower = f_low << _SHIFT | (c_low if f_low > 1 else 1)
                lowers.append(lower)
                if lower & _LOW != 1 and lower not in known:
                    f_level, c_level = levels[f_low], levels[c_low]
                    waiting[f_level if f_level < c_level else c_level].add(lower)
            steps.append((pairs, highers, lowers))
        return steps

    def _either(self, one: int, two: int) -> int:
        """Return the disjunction."""
        if one == 1 or two == 1:
            return 1
        return self._import(self._export(one) | self._export(two))

    def _ascend(self, steps: list[_Step], known: dict[_Pair, int]) -> None:
        """Compute the results of all pairs met, from the bottom."""
        unique = self._unique
        for level in range(len(steps) - 1, -1, -1):
            for pair, higher, lower in zip(*steps[level], strict=True):
                high = higher >> _SHIFT if higher & _LOW == 1 else known[higher]
                low = lower >> _SHIFT if lower & _LOW == 1 else known[lower]
                if high == low:
                    known[pair] = high
                else:
                    key = (level, high, low)
                    number = unique.get(key)
                    known[pair] = self._add(key) if number is None else number

    def _export(self, number: int) -> Bdd:
        """Return the function of a number, making what does not exist yet."""
        functions = self._functions
        todo = [number]
        while todo:
            current = todo[-1]
            if functions[current] is not None:
                todo.pop()
                continue
            high, low = functions[self._high[current]], functions[self._low[current]]
            if high is None or low is None:
                todo += (self._high[current], self._low[current])
                continue
            todo.pop()
            function = self.store.var(self._level[current]).ite(high, low)
            functions[current] = function
            self._number[function] = current
        found = functions[number]
        assert found is not None
        return found
