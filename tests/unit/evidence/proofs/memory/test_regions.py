"""What is proved of a program with memory by numbers, in words: parts of objects have the names of the program."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

import knaster
from knaster.evidence.answers.answer import Unreachable
from knaster.evidence.proofs.acsl import Offset
from knaster.evidence.proofs.memory import regions
from knaster.evidence.proofs.memory.regions import (
    _ELEMENT,
    RegionProof,
    _meaning,
    _rename,
    field_names,
    to_json,
    to_words,
)
from knaster.evidence.questions.targets import default_targets
from knaster.frontends.languages import load
from knaster.program.types import BOOL, INTEGER, Array, Int, Type
from knaster.transform.regions.reduce import reduce_regions

QUEUE = """#include <assert.h>
extern int in(void);
struct queue { int cells[4]; int head; int count; };
static struct queue q;
static void run(struct queue *p) {
  while (in()) {
    if (in() && p->count < 4) { p->cells[(p->head + p->count) & 3] = 1; p->count++; }
    else if (p->count > 0) { p->head = (p->head + 1) & 3; p->count--; }
    assert(p->count >= 0 && p->count <= 4);
  }
}
int main(void) { run(&q); return 0; }
"""


def test_elements_that_are_fields_have_their_names() -> None:
    result = knaster.check(QUEUE, file="a.c", engine="regions", property="reach")
    answer = result.answers[0][1]
    assert isinstance(answer, Unreachable) and answer.proof is not None
    words = "\n".join(to_words(answer.proof, result.program))  # type: ignore[arg-type]
    assert "q.count <= 4" in words and "q[5]" not in words and "\\old(q)[" not in words
    said = to_json(answer.proof, result.program)  # type: ignore[arg-type]
    assert said is not None and [row["function"] for row in said["functions"]] == ["run"]
    assert "q.count <= 4" in str(said["invariants"]) and "q[5]" not in str(said)


def names(text: str) -> dict[tuple[str, int], str]:
    program = load(text, file="a.c")
    return field_names(program, reduce_regions(program, default_targets(program)).program)


def test_names_by_name_and_index() -> None:
    whole = QUEUE.replace("run(&q);", "struct queue *r = &q; int i = 0; r[i].count = 0; run(&q);")
    assert names(whole) == {
        **{("q", index): f"q.cells[{index}]" for index in range(4)},
        ("q", 4): "q.head",
        ("q", 5): "q.count",
    }


def test_an_array_of_one_field_of_each_element_is_left_out() -> None:
    text = """#include <assert.h>
extern int in(void);
struct pair { int x, y; } a[4];
int main(void) { int i = in() & 3; struct pair *p = a; p[i].y = 3; assert(p[i].y == 3); return 0; }
"""
    program = load(text, file="a.c")
    reduced = reduce_regions(program, default_targets(program)).program
    assert "a" in dict(reduced.types) and not field_names(program, reduced)


@pytest.mark.parametrize(
    ("text", "renamed"),
    [
        ("q[4]", "q.head"),
        ("\\old(q)[4]", "\\old(q.head)"),
        ("\\at(q, Pre)[4]", "\\at(q.head, Pre)"),
        ("q[5]", "q[5]"),
        ("\\old(q)[5]", "\\old(q)[5]"),
        ("\\at(p, Pre)[4]", "\\at(p, Pre)[4]"),
    ],
)
def test_elements_now_and_before(text: str, renamed: str) -> None:
    assert _ELEMENT.sub(lambda found: _rename(found, {("q", 4): "q.head"}), text) == renamed


Parts = list[Any]
WORD, HALF = Int(32), Int(16)
PAIR: Parts = [SimpleNamespace(offset=0, type=WORD, suffix=".x"), SimpleNamespace(offset=4, type=WORD, suffix=".y")]


def found(types: dict[str, Type], objects: dict[str, Parts], own: dict[str, Type], locals: dict[str, Parts]) -> object:
    """Return the names of elements of a program with objects and locals, whose reduced one has variables of types."""
    memory = SimpleNamespace(
        objects=[SimpleNamespace(name=name, parts=parts) for name, parts in objects.items()],
        locals=[(("f", name), parts) for name, parts in locals.items()],
    )
    reduced = SimpleNamespace(types=[*types.items()], procedures=[SimpleNamespace(types=[*own.items()])])
    return field_names(SimpleNamespace(memory=memory), reduced)  # type: ignore[arg-type]


def test_which_elements_have_names() -> None:
    both = {("q", 0): "q.x", ("q", 1): "q.y"}
    two = Array(WORD, 2)
    assert found({"q": two}, {"q": PAIR}, {}, {}) == found({}, {}, {"q": two}, {"q": PAIR}) == both
    for other in (Array(WORD, 1), Array(WORD, 3), Array(BOOL, 2), Array(two, 2), WORD):
        assert found({"q": other}, {"q": PAIR}, {}, {}) == {}
    assert found({"q": two}, {"q": PAIR}, {}, {"q": PAIR}) == {}  # two have this name
    assert found({"q": two}, {"q": []}, {}, {}) == found({"p": two}, {"q": PAIR}, {}, {}) == {}
    narrow = [SimpleNamespace(offset=0, type=HALF, suffix=".x"), PAIR[1]]
    assert found({"q": two}, {"q": narrow}, {}, {}) == {("q", 1): "q.y"}
    packed = [SimpleNamespace(offset=2, type=WORD, suffix=".x"), SimpleNamespace(offset=6, type=WORD, suffix=".y")]
    assert found({"q": two}, {"q": packed}, {}, {}) == {}
    bytes = [SimpleNamespace(offset=at, type=Int(8), suffix=f".{at}") for at in range(2)]
    for element in (Int(8), INTEGER):
        assert found({"q": Array(element, 2)}, {"q": bytes}, {}, {}) == {("q", 0): "q.0", ("q", 1): "q.1"}


class Base(NamedTuple):
    """Stands for an object."""

    name: str
    owner: str


def test_what_variables_stand_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """An index is an offset of its pointer; a variable of an object that one procedure can name is that one's."""

    def part(name: str) -> object:
        return SimpleNamespace(slot=SimpleNamespace(variables=[(name, WORD)]))

    pointers = SimpleNamespace(residue=4, stride=8)
    a, b, c = Base("a", "f"), Base("b", ""), Base("c", "f")
    slots = SimpleNamespace(
        registers={
            ("f", "p"): SimpleNamespace(index="p.index", pointers=pointers),
            ("f", "n"): SimpleNamespace(index="", pointers=pointers),
        },
        parts={(a, 0): part("va"), (b, 0): part("vb"), (c, 0): part("vc")},
        local={c},
    )
    monkeypatch.setattr(regions, "reduce_memory", lambda *_: SimpleNamespace(slots=slots))
    meaning = _meaning(RegionProof(None, (), None))  # type: ignore[arg-type]
    assert meaning.offsets == {"f": {"p.index": Offset("p", 4, 8)}} and meaning.owners == {"va": "f"}


def test_proofs_that_are_no_invariants() -> None:
    text = "int f(void);\nint main(void) { int n = f(), x = 0, *p = &x; while (*p < n) *p += 1; return 0; }\n"
    ((_, answer),) = knaster.check(text, file="a.c", property="termination", engine="regions").answers
    assert isinstance(answer, knaster.Terminates) and isinstance(answer.proof, RegionProof)
    proof = answer.proof
    assert to_words(proof, proof.program) and to_json(proof, proof.program)
    nothing = RegionProof(proof.program, (), None)
    assert to_words(nothing, proof.program) == [] and to_json(nothing, proof.program) is None
