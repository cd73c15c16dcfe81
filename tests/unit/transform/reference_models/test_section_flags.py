"""Section flags: where a thread is inside an atomic section is a matter of the text, or the program is refused."""

from __future__ import annotations

import pytest

from knaster.base.errors import UnsupportedError
from knaster.frontends.languages import load
from knaster.transform.reference_models.section_flags import section_flags


def test_a_section_is_between_its_ends() -> None:
    program = load("decl g; void main() begin g := T; atomic_begin; g := F; atomic_end; g := T; end" + "\n")
    flags = section_flags(program)["main"]
    assert [flags[location] for location in range(5)] == [False, False, True, True, False]


def test_the_end_of_a_thread_is_the_end_of_its_section() -> None:
    program = load("decl g; void main() begin atomic_begin; g := F; end" + "\n")
    flags = section_flags(program)["main"]
    assert not flags[program.procedure("main").exit]


@pytest.mark.parametrize(
    "text",
    [
        "void main() begin if (*) then atomic_begin; fi skip; end",
        "void main() begin f(); end void f() begin atomic_begin; end",
        "void main() begin atomic_begin; f(); end void f() begin g(); end void g() begin end_thread; end",
    ],
)
def test_what_depends_on_the_run_is_refused(text: str) -> None:
    with pytest.raises(UnsupportedError, match="as a program with references"):
        section_flags(load(text + "\n"))
