"""How often a role may be there: threads from the start, those that are started once, those that are started often."""

from __future__ import annotations

import pytest

from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.boolean import parse
from knaster_check import read_program
from knaster_check.boolean.interference_file import Role, may_be_several
from knaster_check.program import Program

LATE = "void late() begin skip; end\n"


def program(main: str, more: str = "", any_number: tuple[str, ...] = ()) -> Program:
    text = f"decl g;\nvoid main_1() begin {main} end\nvoid main_2() begin skip; end\n{LATE}{more}"
    return read_program(program_to_kernel(parse(text, "a.bp"), any_number))


@pytest.mark.parametrize(
    ("main", "more", "role", "several"),
    [
        ("skip;", "", ("main_1", None), False),
        ("start_thread late();", "", ("late", None), False),
        ("start_thread late();", "", ("main_1", None), False),
        ("start_thread late(); start_thread late();", "", ("late", None), True),
        ("while (*) do start_thread late(); od", "", ("late", None), True),
        ("while (*) do skip; od start_thread late();", "", ("late", None), False),
        ("start_thread late(); while (*) do skip; od", "", ("late", None), False),
        ("f();", "void f() begin start_thread late(); end\n", ("late", None), True),
        ("start_thread main_2();", "", ("main_2", None), True),
        ("start_thread main_2();", "", ("main_1", None), False),
        ("start_thread main_1();", "", ("main_1", None), True),
        ("if (*) then start_thread late(); else skip; fi", "", ("late", None), False),
    ],
)
def test_how_often(main: str, more: str, role: Role, several: bool) -> None:
    assert may_be_several(program(main, more), role) is several


def test_a_thread_that_begins_in_the_middle() -> None:
    own = program("start_thread goto L; L: skip;")
    (location,) = (at for label, at in own.procedures["main_1"].labels if label == "L")
    assert may_be_several(own, ("main_1", location))  # a thread in it could start another
    assert not may_be_several(own, ("main_1", None))
    often = program("while (*) do start_thread goto L; od L: skip;")
    (location,) = (at for label, at in often.procedures["main_1"].labels if label == "L")
    assert may_be_several(often, ("main_1", location)) and not may_be_several(often, ("main_1", None))


def test_any_number_is_several() -> None:
    assert may_be_several(program("skip;", any_number=("main_1",)), ("main_1", None))
    assert not may_be_several(program("skip;", any_number=("main_1",)), ("main_2", None))
    assert may_be_several(program("start_thread late();", any_number=("main_1",)), ("late", None))
