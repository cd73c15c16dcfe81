"""The order in which to visit a program."""

from __future__ import annotations

from knaster.frontends.boolean import parse
from knaster.program.traversal import call_sites, callees_first, reverse_postorder

PROGRAM = parse("""decl g;
void main() begin while (g) do a(); od b(); end
void a() begin b(); end
void b() begin if (*) then b(); fi end
""")


def test_callees_come_first() -> None:
    assert [procedure.name for procedure in callees_first(PROGRAM)] == ["b", "a", "main"]


def test_locations_come_before_their_successors_but_for_loops() -> None:
    main = PROGRAM.procedure("main")
    order = reverse_postorder(main)
    assert sorted(order) == list(range(main.size)) and order[0] == main.entry
    back = [edge for edge in main.edges if order.index(edge.target) <= order.index(edge.source)]
    assert len(back) == 1


def test_call_sites() -> None:
    sites = call_sites(PROGRAM)
    assert [caller.name for caller, _ in sites["b"]] == ["main", "a", "b"] and sites["main"] == []
