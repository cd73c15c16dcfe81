"""The template relations of a program as calculus text: what a fixed-point formula is given as input.

This is how a user sees the relations (`knaster show --as relations`); the engine gives them as BDDs (`relations`).

La Torre, Madhusudan, Parlato, Analyzing Recursive Programs using a Fixed-point Calculus, PLDI 2009, section 4, with
the compact program counters of its appendix: a location is a module and a counter inside it, the locals of all
modules share the bits of the largest frame (results included).

    ProgramInt(u, v)          an internal step                  Entry, Exit (mod, pc)    first and last location
    IntoCall(u, v)            a call, into the callee           Init(u)                  the states at the start
    Return(u, z, v)           caller, callee's exit, return     Across(mod, upc, vpc)    a call and where it returns to
    Target(mod, pc)           what is asked for

The split forms of section 4.2 leave out what the other half says: IntoCall1(x, zmod, L, G) is IntoCall without the
entry's counter, ReturnA(x, zmod, v) keeps the caller's locals, ReturnB(xmod, xpc, z, v) brings globals and results.
`v.L` and `u.G` are arrays of bits; a comment over each clause shows the statement.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from knaster.base.errors import UnsupportedError
from knaster.base.records import dataclass, field
from knaster.evidence.questions.question import Target
from knaster.frontends.languages import spelling_of
from knaster.program.expression import (
    TRUE,
    Binary,
    Choice,
    Conditional,
    Const,
    Expr,
    Not,
    Operator,
    Var,
    postorder,
)
from knaster.program.model import Assign, Assume, Call, Concurrent, Edge, Procedure, Program, Return

HEADS = {
    "ProgramInt": "ProgramInt(State u, State v) u ~+ v",
    "IntoCall": "IntoCall(State u, State v) u ~+ v",
    "Return": "Return(State u, State z, State v) u ~+ z, z ~+ v",
    "Across": "Across(Module mod, Counter upc, Counter vpc)",
    "IntoCall1": "IntoCall1(State x, Module zmod, Local L, Global G)",
    "ReturnA": "ReturnA(State x, Module zmod, State v) x ~+ v",
    "ReturnB": "ReturnB(Module xmod, Counter xpc, State z, State v) z ~+ v",
    "Entry": "Entry(Module mod, Counter pc)",
    "Exit": "Exit(Module mod, Counter pc)",
    "Init": "Init(State u)",
    "Target": "Target(Module mod, Counter pc)",
}
RELATIONS = tuple(HEADS)
_CONNECTIVES = {
    Operator.AND: "&",
    Operator.OR: "|",
    Operator.XOR: "<+>",
    Operator.EQUAL: "<->",
    Operator.IMPLIES: "->",
}


@dataclass(frozen=True, slots=True)
class Templates:
    """A program's modules, counters and bits by number."""

    program: Program
    modules: Mapping[str, int]
    places: Mapping[str, Mapping[str, str]]  # procedure -> variable -> "L[2]" or "G[0]"

    def declarations(self, needed: Collection[str]) -> str:
        """Return the types, and the relations that are needed without their definitions."""
        return "\n".join([*self._types(), *(f"bool {HEADS[name]};" for name in RELATIONS if name in needed), ""])

    def text(self, targets: Iterable[Target], needed: Collection[str] = RELATIONS) -> str:
        """Return the types and the template relations, all of them or those needed."""
        lines = [*self._types()]
        for name in RELATIONS:
            if name in needed:
                lines += self._definition(name, targets)
        return "\n".join([*lines, ""])

    def place(self, target: Target) -> tuple[int, int]:
        """Return the module and the counter of a target."""
        return self.modules[target.procedure], target.location

    def _types(self) -> Iterator[str]:
        program = self.program
        for name, number in self.modules.items():
            yield f"// module {number}: {name}"
        counters = max((procedure.size for procedure in program.procedures), default=1)
        locals_ = max((len(procedure.frame) for procedure in program.procedures), default=0)
        yield f"enum Module {{ 0..{max(0, len(self.modules) - 1)} }};"
        yield f"enum Counter {{ 0..{counters - 1} }};"
        yield f"class Local {{ bool x[{max(1, locals_)}]; }};"
        yield f"class Global {{ bool x[{max(1, len(program.globals))}]; }};"
        yield "class State { Module mod; Counter pc; Global G; Local L; };"

    def _definition(self, name: str, targets: Iterable[Target]) -> Iterator[str]:
        modules, procedures = self.modules, self.program.procedures
        match name:
            case "ProgramInt":
                yield from self._relation(name, self._internal)
            case "IntoCall":
                yield from self._relation(name, self._into_call)
            case "Return":
                yield from self._relation(name, self._return)
            case "Across":
                yield from self._relation(name, self._across)
            case "IntoCall1":
                yield from self._relation(name, self._into_call_1)
            case "ReturnA":
                yield from self._relation(name, self._return_a)
            case "ReturnB":
                yield from self._relation(name, self._return_b)
            case "Entry":
                yield from _table("Entry", [(modules[p.name], p.entry) for p in procedures])
            case "Exit":
                yield from _table("Exit", [(modules[p.name], p.exit) for p in procedures])
            case "Target":
                yield from _table("Target", [self.place(target) for target in targets])
            case "Init":
                yield self._init()

    def _relation(self, name: str, clause: Callable[[Procedure, Edge], str | None]) -> Iterator[str]:
        """Yield a predicate with one clause for each edge that has one."""
        yield ""
        yield f"bool {HEADS[name]}"
        separator, spell = "   ", spelling_of(self.program).statement
        for procedure in self.program.procedures:
            for edge in procedure.edges:
                if isinstance(edge.action, Concurrent):
                    feature = f"'{edge.action.operation.value}': the calculus is given sequential programs only"
                    raise UnsupportedError(feature, edge.span, self.program.file)
                text = clause(procedure, edge)
                if text is not None:
                    yield f"  // {procedure.name}, line {edge.span.line}: {_comment(spell(procedure, edge))}"
                    yield f" {separator}({text})"
                    separator = " | "
        yield "  ;" if separator == " | " else "  false;"

    def _internal(self, procedure: Procedure, edge: Edge) -> str | None:
        match edge.action:
            case Assume(condition):
                changes: Mapping[str, Expr] = {}
                constraint = condition
            case Assign(targets, values, constraint):
                changes = dict(zip(targets, values, strict=True))
            case Return(values):
                changes, constraint = dict(zip(procedure.results, values, strict=True)), TRUE
            case _:
                return None
        formula = _Formula(self.places[procedure.name], "u", "v")
        parts = [formula.equal(name, value) for name, value in changes.items()]
        parts += [formula.text(constraint)] if constraint is not TRUE else []
        parts += self._enforce(procedure, formula) if not isinstance(edge.action, Assume) else []
        parts += self._keep(procedure, "u", "v", set(changes))
        return _conjunction(
            [
                *self._at(procedure, "u", edge.source),
                *self._at(procedure, "v", edge.target),
                *formula.quantify_choices(parts),
            ]
        )

    def _into_call(self, procedure: Procedure, edge: Edge) -> str | None:
        if not isinstance(edge.action, Call):
            return None
        callee = self.program.procedure(edge.action.procedure)
        parts = [*self._at(procedure, "u", edge.source), *self._at(callee, "v", callee.entry), "v.G = u.G"]
        return _conjunction([*parts, *self._arguments(procedure, callee, edge.action, "u", "v")])

    def _into_call_1(self, procedure: Procedure, edge: Edge) -> str | None:
        if not isinstance(edge.action, Call):
            return None
        callee = self.program.procedure(edge.action.procedure)
        parts = [*self._at(procedure, "x", edge.source), f"zmod = {self.modules[callee.name]}", "G = x.G"]
        return _conjunction([*parts, *self._arguments(procedure, callee, edge.action, "x", "")])

    def _return(self, procedure: Procedure, edge: Edge) -> str | None:
        if not isinstance(edge.action, Call):
            return None
        callee = self.program.procedure(edge.action.procedure)
        parts = [*self._at(procedure, "u", edge.source), *self._at(callee, "z", callee.exit)]
        parts += self._at(procedure, "v", edge.target)
        return _conjunction(
            [*parts, *self._own(procedure, edge.action, "u"), *self._bring_results(procedure, edge.action)]
        )

    def _return_a(self, procedure: Procedure, edge: Edge) -> str | None:
        if not isinstance(edge.action, Call):
            return None
        parts = [*self._at(procedure, "x", edge.source), f"zmod = {self.modules[edge.action.procedure]}"]
        parts += self._at(procedure, "v", edge.target)
        return _conjunction([*parts, *self._own(procedure, edge.action, "x")])

    def _return_b(self, procedure: Procedure, edge: Edge) -> str | None:
        if not isinstance(edge.action, Call):
            return None
        callee = self.program.procedure(edge.action.procedure)
        parts = [f"xmod = {self.modules[procedure.name]}", f"xpc = {edge.source}"]
        parts += [*self._at(callee, "z", callee.exit), *self._at(procedure, "v", edge.target)]
        return _conjunction([*parts, *self._bring_results(procedure, edge.action)])

    def _across(self, procedure: Procedure, edge: Edge) -> str | None:
        if not isinstance(edge.action, Call):
            return None
        return f"mod = {self.modules[procedure.name]} & upc = {edge.source} & vpc = {edge.target}"

    def _init(self) -> str:
        start = self.program.procedure(self.program.threads[0])
        formula = _Formula(self.places[start.name], "u", "u")
        parts = [formula.text(self.program.init)] if self.program.init is not TRUE else []
        parts += self._enforce(start, formula)
        initial = _conjunction([*self._at(start, "u", start.entry), *formula.quantify_choices(parts)])
        return f"\nbool {HEADS['Init']} {initial};"

    def _at(self, procedure: Procedure, state: str, location: int) -> list[str]:
        return [f"{state}.mod = {self.modules[procedure.name]}", f"{state}.pc = {location}"]

    def _arguments(self, procedure: Procedure, callee: Procedure, call: Call, state: str, entered: str) -> list[str]:
        """Return that the callee's parameters have the values of the arguments, and that its `enforce` holds."""
        formula = _Formula(self.places[procedure.name], state, state)
        inside = _Formula(self.places[callee.name], entered, entered, formula.choices)
        parts = [f"({inside.read(Var(name))} <-> {formula.text(value)})" for name, value in call.bindings(callee)]
        return formula.quantify_choices([*parts, *self._enforce(callee, inside)])

    def _own(self, procedure: Procedure, call: Call, state: str) -> list[str]:
        """Return that the caller's locals are what they were, except those that take a result; and its `enforce`."""
        formula = _Formula(self.places[procedure.name], "v", "v")
        kept = self._keep(procedure, state, "v", {name for name in call.targets if name is not None}, "L")
        return [*kept, *formula.quantify_choices(self._enforce(procedure, formula))]

    def _bring_results(self, procedure: Procedure, call: Call) -> list[str]:
        """Return that globals and results come from the callee's exit z."""
        callee = self.program.procedure(call.procedure)
        here, there = self.places[procedure.name], self.places[callee.name]
        pairs = dict(call.results(callee))
        parts = [f"v.{here[target]} = z.{there[result]}" for target, result in pairs.items()]
        return parts + self._keep(procedure, "z", "v", set(pairs), "G")

    def _keep(self, procedure: Procedure, old: str, new: str, changed: set[str], parts: str = "GL") -> list[str]:
        """Return that the variables of the globals, locals or both that did not change are equal."""
        kept: list[str] = []
        for part, names in (("G", self.program.globals), ("L", procedure.frame)):
            if part in parts and changed.isdisjoint(names):
                kept.append(f"{new}.{part} = {old}.{part}")
            elif part in parts:
                places = self.places[procedure.name]
                kept += [f"{new}.{places[name]} = {old}.{places[name]}" for name in names if name not in changed]
        return kept

    def _enforce(self, procedure: Procedure, formula: _Formula) -> list[str]:
        """Return that the state afterwards satisfies `enforce`."""
        if procedure.enforce is TRUE:
            return []
        return [formula.after().text(procedure.enforce)]


@dataclass(frozen=True, slots=True)
class _Formula:
    """Expressions of one edge as calculus text; every choice becomes a bit of its own, quantified at the end."""

    places: Mapping[str, str]
    before: str
    later: str
    choices: list[str] = field(default_factory=list)

    def after(self) -> _Formula:
        """Return the same with every variable read in the state afterwards."""
        return _Formula(self.places, self.later, self.later, self.choices)

    def read(self, node: Var) -> str:
        """Return the access to a variable."""
        state = self.later if node.primed else self.before
        return f"{state}.{self.places[node.name]}" if state else self.places[node.name]

    def equal(self, name: str, value: Expr) -> str:
        """Return that a variable has the value of an expression afterwards."""
        return f"({self.read(Var(name, primed=True))} <-> {self.text(value)})"

    def quantify_choices(self, parts: list[str]) -> list[str]:
        """Return the parts with the choices that they use quantified."""
        if not self.choices:
            return parts
        declared = ", ".join(f"bool {name}" for name in self.choices)
        return [f"(exists {declared}. {_conjunction(parts)})"]

    def text(self, expr: Expr) -> str:
        """Return an expression as a formula that can stand anywhere."""
        stack: list[str] = []
        for node in postorder(expr):
            match node:
                case Const(value):
                    stack.append("true" if value else "false")
                case Var():
                    stack.append(self.read(node))
                case Choice():
                    self.choices.append(f"choice{len(self.choices)}")
                    stack.append(self.choices[-1])
                case Not():
                    stack.append(f"(! {stack.pop()})")
                case Binary(operator):
                    right, left = stack.pop(), stack.pop()
                    stack.append(f"({left} {_CONNECTIVES[operator]} {right})")
                case Conditional():
                    otherwise, then, condition = stack.pop(), stack.pop(), stack.pop()
                    stack.append(f"(if ({condition}) {then} else {otherwise})")
                case _:
                    raise UnsupportedError(f"'{type(node).__name__}' in the relations of a Boolean program")
        return stack.pop()


def templates(program: Program) -> Templates:
    """Return the template relations of a sequential program."""
    shared = {name: f"G.x[{index}]" for index, name in enumerate(program.globals)}
    places = {
        procedure.name: shared | {name: f"L.x[{index}]" for index, name in enumerate(procedure.frame)}
        for procedure in program.procedures
    }
    return Templates(program, {p.name: index for index, p in enumerate(program.procedures)}, places)


def _table(name: str, rows: Iterable[tuple[int, int]]) -> Iterator[str]:
    clauses = [f"(mod = {module} & pc = {counter})" for module, counter in rows]
    yield f"\nbool {HEADS[name]} {' | '.join(clauses) or 'false'};"


def _conjunction(parts: Iterable[str]) -> str:
    return " & ".join(parts) or "true"


def _comment(text: str) -> str:
    return " ".join(text.split())[:80]
