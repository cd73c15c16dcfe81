"""Starts of threads: which procedures a program starts, and what a started one is given."""

from __future__ import annotations

from knaster.frontends.boolean import parse
from knaster.transform.threads.starts import edges_of, globals_written_by, started_procedure, starts_of

PROGRAM = parse(
    """decl g, h, k;
void main()
begin
  start_thread f(T);
  ASYNC_1: f(F);
  start_thread f(F);
  c();
end
void f(p)
begin
  decl x;
  g := p;
end
void c()
begin
  h := d();
  c();
end
bool d()
begin
  return k;
end
""",
    "a.bp",
)


def test_each_way_to_start_is_there_once() -> None:
    assert starts_of(PROGRAM)[0] == ("f", None)
    assert len(starts_of(PROGRAM)) == len(set(starts_of(PROGRAM)))


def test_what_is_started_at_the_entry_is_the_procedure() -> None:
    assert started_procedure(PROGRAM, ("f", None)) is PROGRAM.procedure("f")


def test_what_is_started_inside_is_given_its_frame() -> None:
    found = started_procedure(PROGRAM, ("f", 1))
    assert (found.parameters, found.locals, found.entry) == (("p", "x"), (), 1)


def test_what_a_procedure_may_write() -> None:
    assert globals_written_by(PROGRAM, "f") == {"g"}
    assert globals_written_by(PROGRAM, "c") == {"h"}  # the result of a call, and itself once
    assert globals_written_by(PROGRAM, "d") == set()
    assert globals_written_by(PROGRAM, "main") >= {"h"}


def test_every_edge_has_its_procedure() -> None:
    pairs = list(edges_of(PROGRAM))
    assert len(pairs) == sum(len(procedure.edges) for procedure in PROGRAM.procedures)
    assert all(edge in procedure.edges for procedure, edge in pairs)
