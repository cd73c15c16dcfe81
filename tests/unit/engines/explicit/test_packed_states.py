"""States as bytes, first in, first out."""

from __future__ import annotations

from knaster.engines.explicit.packed_states import PackedStates, state_from_bytes, state_to_bytes


def test_equal_states_have_equal_bytes() -> None:
    one, same = (0, (1, True), (((0, 1, False, (2,)),),), ()), (0, (1, True), (((0, 1, False, (2,)),),), ())
    assert state_to_bytes(one) == state_to_bytes(same) and state_from_bytes(state_to_bytes(one)) == one


def test_first_in_first_out() -> None:
    queue, wanted, found = PackedStates(), [str(number).encode() for number in range(2000)], []
    for number, data in enumerate(wanted):
        queue.put(data)
        if number % 3 == 0 and (taken := queue.take()) is not None:
            found.append(taken)
    while (taken := queue.take()) is not None:
        found.append(taken)
    assert found == wanted and queue.size_in_bytes == 0 < queue.largest
