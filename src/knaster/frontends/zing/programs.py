"""Text to Program: the declarations, then every method, then the initialisers."""

from __future__ import annotations

from collections import Counter

from knaster.base.errors import Problem, SourceError, Span, UsageError
from knaster.base.hints import did_you_mean
from knaster.base.trampoline import run
from knaster.frontends.zing.body import Body
from knaster.frontends.zing.declarations import Declared, declarations
from knaster.frontends.zing.expressions import Expressions
from knaster.frontends.zing.graph import Graph
from knaster.frontends.zing.kinds import Class, Method
from knaster.frontends.zing.lexer import tokenize
from knaster.frontends.zing.mistakes import Mistakes, Unexpected
from knaster.frontends.zing.nested_calls import calls
from knaster.frontends.zing.primaries import Scope
from knaster.frontends.zing.statements import Statements
from knaster.program.expression import Expr, New, postorder
from knaster.program.model import Kind, Procedure, Program
from knaster.program.objects import ClassCell, Objects
from knaster.program.types import BOOL, Int, Pointer, Type


def parse(text: str, file: str = "<text>", dialect: str = "default", notes: list[Problem] | None = None) -> Program:
    """Return the program that a text means; raise `SourceError` with every mistake in it."""
    if dialect != "default":
        raise UsageError(f"a Zing model has no dialect '{dialect}'")
    problems: list[Problem] = []
    tokens = tokenize(text, problems)
    mistakes = Mistakes(tokens, problems)
    declared = declarations(tokens, mistakes)
    _name(declared)
    expressions = Expressions(declared.kinds, mistakes)
    statements = Statements(Body(expressions, mistakes))
    procedures = [
        _method(owner, method, statements)
        for owner in declared.kinds.classes.values()
        for method in owner.methods.values()
        if method.body
    ]
    statics, initial = _initialisers(declared, expressions)
    threads = tuple(m.procedure for c in declared.kinds.classes.values() for m in c.methods.values() if m.activate)
    if not threads and not problems:
        where = tokens.span(0) if tokens.offsets else Span(1, 1)
        hint = "mark one: activate static void main()"
        problems.append(Problem("no method is marked 'activate', so nothing runs", where, hint))
    if problems:
        raise SourceError(file, text, sorted(problems, key=lambda problem: (problem.span.line, problem.span.column)))
    cells = declared.kinds.cells(initial)
    _check_endless(cells, declared, file, text)
    globals_ = [(f"{c.name}.{n}", t or Int(32)) for c in declared.kinds.classes.values() for n, t in c.statics.items()]
    return Program(
        tuple(name for name, _ in globals_),
        tuple(procedures),
        threads,
        file=file,
        source=text,
        language="zing",
        kind=Kind.REFERENCES,
        types=tuple((name, type) for name, type in globals_ if type != BOOL),
        objects=Objects(cells, statics),
    )


def _name(declared: Declared) -> None:
    """Name the procedures: by the method alone where that is clear."""
    methods = [method for owner in declared.kinds.classes.values() for method in owner.methods.values()]
    count = Counter(method.name for method in methods)
    for method in methods:
        method.procedure = method.name if count[method.name] == 1 else f"{method.owner}.{method.name}"


def _method(owner: Class, method: Method, statements: Statements) -> Procedure:
    mistakes, graph = statements.mistakes, Graph()
    names: dict[str, tuple[str, Type | None]] = {}
    types: dict[str, Type] = {} if method.static else {"this": Pointer(owner.name)}
    for name, type, _, at in method.parameters:
        if name in names:
            mistakes.add(at + 1, f"there is already a parameter '{name}'")
        names[name] = name, type
        types[name] = type or Int(32)
    parameters = (*(() if method.static else ("this",)), *(name for name, _, out, _ in method.parameters if not out))
    statements.expressions.scope = Scope(owner, method.static, [names])
    statements.body.begin(method, graph, types)
    if method.atomic:
        graph.begin_region()
    try:
        behind = run(statements.block(method.body + 1))
    except Unexpected as error:
        mistakes.report_unexpected(error)
        behind = method.body + 1
    if graph.open or graph.waiting or not graph.scopes:
        end = mistakes.tokens.span(behind - 1)
        graph.leave(statements.body.results(None), end)
    _jumps(graph, mistakes)
    results = [] if method.result is None else [method.result]
    results += [type or Int(32) for _, type, out, _ in method.parameters if out]
    if mistakes.problems:  # nobody will look at it
        graph = Graph()
        graph.leave((), Span(1, 1))
    return graph.build(method.procedure, parameters, results, types, mistakes.tokens.span(method.at))


def _jumps(graph: Graph, mistakes: Mistakes) -> None:
    """Lead every goto to its label; a jump out of an atomic region ends it."""
    for draft, at, name in graph.jumps:
        label = graph.labels.get(name)
        if label is None or label.location is None:
            mistakes.add(at, f"there is no label '{name}' in this method", did_you_mean(name, graph.labels))
            continue
        draft.target = label.location
        draft.leaves = label.region != graph.regions[draft.source]


def _initialisers(
    declared: Declared, expressions: Expressions
) -> tuple[tuple[tuple[str, Expr], ...], dict[str, tuple[tuple[str, Expr], ...]]]:
    """Return the values that statics and fields begin with."""
    statics: list[tuple[str, Expr]] = []
    fields: dict[str, list[tuple[str, Expr]]] = {}
    for each in declared.initialisers:
        expressions.scope = Scope(each.owner, True, [])
        try:
            operand, behind = expressions.read(each.at)
            if expressions.words[behind] not in (";", ","):
                raise Unexpected(behind, "';'")
        except Unexpected as error:
            expressions.mistakes.report_unexpected(error)
            continue
        wanted = (each.owner.statics if each.static else each.owner.fields)[each.name]
        value = expressions.operators.fit(wanted, operand, f"'{each.name}'")
        if calls(value):
            expressions.mistakes.add(operand.at, "nothing is called before the start", "call it in a method")
        if each.static:
            statics.append((f"{each.owner.name}.{each.name}", value))
        else:
            fields.setdefault(each.owner.name, []).append((each.name, value))
    return tuple(statics), {name: tuple(values) for name, values in fields.items()}


def _check_endless(cells: tuple[object, ...], declared: Declared, file: str, text: str) -> None:
    """Refuse a class whose new instance would need another one, without end."""
    needs = {
        cell.name: [
            (node.cell, node.span) for _, value in cell.initial for node in postorder(value) if isinstance(node, New)
        ]
        for cell in cells
        if isinstance(cell, ClassCell)
    }
    for start in needs:
        todo, seen = list(needs[start]), set()
        while todo:
            name, span = todo.pop()
            if name == start:
                message = f"a new '{start}' needs another new '{start}', without end"
                raise SourceError(file, text, [Problem(message, span, "make it in a method instead")])
            if name not in seen:
                seen.add(name)
                todo += needs.get(name, [])
