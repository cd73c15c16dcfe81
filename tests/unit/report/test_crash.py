"""A path to a stack as text and JSON."""

from __future__ import annotations

import json

import knaster
from knaster.report.crash import crash_sentence, crash_to_json, crash_to_text

TEXT = "void main() begin\nf();\nskip;\nend\nvoid f() begin\nskip;\nend\n"


def test_text() -> None:
    assert crash_to_text(knaster.crash(TEXT, "f:6\nmain:2\n", replay=False)) == (
        "<text>: a path of the control flow with this stack, 2 statements; conditions are not looked at.\n"
        "    2  main: f();\n    6    f: skip;\n"
    )


def test_sentences() -> None:
    run = knaster.crash(TEXT, "f:6\nmain:2\n", [2, 3])
    assert crash_sentence(run) == "a run with this stack, 2 statements (replayed). It passes 1 of 2 lines, not 3."
    found = knaster.crash(TEXT, "f:6\nmain:2\n", [2, 3], replay=False)
    assert crash_sentence(found).endswith("It passes 1 of 2 lines, and no path passes more: not 3.")
    none = knaster.crash(TEXT, "f:6\nmain:3\n")
    assert crash_sentence(none).startswith(
        "no path of the control flow has this stack: no path of the control flow comes"
    )


def test_json() -> None:
    document = json.loads(crash_to_json(knaster.crash(TEXT, "f:6\nmain\n", [6])))
    assert document["verdict"] is None and document["frames"][1] == {"procedure": "main", "line": None}
    assert [step["line"] for step in document["path"]] == [2, 6] and document["passed"] == [6]


def test_inner_frames_that_are_not_of_the_program_are_named() -> None:
    said = crash_sentence(knaster.crash(TEXT, "abort:9\nff:6\nmain:2\n"))
    left = "Left out of the stack, since the program has no such procedure: 'abort', 'ff' (did you mean 'f'?)."
    assert said.endswith(left)
    assert "Left out" not in crash_sentence(knaster.crash(TEXT, "f:6\nmain:2\n"))
