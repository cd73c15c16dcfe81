"""Members of structs as bases of their own: where pointers stand after moves, and what is not split."""

from __future__ import annotations

import pytest

from knaster.program.memory import Extent
from knaster.transform.regions.pointer_sets import OBJECT, Base, PointerSet
from knaster.transform.regions.windows import Offsets, Unsplit, Windows, moved
from support.regions import compare_with_memory, reduce_text

A, S = Base(OBJECT, "", "a"), Base(OBJECT, "main", "s")
LENGTH, BUFFER, COUNT = (S._replace(window=start) for start in (0, 4, 24))
SPLIT = Windows({S: (Extent(0, 4), Extent(4, 16, True), Extent(24, 4))})
QUEUE = "struct q { int len; char buf[4]; int last; }; "


def test_moves_of_what_is_not_split() -> None:
    start = PointerSet(frozenset((A,)))
    assert moved(start, 3, 4, False, SPLIT) == start._replace(residue=12)
    assert moved(moved(start, None, 12, False, SPLIT), None, -4, False, SPLIT) == start._replace(stride=4)


def test_an_address_has_one_name() -> None:
    assert SPLIT.at(S, 0) == (LENGTH, 0) and SPLIT.at(S, 19) == (BUFFER, 15) and SPLIT.at(S, 20) == (S, 20)
    start = Offsets(LENGTH, 0, 0)
    assert SPLIT.move(start, 4, 1, True) == Offsets(BUFFER, 0, 0)
    assert SPLIT.move(SPLIT.move(start, 24, 1, True), -20, 1, True) == Offsets(BUFFER, 0, 0)
    assert SPLIT.move(SPLIT.move(start, 28, 1, False), -1, 28, False) == start


def test_the_end_of_an_array_is_its_own_and_a_member_behind_it_is_another() -> None:
    windows = Windows({S: (Extent(0, 4, True), Extent(4, 4))})
    start = Offsets(S._replace(window=0), 0, 0)
    assert windows.move(start, 4, 1, False) == start._replace(residue=4)
    assert windows.move(start, 4, 1, True) == Offsets(S._replace(window=4), 0, 0)


def test_an_index_stays_in_its_member() -> None:
    assert SPLIT.move(Offsets(BUFFER, 3, 0), None, 1, False) == Offsets(BUFFER, 0, 1)
    for base, scale in ((LENGTH, 28), (LENGTH, 1), (BUFFER, 28), (S, 4)):
        with pytest.raises(Unsplit):
            SPLIT.move(Offsets(base, 0, 0), None, scale, False)


def test_bytes_of_two_members_are_not_split() -> None:
    SPLIT.check_access(Offsets(BUFFER, 12, 0), 4, 28)
    SPLIT.check_access(Offsets(S, 28, 0), 4, 28)
    for places in (Offsets(BUFFER, 13, 0), Offsets(S, 21, 0), Offsets(S, 0, 4)):
        with pytest.raises(Unsplit):
            SPLIT.check_access(places, 4, 28)


def test_a_struct_with_an_array_is_split() -> None:
    text = QUEUE + "void put(struct q *q, int c) { if (q->len < 4) q->buf[q->len++] = c; } "
    text += "int main(void) { struct q one = {0}, two = {1}, *p = &one; put(p, 1); p = &two; put(p, 2); "
    text += "if (one.buf[0] + two.buf[1] == 3 && p->last == 0) { ERROR: ; } return 0; }"
    names = reduce_text(text).program.globals
    assert set(names) == {"one.len", "one.buf", "one.last", "two.len", "two.buf", "two.last"}
    assert compare_with_memory(text, "reach") == (1, 1)


@pytest.mark.parametrize("index, targets", [("3", ["ERROR"]), ("12", ["index", "bounds"]), ("-5", ["index", "bounds"])])
def test_an_index_beyond_the_object_is_out_of_bounds(index: str, targets: list[str]) -> None:
    text = QUEUE + f"int main(void) {{ struct q s = {{0}}; int i = {index}; s.buf[i] = 1; ERROR: return s.len; }}"
    known, reached = compare_with_memory(text, "safety")
    assert known and reached == len(targets)


def test_an_index_beyond_its_member_is_unclear() -> None:
    for index in ("4", "-1", "7"):
        text = QUEUE + f"int main(void) {{ struct q s = {{0}}; int i = {index}; s.buf[i] = 1; ERROR: return s.len; }}"
        assert compare_with_memory(text, "safety") == (0, 1)  # the label of the index comes before


def test_pointers_to_the_end_and_to_other_members_compare() -> None:
    text = QUEUE + "int main(void) { struct q s = {0}; int n = 0; for (char *p = s.buf; p < s.buf + 4; p++) n += !*p; "
    text += "int *a = &s.len, *b = &s.last; if (n == 4 && a != b && a != &s.last && b == &s.last) { ERROR: ; } "
    assert compare_with_memory(text + "return 0; }", "reach") == (1, 1)
    unclear = QUEUE + "int main(void) { struct q s = {0}; char *e = s.buf + 4; if (e == (char *)&s.last) { ERROR: ; } "
    assert compare_with_memory(unclear + "return 0; }", "reach") == (0, 0)


def test_a_whole_struct_is_still_taken_where_its_members_are_alike() -> None:
    text = "struct v { int x, y, z[2]; }; int sum(int *a, int n) { int s = 0; while (n--) s += a[n]; return s; } "
    text += (
        "int main(void) { struct v v = {1, 2, {3, 4}}; struct v *p = &v; int i = 0; if (p[i].z[i] == 3) { ERROR: ; } "
    )
    assert compare_with_memory(text + "return 0; }", "reach") == (1, 1)
