"""A program text (docs/kernel.md) as records: whatever is missing, unknown, out of range or out of scope is refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from typing import Any

from knaster_check.fitting import check_form
from knaster_check.formula import read_formula, read_type, read_value
from knaster_check.program import (
    BOOL,
    Action,
    Assign,
    Assume,
    Begin,
    Call,
    Cell,
    Choose,
    Declared,
    Edge,
    Form,
    Formula,
    Invoke,
    Join,
    Layout,
    Library,
    Print,
    Procedure,
    Program,
    Raise,
    Return,
    Send,
    Store,
    Thread,
    Type,
    Update,
    Write,
)
from knaster_check.refused import Refused, expect, list_of, number_of, object_with, text_of, truth_of

FORMAT, VERSION = "knaster program", 1
KINDS = ("boolean", "integers", "references", "memory")
_PROGRAM = (
    *("format", "version", "kind", "file", "fingerprint", "reading", "globals", "types", "init", "atomic"),
    *("threads", "any_number", "cells", "statics", "procedures"),
)
_PROCEDURE = (
    *("name", "line", "parameters", "results", "locals", "types", "entry", "exit", "size"),
    *("enforce", "labels", "failures", "handlers", "edges"),
)
_OPERATIONS = ("start_thread", "end_thread", "atomic_begin", "atomic_end", "wait", "broadcast")


def read_json(text: str) -> Any:
    """Return what a JSON text says; a name that is there twice in one object is refused."""

    def unique(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
        expect(len(dict(pairs)) == len(pairs), "a name is given twice in one object")
        return dict(pairs)

    def no_number(spelling: str) -> Any:
        raise Refused(f"{spelling} is no whole number")

    try:
        return json.loads(text, object_pairs_hook=unique, parse_float=no_number, parse_constant=no_number)
    except (ValueError, RecursionError) as error:
        raise Refused(f"this is no JSON text: {' '.join(str(error).split())[:100]}") from None


def read_program(text: str) -> Program:
    """Return the program of a program text."""
    data = read_json(text)
    with_memory = isinstance(data, dict) and data.get("kind") == "memory"
    several = ["files"] if isinstance(data, dict) and "files" in data else []
    object_with(data, (*_PROGRAM, *several, *(["memory"] if with_memory else [])), "a program text")
    expect(data["format"] == FORMAT and data["version"] == VERSION, f"this is no '{FORMAT}' of version {VERSION}")
    expect(data["kind"] in KINDS, "the kind of the program is unknown")
    cells = [_cell(row) for row in list_of(data["cells"], "cells")]
    expect(data["kind"] == "references" or not cells, "a program without references has cells")
    globals = _names(data["globals"], "globals")
    procedures = [_procedure(row, with_memory) for row in list_of(data["procedures"], "procedures")]
    program = Program(
        kind=data["kind"],
        file=text_of(data["file"], "file"),
        fingerprint=text_of(data["fingerprint"], "fingerprint"),
        reading=_reading(data["reading"]),
        globals=globals,
        types=_types(data["types"], globals),
        init=read_formula(data["init"], "init"),
        atomic=None if data["atomic"] is None else text_of(data["atomic"], "atomic"),
        threads=tuple(text_of(name, "threads") for name in list_of(data["threads"], "threads")),
        any_number=_names(data["any_number"], "any_number"),
        cells={cell.name: cell for cell in cells},
        statics=_pairs(data["statics"], text_of, read_formula, "statics"),
        procedures={procedure.name: procedure for procedure in procedures},
        layout=_layout(data["memory"]) if with_memory else None,
        files=_pairs(data["files"], number_of, text_of, "files") if several else (),
    )
    expect(len(program.procedures) == len(procedures), "two procedures have one name")
    expect(len(program.cells) == len(cells), "two cells have one name")
    starts = [0, *(first for first, _ in program.files)]
    expect(starts == sorted(set(starts)), "files stand in another order")
    check_form(program)
    return program


def _procedure(data: object, with_memory: bool) -> Procedure:
    row = object_with(data, _PROCEDURE, "a procedure")
    name = text_of(row["name"], "the name of a procedure")
    try:
        size = number_of(row["size"], "size")
        parameters, results, locals = (_names(row[part], part) for part in ("parameters", "results", "locals"))
        frame = parameters + locals + results
        expect(len(set(frame)) == len(frame), "a variable is there twice")
        return Procedure(
            name=name,
            line=number_of(row["line"], "line"),
            parameters=parameters,
            results=results,
            locals=locals,
            types=_types(row["types"], frame),
            entry=number_of(row["entry"], "entry", size),
            exit=number_of(row["exit"], "exit", size),
            size=size,
            enforce=read_formula(row["enforce"], "enforce"),
            labels=_pairs(row["labels"], text_of, lambda at, what: number_of(at, what, size), "labels"),
            failures=frozenset(number_of(at, "failures", size) for at in list_of(row["failures"], "failures")),
            handlers=tuple(_handler(one, size) for one in list_of(row["handlers"], "handlers")),
            edges=tuple(_edge(one, size, with_memory) for one in list_of(row["edges"], "edges")),
        )
    except Refused as wrong:
        raise Refused(wrong.reason, wrong.place or f"'{name}'") from None


def _edge(data: object, size: int, with_memory: bool) -> Edge:
    source, action, target, line, keeps, forgets, *rest = list_of(data, "an edge", 7 if with_memory else 6)
    place = f"the edge of line {line}"
    ends = number_of(source, place, size), number_of(target, place, size)
    line, keeps, forgets = number_of(line, place), truth_of(keeps, place), _names(forgets, place)
    return Edge(ends[0], _action(action), ends[1], line, keeps, forgets, *(number_of(at, place) for at in rest))


def _action(data: object) -> Action:
    row = list_of(data, "an action")
    form = _ACTIONS.get(row[0]) if row and isinstance(row[0], str) else None
    if form is None or len(row) != len(form):
        raise Refused(f"{str(row)[:60]} is no action")
    make, *readers = form
    found: Action = make(*(read(part, f"'{row[0]}'") for read, part in zip(readers, row[1:], strict=True)))
    return found


def _formulas(data: object, what: str) -> tuple[Formula, ...]:
    return tuple(read_formula(row, what) for row in list_of(data, what))


def _perhaps(reader: Callable[[Any, str], Any]) -> Callable[[Any, str], Any]:
    return lambda data, what: None if data is None else reader(data, what)


def _several(reader: Callable[[Any, str], Any]) -> Callable[[Any, str], Any]:
    return lambda data, what: tuple(reader(part, what) for part in list_of(data, what))


def _pairs(data: object, left: Callable[[Any, str], Any], right: Callable[[Any, str], Any], what: str) -> Any:
    pairs = [list_of(row, what, 2) for row in list_of(data, what)]
    return tuple((left(one, what), right(two, what)) for one, two in pairs)


def _one_of(words: Collection[str]) -> Callable[[Any, str], str]:
    def read(data: object, what: str) -> str:
        expect(text_of(data, what) in words, f"{what}: '{data}' is none of {', '.join(words)}")
        return str(data)

    return read


def _names(data: object, what: str) -> tuple[str, ...]:
    names = tuple(text_of(name, what) for name in list_of(data, what))
    expect(len(set(names)) == len(names) and "" not in names, f"{what}: a name is empty or there twice")
    return names


def _types(data: object, names: Sequence[str]) -> dict[str, Type]:
    """Return the type of each variable; Boolean where nothing is said."""
    said = {text_of(name, "types"): read_type(type) for name, type in _pairs(data, text_of, lambda t, _: t, "types")}
    expect(said.keys() <= set(names), "something has a type that is no variable")
    return {**dict.fromkeys(names, BOOL), **said}


def _reading(data: object) -> dict[str, str]:
    expect(isinstance(data, dict) and all(isinstance(value, str) for value in data.values()), "'reading' is wrong")
    assert isinstance(data, dict)
    return data


def _handler(data: object, size: int) -> tuple[int, str | None, int]:
    at, exception, target = list_of(data, "a handler", 3)
    return (
        number_of(at, "a handler", size),
        _perhaps(text_of)(exception, "a handler"),
        number_of(target, "a handler", size),
    )


def _cell(data: object) -> Cell:
    form, name, *rest = list_of(data, "a cell", 4)
    what = f"the cell '{text_of(name, 'a cell')}'"
    if form == "class":
        fields = _pairs(rest[0], text_of, lambda type, _: read_type(type), what)
        return Cell(form, name, fields, _pairs(rest[1], text_of, read_formula, what), None, None)
    expect(form in ("array", "channel", "set"), f"{what} is of no known form")
    length = _perhaps(number_of)(rest[1], what)
    expect(length is None or form == "array", f"{what} has a length")
    return Cell(form, name, (), (), read_type(rest[0]), length)


def _layout(data: object) -> Layout:
    row = object_with(data, ("pointer", "objects", "forms"), "'memory'")
    objects = tuple(_declared(one) for one in list_of(row["objects"], "objects"))
    expect(len({declared.name for declared in objects}) == len(objects), "two objects have one name")
    expect(row["pointer"] in (4, 8), "a pointer has no known size")
    return Layout(row["pointer"], objects, dict(_pairs(row["forms"], text_of, _form, "forms")))


def _declared(data: object) -> Declared:
    row = object_with(data, Declared._fields, "an object")
    what = f"the object '{text_of(row['name'], 'an object')}'"
    writable, literal, unknown, own = (
        truth_of(row[part], what) for part in ("writable", "literal", "unknown", "per_thread")
    )
    cells = [list_of(cell, what, 3) for cell in list_of(row["cells"], what)]
    read = tuple((number_of(at, what), read_type(type), read_formula(value, what)) for at, type, value in cells)
    return Declared(row["name"], number_of(row["size"], what), writable, literal, unknown, own, read)


def _form(data: object, what: str) -> Form:
    result, parameters, variadic = list_of(data, what, 3)
    return Form(text_of(result, what), _perhaps(_several(text_of))(parameters, what), truth_of(variadic, what))


_ACTIONS: dict[str, tuple[Any, ...]] = {
    "assume": (Assume, read_formula),
    "assign": (Assign, _names, _formulas, read_formula),
    "call": (
        *(Call, text_of, _formulas, _several(_perhaps(text_of)), _several(_perhaps(read_formula))),
        lambda data, what: _pairs(data, text_of, text_of, what),
    ),
    "return": (Return, _formulas),
    "thread": (Thread, _one_of(_OPERATIONS), _perhaps(number_of), _perhaps(text_of), _formulas),
    "store": (Store, _formulas, read_formula),
    "choose": (
        *(Choose, read_formula, _perhaps(_several(lambda value, _: read_value(value)))),
        _perhaps(read_formula),
    ),
    "send": (Send, read_formula, read_formula),
    "update": (Update, read_formula, truth_of, read_formula, truth_of),
    "join": (
        *(Join, _formulas, lambda data, what: _pairs(data, read_formula, read_formula, what)),
        *(_one_of(("any", "first")), truth_of),
    ),
    "raise": (Raise, text_of),
    "print": (Print, text_of, _formulas),
    "write": (Write, read_formula, read_formula, lambda data, _: read_type(data), truth_of, truth_of),
    "begin": (Begin, text_of, read_formula, truth_of, truth_of),
    "invoke": (Invoke, read_formula, _formulas, _several(_perhaps(text_of)), _form),
    "library": (Library, text_of, _formulas, _perhaps(text_of), _perhaps(lambda data, _: read_type(data))),
}
