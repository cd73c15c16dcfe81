"""A lasso, a run that never ends, in a file: stem, cycle, and the set to which it comes back, if no state does.

The runs are lists of edges with their inputs, each run after those of the calls inside it; the states in between are
computed again by the interpreter when they are read, and `checkers.runs.lasso` replays the whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from knaster.base.errors import ProofError, SourceError
from knaster.base.limits import Budget
from knaster.evidence.proofs.formulas import formula_of_json, formula_to_json
from knaster.evidence.proofs.reading import expect, has_keys, list_of, numbers, values
from knaster.evidence.proofs.run import path_of, row_of
from knaster.evidence.traces.execute import pass_over, take
from knaster.evidence.traces.lasso import Lasso, Recurrence, goes_in_turns
from knaster.evidence.traces.recorder import PathRecorder
from knaster.evidence.traces.trace import Path, Trace, inner_first
from knaster.program.expression import Expr, has_choice
from knaster.program.model import Call, Location, Place, Program, expressions
from knaster.program.types import Value

Positions = Mapping[int, int]  # of the edges of a procedure, by identity
_OF_FORMULA = {"formula", "stays"}
_FIELDS = {"paths", "stem", "cycle", "deeper", "set", "inputs", "others"}


def to_fields(lasso: Lasso, program: Program) -> dict[str, Any]:
    """Return a run that never ends as fields of a document; raise `ProofError` for one of threads (`thread_lasso`)."""
    if goes_in_turns(program):
        raise ProofError("a run of threads that never ends is written down in another way")
    number = {path: index for index, path in enumerate(inner_first((*lasso.stem.paths, *lasso.cycle.paths)))}
    positions = {own.name: {id(edge): at for at, edge in enumerate(own.edges)} for own in program.procedures}
    recurs, written = lasso.recurs, any(map(_chooses, number))
    return {
        "lasso": {
            "paths": [
                row_of(path, program, number) if written else _row(path, program, number, positions) for path in number
            ],
            "stem": [number[path] for path in lasso.stem.paths],
            "cycle": [number[path] for path in lasso.cycle.paths],
            "deeper": lasso.deeper,
            **({"written": True} if written else {}),
            **({"formula": lasso.formula, "stays": lasso.stays} if lasso.formula else {}),
            "set": None if recurs is None else formula_to_json(recurs.set),
            "inputs": [] if recurs is None else [[edge, value] for edge, value in recurs.inputs],
            "others": [] if recurs is None else [[*place, formula_to_json(one)] for place, one in recurs.others],
        }
    }


def _chooses(path: Path) -> bool:
    """Tell whether a run makes choices that are not among its inputs: they are seen in what they lead to."""
    open_ = (step.edge.action for step in path.steps if not step.inputs)
    return any(has_choice(each) for action in open_ for each in expressions(action))


def _row(path: Path, program: Program, number: Mapping[Path, int], positions: Mapping[str, Positions]) -> list[Any]:
    procedure, position = program.procedure(path.procedure), positions[path.procedure]
    steps = []
    for step in path.steps:
        at = position.get(id(step.edge))
        edge = procedure.edges.index(step.edge) if at is None else at
        steps.append([edge, list(step.inputs), None if step.inside is None else number[step.inside]])
    return [path.procedure, path.begin, [path.start[name] for name in program.scope(procedure)], steps]


def from_fields(document: Mapping[str, Any], program: Program, nodes: int, budget: Budget) -> Lasso:
    """Return the run of a document."""
    expect(not goes_in_turns(program), "it is a run of one thread without references and memory")
    data = document["lasso"]
    expect(isinstance(data, dict), "'lasso' is no object")
    more = (_OF_FORMULA if "formula" in data else set()) | ({"written"} & data.keys())
    has_keys(data, _FIELDS | more, "'lasso'")
    expect(data.get("written", True) is True, "'written' is no truth value")
    expect(type(data["deeper"]) is bool, "'deeper' is no truth value")
    paths: list[Path] = []
    for entry in list_of(data["paths"], "paths"):
        budget.check()
        paths.append((path_of if "written" in data else _path)(entry, program, paths))
    stem, cycle = (_trace(data[part], paths, program) for part in ("stem", "cycle"))
    recurs = _recurrence(data, program, stem.procedure)
    formula, stays = data.get("formula", ""), data.get("stays", False)
    expect(isinstance(formula, str) and type(stays) is bool, "its formula is none")
    return Lasso(stem, cycle, data["deeper"], recurs, stays, formula=_formula(formula, program))


def _formula(text: str, program: Program) -> str:
    """Return a formula of which every atom means something in a program."""
    if not text:
        return text
    from knaster.automata.ltl_parser import parse_ltl
    from knaster.evidence.questions.letters import meanings_of
    from knaster.evidence.questions.question import Temporal

    try:
        meanings_of(program, Temporal(parse_ltl(text), text))
    except SourceError as error:
        expect(False, f"its formula is none: {error.problems[0].message}")
    return text


def _path(entry: object, program: Program, known: Sequence[Path]) -> Path:
    expect(isinstance(entry, list) and len(entry) == 4, "a path has not four parts")
    assert isinstance(entry, list)
    name, begin, start, steps = entry
    procedures = {procedure.name: procedure for procedure in program.procedures}
    expect(isinstance(name, str) and name in procedures, "a path is in no procedure")
    procedure = procedures[name]
    expect(begin is None or (type(begin) is int and 0 <= begin < procedure.size), "a path begins nowhere")
    scope, given = program.scope(procedure), values(start)
    expect(len(scope) == len(given), "a path begins with more or fewer values than there are variables")
    recorder = PathRecorder(name, dict(zip(scope, given, strict=True)), begin)
    for step in list_of(steps, "steps"):
        _step(step, program, recorder, known)
    return recorder.path()


def _step(entry: object, program: Program, recorder: PathRecorder, known: Sequence[Path]) -> None:
    """Take a step of a run that is read; raise `ProofError` where it cannot be taken."""
    procedure = program.procedure(recorder.procedure)
    expect(isinstance(entry, list) and len(entry) == 3, "a step has not three parts")
    assert isinstance(entry, list)
    number, given, inside = entry
    expect(type(number) is int and 0 <= number < len(procedure.edges), "a step takes no edge")
    expect(inside is None or (type(inside) is int and 0 <= inside < len(known)), "what is inside a step is no path")
    edge, inputs = procedure.edges[number], values(given)
    passes = True
    if not isinstance(edge.action, Call):
        expect(inside is None, "a step that is no call has a path inside")
        passes = take(program, recorder, edge, inputs)
    elif inside is None:
        recorder.enter(edge, inputs)
    else:
        expect(known[inside].procedure == edge.action.procedure, "a call has a run of another procedure inside")
        passes = pass_over(program, recorder, edge, known[inside], inputs)
    if not passes:
        raise ProofError(f"the proof does not hold: its run cannot take line {edge.span.line} of '{procedure.name}'")


def _trace(data: object, paths: Sequence[Path], program: Program) -> Trace:
    """Return a run of one thread; it stops where the last step of the last path leads."""
    found = numbers(data)
    expect(bool(found) and all(0 <= number < len(paths) for number in found), "a run consists of no paths")
    last = paths[found[-1]]
    location: Location = program.procedure(last.procedure).entry if last.begin is None else last.begin
    location = last.steps[-1].edge.target if last.steps else location
    return Trace.sequential(tuple(paths[number] for number in found), location)


def _recurrence(data: Mapping[str, Any], program: Program, procedure: str) -> Recurrence | None:
    inputs: list[tuple[int, Value]] = []
    for entry in list_of(data["inputs"], "inputs"):
        expect(isinstance(entry, list) and len(entry) == 2, "an input has not two parts")
        number, (value,) = entry[0], values(entry[1:])
        edges = program.procedure(procedure).edges
        expect(type(number) is int and 0 <= number < len(edges), "an input is of no edge")
        inputs.append((number, value))
    others = tuple(_other(entry, program) for entry in list_of(data["others"], "sets"))
    if data["set"] is None:
        expect(not inputs and not others, "there is more about a set, and no set")
        return None
    return Recurrence(formula_of_json(data["set"]), tuple(inputs), others)


def _other(entry: object, program: Program) -> tuple[Place, Expr]:
    expect(isinstance(entry, list) and len(entry) == 3, "a set has not three parts")
    assert isinstance(entry, list)
    name, location, formula = entry
    sizes = {procedure.name: procedure.size for procedure in program.procedures}
    known = isinstance(name, str) and name in sizes and type(location) is int
    expect(known and 0 <= location < sizes[name], "a set is of no place")
    return (name, location), formula_of_json(formula)
