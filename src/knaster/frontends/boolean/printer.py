"""Program to canonical text: reading it again gives the same program.

`to_text` writes `if` and `while` where the control-flow graph has their shape, and `goto` where a statement leads to a
label.  A procedure whose graph no text gives is written flat, one location after the other with explicit jumps; that
text is equivalent, but reading it gives other locations.  Threads and the entry are not written: they are known by
the names of their procedures.  Requires a program without problems (`validate`).  Names of another language stand in
braces; two names that are then the same are refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from knaster.base.errors import UnsupportedError
from knaster.base.named_tuples import NamedTuple
from knaster.frontends.boolean.notation import action_to_text, expression_to_text, spelled_label, spelled_name
from knaster.frontends.boolean.numbering import renumber
from knaster.frontends.boolean.structure import Block, Branch, Check, Jump, Shape, Step, Structure, statement_at
from knaster.program.expression import TRUE
from knaster.program.model import Action, Assume, Concurrent, Edge, Location, Procedure, Program

_WIDTH = 100
_DEEPEST = 20  # deeper blocks are not indented further: the text stays linear in the program


def to_text(program: Program) -> str:
    """Return the canonical text of `program`; raise `UnsupportedError` where two of its names are written the same."""
    _require_distinct_names(program)
    lines = list(_declarations(program.globals, ""))
    if program.init != TRUE:
        lines.append(f"init({expression_to_text(program.init)});")
    for procedure in program.procedures:
        if lines:
            lines.append("")
        lines += _procedure(renumber(procedure))
    return "\n".join(lines) + "\n" if lines else ""


def _require_distinct_names(program: Program) -> None:
    scopes = [(program.globals + procedure.parameters + procedure.locals) for procedure in program.procedures]
    scopes.append(tuple(procedure.name for procedure in program.procedures))
    scopes += [tuple(dict.fromkeys(label for label, _ in procedure.labels)) for procedure in program.procedures]
    for names in scopes:
        written: dict[str, str] = {}
        for name in names:
            other = written.setdefault(spelled_label(name), name)
            if other != name:
                raise UnsupportedError(f"{other!r} and {name!r} look the same in a Boolean program", None, program.file)


def _declarations(names: Sequence[str], indent: str) -> Iterator[str]:
    line = ""
    for name in map(spelled_name, names):
        if line and len(line) + len(name) > _WIDTH:
            yield f"{indent}decl {line};"
            line = ""
        line = f"{line}, {name}" if line else name
    if line:
        yield f"{indent}decl {line};"


def _procedure(procedure: Procedure) -> list[str]:
    results = len(procedure.results)
    kind = "void" if results == 0 else "bool" if results == 1 else f"bool<{results}>"
    lines = [f"{kind} {spelled_name(procedure.name)}({', '.join(map(spelled_name, procedure.parameters))}) begin"]
    lines += _declarations(procedure.locals, "  ")
    if procedure.enforce != TRUE:
        lines.append(f"  enforce {expression_to_text(procedure.enforce)};")
    body = _StructuredPrinter(procedure).lines()
    lines += _flat_lines(procedure) if body is None else body
    lines.append("end")
    return lines


class _Frame(NamedTuple):
    """A block that is being written, and the shape whose first part it is."""

    block: Block
    shape: Shape | None


class _StructuredPrinter:
    """Writes one procedure with blocks; gives up where the graph has no structure."""

    def __init__(self, procedure: Procedure) -> None:
        self._procedure = procedure
        self._labels = _labels(procedure)
        self._names = _names(procedure)
        self._structure = Structure(procedure, set(self._names))
        self._lines: list[str] = []
        self._depth = 1

    def lines(self) -> list[str] | None:
        """Return the lines of the body, None where the graph has no structure."""
        procedure = self._procedure
        exit = procedure.exit
        if procedure.entry != 0 or exit in self._labels or not _failures_in_order(procedure):
            return None
        frames = [_Frame(Block(0, exit, exit), None)]
        while frames:
            block, shape = frames.pop()
            at = block.low
            if at == block.high:
                if shape is not None:
                    self._close(shape, frames)
                continue
            statement = self._structure.statements[at]
            if isinstance(statement, Branch):
                inner = self._structure.shape(at, block)
                if inner is None:
                    return None
                frames.append(_Frame(Block(inner.end, block.high, block.after), shape))
                self._open(at, inner, frames)
            else:
                following = at + 1 if at + 1 < block.high else block.after
                text = self._simple(at, following)
                if text is None:
                    return None
                self._write(self._labels.get(at, "") + text + ";")
                frames.append(_Frame(Block(at + 1, block.high, block.after), shape))
        return self._lines

    def _write(self, text: str) -> None:
        self._lines.append("  " * min(self._depth, _DEEPEST) + text)

    def _open(self, at: Location, shape: Shape, frames: list[_Frame], keyword: str = "") -> None:
        statement = self._structure.statements[at]
        condition = expression_to_text(statement.condition) if isinstance(statement, Branch) else ""
        word = "then" if shape.keyword == "if" else "do"
        self._write(f"{self._labels.get(at, '')}{keyword or shape.keyword} ({condition}) {word}")
        self._depth += 1
        frames.append(_Frame(shape.first, shape))

    def _close(self, shape: Shape, frames: list[_Frame]) -> None:
        """Write what stands behind the first part of `shape`."""
        self._depth -= 1
        otherwise = shape.otherwise
        if shape.keyword == "while" or otherwise.low == otherwise.high:
            self._write("od" if shape.keyword == "while" else "fi")
            return
        nested = self._structure.shape(otherwise.low, otherwise)
        alone = nested is not None and nested.keyword == "if" and nested.end == otherwise.high
        if nested is not None and alone and otherwise.low not in self._labels:
            self._open(otherwise.low, nested, frames, "elsif")
            return
        self._write("else")
        self._depth += 1
        nothing = Block(otherwise.high, otherwise.high, otherwise.after)
        frames.append(_Frame(otherwise, Shape("if", otherwise, nothing, otherwise.high)))

    def _simple(self, at: Location, following: Location) -> str | None:
        """Return the statement at `at`, None where no text leads from there to where its edges lead."""
        names = self._names
        match self._structure.statements[at]:
            case Step(action, target) as step:
                if step.leaves:
                    return action_to_text(action) if target == self._procedure.exit else None
                if target == following:
                    return _action(action, names)
                return f"goto {names[target]}" if step.is_jump and target in names else None
            case Jump(targets) if all(target in names for target in targets):
                return f"goto {', '.join(names[target] for target in targets)}"
            case Check(condition, target) if target == following:
                return f"assert({expression_to_text(condition)})"
        return None


def _labels(procedure: Procedure) -> dict[Location, str]:
    """Return what stands before the statement at each labelled location."""
    labels: dict[Location, str] = {}
    for name, location in procedure.labels:
        labels[location] = f"{labels.get(location, '')}{spelled_label(name)}: "
    return labels


def _names(procedure: Procedure) -> dict[Location, str]:
    """Return a label for each location that has one of its own."""
    count = Counter(name for name, _ in procedure.labels)
    names: dict[Location, str] = {}
    for name, location in procedure.labels:
        if count[name] == 1:
            names.setdefault(location, spelled_label(name))
    return names


def _failures_in_order(procedure: Procedure) -> bool:
    """Tell whether the failures are those of the assertions, in the order of the text."""
    return procedure.failures == tuple(edge.target for edge in procedure.edges if edge.target > procedure.exit)


def _action(action: Action, names: dict[Location, str]) -> str | None:
    if isinstance(action, Concurrent) and action.location is not None:
        name = names.get(action.location)
        return None if name is None else f"{action.operation.value} goto {name}"
    return action_to_text(action)


def _flat_lines(procedure: Procedure) -> Iterator[str]:
    """Yield a body that is equivalent to the graph: every location has a label, every edge its own statement."""
    existing = {spelled_label(name) for name, _ in procedure.labels}
    prefix = "L"
    while any(name.startswith(prefix) for name in existing):
        prefix += "_"
    names = _names(procedure)
    for location in range(procedure.exit + 1):
        names.setdefault(location, f"{prefix}{location}")
    labels = _labels(procedure)
    edges: list[list[Edge]] = [[] for _ in range(procedure.size)]
    for edge in procedure.edges:
        edges[edge.source].append(edge)
    if procedure.entry != 0:
        yield f"  goto {names[procedure.entry]};"
    for location in range(procedure.exit + 1):
        label = labels.get(location, "")
        if names[location] not in existing:
            label = f"{names[location]}: {label}"
        for line in _flat_statement(procedure, location, edges[location], names, prefix):
            yield f"  {label}{line}"
            label = ""


def _flat_statement(
    procedure: Procedure, location: Location, edges: Sequence[Edge], names: dict[Location, str], prefix: str
) -> Iterator[str]:
    following = location + 1
    if location == procedure.exit:
        yield "skip;"
        return
    match statement_at(edges, procedure.exit):
        case Check(condition, target):
            yield f"assert({expression_to_text(condition)});"
            if target != following:
                yield f"goto {names[target]};"
            return
        case Step(action, target):
            yield from _flat_step(procedure, action, target, following, names)
            return
    if not edges:
        yield "assume(F);"
        return
    yield f"goto {', '.join(f'{prefix}{location}_{index}' for index in range(len(edges)))};"
    for index, edge in enumerate(edges):
        label = f"{prefix}{location}_{index}: "
        for line in _flat_step(procedure, edge.action, edge.target, -1, names):
            yield label + line
            label = ""


def _flat_step(
    procedure: Procedure, action: Action, target: Location, following: Location, names: dict[Location, str]
) -> Iterator[str]:
    jumps = isinstance(action, Assume) and action.condition == TRUE
    if target > procedure.exit:
        if not jumps:
            yield f"{_action(action, names)};"
        yield "assert(F);"
    elif target == following or Step(action, target).leaves:
        yield f"{_action(action, names)};"
    elif jumps:
        yield f"goto {names[target]};"
    else:
        yield f"{_action(action, names)};"
        yield f"goto {names[target]};"
