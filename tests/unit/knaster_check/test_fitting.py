"""Parts of program texts that do not fit together: each is refused for its own reason, and what fits is read."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.languages import load
from knaster_check import Refused, read_program

TEXTS = {
    "p.bp": "decl g; void main() begin decl l, m; l, m := f(g); sync(); end\n"
    "bool<2> f(x) begin return x, !x; end void sync() begin g := T; end\n",
    "m.zing": "interface I { int f(); }; class A : I { int f() { return 1; } }; class M { static int x; static I i;\n"
    "static activate void main() { int y; i = new A; y = i.f(); x = g(y); async h(); }\n"
    "static int g(int n) { return n; }"
    "static void h() { x = 0; } };\n",
    "a.c": "#include <stdlib.h>\nint f(int n) { return n; }\nvoid g(void) { }\n"
    "int main(void) { int x = 1, *p = &x; int (*h)(int) = f; x = h(2); f(3); g(); p = malloc(4); return *p; }\n",
}


def text_of(file: str) -> Any:
    text = TEXTS[file]
    program = load(text, file=file, objects="always") if file == "a.c" else load(text, file=file)
    return json.loads(program_to_kernel(program))


def procedure(data: Any, name: str) -> Any:
    return next(one for one in data["procedures"] if one["name"].endswith(name))


def edge(data: Any, name: str, action: str) -> Any:
    return next(one for one in procedure(data, name)["edges"] if one[1][0] == action)


def call(data: Any, name: str = "main") -> Any:
    return edge(data, name, "call")[1]


def call_of(data: Any, callee: str) -> Any:
    return next(one[1] for one in procedure(data, "main")["edges"] if one[1][:2] == ["call", callee])


G, TRUE = [["variable", "g"]], [["truth", True]]
WRONG: dict[str, tuple[str, Callable[[Any], object], str]] = {
    "two assigned, one value": ("p.bp", lambda d: edge(d, "sync", "assign")[1][2].append(TRUE), "does not fit"),
    "assigned out of scope": ("p.bp", lambda d: edge(d, "sync", "assign")[1].__setitem__(1, ["l"]), "does not fit"),
    "a result is read": (
        "p.bp",
        lambda d: edge(d, "f", "return")[1][1].__setitem__(0, [["variable", procedure(d, "f")["results"][0]]]),
        "is not in scope",
    ),
    "a result of references is read": (
        "m.zing",
        lambda d: edge(d, "g", "return")[1][1].__setitem__(0, [["variable", "@0"]]),
        "is not in scope",
    ),
    "an edge keeps": ("p.bp", lambda d: edge(d, "sync", "assign").__setitem__(4, True), "an edge is one of references"),
    "an edge forgets": ("p.bp", lambda d: call(d) and edge(d, "main", "call").__setitem__(5, ["l"]), "an edge is one"),
    "a call of nobody": ("p.bp", lambda d: call(d).__setitem__(1, "nobody"), "there is no procedure 'nobody'"),
    "a call with one more": ("p.bp", lambda d: call(d)[2].append(G), "number of parameters"),
    "a call with one less": ("p.bp", lambda d: call(d).__setitem__(2, []), "number of parameters"),
    "a call for one of two": ("p.bp", lambda d: call(d)[3].pop(), "number of results"),
    "a call for one thing twice": ("p.bp", lambda d: call(d).__setitem__(3, ["l", "l"]), "a call writes no variable"),
    "a call out of scope": ("p.bp", lambda d: call(d).__setitem__(3, ["l", "x"]), "a call writes no variable"),
    "a call with places": ("p.bp", lambda d: call(d)[4].extend([G, G]), "a call is one of references"),
    "a call by class": ("p.bp", lambda d: call(d)[5].append(["C", "f"]), "a call is one of references"),
    "a return elsewhere": ("p.bp", lambda d: edge(d, "f", "return").__setitem__(2, 0), "does not lead to the exit"),
    "a return of one of two": ("p.bp", lambda d: edge(d, "f", "return")[1][1].pop(), "number of values"),
    "any number of no thread": ("p.bp", lambda d: d.update(any_number=["sync"]), "is no thread"),
    "a choice of numbers": (
        "p.bp",
        lambda d: edge(d, "sync", "assign")[1].__setitem__(2, [[["choice", ["int", 8, True]]]]),
        "a choice is not Boolean",
    ),
    "a hidden global": ("p.bp", lambda d: procedure(d, "sync").update(locals=["g"]), "hides a global"),
    "atomic is no global": ("p.bp", lambda d: d.update(atomic="l"), "'atomic' is no global"),
    "a class without its method": (
        "m.zing",
        lambda d: [one[1][5].__setitem__(0, ["A", "nobody"]) for one in calls_by_class(d)],
        "there is no procedure 'nobody'",
    ),
    "a place out of scope": (
        "m.zing",
        lambda d: [one[1][4].__setitem__(0, [["variable", "n"]]) for one in calls_by_class(d)],
        "'n' is not in scope",
    ),
    "a new nothing": ("m.zing", lambda d: edge(d, "main", "store")[1].__setitem__(2, [["new", "N", 0]]), "no cell 'N'"),
    "a way out of the exit": (
        "p.bp",
        lambda d: procedure(d, "sync")["edges"].append(
            [procedure(d, "sync")["exit"], ["assume", TRUE], 0, 1, False, []]
        ),
        "a way leaves an end",
    ),
    "an edge with a column": ("p.bp", lambda d: edge(d, "sync", "assign").append(1), "'sync': an edge"),
    "a way out of a failure": (
        "p.bp",
        lambda d: procedure(d, "sync").update(failures=[edge(d, "sync", "assign")[0]]),
        "a way leaves an end",
    ),
    "a value of afterwards": (
        "p.bp",
        lambda d: edge(d, "sync", "assign")[1].__setitem__(2, [[["next", "g"]]]),
        "'g' is not in scope",
    ),
    "a condition of afterwards": (
        "p.bp",
        lambda d: edge(d, "sync", "assign").__setitem__(1, ["assume", [["next", "g"]]]),
        "'g' is not in scope",
    ),
    "an applied nothing": (
        "m.zing",
        lambda d: edge(d, "g", "return")[1][1].__setitem__(0, [["apply", "nobody", 0]]),
        "there is no procedure 'nobody'",
    ),
    "memory: a call with one less": ("a.c", lambda d: call_of(d, "f").__setitem__(2, []), "number of parameters"),
    "memory: two results of none": ("a.c", lambda d: call_of(d, "g")[3].append(None), "number of results"),
    "memory: a call out of scope": (
        "a.c",
        lambda d: edge(d, "main", "invoke")[1].__setitem__(3, ["n"]),
        "a call writes no variable",
    ),
    "memory: a function of the library out of scope": (
        "a.c",
        lambda d: edge(d, "main", "library")[1].__setitem__(3, "n"),
        "a call writes no variable",
    ),
}


def calls_by_class(data: Any) -> list[Any]:
    found = [one for one in procedure(data, "main")["edges"] if one[1][0] == "call" and one[1][5]]
    assert found
    return found


@pytest.mark.parametrize("name", WRONG)
def test_what_does_not_fit(name: str) -> None:
    file, change, reason = WRONG[name]
    data = text_of(file)
    assert read_program(json.dumps(data))
    change(data)
    with pytest.raises(Refused, match=reason):
        read_program(json.dumps(data))


RIGHT: dict[str, tuple[str, Callable[[Any], object]]] = {
    "every thread any number of times": ("p.bp", lambda d: d.update(any_number=list(d["threads"]))),
    "a call whose results nobody wants": ("p.bp", lambda d: call(d).__setitem__(3, [])),
    "a place that is not wanted": (
        "m.zing",
        lambda d: [one[1][4].__setitem__(0, None) for one in calls_by_class(d)],
    ),
    "a constraint of afterwards": (
        "p.bp",
        lambda d: edge(d, "sync", "assign")[1].__setitem__(3, [["next", "g"]]),
    ),
    "what is applied": (
        "m.zing",
        lambda d: edge(d, "g", "return")[1][1].__setitem__(
            0, [["variable", "n"], ["apply", procedure(d, "g")["name"], 1]]
        ),
    ),
    "memory: as many arguments, and any value of none": ("a.c", lambda d: call_of(d, "g")[3].__setitem__(0, "p")),
    "memory: more arguments": ("a.c", lambda d: call_of(d, "f")[2].append([["number", "3"]])),
    "memory: nobody wants it": ("a.c", lambda d: edge(d, "main", "invoke")[1].__setitem__(3, [None])),
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_fits(name: str) -> None:
    file, change = RIGHT[name]
    data = text_of(file)
    change(data)
    assert read_program(json.dumps(data))


@pytest.mark.parametrize(
    "statement",
    [
        ["thread", "start_thread", None, None, []],
        ["thread", "start_thread", 0, "sync", []],
        ["thread", "start_thread", None, "f", []],
        ["thread", "start_thread", None, "nobody", []],
        ["thread", "start_thread", 1_000, None, []],
        ["thread", "atomic_begin", 0, None, []],
        ["thread", "atomic_begin", None, "sync", []],
        ["thread", "atomic_begin", None, None, [TRUE]],
    ],
)
def test_thread_statements_that_do_not_fit(statement: list[Any]) -> None:
    data = text_of("p.bp")
    edge(data, "sync", "assign")[1] = statement
    with pytest.raises(Refused):
        read_program(json.dumps(data))


@pytest.mark.parametrize(
    "statement",
    [
        ["thread", "start_thread", None, "sync", []],
        ["thread", "start_thread", 0, None, []],
        ["thread", "start_thread", None, "f", [TRUE]],
        ["thread", "atomic_begin", None, None, []],
    ],
)
def test_thread_statements_that_fit(statement: list[Any]) -> None:
    data = text_of("p.bp")
    edge(data, "sync", "assign")[1] = statement
    assert read_program(json.dumps(data))
