"""Single steps of threads: what a procedure enforces, and the way back into a caller."""

from __future__ import annotations

from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.boolean import parse
from knaster_check import read_program
from knaster_check.boolean.thread_steps import Letter, Step, Threads
from knaster_check.program import Program


def read(text: str) -> Program:
    return read_program(program_to_kernel(parse(text, "a.bp")))


def steps(program: Program, stack: tuple[Letter, ...], section: bool = False, g: bool = False) -> list[Step]:
    return list(Threads(program).steps(stack, section, (g,)))


def test_a_step_keeps_what_is_enforced_and_what_is_constrained() -> None:
    program = read("decl g;\nvoid main() begin enforce !g; g := * constrain 'g | g; end\n")
    assert steps(program, (Letter("main", 0, (), None, True),)) == []
    free = read("decl g;\nvoid main() begin g := * constrain 'g | g; end\n")
    assert {step.shared for step in steps(free, (Letter("main", 0, (), None, True),))} == {(True,)}
    kept = read("decl g;\nvoid main() begin enforce !g; g := *; end\n")
    assert {step.shared for step in steps(kept, (Letter("main", 0, (), None, True),))} == {(False,)}


CALLS = "decl g;\nvoid main() begin f(); end\nvoid f() begin h(); skip; end\nvoid h() begin skip; end\n"


def test_the_way_back_keeps_what_is_below() -> None:
    program = read(CALLS)
    top = Letter("h", program.procedures["h"].exit, (), None, False)
    middle, low = Letter("f", 0, (), 0, False), Letter("main", 0, (), 0, True)
    (step,) = steps(program, (top, middle, low), section=True)
    assert step.stack == (Letter("f", program.procedures["f"].edges[0].target, (), None, False), low)
    assert step.section and step.edge is None


def test_a_section_ends_with_its_thread() -> None:
    program = read("decl g;\nvoid main() begin f(); end\nvoid f() begin skip; end\n")
    top = Letter("f", program.procedures["f"].exit, (), None, False)
    (step,) = steps(program, (top, Letter("main", 0, (), 0, True)), section=True)
    ends = step.stack[0].location == program.procedures["main"].exit
    assert step.section is not ends
    (last,) = steps(program, step.stack, section=True) if not ends else (step,)
    assert not last.section
