"""What the lane changes: every kind of place, numbered by the text, and never an annotation."""

from __future__ import annotations

import pytest

from mutants.__main__ import ROOT
from mutants.areas import Area
from mutants.changes import compile_changed, list_changes

EVERY_KIND = """
from __future__ import annotations

Name = int | str


def work(items: list[int], limit: int | None = 1 + 1) -> int:
    total = 0
    for item in items[1:limit]:
        if item == 3 or item > 7 and not total:
            continue
        total += item * 2
    return total if total else -1


class Box:
    size = 2 << 1

    def wide(self) -> bool:
        return [x for x in (1, 2) if x] + [3] != []
"""


def test_every_kind_of_place_is_changed_in_the_order_of_the_text() -> None:
    changes = [(change.line, change.token, change.instead) for change in list_changes(EVERY_KIND, "m.py")]
    assert changes == [
        (7, "+", "-"),
        (9, ":limit]", "limit + 1"),
        (9, "[1:", "1 + 1"),
        (10, "==", "!="),
        (10, ">", ">="),
        (10, "and", "or"),
        (10, "if", "if not"),
        (10, "not", "(nothing)"),
        (10, "or", "and"),
        (11, "continue", "pass"),
        (12, "*", "+"),
        (12, "+=", "-="),
        (13, "if", "if not"),
        (17, "<<", ">>"),
        (20, "!=", "=="),
        (20, "+", "+ without its right side"),
        (20, "if", "if not"),
    ]


def test_a_change_knows_the_function_whose_code_it_changes() -> None:
    functions = {change.function for change in list_changes(EVERY_KIND, "m.py")}
    assert functions == {"", "work", "Box.wide"}  # defaults and bodies of classes are outside of functions


@pytest.mark.parametrize(
    ("text", "token", "value", "changed"),
    [
        ("x = 1 == 1", "==", True, False),
        ("x = 1 <= 1", "<=", True, False),
        ("x = 1 < 2 < 2", "<", False, False),
        ("x = 5 - 3", "-", 2, -2),
        ("x = {1, 2} - {2, 3}", "-", {1}, {3}),
        ("x = [1] + [2]", "+", [1, 2], [1]),
        ("x = 'a' + str(2)", "+", "a2", "2"),
        ("x = 4 % 3", "%", 1, 12),
        ("x = 6 & 3", "&", 2, 7),
        ("x = 1 and 0", "and", 0, 1),
        ("x = 0 or 1", "or", 1, 0),
        ("x = not 1", "not", False, True),
        ("x = 1 if 2 > 1 else 3", "if", 1, 3),
        ("x = [i for i in (0, 1) if i]", "if", [1], [0]),
        ("x = [0, 1, 2][1:]", "[1:", [1, 2], [2]),
        ("x = [0, 1, 2][:-1]", ":-1]", [0, 1], []),
        ("x = 0\nfor i in (1, 2):\n    if i == 1:\n        continue\n    x += i", "continue", 2, 3),
        ("x = 3\nx -= 1", "-=", 2, 4),
        ("x = []\nx += [1]", "+=", [1], []),
        ("match 1:\n    case y if y:\n        x = 1\n    case _:\n        x = 2", "if", 1, 2),
    ],
)
def test_what_a_change_does(text: str, token: str, value: object, changed: object) -> None:
    assert _value(compile(text, "m.py", "exec")) == value
    change = next(change for change in list_changes(text, "m.py") if change.token == token)
    assert _value(compile_changed(text, "m.py", change.number)) == changed


def _value(code: object) -> object:
    space: dict[str, object] = {}
    exec(code, space)  # type: ignore[arg-type]
    return space["x"]


def test_each_connective_of_a_chain_is_changed_alone() -> None:
    text = "x = a and b and c"
    results = []
    for change in list_changes(text, "m.py"):
        space = {"a": 0, "b": 1, "c": 2}
        exec(compile_changed(text, "m.py", change.number), space)
        results.append(space["x"])
    assert results == [2, 2]


def test_an_if_that_is_one_equality_is_turned_round_once() -> None:
    assert [change.token for change in list_changes("if x == 1:\n    y = 2", "m.py")] == ["=="]
    assert [change.token for change in list_changes("if not x:\n    y = 2", "m.py")] == ["not"]
    assert [change.token for change in list_changes("if x < 1:\n    y = 2", "m.py")] == ["<", "if"]


def test_annotations_and_unions_of_types_are_left_alone() -> None:
    assert not list_changes("B = tuple[int, str | None]\nC = list[int | str]", "m.py")
    assert not list_changes("A = int | str\nx: int | str = 1\ndef f(a: int | str) -> int | None: ...", "m.py")


def test_assertions_are_left_alone() -> None:
    """They say what is never false, so no test could notice a weaker one."""
    assert not list_changes("def f(a):\n    assert a is not None and a > 1", "m.py")


def test_names_outlive_lines_that_come_and_go() -> None:
    before = list_changes("def f(a):\n    return a + 1", "m.py")
    after = list_changes("import os\n\ndef f(a):\n    b = a\n    return b + 1", "m.py")
    assert [change.name for change in before] == [change.name for change in after]
    assert before[0].line != after[0].line


@pytest.mark.parametrize("file", Area(ROOT).source_files()[::12])
def test_every_change_of_the_trusted_code_compiles(file: str) -> None:
    text = (ROOT / file).read_text()
    for change in list_changes(text, file)[::7]:
        compile_changed(text, file, change.number)


def test_the_area_has_the_trusted_code() -> None:
    folders = {file.rsplit("/", 1)[0] for file in Area(ROOT).source_files()}
    assert {
        "src/knaster/checkers",
        "src/knaster/checkers/c",
        "src/knaster/decide/conclusions",
        "src/knaster/semantics/heap",
        "src/knaster/evidence/proofs",
    } <= folders


def test_the_words_of_messages_are_left_alone() -> None:
    text = "def f(a, b):\n    expect(a < b, f'{a[:4]}', a + b)\n    raise Refused(f'{a - b}')\n"
    assert [change.token for change in list_changes(text, "m.py")] == ["+", "<"]
