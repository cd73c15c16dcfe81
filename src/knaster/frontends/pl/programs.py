"""Whole programs of PL: functions `f(p, …) : r, … { S }`, of which the first one, or `main`, runs.

The results of a function are variables of it, whose values at its end are what a call returns.  What the function that
runs is given is any value.
"""

from __future__ import annotations

from knaster.base.errors import Problem, Span, UsageError
from knaster.base.hints import did_you_mean
from knaster.base.records import replace
from knaster.frontends.pl.expressions import NUMBER
from knaster.frontends.pl.lexer import Words, twice
from knaster.frontends.pl.statements import Body, Statements
from knaster.program.expression import TRUE, Choice, Var
from knaster.program.kind import Kind
from knaster.program.model import Action, Assign, Assume, Call, Procedure, Program, Return, result_name

MAIN = "main"


def parse(text: str, file: str = "<text>", dialect: str = "default", notes: list[Problem] | None = None) -> Program:
    """Return the program that a text spells; raise `SourceError` with the first problem in it."""
    if dialect != "default":
        raise UsageError(f"PL has no dialect '{dialect}'")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    words = Words(text, file)
    if not words.word:
        words.refuse("this text has no function")
    heads: list[tuple[str, list[str], list[str], Span, Body]] = []
    while words.word:
        heads.append(_function(words))
    named = {head[0]: head for head in heads}
    if (again := twice(head[0] for head in heads)) is not None:
        words.refuse(f"two functions are called '{again}'", span=[head[3] for head in heads if head[0] == again][1])
    first = MAIN if MAIN in named else heads[0][0]
    for _, _, _, _, body in heads:
        for call, span in body.calls:
            _resolve(words, call, span, {name: (len(head[1]), len(head[2])) for name, head in named.items()})
            if call.procedure == first and named[first][1]:
                words.refuse(f"'{first}' runs first, so nobody calls it", span=span)
    procedures = tuple(_procedure(head, head[0] == first) for head in heads)
    return Program((), procedures, (first,), file=file, source=text, language="pl", kind=Kind.INTEGERS)


def _function(words: Words) -> tuple[str, list[str], list[str], Span, Body]:
    span = words.span
    name = words.name("a function")
    words.expect("(")
    parameters = [] if words.word == ")" else words.names("a parameter")
    words.expect(")")
    results = words.names("a result") if words.accept(":") else []
    if (again := twice([*parameters, *results])) is not None:
        words.refuse(f"'{again}' is declared twice", span=span)
    body = Body({*parameters, *results})
    body.locals = dict.fromkeys(results)
    begin = body.step(0, _forget(results, span), span)
    end = Statements(words, body).block(begin)
    missing = [each for each in results if each not in body.scope]
    if missing:
        words.refuse(f"'{missing[0]}' is a result, and is killed", span=span)
    body.step(end, Return(tuple(Var(each) for each in results)), words.last)
    return name, parameters, results, span, body


def _procedure(head: tuple[str, list[str], list[str], Span, Body], runs: bool) -> Procedure:
    """Return the control-flow graph; parameters of the function that runs first are locals with any values."""
    name, parameters, results, span, body = head
    edges, own, given = body.edges, dict.fromkeys(body.locals), tuple(parameters)
    if runs and parameters:
        first = edges[0]
        edges = [replace(first, action=_forget([*parameters, *results], span)), *edges[1:]]
        own, given = {**dict.fromkeys(parameters), **own}, ()
    returned = tuple(result_name(index) for index in range(len(results)))
    types = tuple((each, NUMBER) for each in (*given, *own, *returned))
    exit_ = edges[-1].target
    ordered = tuple(sorted(edges, key=lambda edge: edge.source))
    labels, failures = tuple(body.labels), tuple(body.failing)
    return Procedure(name, given, returned, tuple(own), 0, exit_, ordered, labels, failures, span=span, types=types)


def _forget(names: list[str], span: Span) -> Action:
    """Return what gives variables any values."""
    return Assign(tuple(names), tuple(Choice(NUMBER, span, name) for name in names)) if names else Assume(TRUE)


def _resolve(words: Words, call: Call, span: Span, known: dict[str, tuple[int, int]]) -> None:
    if call.procedure not in known:
        words.refuse(f"there is no function '{call.procedure}'", did_you_mean(call.procedure, known) or "", span)
    parameters, results = known[call.procedure]
    if len(call.arguments) != parameters:
        words.refuse(f"'{call.procedure}' takes {parameters} values, here are {len(call.arguments)}", span=span)
    if call.targets and len(call.targets) != results:
        words.refuse(f"'{call.procedure}' returns {results} values, {len(call.targets)} are taken", span=span)
