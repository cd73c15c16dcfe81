"""The solve command: output, exit codes, pictures."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from knaster.calculus.command import run
from knaster.calculus.plot import plot

REACH = """
enum S { 0..7 };
bool T(S s, S t) t = s + 1;
mu bool Reach(S s) s = 0 | (exists S t. Reach(t) & T(t, s));
#print "how many?";
#ons Reach;
#size Reach;
Reach(7);
exists S s. ! Reach(s);
"""
SLOW = "enum S { 0..65535 }; mu bool R(S s) s = 0 | (exists S t. R(t) & s = t + 1); 1; #ons R;"


def test_text() -> None:
    text, code = run(REACH)
    assert code == 0
    assert text.splitlines() == [
        "how many?",
        ": onset size of `Reach' is 2^3.000 -- 8 (100.000000% out of 2^3.000)",
        ": size of `Reach' is 2^0.000 -- 1",
        ": value of",
        ":   Reach(7)",
        ": is",
        ":   true",
        ": value of",
        ":   exists S s. ! Reach(s)",
        ": is",
        ":   false",
    ]


def test_json() -> None:
    text, code = run(REACH, format="json", stats=True)
    data = json.loads(text)
    assert code == data["exit_code"] == 0
    assert data["queries"] == [True, False] and data["queries_asked"] == 2
    assert [answer["kind"] for answer in data["answers"]] == ["text", "count", "size", "query", "query"]
    assert data["answers"][1] == {"kind": "count", "line": 6, "predicate": "Reach", "count": 8, "out_of": 8}
    assert data["statistics"]["rounds_of"] == {"Reach": len(data["sizes"]["Reach"])}


def test_statistics_in_text() -> None:
    text, _ = run(REACH, stats=True)
    assert "+++ rounds: 8" in text and "+++ Reach: 8 rounds" in text


def test_refused_input() -> None:
    text, code = run("exists S s. 1;\nexists bool b. c;")
    assert code == 2
    assert "<text>:1:8: error: unknown type 'S'" in text and "<text>:2:16: error: unknown variable 'c'" in text
    data = json.loads(run("exists S s. 1;", format="json")[0])
    assert data["exit_code"] == 2
    assert data["problems"] == [{"line": 1, "column": 8, "message": "unknown type 'S'", "hint": ""}]


def test_a_missing_file_a_wrong_format_and_a_wrong_strategy() -> None:
    assert run(Path("no/such/file.mu")) == ("cannot read 'no/such/file.mu': No such file or directory", 1)
    assert run("1;", format="xml")[1] == 1
    assert run("1;", strategy="magic")[1] == 1


def test_a_file(tmp_path: Path) -> None:
    file = tmp_path / "reach.mu"
    file.write_text(REACH)
    text, code = run(file, format="json")
    assert code == 0 and json.loads(text)["file"] == str(file)


def test_a_time_limit_keeps_what_was_answered() -> None:
    text, code = run(SLOW, timeout=0.2)
    assert code == 5
    assert ":   true" in text and "*** the time limit of 0.2 s was reached" in text
    data = json.loads(run(SLOW, timeout=0.2, format="json")[0])
    assert data["queries"] == [True] and data["reason"] == "the time limit of 0.2 s was reached"


def test_rounds_that_repeat() -> None:
    text, code = run("mu bool Q(bool s) s & ! Q(s);\nexists bool s. Q(s);\n1;")
    assert code == 2
    assert "--- <text>:1:25: warning: 'Q' depends negatively on 'Q'" in text
    assert "<undefined>" in text and "never become stable" in text and text.endswith(":   true")


def test_a_prototype_without_a_value() -> None:
    text, code = run("1; bool f(bool a); exists bool a. f(a);")
    assert code == 2 and ":   true" in text and "only a prototype" in text


def test_print_and_dump_and_timer() -> None:
    text, code = run(
        "enum E { a, b }; class C { E e; bool f[2]; }; mu bool M(E e) M(e);\n"
        "bool g(E e, bool x) e = b & ! x; #print E, M; #print C; #print nothing; #dump g; #timer go; #timer; #print;\n"
        "#print symbols; #print statistics; #reset all; #vis g; #frontier on; #verbose off;"
    )
    assert code == 0
    assert ": (type) enum E { a, b };\n: (symbolic definition) mu bool M(E)" in text
    assert ": (type) class C { E e; bool f[2]; };" in text
    assert "--- there is no symbol 'nothing'" in text
    assert ": <DUMP>\n: g = _1_;\n: _1_ = e[0] & _2_ | !e[0] & 0;\n: _2_ = x & 0 | !x & 1;\n: </DUMP>" in text
    assert ": timer at 0.0" in text and ": bdd variables: " in text


def test_a_picture(tmp_path: Path) -> None:
    file = tmp_path / "sizes.svg"
    _, code = run(REACH, plot=file)
    assert code == 0
    root = ElementTree.parse(file).getroot()
    words = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "Reach" in words and "round" in words and "BDD nodes" in words
    assert run(REACH, plot=tmp_path / "no" / "folder.svg")[1] == 1


@pytest.mark.parametrize(
    "sizes",
    [
        {},
        {"R": [1]},
        {"R": [0, 0]},
        {"R": [5, 100_000], "<Q&>": [1, 2, 3]},
        {f"a_very_long_name_of_a_relation_{i}": [i + 1] * (i + 1) for i in range(40)},
        {"R": list(range(5000))},
    ],
)
def test_pictures_are_well_formed(sizes: dict[str, list[int]]) -> None:
    text = plot(sizes, "a < b")
    ElementTree.fromstring(text)
    assert len(text) < 100_000


def test_a_logarithmic_axis_says_so() -> None:
    assert "BDD nodes (logarithmic)" in plot({"R": [5, 100_000], "Q": [1, 2, 3]}, "t")
    assert "and 16 smaller ones" in plot({f"r{i}": [i + 1] for i in range(40)}, "t")
