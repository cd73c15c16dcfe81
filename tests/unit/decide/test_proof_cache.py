"""Answers from the cache are those of a run without it; whatever an entry says, nothing is believed."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from knaster.cli import main
from knaster.decide import proof_cache
from knaster.decide.asked import Asked, Source
from knaster.decide.check import check
from knaster.decide.proof_cache import ProofCache
from knaster.evidence.answers.answer import Result
from knaster.frontends.boolean.printer import to_text
from support.generators.boolean_programs import random_program

SAFE = "decl g;\nvoid main() begin\n  g := 1;\n  assert(g);\nend\n"
WRONG = "decl g;\nvoid main() begin\n  g := *;\n  assert(g);\nend\n"
C = "int main(void) {\n  int i = 0;\n  while (i < 10) i++;\n  assert(i == 10);\n  return 0;\n}\n"
MEMORY = """#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int *p = malloc(3 * sizeof(int)), n = __VERIFIER_nondet_int();
  if (n < 0 || n > 2) return 0;
  p[n] = 7;
  assert(p[n] == 7);
  free(p);
  return 0;
}
"""
Capture = pytest.CaptureFixture[str]


def ask(text: str, folder: Path, target: str | None = None, file: str = "a.bp", property: str = "reach") -> Result:
    return check(Source(text, file, "default", {}), Asked.of(target, property=property), cache=ProofCache(str(folder)))


def words(result: Result) -> tuple[object, ...]:
    return result.verdict, [(t.name, type(a).__name__, a.checked) for t, a in result.answers], result.unreached


@pytest.mark.parametrize(
    ("text", "file", "property"),
    [
        (SAFE, "a.bp", "reach"),
        (WRONG, "a.bp", "reach"),
        (C, "a.c", "reach"),
        (C, "a.c", "termination"),
        (C.replace("i == 10", "i == 9"), "a.c", "reach"),
        (C.replace("i++", "i = i"), "a.c", "termination"),
        (MEMORY, "a.c", "reach"),
        (MEMORY.replace("== 7", "!= 7"), "a.c", "reach"),
        (MEMORY, "a.c", "memory"),
        (MEMORY.replace("n > 2", "n > 3"), "a.c", "memory"),
        (MEMORY, "a.c", "leak"),
        (MEMORY.replace("free(p);", "while (*p <= p[n]) *p = p[n];"), "a.c", "termination"),
        ("int main(void) { float x = 1; while (x > 0) x = x * 0.5f + 0.5f; return 0; }", "a.c", "termination"),
    ],
)
def test_a_second_answer_is_the_first_one(text: str, file: str, property: str, tmp_path: Path) -> None:
    first, second = (ask(text, tmp_path, None, file, property) for _ in range(2))
    assert (first.stats["cached"], second.stats["cached"]) == (0, 1)
    assert words(first) == words(second)
    assert all(answer.checked for _, answer in second.answers)


def test_a_comment_changes_nothing_and_a_constant_does(tmp_path: Path) -> None:
    ask(SAFE, tmp_path)
    moved = ask("// a line above\n\n" + SAFE.replace("assert", "  assert"), tmp_path)
    assert moved.stats["cached"] == 1 and moved.answers[0][0].name == "assert at line 6"
    changed = ask(SAFE.replace("g := 1", "g := 0"), tmp_path)
    assert changed.stats["cached"] == 0 and changed.verdict.value == "FALSE"


@pytest.mark.parametrize("property", ["reach", "memory"])
def test_comments_of_c_change_nothing_and_constants_do(property: str, tmp_path: Path) -> None:
    text = MEMORY if property == "memory" else "int main(void) {\n  int x = 1; /* one */\n  assert(x == 1);\n}\n"
    ask(text, tmp_path, None, "a.c", property)
    moved = text.replace("/* one */", "// 1").replace("{\n", "{ /* begins */\n", 1)
    moved = moved if property == "memory" else f"// a line above\n\n{moved}"
    assert ask(moved, tmp_path, None, "a.c", property).stats["cached"] == 1
    changed = ask(text.replace("= 7;" if property == "memory" else "= 1;", "= 2;"), tmp_path, None, "a.c", property)
    assert changed.stats["cached"] == 0


def test_random_programs(tmp_path: Path) -> None:
    texts = [to_text(random_program(Random(seed))) for seed in range(12)]
    first = [ask(text, tmp_path, "all-labels") for text in texts]
    second = [ask(text, tmp_path, "all-labels") for text in texts]
    assert [words(one) for one in first] == [words(one) for one in second]
    assert sum(int(one.stats["cached"]) for one in second) >= 9


def entries(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.json"))


def change_verdict(entry: dict[str, Any], other: dict[str, Any]) -> None:
    entry["documents"] = other["documents"]  # the proof of the program that is safe


def empty_sets(entry: dict[str, Any], other: dict[str, Any]) -> None:
    document = json.loads(other["documents"][0])
    document["program"] = json.loads(entry["documents"][0])["program"]
    entry["documents"] = [json.dumps(document)]


def take_all(entry: dict[str, Any], other: dict[str, Any]) -> None:
    entry.update(other)


@pytest.mark.parametrize("lie", [change_verdict, empty_sets, take_all])
def test_an_entry_that_lies_is_deleted(lie: Any, tmp_path: Path) -> None:
    ask(SAFE, tmp_path / "safe")
    ask(WRONG, tmp_path / "wrong")
    (path,), (other,) = entries(tmp_path / "wrong"), entries(tmp_path / "safe")
    entry = json.loads(path.read_text())
    lie(entry, json.loads(other.read_text()))
    path.write_text(json.dumps(entry))
    result = ask(WRONG, tmp_path / "wrong")
    assert result.verdict.value == "FALSE" and result.stats["cached"] == 0
    assert any("an entry of the cache was deleted" in note for note in result.notes)
    assert ask(WRONG, tmp_path / "wrong").stats["cached"] == 1


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"key": 1}', "null", '"x"'])
def test_a_broken_entry_is_deleted_and_that_is_said(text: str, tmp_path: Path) -> None:
    ask(SAFE, tmp_path)
    (path,) = entries(tmp_path)
    path.write_text(text)
    result = ask(SAFE, tmp_path)
    assert result.verdict.value == "TRUE" and result.stats["cached"] == 0
    assert any("an entry of the cache was deleted" in note for note in result.notes)


def test_what_is_changed_at_random_never_changes_an_answer(tmp_path: Path) -> None:
    ask(WRONG, tmp_path)
    (path,) = entries(tmp_path)
    whole, rng = path.read_text(), Random(3)
    for _ in range(60):
        place = rng.randrange(len(whole))
        path.write_text(whole[:place] + rng.choice('0123456789"[]{},') + whole[place + 1 :])
        assert ask(WRONG, tmp_path).verdict.value == "FALSE"


def test_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.bp").write_text(SAFE)
    for cached in (False, True):
        assert main(["check", "a.bp", "--cache", "kept", "--format", "json"]) == 0
        assert json.loads(capsys.readouterr().out)["cached"] is cached
    assert main(["check", "a.bp", "a.bp", "--cache=kept", "--timeout", "100000"]) == 0
    assert capsys.readouterr().out.count("from the cache") == 2
    assert main(["cache", "info", "--cache", "kept"]) == 0
    assert capsys.readouterr().out.startswith("kept: 1 answer, ")
    assert main(["cache", "clear", "--cache", "kept"]) == 0 and not entries(Path("kept"))
    assert main(["check", "--cache", "a.bp"]) == 1  # no files
    assert main(["check", "a.bp", "--cache", "a.bp"]) == 1
    assert "is a file, and a folder is meant" in capsys.readouterr().err


def test_inputs_that_are_no_values_of_their_types_are_not_believed(tmp_path: Path) -> None:
    asks = "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int n = __VERIFIER_nondet_int(), m, *p = &m;\n"
    text = f"{asks}  *p = 9;\n  if (n > 5) assert(n < m);\n  return 0;\n}}\n"
    assert ask(text, tmp_path, file="a.c").verdict.value == "FALSE"
    entry = entries(tmp_path)[0]
    data = json.loads(entry.read_text())
    document = json.loads(data["documents"][0])
    document["run"]["inputs"] = [1 << 40]
    data["documents"][0] = json.dumps(document)
    entry.write_text(json.dumps(data))
    again = ask(text, tmp_path, file="a.c")
    assert again.stats["cached"] == 0 and "no value of its type" in again.notes[0]


def test_ways_that_were_in_vain_are_not_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs with memory come first and decide nothing here; what is kept is a proof about integers."""
    body = "int n = any(), i = 0;\nif (n < 0) return 0;\nwhile (i < n) i++;\nreturn 9 / (i + 1);"
    text = f"extern int any(void);\nint main(void) {{ {body} }}\n"
    first = ask(text, tmp_path, file="a.c", property="safety")
    assert first.verdict.value == "TRUE" and first.stats["cached"] == 0

    def runs(task: object) -> Any:
        raise AssertionError("nobody asks for runs")

    monkeypatch.setattr("knaster.engines.integers.search.memory.search_memory", runs)
    again = ask(text, tmp_path, file="a.c", property="safety")
    assert words(again) == words(first) and again.stats["cached"] == 1


ASKS = "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int n = __VERIFIER_nondet_int(), i = 0;\n"
GROWS = f"{ASKS}  if (n < 0 || n > 1000) return 0;\n  while (i < n) i++;\n  assert(i == n);\n  return 0;\n}}\n"


@pytest.mark.parametrize(("text", "property"), [(GROWS, "reach"), (GROWS, "termination"), (C, "reach")])
def test_each_proof_is_checked_once(text: str, property: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the kernel where it has checked it the first time, else by its checker; both say the same."""
    first = ask(text, tmp_path, None, "a.c", property)
    asked: list[str] = []
    for name in ("ask_kernel", "examine_evidence"):
        checker = getattr(proof_cache, name)

        def noted(*given: Any, name: str = name, whole: Any = checker, **more: Any) -> Any:
            asked.append(name)
            return whole(*given, **more)

        monkeypatch.setattr(proof_cache, name, noted)
    second = ask(text, tmp_path, None, "a.c", property)
    assert asked == ["ask_kernel"] and second.stats["cached"] == 1
    assert [vars_of(answer) for _, answer in first.answers] == [vars_of(answer) for _, answer in second.answers]
    (path,) = entries(tmp_path)
    path.write_text(json.dumps({**json.loads(path.read_text()), "kernel": [False]}))
    third = ask(text, tmp_path, None, "a.c", property)
    assert asked == ["ask_kernel", "examine_evidence"] and third.stats["cached"] == 1 and words(third) == words(first)


def vars_of(answer: Any) -> tuple[object, ...]:
    return type(answer), answer.checked, answer.kernel


@pytest.mark.parametrize("kernel", [True, False, None])
@pytest.mark.parametrize(("property", "instead"), [("reach", "i += 2"), ("termination", "i = i * 1")])
def test_a_proof_of_c_for_another_program_is_not_believed(
    property: str, instead: str, kernel: bool | None, tmp_path: Path
) -> None:
    wrong = GROWS.replace("i++", instead)
    ask(GROWS, tmp_path / "safe", None, "a.c", property)
    assert ask(wrong, tmp_path / "wrong", None, "a.c", property).verdict.value == "FALSE"
    (path,), (other,) = entries(tmp_path / "wrong"), entries(tmp_path / "safe")
    entry, lie = json.loads(path.read_text()), json.loads(other.read_text())
    document = json.loads(lie["documents"][0])
    document["program"] = json.loads(entry["documents"][0])["program"]
    path.write_text(json.dumps({**lie, "key": entry["key"], "documents": [json.dumps(document)], "kernel": [kernel]}))
    again = ask(wrong, tmp_path / "wrong", None, "a.c", property)
    assert again.verdict.value == "FALSE" and again.stats["cached"] == 0
    assert any("an entry of the cache was deleted" in note for note in again.notes)


def test_a_run_through_memory_that_ends_is_not_believed_to_be_endless(tmp_path: Path) -> None:
    text = "int main(void) { int x = 3, *p = &x; while (*p > 0) *p = *p - 1; return 0; }"
    endless = text.replace("*p - 1", "*p - 0")
    for one, folder in ((text, "ends"), (endless, "endless")):
        assert ask(one, tmp_path / folder, None, "a.c", "termination").stats["cached"] == 0
    (path,), (other,) = entries(tmp_path / "ends"), entries(tmp_path / "endless")
    entry, lie = json.loads(path.read_text()), json.loads(other.read_text())
    document = json.loads(lie["documents"][0])
    document["program"] = json.loads(entry["documents"][0])["program"]
    path.write_text(json.dumps({**lie, "key": entry["key"], "documents": [json.dumps(document)]}))
    again = ask(text, tmp_path / "ends", None, "a.c", "termination")
    assert again.verdict.value == "TRUE" and "an entry of the cache was deleted" in again.notes[0]
