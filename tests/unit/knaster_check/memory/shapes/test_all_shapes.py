"""The kernel's check of shapes: right proofs are accepted, and those of wrong programs, or with a part changed, not."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from typing import Any

import pytest

import knaster
from knaster.checkers.files import proof_to_text
from knaster.evidence.answers.answer import Reachable, Unreachable
from knaster.evidence.proofs.files import fingerprint
from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.languages import load
from knaster_check import Refused, check, read_program
from knaster_check.memory.shapes import all_shapes
from knaster_check.program import Program, Target
from knaster_check.refused import Unsupported
from support import ROOT
from support.kernel import kernel

pytest.importorskip("clang.cindex")
LISTS = ROOT / "examples" / "lists"
GOOD = sorted(path.stem for path in LISTS.glob("*.c") if "bad" not in path.stem)
Document = dict[str, Any]
WRONG_USE = {"name": "a wrong use of memory", "procedure": "", "location": 0}  # wherever it is


@cache
def proof_of(text: str, property: str = "memory") -> tuple[Any, str]:
    result = knaster.check(text, file="a.c", property=property, engine="shapes")
    assert result.verdict.name == "TRUE", result.answers
    return result.program, proof_to_text(result)


def example(name: str) -> str:
    return (LISTS / f"{name}.c").read_text()


def refuse(text: str, document: Document) -> Refused:
    """Return why the kernel refuses a document as a proof of a text, whatever the document says of its program."""
    program = load(text, file="a.c", objects="always")
    with pytest.raises(Refused) as refused:
        kernel(program, {**document, "program": fingerprint(program)})
    return refused.value


@pytest.mark.parametrize("name", GOOD)
def test_the_examples_are_accepted(name: str) -> None:
    verdict = kernel(*proof_of(example(name)))
    assert verdict.claim == "unreachable" and verdict.bound is None and len(verdict.targets) > 10
    assert 5 < verdict.answered["shapes"] < verdict.answered["steps"] < 1_000


def test_check_says_that_the_kernel_looked() -> None:
    result = knaster.check(LISTS / "build.c", property="memory", engine="shapes")
    assert all(isinstance(answer, Unreachable) and answer.kernel for _, answer in result.answers)


@pytest.mark.parametrize("name", GOOD)
def test_the_proof_of_a_good_example_says_nothing_of_its_bad_twin(name: str) -> None:
    """The targets are those of the bad twin that it reaches."""
    text = example(f"{name}-bad")
    answers = knaster.check(text, file="a.c", property="memory", first=True).answers
    reached = [target.name for target, answer in answers if isinstance(answer, Reachable)]
    document = json.loads(proof_of(example(name))[1])
    document["targets"] = [{"name": name, "procedure": "", "location": 0} for name in reached]
    assert reached and not isinstance(refuse(text, document), Unsupported)


SIMPLE = """#include <stdlib.h>
int in(void); int g; const char *text = "abc";
struct n { int d; struct n *next; };
struct n *push(struct n *l, int x) { struct n *m = malloc(sizeof *m); m->d = x; m->next = l; g = 1; return m; }
int main(void) {
  struct n *l = 0; int k = 0;
  while (in()) l = push(l, in());
  while (l) { struct n *m = l->next; if (l->d > 3) k = text[1]; free(l); l = m; }
  if (g > 1) { ERROR: ; }
  return k;
}
"""
CHANGES = [  # a text, and what is refused or not known of the proof of another one
    ("m->next = l;", "m->next = m;"),
    ("m->next = l;", ""),
    ("free(l);", "free(m);"),
    ("free(l); l = m;", "free(l);"),
    ("= 0; int k", "= malloc(4); int k"),
    ("return m; }", "return m->next; }"),
    ("sizeof *m)", "8)"),
    ("text[1]", "text[4]"),
    ("return k;", "return l->d;"),
]


@pytest.mark.parametrize(("old", "new"), CHANGES)
def test_the_proof_of_another_program_is_refused(old: str, new: str) -> None:
    assert old in SIMPLE
    document = json.loads(proof_of(SIMPLE)[1]) | {"targets": [WRONG_USE]}
    assert kernel(proof_of(SIMPLE)[0], document).claim == "unreachable"
    refuse(SIMPLE.replace(old, new), document)


@pytest.mark.parametrize(("old", "new"), [("g = 1;", "g = 2;"), ("g > 1", "g > 0"), ("g; const", "g = 2; const")])
def test_a_label_that_is_reached_is_not_excluded(old: str, new: str) -> None:
    program, text = proof_of(SIMPLE, "reach")
    assert kernel(program, text).claim == "unreachable"
    refuse(SIMPLE.replace(old, new), json.loads(text))


def rows(document: Document) -> Iterator[tuple[list[Document], int]]:
    """Yield each shape of a document, by its entry and its number there."""
    for entry in document["shapes_of_memory"]["entries"]:
        for number in range(len(entry)):
            yield entry, number


def test_every_shape_is_needed_or_another_one_stands_for_it() -> None:
    """What is left out is missed; of the shapes of `insert`, few have another one that stands for them."""
    program, text = proof_of(example("insert"))
    document = json.loads(text)
    kept = 0
    for at in range(len(list(rows(document)))):
        changed = deepcopy(document)
        entry, number = list(rows(changed))[at]
        del entry[number]
        try:
            kernel(program, changed)
            kept += 1
        except Refused:
            pass
    assert kept <= at // 3, (kept, at)


def no_segments(document: Document) -> None:
    for entry, number in rows(document):
        for node in entry[number]["nodes"]:
            node[8] = -1


def no_lists(document: Document) -> None:
    """Every list is one of no items."""
    for entry, number in rows(document):
        entry[number]["registers"] = [[name, 0 if value == 0 else value] for name, value in entry[number]["registers"]]
        for row in entry[number]["registers"]:
            if isinstance(row[1], dict):
                row[1] = {"object": 0, "offset": 0}


def no_ends(document: Document) -> None:
    for entry in document["shapes_of_memory"]["entries"]:
        last = max(row["location"] for row in entry)
        entry[:] = [row for row in entry if row["location"] != last] or entry[:1]


def no_results(document: Document) -> None:
    for entry, number in rows(document):
        entry[number]["results"] = [{"object": 0, "offset": 0} for _ in entry[number]["results"]]


def callers_forget(document: Document) -> None:
    for row in document["shapes_of_memory"]["forgotten"]:
        row[2] += [name for name in ("l", "m", "k") if name not in row[2]]


def dead_items(document: Document) -> None:
    for entry, number in rows(document):
        for node in entry[number]["nodes"]:
            node[6] = node[2] != "heap"
            node[8] = -1


def other_numbers(document: Document) -> None:
    for entry, number in rows(document):
        for node in entry[number]["nodes"]:
            node[7] = [[at, size, 7 if value is None else value] for at, size, value in node[7]]


def longer_items(document: Document) -> None:
    for entry, number in rows(document):
        for node in entry[number]["nodes"]:
            node[1] += 8


def everything_is_forgotten(document: Document) -> None:
    for entry, number in rows(document):
        row = entry[number]
        row["forgotten"] = sorted({*row["forgotten"], *(name for name, _ in row["registers"])})
        row["registers"] = []


def no_shapes(document: Document) -> None:
    document["shapes_of_memory"]["entries"] = []


def starts_alone(document: Document) -> None:
    """Each entry has its first shape alone."""
    for entry in document["shapes_of_memory"]["entries"]:
        del entry[1:]


def starts_elsewhere(document: Document) -> None:
    for entry in document["shapes_of_memory"]["entries"]:
        entry.append(entry.pop(0))


ATTACKS = [
    *(no_segments, no_lists, no_ends, no_results, callers_forget, dead_items, other_numbers, longer_items),
    *(everything_is_forgotten, no_shapes, starts_alone, starts_elsewhere),
]


@pytest.mark.parametrize("text", [SIMPLE, example("insert"), example("append"), example("sort")])
@pytest.mark.parametrize("attack", ATTACKS)
def test_a_changed_proof_is_not_accepted(attack: Callable[[Document], None], text: str) -> None:
    program, proof = proof_of(text)
    document = json.loads(proof)
    attack(document)
    assert document != json.loads(proof)
    with pytest.raises(Refused):
        kernel(program, document)


@pytest.mark.parametrize("target", ["overflow", "a leak", "lost", "deadlock", "race"])
def test_what_shapes_do_not_see(target: str) -> None:
    program, text = proof_of(SIMPLE)
    document = {**json.loads(text), "targets": [{"name": target, "procedure": "", "location": 0}]}
    with pytest.raises(Unsupported, match="shapes do not see it"):
        kernel(program, document)


def test_that_runs_end_is_not_seen() -> None:
    program, text = proof_of(SIMPLE)
    with pytest.raises(Refused, match="is not seen by shapes"):
        kernel(program, {**json.loads(text), "targets": []})


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"more": 1}, "the fields"),
        ({"forgotten": [["main", 1]]}, "a list of 3"),
        ({"forgotten": [["main", -1, []]]}, "a location"),
        ({"forgotten": [["main", 1, []], ["main", 1, ["l"]]]}, "a place is there twice"),
        ({"forgotten": [[1, 1, []]]}, "a procedure"),
        ({"entries": [3]}, "shapes"),
    ],
)
def test_the_form_of_a_file(changes: Document, reason: str) -> None:
    program, text = proof_of(SIMPLE)
    document = json.loads(text)
    with pytest.raises(Refused, match=reason):
        kernel(program, {**document, "shapes_of_memory": {**document["shapes_of_memory"], **changes}})


def test_shapes_of_two_procedures_are_no_entry() -> None:
    program, text = proof_of(SIMPLE)
    document = json.loads(text)
    entries = document["shapes_of_memory"]["entries"]
    document["shapes_of_memory"]["entries"] = [[row for entry in entries for row in entry]]
    with pytest.raises(Refused, match="shapes of several procedures"):
        kernel(program, document)
    document["shapes_of_memory"]["entries"] = [[], *entries]
    assert kernel(program, document).claim == "unreachable"


@cache
def simple() -> Program:
    return read_program(program_to_kernel(proof_of(SIMPLE)[0]))


def test_it_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    _, text = proof_of(SIMPLE)
    with pytest.raises(Unsupported, match="more work than is allowed"):
        check(simple(), text, most=1_000)
    check(simple(), text, most=100_000)
    for limit in ("STEPS", "LONGEST"):
        with monkeypatch.context() as changed, pytest.raises(Unsupported, match="too many steps"):
            changed.setattr(all_shapes, limit, 5)
            check(simple(), text)


def test_programs_that_shapes_do_not_fit() -> None:
    data = json.loads(proof_of(SIMPLE)[1])
    targets = (Target("null", "", 0),)
    boolean = simple()._replace(kind="integers")
    with pytest.raises(Refused, match="no memory, or threads"):
        all_shapes.check(boolean, data, targets, lambda units=0: None)
    main = simple().procedures["main"]
    marked = simple()._replace(procedures={"main": main._replace(types={**main.types, "^0": ("bool",)})})
    with pytest.raises(Unsupported, match="begins with"):
        all_shapes.check(marked, data, targets, lambda units=0: None)


RECURSES = """#include <stdlib.h>
int in(void); void reach_error(void) {}
struct n { int d; struct n *next; };
struct n *rest(struct n **l) { struct n *m = *l; if (m && in()) return rest(&m->next); return m; }
int main(void) {
  struct n *l = 0;
  while (in()) { struct n *m = malloc(sizeof *m); m->d = in(); m->next = l; l = m; }
  struct n *m = rest(&l);
  if (m && m->d > 3 && m->d < 3) reach_error();
  return 0;
}
"""


def test_pointers_into_the_callers_objects() -> None:
    assert kernel(*proof_of(RECURSES)).claim == "unreachable"
    document = json.loads(proof_of(RECURSES)[1]) | {"targets": [WRONG_USE]}
    refuse(RECURSES.replace("return m; }", "return m->next; }"), document)
    refuse(RECURSES.replace("m && m->d > 3", "m->d > 3"), document)
    refuse(RECURSES.replace("if (m && in())", "free(m); if (m && in())"), document)
