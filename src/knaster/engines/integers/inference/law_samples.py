"""Runs calls depth first to learn laws of them; laws that were guessed from earlier calls stand in for later ones.

So `ackermann(3, 23)`, which makes 2^26 different calls, is run as far as nobody knows what a call does: after a few
calls `ackermann(2, n)` is known to be `2 * n + 3`.  Nothing is certain about what is found, because a guess may be
wrong and everything after it too; `hard_houdini` says what holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations

from knaster.base.records import dataclass, field
from knaster.engines.integers.inference.laws import Held, Law, Numbers, Signature, guess_law, law_of_call
from knaster.program.model import Location
from knaster.program.state import Undefined
from knaster.program.types import Value
from knaster.semantics.python_code import Code, Enter, Test, Write
from knaster.semantics.tabulation import LARGEST

_STEPS = 100_000  # of all runs, a fraction of a second
_TRIES = (1, 2, 4)  # a law is guessed from so many times the least number of calls
_SURE = 2  # and stands in for calls when there are so many times that number: until then what they call is seen too
_PAIRS = 6  # with more variables than that only one of them is held
_MOST = 150  # laws of one procedure


@dataclass(slots=True)
class _Frame:
    """A call that is being run."""

    code: Code
    given: Numbers | None  # of a procedure that has a signature
    state: list[Value]
    location: Location
    waiting: Enter | None = None


@dataclass(slots=True)
class _CallRecord:
    """What is known of the calls of one procedure."""

    calls: dict[Numbers, Numbers] = field(default_factory=dict)
    groups: dict[Held, dict[Numbers, Numbers]] = field(default_factory=dict)
    laws: dict[Held, Law] = field(default_factory=dict)


class _StoppedRun(Exception):
    """A run that did not come to its end."""


class LawLearner:
    """Calls of procedures that read no input; those with a signature are remembered."""

    def __init__(
        self, codes: Mapping[str, Code], signatures: Mapping[str, Signature], check: Callable[[], None]
    ) -> None:
        self.codes = codes
        self.signatures = signatures
        self.check = check
        self.known = {name: _CallRecord() for name in signatures}
        self.steps = _STEPS

    def run_call(self, name: str, steps: int, values: tuple[Value, ...]) -> tuple[Value, ...] | None:
        """Return the state in which a call with these globals and arguments ends; None where it takes more steps."""
        try:
            return tuple(self._run(name, values, max(0, self.steps - steps)))
        except (_StoppedRun, Undefined):
            return None

    def laws(self, name: str) -> list[Law]:
        """Return what was learned of a procedure: the calls of which no law speaks as laws of their own."""
        known = self.known[name]
        found = list(known.laws.values())
        single = [law_of_call(*call) for call in known.calls.items() if not any(law.applies(call[0]) for law in found)]
        return [*found, *single][:_MOST]

    def _run(self, name: str, values: tuple[Value, ...], least: int) -> list[Value]:
        """Return the state at the end of a call; so many steps have to be left over."""
        begun = self._begin_call(name, values)
        if isinstance(begun, list):
            return begun
        stack, running = [begun], {(name, begun.given)}
        while True:
            frame = stack[-1]
            while frame.location != frame.code.procedure.exit:
                self.steps -= 1
                if self.steps <= least:
                    raise _StoppedRun
                entered = self._step(frame)
                if entered is not None:
                    key = (entered.code.procedure.name, entered.given)
                    if entered.given is not None and key in running:
                        raise _StoppedRun  # it never ends
                    running.add(key)
                    stack.append(entered)
                    break
            else:
                self.check()
                if frame.given is not None:
                    signature = self.signatures[frame.code.procedure.name]
                    self._learn(signature, frame.given, _numbers_of(frame.code, signature.left, frame.state))
                stack.pop()
                running.discard((frame.code.procedure.name, frame.given))
                if not stack:
                    return frame.state
                self._return(stack[-1], frame.code, frame.state)

    def _begin_call(self, name: str, values: tuple[Value, ...]) -> _Frame | list[Value]:
        """Return a call at its beginning, or its last state where that is known."""
        code = self.codes[name]
        state = [*values, *code.initial[len(values) :]]
        _expect_moderate(state)
        signature = self.signatures.get(name)
        if signature is None:
            return _Frame(code, None, state, code.procedure.entry)
        given = _numbers_of(code, signature.given, state)
        left = self._known_result(signature, given)
        if left is None:
            return _Frame(code, given, state, code.procedure.entry)
        for variable, value in zip(signature.left, left, strict=True):
            state[code.scope.index(variable)] = value
        return state

    def _known_result(self, signature: Signature, given: Numbers) -> Numbers | None:
        """Return what a call leaves behind, where it was seen or a law speaks of it."""
        known = self.known[signature.name]
        if given in known.calls:
            return known.calls[given]
        for law in known.laws.values():
            if law.applies(given) and len(known.groups[law.held]) >= _SURE * _least(given, law.held):
                left = law.result(signature, given)
                self._learn(signature, given, left)  # perhaps a law of more calls
                return left
        return None

    def _step(self, frame: _Frame) -> _Frame | None:
        """Take a step; return the call that has to be run first, if any."""
        for move in frame.code.moves[frame.location]:
            match move:
                case Test(edge, holds):
                    if not holds(frame.state):
                        continue
                case Write(edge, apply):
                    apply(frame.state)
                    _expect_moderate(frame.state)
                case Enter(edge, name, arguments):
                    frame.waiting = move
                    begun = self._begin_call(name, (*frame.state[: frame.code.globals], *arguments(frame.state)))
                    if isinstance(begun, _Frame):
                        return begun
                    self._return(frame, self.codes[name], begun)
                    return None
                case _:
                    raise _StoppedRun
            frame.location = edge.target
            return None
        raise _StoppedRun

    def _return(self, frame: _Frame, callee: Code, state: list[Value]) -> None:
        """Go on after a call."""
        assert frame.waiting is not None
        frame.state[: callee.globals] = state[: callee.globals]
        for place, result in zip(frame.waiting.targets, callee.results, strict=False):
            if place is not None:
                frame.state[place] = state[result]
        frame.location, frame.waiting = frame.waiting.edge.target, None

    def _learn(self, signature: Signature, given: Numbers, left: Numbers) -> None:
        """Remember what a call left behind, and see whether there is a law now."""
        known = self.known[signature.name]
        known.calls[given] = left
        for held in _groups_of(given):
            group = known.groups.setdefault(held, {})
            group[given] = left
            law = known.laws.get(held)
            if law is not None and law.result(signature, given) != left:
                del known.laws[held]
            if law is None and len(group) in [times * _least(given, held) for times in _TRIES]:
                law = guess_law(held, group)
                if law is not None:
                    known.laws = {key: law for key, law in known.laws.items() if not set(held) < set(key)}
                    known.laws[held] = law
            if held in known.laws:
                return


def _expect_moderate(state: list[Value]) -> None:
    """Stop where a number is so large that computing with it takes long: mathematical integers may be squared."""
    if any(isinstance(value, int) and value.bit_length() > LARGEST for value in state):
        raise _StoppedRun


def _numbers_of(code: Code, names: tuple[str, ...], state: list[Value]) -> Numbers:
    values = [state[code.scope.index(name)] for name in names]
    return tuple(value for value in values if isinstance(value, int))


def _least(given: Numbers, held: Held) -> int:
    """Return from how many calls a law is guessed: more where much can be otherwise."""
    return 5 if held or len(given) == 1 else 16


def _groups_of(given: Numbers) -> Iterator[Held]:
    """Yield what a call has in common with others with which it is looked at together, the least first."""
    yield ()
    for size in (1, 2) if len(given) <= _PAIRS else (1,):
        if size < len(given):
            yield from combinations(enumerate(given), size)
