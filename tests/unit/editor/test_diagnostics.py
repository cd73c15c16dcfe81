"""What an editor shows: ranges in UTF-16 from 0, severities, the run as related places, proofs in hovers."""

from __future__ import annotations

import json
from typing import Any

from knaster.editor.answer import CHECK, EditorWork
from knaster.editor.diagnostics import ERROR, HINT, INFORMATION, STEPS, EditorText, hover_text, list_diagnostics

UNSAFE = "void main() begin\n  decl x;\n  x := F;\n  x := x; // 𝔘\n  assert(x);\nend\n"
URI = "file:///a.bp"


def check(text: str) -> Any:
    return json.loads(EditorWork("a.bp", text, CHECK).attempt().do(None).output)


def test_places_count_units_of_utf_16() -> None:
    text = EditorText("a𝔘b\r\nc\n")
    assert text.position(1, 3) == {"line": 0, "character": 3}
    assert text.position(1, 99) == {"line": 0, "character": 4}
    assert text.position(9, 1) == {"line": 2, "character": 0}
    assert text.range(2, 0) == {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 1}}


def test_what_fails_is_an_error_with_its_run() -> None:
    (shown,) = list_diagnostics(check(UNSAFE), UNSAFE, URI)
    assert (shown["severity"], shown["code"], shown["source"]) == (ERROR, "knaster/reach", "knaster")
    assert shown["range"]["start"] == {"line": 4, "character": 2}
    steps = shown["relatedInformation"]
    assert [step["location"]["range"]["start"]["line"] for step in steps] == [2, 3, 4]
    assert steps[1]["message"] == "step 2 of 3, main: x = 0" and steps[0]["location"]["uri"] == URI


def test_a_long_run_shows_its_ends() -> None:
    document = check(UNSAFE)
    document["targets"][0]["trace"] *= 100
    (shown,) = list_diagnostics(document, UNSAFE, URI)
    said = [step["message"] for step in shown["relatedInformation"]]
    assert len(said) == STEPS and said[0].startswith("step 1 of 300") and said[-1].startswith("step 300 of 300")


def test_what_no_run_reaches_is_a_hint() -> None:
    text = UNSAFE.replace("assert(x)", "assert(!x); if (x) then skip; fi")
    (shown,) = list_diagnostics(check(text), text, URI)
    assert (shown["severity"], shown["tags"]) == (HINT, [1])


def test_what_is_not_decided_is_no_error() -> None:
    document = check(UNSAFE)
    document["verdict"], document["targets"][0]["reachable"] = "UNKNOWN", None
    (shown,) = list_diagnostics(document, UNSAFE, URI)
    assert shown["severity"] == INFORMATION
    (shown,) = list_diagnostics(check("void main() begin skip; end\n"), "x", URI)
    assert shown["severity"] == INFORMATION and "target" in shown["message"]


def test_errors_of_reading_have_their_length() -> None:
    (shown,) = list_diagnostics(
        check("void main() begin\n  y := T;\nend\n"), "void main() begin\n  y := T;\nend\n", URI
    )
    assert shown["range"] == {"start": {"line": 1, "character": 2}, "end": {"line": 1, "character": 3}}


def test_a_hover_says_what_was_proved() -> None:
    document = {"facts": {"3": ["always x = 1", "always y"]}}
    assert hover_text(document, 3) == "`always x = 1`\n\n`always y`" and not hover_text(document, 4)
