"""Traces of threads: who runs and after how many switches, in text, in a table with lanes, and in a picture."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest

import knaster
from knaster.evidence.answers.answer import Result
from knaster.report.entries import Form, list_entries
from knaster.report.html import trace_to_html
from knaster.report.json import trace_to_json
from knaster.report.lanes.picture import lanes_to_svg
from knaster.report.notebook import draw
from knaster.report.text import trace_to_text
from support import ROOT

EXAMPLES = ROOT / "examples"
BETWEEN = """\
decl g, h, seen;
init (!g & !h & !seen);

bool f(x)
begin
    h := T;
    return x;
end

void main_1()
begin
    g := f(T);
    if (seen) then
        ERROR: skip;
    fi
end

void main_2()
begin
    assume(h & !g);
    assume(g);
    seen := T;
end
"""
SVG = "{http://www.w3.org/2000/svg}"


def driver(*threads: str) -> Result:
    return knaster.check(EXAMPLES / "threads" / "driver.bp", threads=list(threads))


def lines_of(result: Result, form: Form | None = None, width: int = 80) -> list[str]:
    assert result.trace is not None
    return list(trace_to_text(result.program, result.trace, form, width))


def entries_of(result: Result) -> list[Any]:
    assert result.trace is not None
    return trace_to_json(result.program, result.trace)[0]


def test_a_rule_stands_between_contexts() -> None:
    lines = lines_of(driver("main_adder", "main_stopper*2"))
    assert lines[0].split()[:4] == ["thread", "context", "line", "procedure"]
    assert max(map(len, lines)) <= 80
    contexts: list[list[tuple[int, ...]]] = [[]]
    for line in lines[1:]:
        if set(line.strip()) == {"-"}:
            contexts.append([])
        elif re.match(r" {2,}\d+ +\d+ +\d+ ", line):
            contexts[-1].append(tuple(map(int, line.split()[:2])))
    assert [set(context) for context in contexts] == [{(1, 0)}, {(2, 1)}, {(3, 2)}, {(1, 3)}]


@pytest.mark.parametrize("width", [80, 100, 120])
def test_no_statement_is_cut_where_there_is_room(width: int) -> None:
    result = driver("main_adder*2", "main_stopper")
    lines = lines_of(result, width=width)
    assert max(map(len, lines)) <= width
    assert not any("..." in line for line in lines if "c3, c2, c1" not in line)
    assert any("if (!n3 & !n2 & !n1 & !n0) then" in line for line in lines)


def test_a_return_that_begins_a_context_has_an_entry_at_the_call() -> None:
    result = knaster.check(BETWEEN)
    back = [entry for entry in entries_of(result) if entry["edge"] == "back"]
    assert len(back) == 1
    call = next(entry for entry in entries_of(result) if entry["edge"] == "call")
    for field in ("line", "column", "procedure", "depth", "thread"):
        assert back[0][field] == call[field]
    assert (back[0]["context"], back[0]["state"]) == (2, {"g": 0, "h": 1, "seen": 0})
    (line,) = [line for line in lines_of(result) if "comes back" in line]
    assert line.split()[:4] == ["1", "2", "12", "main_1"] and line.strip().endswith("g := f(T) (comes back)")


def test_a_return_inside_a_context_has_no_entry() -> None:
    result = knaster.check(BETWEEN.replace("assume(h & !g);", "assume(h);"))
    assert "back" not in [entry["edge"] for entry in entries_of(result)]


@pytest.mark.parametrize("form", [None, Form.CALLS, Form.FULL])
def test_a_call_that_is_interrupted_is_never_folded(form: Form | None) -> None:
    lines = lines_of(knaster.check(BETWEEN), form)
    assert not any("(returns)" in line for line in lines)
    assert any("h := T" in line for line in lines)


def test_a_call_that_is_not_interrupted_is_folded_on_demand() -> None:
    lines = lines_of(driver("main_adder", "main_stopper*2"), Form.CALLS)
    assert any("leave() (returns)" in line for line in lines)
    whole = lines_of(driver("main_adder", "main_stopper*2"), Form.FULL)
    assert len(whole) > len(lines) and not any("(returns)" in line for line in whole)


def test_threads_and_contexts_are_numbered_in_json() -> None:
    result = driver("main_adder*2", "main_stopper")
    assert result.trace is not None and result.trace.switches == 4
    pairs = [(entry["context"], entry["thread"]) for entry in entries_of(result)]
    assert list(dict.fromkeys(pairs)) == [(0, 1), (1, 3), (2, 2), (3, 3), (4, 1)]
    assert pairs == sorted(pairs)


def test_started_threads_take_the_next_numbers() -> None:
    result = knaster.check(EXAMPLES / "threads" / "started.bp")
    threads = {entry["thread"]: entry["procedure"] for entry in reversed(entries_of(result))}
    assert threads == {1: "main", 2: "guest", 3: "guest"}
    assert result.trace is not None
    assert "thread 3: guest" in trace_to_html(result.program, result.trace)


def table(result: Result) -> list[list[str]]:
    """Return the cells of the table of a trace, row by row."""
    assert result.trace is not None
    root = ElementTree.fromstring(f"<main>{trace_to_html(result.program, result.trace)}</main>")
    return [["".join(cell.itertext()) for cell in row] for row in root.iter("tr")]


def test_a_table_has_a_lane_for_each_thread() -> None:
    result = driver("main_adder*2", "main_stopper*2")
    head, *rows = table(result)
    names = ["thread 1: main_adder", "thread 2: main_adder", "thread 3: main_stopper", "thread 4: main_stopper"]
    assert head == ["line", "procedure", *names, "values before it"]
    running = [[number for number, text in enumerate(row[2:-1], 1) if text] for row in rows if len(row) > 1]
    assert running == [[entry["thread"]] for entry in entries_of(result)]
    rules = [row[0] for row in rows if len(row) == 1]
    assert rules == [
        "switch 1: thread 3 (main_stopper)",
        "switch 2: thread 4 (main_stopper)",
        "switch 3: thread 1 (main_adder)",
    ]
    assert [row for row in rows if len(row) > 1][-1][2].strip() == "ERROR: failed := T"


def test_a_long_statement_does_not_make_its_lane_wide() -> None:
    result = driver("main_adder*2", "main_stopper*2")
    assert result.trace is not None
    cells = [cell for row in table(result)[1:] if len(row) > 1 for cell in row[2:-1]]
    assert max(map(len, cells)) <= 44
    assert 'title="c3, c2, c1, c0 := c3 ^ (c2 &amp; c1 &amp; c0), c2 ^' in trace_to_html(result.program, result.trace)


def test_a_picture_has_a_lane_for_each_thread_and_an_arrow_for_each_switch() -> None:
    result = driver("main_adder*2", "main_stopper*2")
    assert result.trace is not None
    text = lanes_to_svg(result.program, result.trace)
    assert draw(result).to_svg() == text == result._repr_svg_()
    root = ElementTree.fromstring(text)
    assert len([path for path in root.iter(f"{SVG}path") if path.get("class") == "switch"]) == 3
    heads = {e.text: float(e.get("x", "0")) for e in root.iter(f"{SVG}text") if e.get("class") == "head"}
    assert len([head for head in heads if head and head.startswith("thread ")]) == 4
    boxes = [e for e in root.iter(f"{SVG}rect") if e.get("stroke")]
    lanes = [heads[f"thread {n}: {name}"] for n, name in ((1, "main_adder"), (3, "main_stopper"), (4, "main_stopper"))]
    assert [float(box.get("x", "0")) for box in boxes] == [*lanes, lanes[0]]
    edges = [(float(b.get("y", "0")), float(b.get("y", "0")) + float(b.get("height", "0"))) for b in boxes]
    assert all(below > end for (_, end), (below, _) in pairwise(edges))
    statements = [e for e in root.iter(f"{SVG}text") if e.get("class") in (None, "goal")]
    listed = list(list_entries(result.program, result.trace))
    assert len(statements) == len(listed)
    for statement in statements:
        x, y = float(statement.get("x", "0")), float(statement.get("y", "0"))
        within = [(b, e) for b, e in zip(boxes, edges, strict=True) if e[0] < y < e[1]]
        assert len(within) == 1 and x > float(within[0][0].get("x", "0"))


def test_a_long_context_is_shortened_in_a_picture() -> None:
    long = "void main_1() begin\n" + "  skip;\n" * 60 + "  ERROR: skip;\nend\nvoid main_2() begin\n  skip;\nend\n"
    result = knaster.check(long)
    assert "... 21 more statements ..." in draw(result).to_svg()
    assert len(table(result)) == 62


def test_text_from_a_program_is_escaped() -> None:
    result = knaster.check(
        "decl {a<b};\nvoid main_1() begin\n  {a<b} := T;\n  ERROR: skip;\nend\nvoid main_2() begin\n end\n"
    )
    assert result.trace is not None
    ElementTree.fromstring(draw(result).to_svg())
    assert [row[2] for row in table(result) if len(row) > 1 and ":=" in row[2]] == ["{a<b} := T"]


def test_a_sequential_trace_has_no_lanes() -> None:
    result = knaster.check(EXAMPLES / "figure1.bp", "R")
    assert result.trace is not None
    assert "thread" not in trace_to_html(result.program, result.trace)
    assert 'class="taken"' in draw(result).to_svg()
    assert lines_of(result)[0].split()[0] == "line"


def test_threads_of_programs_with_references_have_lanes_and_contexts() -> None:
    result = knaster.check(EXAMPLES / "zing" / "philosophers-deadlock.zing")
    assert result.trace is not None
    assert list(dict.fromkeys((e["context"], e["thread"]) for e in entries_of(result))) == [
        (0, 1),
        (1, 2),
        (2, 3),
        (3, 4),
    ]
    assert next(row[0] for row in table(result) if len(row) == 1) == "switch 1: thread 2 (Eat)"
    ElementTree.fromstring(draw(result).to_svg())


def test_a_sequential_program_has_one_thread_and_no_bound() -> None:
    found = json.loads(knaster.check(EXAMPLES / "figure1.bp", "R").to_json())
    assert found["threads"] == ["main"] and found["bound"] is None
    (target,) = found["targets"]
    assert target["least"] is None
    assert {(entry["thread"], entry["context"]) for entry in target["trace"]} == {(1, 0)}
