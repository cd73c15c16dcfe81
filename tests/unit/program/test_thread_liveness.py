"""Which locals matter where: what a step reads, what it writes, and what a thread that is started takes along."""

from __future__ import annotations

from knaster.frontends.boolean import parse
from knaster.program.model import Call, Procedure
from knaster.program.thread_liveness import live_across, live_locals


def live_at_lines(text: str, name: str = "main") -> dict[int, set[str]]:
    procedure: Procedure = parse(text).procedure(name)
    live = live_locals(procedure)
    found: dict[int, set[str]] = {}
    for edge in procedure.edges:
        found.setdefault(edge.span.line, set()).update(live[edge.source])
    return found


def test_a_local_is_live_from_where_it_is_written_to_where_it_is_read() -> None:
    text = "decl g;\nvoid main() begin\ndecl x, y;\nx := *;\ny := T;\ng := x;\nskip;\nend\n"
    assert live_at_lines(text) == {4: set(), 5: {"x"}, 6: {"x"}, 7: set()}


def test_what_goes_to_a_global_is_read_because_others_may_look() -> None:
    text = "decl g;\nvoid main() begin\ndecl x;\nx := *;\ng := x;\ng := F;\nend\n"
    assert live_at_lines(text)[5] == {"x"}


def test_a_loop() -> None:
    text = "void main() begin\ndecl x, y;\nx := *;\nwhile (*) do\nif (x) then skip; fi\nx := y;\nod\nend\n"
    assert live_at_lines(text) == {3: {"y"}, 4: {"x", "y"}, 5: {"x", "y"}, 6: {"y"}}


def test_constraints_read_old_values_and_new_ones_of_what_is_not_assigned() -> None:
    text = "void main() begin\ndecl x, y, z;\nx := * constrain ('x = y & 'z);\nskip;\nend\n"
    assert live_at_lines(text)[3] == {"y", "z"}


def test_what_is_enforced_is_live_everywhere() -> None:
    text = "void main() begin\ndecl x, y;\nenforce (x);\ny := T;\nskip;\nend\n"
    assert all(names == {"x"} for names in live_at_lines(text).values())


def test_calls_and_results() -> None:
    text = "bool f(p) begin\nreturn !p;\nend\nvoid main() begin\ndecl x, y;\nx := f(y);\nif (x) then skip; fi\nend\n"
    assert live_at_lines(text, "f") == {2: {"p"}}
    assert live_at_lines(text) == {6: {"y"}, 7: {"x"}}
    program = parse(text)
    procedure = program.procedure("f")
    assert live_locals(procedure)[procedure.exit] == set(procedure.results)
    main = program.procedure("main")
    (edge,) = [edge for edge in main.edges if isinstance(edge.action, Call)]
    assert isinstance(edge.action, Call) and live_across(edge.action, live_locals(main)[edge.target]) == set()


def test_a_thread_that_is_started_elsewhere_takes_the_variables_along() -> None:
    text = "decl g;\nvoid main() begin\ndecl x, y;\nx := *;\nstart_thread goto L;\nend_thread;\nL: g := x;\nend\n"
    assert live_at_lines(text) == {4: set(), 5: {"x"}, 6: set(), 7: {"x"}}
    text = "void f(p) begin\nskip;\nend\nvoid main() begin\ndecl x;\nx := *;\nstart_thread f(x);\nskip;\nend\n"
    assert live_at_lines(text) == {6: set(), 7: {"x"}, 8: set()}
