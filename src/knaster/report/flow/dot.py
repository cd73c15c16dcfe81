"""A program in Graphviz's DOT language: one cluster for each procedure, a dashed edge for each call."""

from __future__ import annotations

from collections.abc import Iterator

from knaster.program.model import Program
from knaster.report.flow.blocks import Block, BlockGraph, block_graph, heading
from knaster.report.source import SourceText


def program_to_dot(program: Program) -> str:
    """Return the control-flow graphs of a program as a DOT text."""
    source = SourceText(program)
    graphs = [block_graph(procedure, source) for procedure in program.procedures]
    entries = {graph.procedure.name: f"p{index}_0" for index, graph in enumerate(graphs)}
    lines = [
        "digraph program {",
        "  graph [compound=true, fontname=monospace];",
        "  node [shape=box, fontname=monospace, fontsize=10];",
        "  edge [fontname=monospace, fontsize=9];",
    ]
    for index, graph in enumerate(graphs):
        lines += _cluster(f"p{index}", graph)
    for index, graph in enumerate(graphs):
        lines += _calls(f"p{index}", graph, entries)
    return "\n".join([*lines, "}", ""])


def _cluster(name: str, graph: BlockGraph) -> Iterator[str]:
    procedure = graph.procedure
    yield f"  subgraph cluster_{name} {{"
    yield f"    label={_quote(heading(procedure))};"
    for index, block in enumerate(graph.blocks):
        shape = {"exit": ", shape=oval", "failure": ", color=red"}.get(block.kind, "")
        yield f"    {name}_{index} [label={_label(block)}{shape}];"
    for link in graph.links:
        label = f' [label="{link.label}"]' if link.label else ""
        yield f"    {name}_{link.source} -> {name}_{link.target}{label};"
    yield "  }"


def _calls(name: str, graph: BlockGraph, entries: dict[str, str]) -> Iterator[str]:
    for index, block in enumerate(graph.blocks):
        for callee in sorted({row.calls for row in block.rows if row.calls is not None}):
            if callee in entries:
                yield f"  {name}_{index} -> {entries[callee]} [style=dashed, color=blue, constraint=false];"


def _label(block: Block) -> str:
    rows = (f"{row.span.line}: {row.text}" if row.is_statement else row.text for row in block.rows)
    return '"' + "".join(_escape(row) + "\\l" for row in rows) + '"'


def _quote(text: str) -> str:
    return f'"{_escape(text)}"'


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
