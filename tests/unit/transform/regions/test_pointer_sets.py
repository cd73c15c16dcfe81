"""What a pointer may be: joins and moves of offsets."""

from __future__ import annotations

from knaster.transform.regions.pointer_sets import NULL, OBJECT, Base, PointerSet, join, join_offsets

A, B = Base(OBJECT, "", "a"), Base(OBJECT, "main", "b")


def test_offsets_join_to_a_congruence() -> None:
    assert join_offsets((4, 0), (4, 0)) == (4, 0)
    assert join_offsets((4, 0), (12, 0)) == (4, 8)
    assert join_offsets((2, 8), (6, 0)) == (2, 4)
    for one in ((3, 0), (1, 6), (5, 4)):
        for other in ((3, 0), (2, 10), (0, 3)):
            residue, stride = join_offsets(one, other)
            members = [part[0] + part[1] * i for part in (one, other) for i in range(-3, 4)]
            assert all((each - residue) % stride == 0 if stride else each == residue for each in members)


def test_null_has_no_offset() -> None:
    found = join(PointerSet(frozenset((NULL,))), PointerSet(frozenset((A,)), 12))
    assert found == PointerSet(frozenset((NULL, A)), 12) and found.objects == [A]
    assert join(found, PointerSet(frozenset((B,)), 4)) == PointerSet(frozenset((NULL, A, B)), 4, 8)
