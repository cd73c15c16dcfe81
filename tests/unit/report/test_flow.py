"""Pictures of programs: well-formed, complete, without overlap, in time for large programs."""

from __future__ import annotations

import re
from itertools import combinations
from random import Random
from xml.etree import ElementTree

from knaster.frontends.boolean import parse
from knaster.program.model import Program
from knaster.report.flow.blocks import block_graph
from knaster.report.flow.dot import program_to_dot
from knaster.report.flow.layers import Size, place
from knaster.report.flow.listing import program_to_cfg
from knaster.report.flow.svg import program_to_svg
from knaster.report.source import SourceText
from support.generators.boolean_programs import LARGE, random_program
from support.oracles.shortest_traces import trace_to

SOURCE = """\
decl {a<b}, g;
main() begin
  decl h;
  while (*) do
    h := {a<b};
    L: if (h & g) then A(h); goto L; fi
  od
  assert(g | !h);
end
A(p) begin
  g := p;
  if (p) then return; fi
  E: goto E;
end
"""
SVG = "{http://www.w3.org/2000/svg}"


def test_every_statement_is_in_exactly_one_block() -> None:
    rng = Random(4)
    for model in [parse(SOURCE), *(random_program(rng, LARGE) for _ in range(50))]:
        for procedure in model.procedures:
            graph = block_graph(procedure, SourceText(model))
            rows = [row.location for block in graph.blocks for row in block.rows]
            assert len(rows) == len(set(rows))
            assert set(rows) >= {edge.source for edge in procedure.edges}
            assert graph.blocks[0].rows[0].location == procedure.entry


def test_blocks_and_links_of_a_loop() -> None:
    model = parse(SOURCE)
    graph = block_graph(model.procedures[0], SourceText(model))
    assert [[row.text for row in block.rows] for block in graph.blocks] == [
        ["while (*) do"],
        ["h := {a<b}"],
        ["L: if (h & g) then"],
        ["A(h)", "goto L"],
        ["assert(g | !h)"],
        ["end"],
        ["assertion fails"],
    ]
    assert [(link.source, link.target, link.label) for link in graph.links] == [
        (0, 1, "T"),
        (0, 4, "F"),
        (1, 2, ""),
        (2, 3, "T"),
        (2, 0, "F"),
        (3, 2, ""),
        (4, 5, "T"),
        (4, 6, "F"),
    ]


def test_svg_is_well_formed_and_shows_every_statement() -> None:
    model = parse(SOURCE)
    root = ElementTree.fromstring(program_to_svg(model))
    words = {element.text for element in root.iter(f"{SVG}text")}
    assert {"main()", "A(p)", "h := {a<b}", "A(h)", "goto L", "E: goto E", "assertion fails"} <= words
    assert len(list(root.iter(f"{SVG}path"))) == 2 + sum(
        len(block_graph(procedure, SourceText(model)).links) for procedure in model.procedures
    )


def test_a_trace_is_drawn_in_red() -> None:
    model = parse(SOURCE)
    plain, drawn = program_to_svg(model), program_to_svg(model, trace_to(model, None))
    assert 'class="taken"' not in plain and 'class="taken"' in drawn
    assert drawn.count('class="goal"') == 1


def test_hostile_names_are_escaped() -> None:
    model = parse('decl {a<b & c>"d"};\nvoid main() begin\n  {a<b & c>"d"} := T;\nend\n')
    ElementTree.fromstring(program_to_svg(model))
    assert '\\"d\\"' in program_to_dot(model)


def boxes_of(root: ElementTree.Element) -> list[tuple[float, float, float, float]]:
    return [
        (float(rect.get("x", 0)), float(rect.get("y", 0)), float(rect.get("width", 0)), float(rect.get("height", 0)))
        for rect in root.iter(f"{SVG}rect")
        if rect.get("class") in ("code", "exit", "failure")
    ]


def test_boxes_of_a_procedure_do_not_overlap() -> None:
    rng = Random(5)
    for _ in range(30):
        model = random_program(rng, LARGE)
        for procedure in model.procedures:
            root = ElementTree.fromstring(program_to_svg(Program(model.globals, (procedure,))))
            for (x, y, w, h), (x2, y2, w2, h2) in combinations(boxes_of(root), 2):
                assert x + w <= x2 or x2 + w2 <= x or y + h <= y2 or y2 + h2 <= y


def test_forward_edges_lead_down_and_order_is_kept() -> None:
    rng = Random(6)
    for _ in range(100):
        count = rng.randint(1, 12)
        edges = [(rng.randrange(count), rng.randrange(count)) for _ in range(rng.randint(0, 20))]
        placed = place([Size(rng.randint(1, 40), 10)] * count, edges, 5, 20)
        for index, (source, target) in enumerate(edges):
            assert (placed.rank[source] < placed.rank[target]) != (index in placed.back)
            assert len(placed.routes[index]) == max(0, placed.rank[target] - placed.rank[source] - 1)


def test_dot_names_every_block_and_call() -> None:
    text = program_to_dot(parse(SOURCE))
    assert text.count("subgraph cluster_") == 2
    assert "p0_3 -> p1_0 [style=dashed" in text
    assert len(re.findall(r"^ {4}p0_\d+ \[", text, re.MULTILINE)) == 7


def test_cfg_lists_every_edge() -> None:
    model = parse(SOURCE)
    text = program_to_cfg(model)
    assert text.count(" -> ") == sum(len(procedure.edges) for procedure in model.procedures)
    assert "globals: {a<b}, g" in text and "\nL:\n" in text


def test_large_programs_are_drawn() -> None:
    straight = "\n".join(f"  x := !x; // {index}" for index in range(20_000))
    branches = "\n".join(f"  if (x) then L{index}: x := F; goto L{index * 7 % 1500}; fi" for index in range(1_500))
    for body in (straight, branches):
        picture = program_to_svg(parse(f"void main() begin\n  decl x;\n{body}\nend\n"))
        ElementTree.fromstring(picture)
