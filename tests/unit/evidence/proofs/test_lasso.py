"""A run that never ends in a file: edges and inputs, from which the states in between are computed again."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.evidence.proofs.lasso import from_fields, to_fields
from knaster.evidence.traces.lasso import Lasso
from knaster.evidence.traces.trace import Path, Step, Trace
from knaster.frontends.boolean import parse
from knaster.program.model import Kind

TEXT = "decl g;\nvoid main() begin\n  g := T;\n  while (g) do\n    f();\n  od\nend\n"
TEXT += "void f() begin\n  g := !g | g;\nend\n"
PROGRAM = parse(TEXT, "a.bp")
MAIN = PROGRAM.procedure("main")
EDGE = {(edge.source, edge.target): number for number, edge in enumerate(MAIN.edges)}
FIRST, INTO, CALL = EDGE[0, 1], EDGE[1, 2], EDGE[2, 1]
DATA: dict[str, Any] = {
    "paths": [
        ["main", None, [False], [[FIRST, [], None]]],
        ["f", None, [True], [[0, [], None]]],
        ["main", 1, [True], [[INTO, [], None], [CALL, [], 1]]],
    ],
    "stem": [0],
    "cycle": [2],
    "deeper": False,
    "set": None,
    "inputs": [],
    "others": [],
}


def read(data: Any) -> Any:
    return from_fields({"lasso": data}, PROGRAM, 0, Budget())


def test_states_are_computed_again() -> None:
    lasso = read(DATA)
    assert lasso.stem.paths[-1].steps[-1].after == {"g": True} and lasso.stem.location == 1
    assert lasso.cycle.paths[-1].steps[-1].after == {"g": True} and lasso.cycle.location == 1
    assert lasso.recurs is None and not lasso.deeper


def test_what_is_written_is_what_was_read() -> None:
    again = to_fields(read(DATA), PROGRAM)["lasso"]
    assert again == DATA


def test_a_set_to_which_it_comes_back() -> None:
    formula = [["variable", "g"]]
    more = {"set": formula, "inputs": [[FIRST, True]], "others": [["f", 0, formula]]}
    lasso = read({**DATA, **more})
    assert lasso.recurs.inputs == ((FIRST, True),) and lasso.recurs.others[0][0] == ("f", 0)
    assert to_fields(lasso, PROGRAM)["lasso"] == {**DATA, **more}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("deeper",), 0),
        (("stem",), []),
        (("stem",), [3]),
        (("cycle",), [-1]),
        (("paths", 0, 0), "other"),
        (("paths", 0, 1), 99),
        (("paths", 0, 2), []),
        (("paths", 0, 3, 0), [99, [], None]),
        (("paths", 0, 3, 0), [FIRST, [], 0]),  # no call, and something inside
        (("paths", 2, 3, 1), [CALL, [], 0]),  # a run of another procedure inside
        (("paths", 2, 3, 1), [CALL, [], 2]),  # nothing that comes before it
        (("paths", 2, 2), [False]),  # the loop is not entered
        (("inputs",), [[FIRST, True]]),  # of no set
        (("others",), [["f", 0, [["truth", True]]]]),
    ],
)
def test_what_is_no_run(path: tuple[str | int, ...], value: object) -> None:
    data = deepcopy(DATA)
    part: Any = data
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    with pytest.raises(ProofError):
        read(data)


def with_part(path: tuple[str | int, ...], value: object) -> Any:
    data = deepcopy(DATA)
    part: Any = data
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    return data


SIZE = MAIN.size
SET: dict[str, Any] = {"set": [["variable", "g"]]}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (with_part(("paths", 0, 1), SIZE), "a path begins nowhere"),
        (with_part(("paths", 0, 1), -1), "a path begins nowhere"),
        (with_part(("paths", 0, 1), True), "a path begins nowhere"),
        (with_part(("paths", 2, 3, 1), [CALL, [], -1]), "is no path"),
        (with_part(("paths", 2, 3, 1), [CALL, [], 2]), "is no path"),
        ({**DATA, **SET, "inputs": [[len(MAIN.edges), True]]}, "an input is of no edge"),
        ({**DATA, **SET, "inputs": [[-1, True]]}, "an input is of no edge"),
        ({**DATA, **SET, "inputs": [[True, True]]}, "an input is of no edge"),
        ({**DATA, **SET, "inputs": [["0", True]]}, "an input is of no edge"),
        ({**DATA, **SET, "others": [["f", 0]]}, "a set has not three parts"),
        ({**DATA, **SET, "others": ["f00"]}, "a set has not three parts"),
        ({**DATA, **SET, "others": [["f", PROGRAM.procedure("f").size, SET["set"]]]}, "a set is of no place"),
        ({**DATA, **SET, "others": [["f", -1, SET["set"]]]}, "a set is of no place"),
        ({**DATA, **SET, "others": [["nobody", 0, SET["set"]]]}, "a set is of no place"),
        ({**DATA, **SET, "others": [[7, 0, SET["set"]]]}, "a set is of no place"),
        ({**DATA, **SET, "others": [["f", True, SET["set"]]]}, "a set is of no place"),
        ({**DATA, "formula": 7, "stays": False}, "its formula is none"),
        ({**DATA, "formula": "F ended", "stays": 0}, "its formula is none"),
        ({**DATA, "formula": "F ended"}, "does not have the fields"),
        ({**DATA, "written": False}, "'written' is no truth value"),
    ],
)
def test_why_it_is_no_run(data: Any, message: str) -> None:
    with pytest.raises(ProofError, match=message):
        read(data)


def test_what_is_inside_may_be_the_first_path() -> None:
    first, inside, cycle = DATA["paths"]
    again = [*cycle[3][:-1], [CALL, [], 0]]
    lasso = read({**DATA, "paths": [inside, [*cycle[:3], again], first], "stem": [2], "cycle": [1]})
    assert lasso.cycle.paths[0].steps[-1].inside.procedure == "f"


def test_a_run_without_steps_stands_where_it_begins() -> None:
    for begin, location in ((None, MAIN.entry), (0, 0), (1, 1)):
        lasso = read({**DATA, "paths": [*DATA["paths"], ["main", begin, [True], []]], "stem": [3]})
        assert lasso.stem.location == location


def test_a_formula_is_written_and_read() -> None:
    data = {**DATA, "formula": "F ended", "stays": True}
    lasso = read(data)
    assert (lasso.formula, lasso.stays) == ("F ended", True)
    assert to_fields(lasso, PROGRAM)["lasso"] == data


def test_edges_of_the_same_text_are_the_same() -> None:
    twin = parse(TEXT, "a.bp")
    assert to_fields(from_fields({"lasso": DATA}, twin, 0, Budget()), PROGRAM)["lasso"] == DATA


def test_choices_that_are_no_inputs_are_seen_in_what_they_lead_to() -> None:
    program = parse("decl g; init(!g); void main() begin while (T) do g := *; od end\n", "a.bp")
    main = program.procedure("main")
    into = next(edge for edge in main.edges if edge.source == main.entry and edge.target != main.exit)
    (choice,) = main.leaving[into.target]
    off: dict[str, Any] = {"g": False}
    stem = Trace.sequential((Path("main", off, ()),), main.entry)

    def written(inputs: tuple[Any, ...]) -> Any:
        steps = (Step(into, off), Step(choice, off, None, inputs))
        lasso = Lasso(stem, Trace.sequential((Path("main", off, steps, main.entry),), main.entry))
        found = to_fields(lasso, program)["lasso"]
        assert from_fields({"lasso": found}, program, 0, Budget()).cycle.paths[0].steps[-1].after == off
        return found.get("written")

    assert written(()) is True and written((False,)) is None


def test_a_run_of_one_thread_without_references() -> None:
    threads = parse("decl g; void main_1() begin skip; end void main_2() begin skip; end\n", "a.bp")
    for program in (threads, replace(PROGRAM, kind=Kind.REFERENCES)):
        with pytest.raises(ProofError, match="one thread without references"):
            from_fields({"lasso": DATA}, program, 0, Budget())
