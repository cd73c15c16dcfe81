"""`knaster show --as summaries`: what calls see before, and what they leave behind."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import knaster
from knaster.base.errors import UsageError
from knaster.cli import main
from knaster.decide.shown_forms import effect_table
from knaster.report.heap.summaries import after, before, summaries_to_svg
from knaster.report.heap.values import Shown

FIGURE_1 = """class BoolBox { bool x = true; };
class Main {
  static BoolBox g1;
  static BoolBox g2;
  activate static void main() {
    g1 = new BoolBox;
    g2 = g1;
    g1.x = false;
    M();
    assert((g1.x == false) && (g2.x == false));
  }
  static void M() {
    BoolBox f;
    bool nd;
    f = new BoolBox;
    nd = choose(bool);
    if (nd) { f.x = g1.x; g1 = f; M(); }
  }
};
"""
OTHERS = """struct Pair { int left; Node right; };
class Node { Pair pair; };
chan Mail int;
class Main {
  static Mail mail = new Mail;
  static Pair pair;
  activate static void main() {
    Node node; int got;
    node = Make(3, out got);
    Never();
  }
  static Node Make(int size, out int got) {
    Node node = new Node;
    node.pair.left = size;
    node.pair.right = node;
    pair = node.pair;
    send(mail, size);
    got = size + 1;
    return node;
  }
  static void Never() { while (true) { ; } }
};
"""
ENDLESS = """class Main {
  activate static void main() { M(0); }
  static void M(int i) { M(i + 1); }
};
"""


@pytest.mark.parametrize(
    ("engine", "headlines"),
    [
        ("patterns", ["main: 1 pattern, 2 effects", "M: 1 pattern, 2 effects"]),
        ("visible", ["main: 1 entry, 2 effects", "M: 2 entries, 4 effects"]),
    ],
)
def test_figure_1_fits_on_a_page(engine: str, headlines: list[str]) -> None:
    text = summaries_to_svg(*effect_table(knaster.parse(FIGURE_1), engine))
    root = ElementTree.fromstring(text)
    titles = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text") if node.get("class") == "title"]
    assert [title for title in titles if ":" in (title or "")] == headlines
    assert float(root.get("width", "0")) < 800 and float(root.get("height", "0")) < 1000
    assert text.count("nothing changes") == len(headlines[1:]) * int(headlines[1].split()[1])


def test_the_pattern_and_the_effects_of_figure_1() -> None:
    program = knaster.parse(FIGURE_1)
    table, reason = effect_table(program, "patterns")
    show, (root,) = Shown(program), [root for root in table.roots if root.procedure == "M"]
    assert not reason
    method = program.procedure("M")
    seen = before(show, method, root)
    assert [(box.title, [row.shown for row in box.rows]) for box in seen.boxes] == [
        ("statics", ["g1"]),
        ("BoolBox#1", ["x false"]),
    ]
    left = [after(show, method, root, effect, "after") for effect in root.effects]
    changed = [[(box.title, row.shown) for box in one.boxes for row in box.rows if row.changed] for one in left]
    assert changed == [[], [("statics", "g1"), ("new BoolBox#2", "x false")]]


def test_results_structs_channels_and_calls_that_do_not_return() -> None:
    text = summaries_to_svg(*effect_table(knaster.parse(OTHERS)))
    shown = re.findall(r">([^<>]+)</text>", text)
    assert "Make: 1 pattern, 1 effect" in shown and "Never: 1 pattern, 0 effects" in shown
    assert {
        "returns",
        "result 0",
        "result 1 4",
        "pair.left 3",
        "pair.right",
        "new Node#2",
        "it does not return",
    } <= set(shown)


def test_what_is_not_complete_says_so() -> None:
    program = knaster.parse(ENDLESS)
    table, reason = effect_table(program, "patterns", calls=50)
    assert reason.startswith("there are more than 50 different calls")
    text = summaries_to_svg(table, f"these are not all: {reason}")
    assert "and 9 more" in text and "these are not all: there are more than 50" in text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("class Main { activate static void a() { ; } activate static void b() { ; } };\n", "it checks one thread"),
        ("class Main { activate static void a() { async b(); } static void b() { ; } };\n", "starts another"),
    ],
)
def test_several_threads_have_no_summaries(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        effect_table(knaster.parse(text))


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "figure1.zing"
    file.write_text(FIGURE_1)
    assert main(["show", str(file), "--as", "summaries", "--engine", "visible"]) == 0
    assert "M: 2 entries, 4 effects" in capsys.readouterr().out
    boolean = tmp_path / "one.bp"
    boolean.write_text("void main() begin skip; end\n")
    assert main(["show", str(boolean), "--as", "summaries"]) == 1
    assert "such summaries are for programs with references" in capsys.readouterr().err
