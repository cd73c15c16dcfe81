"""Whether the parts of a program fit together: names that are there, values for all targets, ways that end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from knaster_check.program import (
    BOOL,
    Action,
    Assign,
    Assume,
    Begin,
    Call,
    Choose,
    Edge,
    Formula,
    Invoke,
    Join,
    Library,
    Print,
    Procedure,
    Program,
    Raise,
    Return,
    Send,
    Store,
    Thread,
    Update,
    Write,
)
from knaster_check.refused import expect, number_of

_HEAP = (Store, Choose, Send, Update, Join, Raise, Print)
_WITH_MEMORY = (Write, Begin, Invoke, Library)
_BOOLEAN = {"truth", "variable", "next", "choice", "not", "logic", "if"}
_INTEGERS = _BOOLEAN | {"number", "value", "arithmetic", "compare", "convert", "element", "updated"}
_REFERENCES = _INTEGERS | {"part", "field", "index", "size", "member", "new", "self", "apply"}
_MEMORY = _BOOLEAN - {"next"} | {"number", "compare", "real", "pointer", "image", "object", "load", "move", "distance"}
_MEMORY |= {"compute", "real_arithmetic", "cast"}
_NODES = {"boolean": _BOOLEAN, "integers": _INTEGERS | {"real_term"}, "references": _REFERENCES, "memory": _MEMORY}


def check_form(program: Program) -> None:
    """Refuse a program whose parts do not fit together."""
    procedures = program.procedures
    for name in (*program.threads, *program.any_number):
        expect(name in procedures, f"there is no procedure '{name}' to start with")
    expect(bool(program.threads), "no thread runs from the start")
    expect(set(program.any_number) <= set(program.threads), "what is there any number of times is no thread")
    expect(program.atomic is None or program.atomic in program.globals, "'atomic' is no global")
    _check_formula(program, program.init, set(program.globals), set(), "init")
    for _, value in program.statics:
        _check_formula(program, value, set(program.globals), set(), "statics")
    for procedure in procedures.values():
        scope = {*program.globals, *procedure.frame}
        place = f"'{procedure.name}'"
        expect(len(scope) == len(program.scope(procedure)), "a variable hides a global", place)
        readable = scope.difference(procedure.results)
        _check_formula(program, procedure.enforce, readable, set(), place)
        for edge in procedure.edges:
            _check_edge(program, procedure, edge, readable, f"{place}, line {edge.line}")


def _check_edge(program: Program, procedure: Procedure, edge: Edge, scope: set[str], place: str) -> None:
    action = edge.action
    expect(edge.source != procedure.exit and edge.source not in procedure.failures, "a way leaves an end", place)
    expect(program.kind == "references" or not isinstance(action, _HEAP), "an action is one of references", place)
    expect(program.kind == "references" or not edge.keeps, "an edge is one of references", place)
    expect(program.kind in ("references", "memory") or not edge.forgets, "an edge is one of references", place)
    expect(program.kind == "memory" or not isinstance(action, _WITH_MEMORY), "an action is one of memory", place)
    expect(program.kind != "memory" or not isinstance(action, Thread), "an action is none of memory", place)
    for formula in formulas(action):
        primed = scope if isinstance(action, Assign) and formula is action.constraint else set()
        _check_formula(program, formula, scope, primed, place)
    match action:
        case Assign(targets, values, _):
            expect(set(targets) <= scope and len(targets) == len(values), "an assignment does not fit", place)
        case Return(values):
            expect(edge.target == procedure.exit, "a return does not lead to the exit", place)
            free = program.kind == "memory"  # C lets a value be missing, or nobody wait for it
            expect(free or len(values) == len(procedure.results), "a return has another number of values", place)
        case Call(name, arguments, targets, places, dispatch):
            for callee in [one for _, one in dispatch] or [name]:  # an interface's own method has no text
                _check_call(program, callee, arguments, len(targets or places), place)
            written = [target for target in targets if target is not None]
            expect(scope.issuperset(written) and len(set(written)) == len(written), "a call writes no variable", place)
            expect(program.kind == "references" or not (places or dispatch), "a call is one of references", place)
        case Thread("start_thread", location, name, arguments):
            expect((location is None) is not (name is None), "a thread begins nowhere", place)
            if name is not None:
                _check_call(program, name, arguments, 0, place)
            else:
                number_of(location, place, procedure.size)
        case Invoke(_, _, targets):
            expect(all(target in scope for target in targets if target is not None), "a call writes no variable", place)
        case Library(_, _, str(target)):
            expect(target in scope, "a call writes no variable", place)
        case Thread(_, location, name, arguments):
            expect(location is None and name is None and not arguments, "a thread statement does not fit", place)


def _check_call(program: Program, name: str, arguments: Sequence[Formula], results: int, place: str) -> None:
    expect(name in program.procedures, f"there is no procedure '{name}'", place)
    callee = program.procedures[name]
    more = len(arguments) - len(callee.parameters)  # in programs with memory, arguments without names
    fits = more >= 0 if program.kind == "memory" else more == 0
    expect(fits, f"'{name}' has another number of parameters", place)
    void = program.kind == "memory" and results == 1  # who waits for no result, waits for any value
    expect(void or results in (0, len(callee.results)), f"'{name}' has another number of results", place)


def _check_formula(program: Program, formula: Formula, scope: set[str], primed: set[str], place: str) -> None:
    allowed = _NODES[program.kind]
    for head, *rest in formula:
        expect(head in allowed, f"'{head}' is nothing of such a program", place)
        if head in ("variable", "next"):
            expect(rest[0] in (scope if head == "variable" else primed), f"'{rest[0]}' is not in scope", place)
        if head == "choice":
            expect(program.kind != "boolean" or rest[0] == BOOL, "a choice is not Boolean", place)
        if head == "apply":
            expect(rest[0] in program.procedures, f"there is no procedure '{rest[0]}'", place)
        if head == "new":
            expect(rest[0] in program.cells, f"there is no cell '{rest[0]}'", place)


def formulas(action: Action) -> Iterator[Formula]:
    """Yield every formula of an action, in the order in which it is evaluated."""
    match action:
        case Assume(condition):
            yield condition
        case Assign(_, values, constraint):
            yield from (*values, constraint)
        case Return(values):
            yield from values
        case Call(_, arguments, _, places, _):
            yield from (*arguments, *(place for place in places if place is not None))
        case Thread(_, _, _, arguments) | Print(_, arguments):
            yield from arguments
        case Library():
            yield from action.arguments
        case Write(address, value):
            yield from (address, value)
        case Begin(_, size):
            yield size
        case Invoke(function, arguments):
            yield from (function, *arguments)
        case Store(places, value):
            yield from (*places, value)
        case Choose(place, _, collection):
            yield from (place,) if collection is None else (place, collection)
        case Send(channel, value):
            yield from (channel, value)
        case Update(target, _, operand, _):
            yield from (target, operand)
        case Join(waits, receives, _, _):
            yield from (*waits, *(part for pair in receives for part in pair))
