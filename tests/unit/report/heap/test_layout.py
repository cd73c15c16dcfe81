"""Where records and references of a picture stand."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

import knaster
from knaster.cli import main
from knaster.report.heap.drawing import heap_to_svg
from knaster.report.heap.layout import arrange
from knaster.report.heap.picture import Box, Picture, Row, picture

STRUCT = """struct Pair { int count; Node node; };
class Node { Pair pair; Node next; };
chan Mail Node;
array Long[40] int;
class Main {
  static Mail mail = new Mail;
  static Long row = new Long;
  activate static void main() {
    Node x = new Node;
    x.pair.node = x;
    send(mail, x);
    Deep(0);
  }
  static void Deep(int n) { assert(n < 20); Deep(n + 1); }
};
"""


def test_structs_growing_channels_long_arrays_and_deep_stacks() -> None:
    result = knaster.check(STRUCT)
    assert result.trace is not None
    boxes = {box.title: box for box in picture(result.program, result.trace, 3).boxes}
    assert [row.name for row in boxes["Node#1"].rows] == ["pair.count", "pair.node", "next"]
    assert boxes["Node#1"].rows[1].target == boxes["Node#1"].cell
    assert boxes["Mail#1"].changed and not boxes["Node#1"].changed
    assert len(boxes["Long#1"].rows) == 24 and boxes["Long#1"].rows[-1].name == "... 17 more"
    last = picture(result.program, result.trace)
    assert last.caption.endswith("; 10 frames are left out")
    assert sum(box.kind == "frame" for box in last.boxes) == 12


def drawn(*references: tuple[int, int], count: int) -> Picture:
    """Return a picture of cells with these references."""
    boxes = []
    for number in range(count):
        rows = [Row(f"r{target}", "", target) for source, target in references if source == number]
        boxes.append(Box("cell", f"Node#{number}", tuple(rows), number))
    return Picture(tuple(boxes), "cells")


@pytest.mark.parametrize(
    "shape",
    [
        drawn((0, 1), (1, 2), (2, 3), (1, 0), (2, 1), (3, 0), (0, 3), (2, 2), count=4),
        drawn(*((n, 2 * n + 1) for n in range(15)), *((n, 2 * n + 2) for n in range(15)), count=31),
        drawn(*((n, (7 * n + 3) % 60) for n in range(60)), *((n, n // 3) for n in range(60)), count=60),
        drawn(count=3),
    ],
)
def test_records_do_not_overlap_and_references_stay_inside(shape: Picture) -> None:
    whole = arrange(shape)
    places = [(x, y, x + s.width, y + s.height) for (x, y), s in zip(whole.corners, whole.sizes, strict=True)]
    for index, (left, top, right, bottom) in enumerate(places):
        assert left >= 0 and right <= whole.width and bottom <= whole.height
        for other in places[:index]:
            assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
    assert len(whole.paths) == len(shape.links())
    for path in whole.paths:
        for x, y in re.findall(r"(-?\d+) (-?\d+)(?=[CHVq]|$)", path.partition("q")[0]):
            assert -40 <= float(x) <= whole.width + 40 and 0 <= float(y) <= whole.height


def test_a_list_reads_from_left_to_right() -> None:
    corners = arrange(drawn((0, 1), (1, 2), (2, 3), (3, 4), count=5)).corners
    assert [x for x, _ in corners] == sorted({x for x, _ in corners})


@pytest.mark.parametrize("seed", range(8))
def test_a_tree_reads_from_top_to_bottom_as_its_fields_do(seed: int) -> None:
    """Whatever the order in which its cells were made, the first child stands above the second."""
    rng = Random(seed)
    names = list(range(1, 24))
    rng.shuffle(names)
    names.insert(0, 0)
    children: dict[int, list[int]] = {}
    for number in range(1, 24):  # a random tree in which every cell has at most two children
        parents = [each for each in range(number) if len(children.get(names[each], [])) < 2]
        children.setdefault(names[rng.choice(parents)], []).append(names[number])
    whole = arrange(drawn(*((cell, child) for cell in children for child in children[cell]), count=24))
    assert all(whole.corners[pair[0]][1] < whole.corners[pair[1]][1] for pair in children.values() if len(pair) == 2)


def test_two_pictures_may_stand_on_one_page() -> None:
    first, second = heap_to_svg(drawn((0, 1), count=2)), heap_to_svg(drawn((0, 1), (1, 0), count=2))
    keys = [re.findall(r' id="(\w+)"', text)[0] for text in (first, second)]
    assert keys[0] != keys[1] and all(
        f"url(#{keys[0]}-tip)" in line for line in first.split("\n") if "marker-end" in line
    )


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--format", "html"], 10, "<!DOCTYPE html>"),
        (["--draw", "3", "--format", "svg"], 10, "<svg"),
        (["--draw", "last", "--format", "dot"], 10, "digraph heap {"),
        (["--draw", "3", "--format", "json"], 1, "--draw makes a picture; --format json is none"),
        (["--format", "dot"], 1, "--format dot is for --draw STEP"),
        (["other.zing", "--draw", "1"], 1, "--draw shows one file"),
    ],
)
def test_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, said: str
) -> None:
    file = tmp_path / "struct.zing"
    file.write_text(STRUCT)
    assert main(["check", str(file), *arguments]) == code
    shown = capsys.readouterr()
    assert said in shown.out + shown.err
