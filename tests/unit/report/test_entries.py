"""Traces as entries: Figure 1 to the letter, folding, and traces too long to write down."""

from __future__ import annotations

from itertools import islice, pairwise

from knaster import check
from knaster.evidence.traces.trace import Path, Step, Trace
from knaster.program.expression import FALSE, TRUE, Not, Var
from knaster.program.model import Assume, Call, Program, Return
from knaster.report.entries import FULL_LIMIT, EntryKind, Form, list_entries, with_changes
from knaster.report.sentence import reachable_traces
from support.building import SKIP, Assert, If, Labelled, Statement, assign, bebop_figure_1, dead, procedure, program
from support.oracles.shortest_traces import trace_to

FIGURE_1 = [
    (0, {"g": 1}),
    (1, {"g": 1, "h": 0}),
    *[(0, {"g": 1, "a1": 1, "a2": 0}), (1, {"g": 1, "a1": 1, "a2": 0})],
    *[(0, {"g": 1, "a1": 0, "a2": 1}), (3, {"g": 1, "a1": 0, "a2": 1})],
    (2, {"g": 1, "a1": 1, "a2": 0}),
    *[(2, {"g": 1, "h": 0}), (3, {"g": 1, "h": 0})],
    *[(0, {"g": 1, "a1": 1, "a2": 0}), (1, {"g": 1, "a1": 1, "a2": 0})],
    *[(0, {"g": 1, "a1": 0, "a2": 1}), (3, {"g": 1, "a1": 0, "a2": 1})],
    (2, {"g": 1, "a1": 1, "a2": 0}),
    *[(4, {"g": 1, "h": 0}), (5, {"g": 1, "h": 0}), (6, {"g": 1, "h": 0})],
]
"""Location and state just before each statement, as Bebop prints them (there in reverse and with line numbers)."""


def test_figure_1_has_the_lines_and_values_of_the_paper() -> None:
    model = bebop_figure_1()
    entries = list(list_entries(model, trace_to(model, "R")))
    assert [(entry.span.line - 1, dict(entry.state)) for entry in entries] == FIGURE_1
    assert [entry.depth for entry in entries] == [0, 0, 1, 1, 2, 2, 1, 0, 0, 1, 1, 2, 2, 1, 0, 0, 0]
    assert entries[-1].kind is EntryKind.TARGET


def test_calls_fold_into_one_entry_with_the_same_values() -> None:
    model = bebop_figure_1()
    entries = list(list_entries(model, trace_to(model, "R"), Form.CALLS))
    assert [entry.kind.value for entry in entries] == [
        "assign",
        "summary",
        "assume",
        "summary",
        "assume",
        "assume",
        "target",
    ]
    assert [dict(entry.state) for entry in entries] == [{"g": 1}] + 6 * [{"g": 1, "h": 0}]


def test_only_changes_of_the_same_activation_count() -> None:
    model = bebop_figure_1()
    changes = [sorted(changed) for _, changed in with_changes(list_entries(model, trace_to(model, "R")))]
    assert changes[:8] == [["g"], ["h"], ["a1", "a2", "g"], [], ["a1", "a2", "g"], [], [], []]


def test_a_failing_assertion_is_the_last_entry() -> None:
    model = program("", procedure("main", [assign("x", FALSE), Assert(Var("x"))], local="x"))
    entries = list(list_entries(model, trace_to(model, None)))
    assert [(entry.span.line, entry.kind, dict(entry.state)) for entry in entries] == [
        (1, EntryKind.ASSIGN, {}),
        (2, EntryKind.ASSUME, {"x": False}),
    ]


def test_results_are_hidden_and_what_they_carry_is_known() -> None:
    body: list[Statement] = [Call("f", (), ("x",)), If(Var("x"), [Labelled("R", SKIP)])]
    model = program("", procedure("main", body, local="x"), procedure("f", [Return((TRUE,))], results=1))
    entries = list(list_entries(model, trace_to(model, "R")))
    assert [entry.kind for entry in entries] == [EntryKind.CALL, EntryKind.RETURN, EntryKind.ASSUME, EntryKind.TARGET]
    assert [dict(entry.state) for entry in entries] == [{}, {}, {"x": True}, {"x": True}]


def test_values_that_do_not_matter_are_left_out() -> None:
    body: list[Statement] = [assign("y", Var("x")), dead("x"), Assume(Not(Var("y"))), Labelled("R", SKIP)]
    model = program("g", procedure("main", body, local="x y z"))
    states = [dict(entry.state) for entry in list_entries(model, trace_to(model, "R"))]
    assert states == [{"x": 0}, {"x": 0, "y": 0}, {"y": 0}, {"y": 0}]


def doubling(levels: int) -> tuple[Program, Trace]:
    """Return a program whose procedure i calls i + 1 twice, and the trace that shares every run."""
    names = [f"f{level}" for level in range(levels)]
    procedures = [procedure(name, [Call(below, ()), Call(below, ())]) for name, below in pairwise(names)]
    procedures.append(procedure(names[-1], [SKIP]))
    main = procedure("main", [Call("f0", ()), Labelled("R", SKIP)])
    model = program("", main, *procedures)
    run: Path | None = None
    for one in [*reversed(procedures), main]:
        steps = tuple(Step(edge, {}, run) for edge in one.edges if one is not main or isinstance(edge.action, Call))
        run = Path(one.name, {}, steps)
    assert run is not None
    return model, Trace.sequential((run,), 1)


def test_a_trace_of_2_to_the_800_steps_is_folded_and_says_so() -> None:
    model, trace = doubling(800)
    listing = list_entries(model, trace)
    assert [entry.kind for entry in listing] == [EntryKind.SUMMARY, EntryKind.TARGET]
    assert "about 10^24" in listing.note and "--trace full" in listing.note
    full = list_entries(model, trace, Form.FULL)
    assert f"{FULL_LIMIT:,}" in full.note
    count = sum(1 for _ in islice(full, 2 * FULL_LIMIT))
    assert FULL_LIMIT - 3 <= count <= FULL_LIMIT + 2


def test_a_short_trace_is_expanded_and_a_long_one_folded_by_default() -> None:
    for levels, kind in ((6, EntryKind.CALL), (9, EntryKind.SUMMARY)):
        model, trace = doubling(levels)
        assert next(iter(list_entries(model, trace))).kind is kind


def test_a_statement_of_c_is_one_entry_and_its_calls_have_their_names() -> None:
    text = "int f(void);\nint main(void) {\n  int x = f() & 3;\n  if (x == 2) ERROR: return 1;\n  return 0;\n}\n"
    report = check(text, "ERROR", file="x.c")
    (_, trace), *_ = reachable_traces(report)
    entries = list(list_entries(report.program, trace))
    assert [entry.span.line for entry in entries] == [3, 4, 4]
    assert dict(entries[0].state) == {"f()": 2}
    assert dict(entries[1].state) == {"x": 2, "f()": 2}
