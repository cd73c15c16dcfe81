"""A checked file: its predicates, and what it asks for, in order.

`parse` refuses a text with all the problems it finds.  What it accepts may still be doubtful: `System.warnings`, above
all a recursion through a negation, for which no least fixed point need exist.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from knaster.base.errors import Problem, SourceError
from knaster.base.records import dataclass
from knaster.calculus.language import syntax
from knaster.calculus.language.dependency import check_recursion
from knaster.calculus.language.formula import Formula, Predicate, Variable
from knaster.calculus.language.lexer import Source
from knaster.calculus.language.parser import Loader, Reported, read
from knaster.calculus.language.resolve import Resolver
from knaster.calculus.language.stopwatch import STOP_WATCH
from knaster.calculus.language.types import MAX_WIDTH, Type, basic, record

_SILENT = ("#vis", "#reset", "#frontier", "#verbose", "#undump")
_ABOUT_PREDICATE = ("#size", "#ons", "#onsetsize", "#dump", "#vis")


@dataclass(frozen=True, slots=True)
class Request:
    """One thing the file asks for: the truth of `formula`, or a directive about a predicate or with words."""

    directive: str  # "" for a query
    text: str
    source: Source
    start: int
    end: int
    formula: Formula | None = None
    written: syntax.Expr | None = None
    arguments: tuple[str, ...] = ()

    @property
    def line(self) -> int:
        """The line where it begins."""
        return self.source.span(self.start).line

    @property
    def asked(self) -> str:
        """The request as it is written."""
        return f"{self.directive} {self.text}" if self.directive and self.written is not None else self.text

    @property
    def wants_answer(self) -> bool:
        """Tell whether something is said about it; a stop watch that is set and the settings of muCKE are silent."""
        if self.directive == "#timer":
            return not self.arguments or self.arguments[0] not in STOP_WATCH
        return self.directive not in _SILENT


@dataclass(frozen=True, slots=True)
class System:
    """The equations of a file and its requests."""

    types: Mapping[str, Type]
    predicates: Mapping[str, Predicate]
    variables: tuple[Variable, ...]
    requests: tuple[Request, ...]
    warnings: tuple[tuple[Source, Problem], ...]

    def __repr__(self) -> str:
        return f"<System: {', '.join(self.predicates) or 'no predicates'}>"


def load_file(name: str, asking: str) -> Source | None:
    """Find `name` or `name.mu` next to the file that asks, or in the working directory."""
    for folder in (Path(asking).parent, Path()):
        for candidate in (folder / name, folder / f"{name}.mu"):
            try:
                if candidate.is_file():
                    return Source(str(candidate), candidate.read_text(encoding="utf-8", errors="replace"))
            except (OSError, ValueError):
                continue
    return None


def parse(text: str, *, file: str = "<text>", load: Loader = load_file) -> System:
    """Return the system of a text, or raise `SourceError` with every problem of the first faulty file."""
    commands, problems = read(Source(file, text), load)
    resolver = Resolver()
    requests: list[Request] = []
    for command in commands:
        resolver.source = command.source
        match command.action:
            case syntax.EnumDefinition() as enum:
                _define_enum(resolver, enum, command)
            case syntax.ClassDefinition() as definition:
                _define_class(resolver, definition, command)
            case syntax.PredicateDefinition() as predicate:
                _define_predicate(resolver, predicate, command)
            case syntax.Query(body):
                requests.append(_request(command, "", resolver.formula(body), body))
            case syntax.Directive(name, arguments, offsets, expression):
                formula = resolver.formula(expression) if expression is not None else None
                if name in _ABOUT_PREDICATE and arguments[0] not in resolver.predicates:
                    end = offsets[0] + len(arguments[0])
                    resolver.problem(f"{name} wants the name of a predicate", offsets[0], end)
                requests.append(_request(command, name, formula, expression, arguments))
    problems += resolver.problems
    if not problems:
        faults, doubts = check_recursion(resolver.predicates)
        problems += faults
        resolver.warnings += doubts
    _refuse(problems)
    return System(
        resolver.types, resolver.predicates, tuple(resolver.variables), tuple(requests), tuple(resolver.warnings)
    )


def _refuse(problems: Reported) -> None:
    if problems:
        first = problems[0][0]
        mine = [problem for source, problem in problems if source is first or source.name == first.name]
        raise SourceError(first.name, first.text, sorted(mine, key=lambda problem: problem.span))


def _request(
    command: syntax.Command,
    directive: str,
    formula: Formula | None,
    written: syntax.Expr | None,
    arguments: tuple[str, ...] = (),
) -> Request:
    text = " ".join(command.source.text[command.start : command.end].split())
    if written is not None and directive:
        text = text.removeprefix(directive).strip()
    return Request(directive, text, command.source, command.start, command.end, formula, written, arguments)


def _is_taken(resolver: Resolver, name: str, command: syntax.Command) -> bool:
    if name in resolver.types or name in resolver.predicates:
        what = "a type" if name in resolver.types else "a predicate"
        resolver.problem(f"'{name}' is {what} already", command.start, command.end)
        return True
    return False


def _define_enum(resolver: Resolver, enum: syntax.EnumDefinition, command: syntax.Command) -> None:
    if _is_taken(resolver, enum.name, command):
        return
    names = tuple(name for name, _ in enum.names)
    for index, (name, offset) in enumerate(enum.names):
        if name in names[:index]:
            resolver.problem(f"'{name}' occurs twice in the enumeration", offset, offset + len(name))
    resolver.types[enum.name] = basic(enum.name, enum.high - enum.low + 1, enum.low, names)


def _define_class(resolver: Resolver, definition: syntax.ClassDefinition, command: syntax.Command) -> None:
    if _is_taken(resolver, definition.name, command):
        return
    members: dict[str, Type] = {}
    for member in definition.members:
        if member.name in members:
            resolver.problem(f"'{member.name}' is declared twice here", member.start, member.end)
        members[member.name] = resolver.type_of(member)
    if sum(type_.width for type_ in members.values()) > MAX_WIDTH:
        resolver.problem(f"a value of this type has more than {MAX_WIDTH} bits", command.start, command.end)
        members = {}
    _check_constraints(resolver, definition.constraints, members)
    resolver.types[definition.name] = record(definition.name, list(members.items()), definition.constraints)


def _check_constraints(resolver: Resolver, hints: Iterable[syntax.Constraint], known: Iterable[str]) -> None:
    names = set(known)
    for hint in hints:
        for name in (hint.left, hint.right):
            if name not in names:
                resolver.problem(
                    f"the allocation constraint names '{name}', which is not declared here", hint.start, hint.end
                )


def _define_predicate(resolver: Resolver, definition: syntax.PredicateDefinition, command: syntax.Command) -> None:
    name, body = definition.name, definition.body
    known = resolver.predicates.get(name)
    if known is None and _is_taken(resolver, name, command):
        return
    parameters = resolver.declare(definition.parameters)
    _check_constraints(resolver, definition.constraints, [each.name for each in parameters])
    head = Predicate(
        name, definition.kind, parameters, definition.constraints, None, command.source, command.start, command.end
    )
    if known is None:
        resolver.predicates[name] = head
    elif known.body is not None and body is not None:
        resolver.problem(f"'{name}' is defined already", command.start, command.end)
    elif [each.type.name for each in known.parameters] != [each.type.name for each in parameters]:
        line = known.source.span(known.start).line
        resolver.problem(f"'{name}' has other parameter types in line {line}", command.start, command.end)
    elif known.kind != definition.kind:
        line = known.source.span(known.start).line
        message = (
            f"'{name}' is declared '{known.kind or 'plain'}' in line {line} but '{definition.kind or 'plain'}' here"
        )
        resolver.problem(message, command.start, command.end, "write the same word, mu or nu or none, in both places")
    if body is not None:
        meaning = resolver.formula(body)
        if resolver.predicates[name].body is None:
            resolver.predicates[name] = Predicate(
                name, definition.kind, parameters, definition.constraints, meaning, *_place(command), body
            )
    resolver.forget(parameters)


def _place(command: syntax.Command) -> tuple[Source, int, int]:
    return command.source, command.start, command.end
