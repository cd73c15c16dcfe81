"""The kind of a program: who says it, who keeps it, and which variables fit it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from knaster.evidence.questions.question import Bound, Reach
from knaster.evidence.questions.targets import resolve_targets
from knaster.frontends.languages import load
from knaster.program.model import Edge, Kind, Procedure, Program, Return, Types
from knaster.program.objects import Objects
from knaster.program.types import BOOL, Array, Int, Pointer
from knaster.program.validate import validate, why_unfit
from knaster.transform.threads.sequentialize import sequentialize

BOOLEAN = "decl g;\nvoid main() begin g := 1; end\n"
THREADS = "decl g;\nvoid f() begin assert(!g); end\nvoid main() begin start_thread goto L; g := 1; L: f(); end\n"
NUMBERS = "int main(void) { int x = 1; return x; }\n"
TRUTHS = "_Bool b;\nint main(void) { return 0; }\n"
HEAP = "class C { activate static void main() { int x; x = 1; } };\n"


@pytest.mark.parametrize(
    ("text", "file", "kind"),
    [
        (BOOLEAN, "a.bp", Kind.BOOLEAN),
        (THREADS, "a.bp", Kind.BOOLEAN),
        (NUMBERS, "a.c", Kind.INTEGERS),
        (TRUTHS, "a.c", Kind.INTEGERS),  # C is over integers even where no variable is one
        (HEAP, "a.zing", Kind.REFERENCES),
    ],
)
def test_front_ends_say_the_kind_and_the_variables_fit_it(text: str, file: str, kind: Kind) -> None:
    program = load(text, file=file)
    assert program.kind is kind and why_unfit(program) is None
    assert program.is_boolean is (kind is Kind.BOOLEAN)


def test_threads_as_one_sequential_program_keep_the_kind() -> None:
    program = load(THREADS, file="a.bp")
    question = Reach(resolve_targets(program, None), Bound("switches", 1))
    assert sequentialize(program, question).program.kind is Kind.BOOLEAN


def with_types(kind: Kind, shared: Types = (), local: Types = ()) -> Program:
    """Return a program with a global and a local of these types, of a kind that may not fit them."""
    main = Procedure("main", (), (), ("x",), 0, 1, (Edge(0, Return(()), 1),), types=local)
    return Program(("g",), (main,), kind=kind, types=shared)


NUMBER = Int(8)


@pytest.mark.parametrize(
    ("shared", "local", "fitting"),
    [
        ((), (), {Kind.BOOLEAN, Kind.INTEGERS, Kind.MEMORY}),
        ((("g", NUMBER),), (), {Kind.INTEGERS, Kind.MEMORY}),
        ((), (("x", NUMBER),), {Kind.INTEGERS, Kind.MEMORY}),
        ((), (("x", Array(Array(BOOL, 2), 2)),), {Kind.INTEGERS, Kind.MEMORY}),
        ((), (("x", Pointer("C")),), {Kind.MEMORY}),
        ((("g", Array(Pointer("C"), 2)),), (), {Kind.MEMORY}),
    ],
)
def test_variables_fit_their_kind_or_are_refused(shared: Types, local: Types, fitting: set[Kind]) -> None:
    for kind in Kind:
        program = with_types(kind, shared, local)
        assert (why_unfit(program) is None) is (kind in fitting)
        assert bool(validate(program)) is (kind not in fitting)


def test_only_programs_with_references_declare_a_heap() -> None:
    for kind in Kind:
        program = replace(with_types(kind), objects=Objects())
        assert (why_unfit(program) is None) is (kind is Kind.REFERENCES)
    misfit = why_unfit(with_types(Kind.REFERENCES))
    assert misfit == "the program is one of kind 'references', and no heap is declared"


def test_programs_of_two_kinds_are_two_programs() -> None:
    assert with_types(Kind.BOOLEAN) == with_types(Kind.BOOLEAN) != with_types(Kind.INTEGERS)
