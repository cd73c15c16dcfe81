"""A state as bits is the mapping that a dictionary would be."""

from __future__ import annotations

import pickle

from knaster.program.bit_state import BitScope, BitState


def test_it_says_what_a_dictionary_says() -> None:
    scope = BitScope(("g", "x", "@0"))
    for bits in range(8):
        state = scope.state(bits)
        plain = {"g": bool(bits & 1), "x": bool(bits & 2), "@0": bool(bits & 4)}
        assert state == plain and plain == state
        assert dict(state) == {**state} == plain
        assert list(state) == ["g", "x", "@0"] and len(state) == 3
        assert scope.bits_of(plain) == bits
        assert repr(state) == repr(plain)
        assert pickle.loads(pickle.dumps(state)) == plain
        assert all(type(value) is bool for value in state.values())


def test_states_are_equal_by_names_and_values() -> None:
    scope, other = BitScope(("g", "x")), BitScope(("x", "g"))
    assert scope.state(1) is scope.state(1)
    assert scope.state(1) != scope.state(2)
    assert scope.state(1) == other.state(2)
    assert scope.state(1) != other.state(1)
    assert scope.state(0) != BitState(BitScope(("g",)), 0)
    assert scope.state(0) != 0
    assert scope.mask(("x",)) == 2
