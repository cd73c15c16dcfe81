"""The picture of a small graph: well formed, every name and label in it, arrows between the same nodes as one."""

from __future__ import annotations

from xml.etree import ElementTree

from knaster.base.circle_graph import Arrow, Node, draw_graph

SVG = "{http://www.w3.org/2000/svg}"


def test_everything_is_in_the_picture() -> None:
    nodes = [Node("a < b", begins=True), Node("end", ends=True)]
    picture = draw_graph(nodes, [Arrow(0, 1, "x"), Arrow(0, 1, "y"), Arrow(1, 1, "z", thick=True)], "a & b")
    root = ElementTree.fromstring(picture)
    texts = ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
    assert texts == ["a < b", "end", "x ory", "z"]
    assert len(list(root.iter(f"{SVG}circle"))) == 3 and root.findtext(f"{SVG}title") == "a & b"
    widths = [path.get("stroke-width") for path in root.iter(f"{SVG}path") if path.get("stroke-width")]
    assert widths == ["1", "2.5"]


def test_no_node_is_a_picture_too() -> None:
    assert ElementTree.fromstring(draw_graph([], [])).tag == f"{SVG}svg"
