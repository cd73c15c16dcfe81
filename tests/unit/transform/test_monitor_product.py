"""A program with a monitor: its own edges stay, and it fails where the monitor does."""

from __future__ import annotations

import knaster
from knaster.automata.monitor_files import read_monitor
from knaster.program.validate import validate
from knaster.transform.monitor_product import add_monitor, events_at

TEXT = "void f() begin skip; end\nvoid main() begin\n  f();\n  L: f();\n  skip;\nend\n"


def test_events() -> None:
    program = knaster.parse(TEXT)
    moves = ["A -> B : call f", "B -> E : label L", "B -> C : line 5", 'C -> E : line "L:*"', "C -> D : return main"]
    monitor = read_monitor("\n".join(["start A", "error E", *moves]))
    events = events_at(program, monitor)
    main = program.procedure("main")
    seen = [sorted(str(event) for event in events(main, edge)) for edge in main.edges]
    assert seen[:3] == [["call f"], ["call f", "label L", 'line "L:*"'], ["line 5", "return main"]]


def test_every_edge_stays() -> None:
    program = knaster.parse(TEXT)
    reduction = add_monitor(program, read_monitor("start A\nerror E\nA -> B : call f\nB -> E : call f\n"))
    assert validate(reduction.program, "main") == []
    main = reduction.program.procedure("main")
    assert {id(edge.origin) for edge in main.edges if edge.origin} == {id(e) for e in program.procedure("main").edges}
    assert reduction.program.procedure("f") is program.procedure("f")
    assert [(target.name, target.line) for target in reduction.targets.values()] == [("E", 3), ("E", 4)]
