"""The kernel's check of lassos: stems and cycles are replayed, and what cannot be repeated is refused."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

import knaster
from knaster.checkers.files import proof_to_text
from knaster.evidence.proofs.files import fingerprint
from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.c import parse
from knaster.frontends.languages import load
from knaster_check import Refused, read_program
from knaster_check.lasso import Needs
from knaster_check.program import Call
from support.c_proofs import READ
from support.kernel import document as written
from support.kernel import kernel

ROUND = "int main(void) { int i = 3, t = 7; while (i) { t = i; i = i == 1 ? 3 : i - 1; } }"
DEEP = "int g; void f(int n) { int m = n + 1; g = m; f(n); }\nint main(void) { f(4); }"
CALLS = "int g; int f(int n) { return n == 2 ? 0 : n + 1; }\nint main(void) { int i = 0; while (1) i = f(i); }"


def lasso(text: str) -> tuple[knaster.Result, dict[str, Any]]:
    """Return a run that never ends, and its file."""
    result = knaster.check(READ + text, file="p.c", property="termination", engine="search")
    document = json.loads(proof_to_text(result))
    assert document["lasso"]["set"] is None, result.to_text()
    return result, document


@pytest.mark.parametrize("text", [ROUND, DEEP, CALLS], ids=["round", "deep", "calls"])
def test_what_is_found_is_accepted(text: str) -> None:
    result, document = lasso(text)
    assert kernel(result.program, document).claim == "endless"


def test_what_is_read_has_to_be_the_same_again() -> None:
    result, document = lasso("int main(void) { int i = 0; while (1) { i = i + 1; if (i > 2) i = 0; } }")
    assert kernel(result.program, document).claim == "endless"
    for row in document["lasso"]["paths"]:
        for step in row[3]:
            for number in range(len(result.program.procedure(row[0]).edges)):
                if number != step[0]:
                    changed, step[0] = step[0], number
                    with pytest.raises(Refused):
                        kernel(result.program, document)
                    step[0] = changed


@pytest.mark.parametrize("text", [ROUND, DEEP, CALLS], ids=["round", "deep", "calls"])
def test_what_is_left_out_is_missed(text: str) -> None:
    result, document = lasso(text)
    data = document["lasso"]
    changes: list[dict[str, Any]] = [
        {"cycle": []},
        {"stem": []},
        {"stem": data["cycle"]},
        {"deeper": not data["deeper"]},
    ]
    changes += [{"others": [["main", 0, [["truth", True]]]]}, {"paths": []}]
    for number, row in enumerate(data["paths"]):
        if row[3]:
            shorter = copy.deepcopy(data["paths"])
            shorter[number][3].pop()
            changes.append({"paths": shorter})
    for change in changes:
        with pytest.raises(Refused):
            kernel(result.program, {**document, "lasso": {**data, **change}})


def test_what_a_condition_is_computed_from_has_to_be_the_same() -> None:
    text = "int main(void) { int i = 0, j = 1; while (j) { j = i < 2; i = i + 0; } }"
    result, document = lasso(text)
    assert kernel(result.program, document).claim == "endless"
    other = parse(READ + text.replace("i + 0", "i + 1"), "p.c")
    with pytest.raises(Refused, match="ends in another state"):
        kernel(other, {**document, "program": fingerprint(other)})


STAYS = "decl x; init(!x);\nvoid main() begin f(); x := {0}; end\nvoid f() begin skip; end\n"
NO_SET: dict[str, Any] = {"deeper": False, "set": None, "inputs": [], "others": []}
INSIDE: list[Any] = ["f", None, [False], [[0, [], None]]]


def said_of(text: str, **data: Any) -> str:
    """Return what the kernel says of a lasso that is written by hand."""
    program = load(text, file="p.bp")
    try:
        return kernel(program, written(program, {"lasso": {**NO_SET, **data}}, excludes=False)).claim
    except Refused as refused:
        return str(refused)


def stays(value: str, path: list[Any], at: int, **changes: Any) -> str:
    rows = [INSIDE, path, ["main", at, [False], []]]
    data = {"paths": rows, "stem": [1], "cycle": [2], "formula": "F {x}", "stays": True, **changes}
    return said_of(STAYS.format(value), **data)


def test_a_run_stays_where_it_has_ended() -> None:
    whole = ["main", None, [False], [[0, [], 0], [1, [], None]]]
    assert stays("F", whole, 2) == "violated"
    assert "has not ended" in stays("F", whole, 2, deeper=True)
    assert "has not ended" in stays("T", ["main", None, [False], [[0, [], 0]]], 1)  # x becomes true after that
    assert "has not ended" in stays("T", ["main", None, [False], []], 0)


def test_a_call_that_has_ended_is_not_the_end() -> None:
    rows = [["main", None, [False], [[0, [], None]]], INSIDE, ["f", 1, [False], []]]
    data = {"paths": rows, "stem": [0, 1], "cycle": [2], "formula": "F {x}", "stays": True}
    assert "has not ended" in said_of(STAYS.format("T"), **data)


def test_every_path_of_a_deeper_cycle_has_to_be_taken_again() -> None:
    """Below the first call g is false, and the second one cannot go on."""
    text = "decl g; init(g);\nvoid main() begin f(); end\nvoid f() begin assume(g); g := {0}; f(); end\n"
    steps = [[0, [], None], [1, [], None], [2, [], None]]
    for value, claim in ((True, "endless"), (False, "the cycle ends in another state")):
        rows = [["main", None, [True], [[0, [], None]]], ["f", None, [True], []], ["f", 0, [True], steps]]
        rows.append(["f", None, [value], []])
        said = said_of(text.format("T" if value else "F"), paths=rows, stem=[0, 1], cycle=[2, 3], deeper=True)
        assert said == claim


def test_of_several_threads_a_lasso_says_nothing() -> None:
    text = "decl g;\nvoid main_1() begin L: goto L; end\nvoid main_2() begin skip; end\n"
    rows: list[list[Any]] = [["main_1", None, [False], []], ["main_1", 0, [False], [[0, [], None]]]]
    assert "one thread" in said_of(text, paths=rows, stem=[0], cycle=[1])
    alone = text.replace("main_1", "main").replace("main_2", "other")
    rows = [["main", *row[1:]] for row in rows]
    assert said_of(alone, paths=rows, stem=[0], cycle=[1]) == "endless"


CALLER = """decl g, h;
void main() begin decl a, b, c; a, b := f(c, g); g := k(); f(b, c); end
bool<2> f(p, q) begin g := p; return q, h; end
bool k() begin h := g; return T; end
"""


def rows_of_calls() -> list[list[Any]]:
    """Return paths through `f`, `k`, and through each call of `main` alone."""
    inner: list[Any] = [
        ["f", None, [], [[0, [], None], [1, [], None]]],
        ["k", None, [], [[0, [], None], [1, [], None]]],
    ]
    return [*inner, *(["main", at, [], [[at, [], inside]]] for at, inside in enumerate((0, 1, 0)))]


@pytest.mark.parametrize(
    ("call", "after", "before"),
    [
        (0, "", ""),
        (0, "a", "g"),  # the first result is q, which is g
        (0, "b", "h"),
        (0, "c", "c"),
        (0, "g", "c"),  # g becomes p, which is c
        (0, "h", "h"),
        (0, "abc", "cgh"),
        (1, "g", ""),  # the result is true, whatever the callee does to g
        (1, "h", "g"),
        (1, "a", "a"),
        (1, "gh", "g"),
        (2, "g", "b"),  # nobody takes the results
        (2, "ab", "ab"),
        (2, "ch", "ch"),
    ],
)
def test_what_has_to_agree_before_a_call(call: int, after: str, before: str) -> None:
    program = read_program(program_to_kernel(load(CALLER, file="p.bp")))
    needs = Needs(program, rows_of_calls())
    assert needs._before_path(2 + call, set(after)) == set(before)


def test_an_argument_that_may_be_undefined_has_to_agree() -> None:
    text = "int f(int n) { return 3; }\n"
    text += "int main(void) { int i = read(), j = read(); while (1) { j = f(5 / i); f(i + 1); } }"
    program = read_program(program_to_kernel(parse(READ + text, "p.c")))
    edges = program.procedures["main"].edges
    calls = [at for at, edge in enumerate(edges) if isinstance(edge.action, Call) and edge.action.procedure == "f"]
    inside: list[Any] = ["f", None, [], [[0, [], None]]]
    found = [Needs(program, [inside, ["main", None, [], [[at, [], 0]]]])._before_path(1, set()) for at in calls]
    assert found == [{"i"}, set()]


def test_a_run_starts_at_the_start() -> None:
    """Behind the first statement, which nobody passes, and in a procedure that nobody calls, there are endless runs."""
    text = "decl g;\nvoid main() begin assume(F); L: goto L; end\nvoid f() begin M: goto M; end\n"
    starts: list[Any] = [
        [["main", 1, [False], []], ["main", 1, [False], [[1, [], None]]]],
        [["f", None, [False], []], ["f", 0, [False], [[0, [], None]]]],
        [["f", 0, [False], []], ["f", 0, [False], [[0, [], None]]]],
    ]
    for rows in starts:
        assert said_of(text, paths=rows, stem=[0], cycle=[1]) == "the run starts elsewhere"


def test_a_cycle_begins_where_the_stem_ends() -> None:
    text = "decl g; init(!g);\nvoid main() begin L: skip; goto L; end\n"
    for begin, value, claim in (
        (0, False, "endless"),
        (0, True, "the cycle begins elsewhere"),
        (1, False, "elsewhere"),
    ):
        step = [[begin, [], None], [1 - begin, [], None]]
        rows: list[Any] = [["main", None, [False], []], ["main", begin, [value], step]]
        assert claim in said_of(text, paths=rows, stem=[0], cycle=[1])


def test_a_formula_on_a_cycle() -> None:
    text = "decl g; init(!g);\nvoid main() begin L: g := !g; goto L; end\n"
    around = [[0, [], None], [1, [], None]]
    twice = [*around, *around]
    rows: list[Any] = [["main", None, [False], []], ["main", 0, [False], twice]]
    data = {"paths": rows, "stem": [0], "cycle": [1], "stays": False}
    assert said_of(text, **data, formula="F G {g}") == "violated"
    assert said_of(text, **data, formula="G F {g}") == "the formula holds on the run"
    assert "about the stack" in said_of(text, **data, formula="F G {g}", deeper=True)
    once: list[Any] = [["main", None, [False], []], ["main", 0, [False], around]]  # g is another one then
    assert "another state" in said_of(text, **{**data, "paths": once}, formula="F G {g}")
    assert "another state" in said_of(text, **{**data, "paths": once}, formula="F {g}")
