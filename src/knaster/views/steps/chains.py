"""Composes steps and calls into chains from one kept cut point to the next, so that fewer places need invariants.

A chain is again a function of the state before it, of its free variables, and of what the calls on it leave behind.
Calls of procedures without loops, whose own calls are such calls too, are inlined, so `assert` helpers cost nothing.
Chains are told apart by the calls that they make, not by the branches between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count

from knaster.base.records import dataclass, replace
from knaster.program.model import Location, Place
from knaster.smt.library import z3
from knaster.smt.solver import substitute
from knaster.smt.terms import Formula, Term
from knaster.views.steps.formulas import CallFormula, Formulas, Read, StepFormula

OVERFLOW: Place = ("", 0)  # where a chain leads on which an operator should have wrapped and did not


@dataclass(frozen=True, slots=True)
class StepLink:
    """A step of a chain, with the inputs that it reads there."""

    step: StepFormula
    reads: tuple[Read, ...]


@dataclass(frozen=True, slots=True)
class CallLink:
    """A call of a chain: what the callee is given (globals and parameters), and what it leaves behind."""

    call: CallFormula
    given: Mapping[str, Term]
    leave: Mapping[str, Term]


@dataclass(frozen=True, slots=True)
class InlinedLink:
    """A call that is seen through: what happens inside it."""

    call: CallFormula
    links: tuple[Link, ...]


Link = StepLink | CallLink | InlinedLink


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain from a cut point to another, or into a call, or to a target (perhaps of an inlined procedure)."""

    procedure: str
    source: Location
    target: Location
    guard: tuple[Formula, ...]
    state: Mapping[str, Term]
    links: tuple[Link, ...] = ()
    calls: tuple[CallLink, ...] = ()
    free: tuple[Formula, ...] = ()
    entered: CallLink | None = None
    failed: Place | None = None

    @property
    def key(self) -> str:
        """What tells it from other chains, whatever the arithmetic."""
        entered = "" if self.entered is None else f" into {self.entered.call.callee} to {self.entered.call.target}"
        failed = "" if self.failed is None else f" fails at {self.failed}"
        return f"{self.procedure} {self.source} {_write_links(self.links)}{entered}{failed}"


@dataclass(frozen=True, slots=True)
class Chains:
    """All chains of a program between kept cut points: those that stay in a call, enter one, or reach a target."""

    formulas: Formulas
    kept: Mapping[str, frozenset[Location]]
    staying: tuple[Chain, ...]
    entering: tuple[Chain, ...]
    failing: tuple[Chain, ...]


def compose_chains(
    formulas: Formulas,
    kept: Mapping[str, frozenset[Location]],
    inlined: Sequence[str],
    targets: Iterable[Place],
    overflows: bool = False,
) -> Chains:
    """Return the chains between kept cut points; every cycle must pass one of them.

    With `overflows` also those on which an operator should have wrapped and did not, as chains that fail.
    """
    composing = _Composer(formulas, inlined, frozenset(targets), overflows)
    staying: list[Chain] = []
    entering: list[Chain] = []
    failing: list[Chain] = []
    for procedure in formulas.program.procedures:
        for source in sorted(kept.get(procedure.name, ())):
            for chain in composing.chains(procedure.name, source, kept[procedure.name]):
                kind = failing if chain.failed is not None else entering if chain.entered is not None else staying
                kind.append(chain)
    return Chains(formulas, kept, tuple(staying), tuple(entering), tuple(failing))


class _Composer:
    """Chains while they are made."""

    def __init__(self, formulas: Formulas, inlined: Sequence[str], targets: frozenset[Place], overflows: bool) -> None:
        self.formulas = formulas
        self.overflows = overflows
        self.targets = targets
        self.leaving: dict[Place, list[StepFormula | CallFormula]] = {}
        parts: list[StepFormula | CallFormula] = [*formulas.steps, *formulas.calls]
        for part in parts:
            self.leaving.setdefault((part.procedure, part.source), []).append(part)
        self.numbers = count(1)
        self.through: dict[str, list[Chain]] = {}  # of inlined procedures: the chains to the exit and to targets
        for name in inlined:
            procedure = formulas.program.procedure(name)
            self.through[name] = list(self.chains(name, procedure.entry, frozenset({procedure.exit})))

    def chains(self, name: str, source: Location, kept: frozenset[Location]) -> Iterator[Chain]:
        """Yield every chain from a cut point, up to the next kept ones."""
        todo = [Chain(name, source, source, (), dict(self.formulas.variables[name]))]
        while todo:
            chain = todo.pop()
            if (name, chain.target) in self.targets and chain.failed is None:
                yield replace(chain, failed=(name, chain.target))
            if chain.links and chain.target in kept:
                yield chain
                continue
            for part in self.leaving.get((name, chain.target), ()):
                for longer in self._extend(chain, part):
                    if longer.failed is not None or longer.entered is not None:
                        yield longer
                    else:
                        todo.append(longer)

    def _extend(self, chain: Chain, part: StepFormula | CallFormula) -> Iterator[Chain]:
        pairs = self._pairs(chain)
        if self.overflows and part.overflow is not None:
            over = (*chain.guard, substitute(part.overflow, pairs))
            yield replace(chain, guard=over, failed=OVERFLOW, free=(*chain.free, *part.free))
        if isinstance(part, StepFormula):
            state = {name: _substitute_term(term, pairs) for name, term in part.update.items()}
            guard = (*chain.guard, substitute(part.guard, pairs))
            links, free = (*chain.links, StepLink(part, part.reads)), (*chain.free, *part.free)
            yield replace(chain, target=part.target, guard=guard, state=state, links=links, free=free)
            return
        guard = (*chain.guard, substitute(part.guard, pairs))
        inner = self.formulas.program.procedure(part.callee)
        given = {name: chain.state[name] for name in self.formulas.program.globals}
        given |= {n: _substitute_term(t, pairs) for n, t in zip(inner.parameters, part.arguments, strict=True)}
        before = replace(chain, guard=guard, free=(*chain.free, *part.free))
        if part.callee in self.through:
            yield from self._inline(before, part, given)
            return
        leave = self.formulas.copy(part.callee, f"{part.callee}'{next(self.numbers)}:")
        link = CallLink(part, given, leave)
        yield replace(before, entered=link)
        after = replace(before, links=(*chain.links, link), calls=(*chain.calls, link), target=part.target)
        yield replace(after, state=self.formulas.state_after_call(part, chain.state, leave))

    def _pairs(self, chain: Chain) -> list[tuple[Formula, Formula]]:
        variables = self.formulas.variables[chain.procedure]
        return [
            (term.value, chain.state[name].value)
            for name, term in variables.items()
            if not term.value.eq(chain.state[name].value)
        ]

    def _inline(self, chain: Chain, call: CallFormula, given: Mapping[str, Term]) -> Iterator[Chain]:
        """Yield the chains through an inlined callee, and to the targets in it."""
        for through in self.through[call.callee]:
            fresh = [(one, z3.Const(f"{one}!{next(self.numbers)}", one.sort())) for one in through.free]
            variables = self.formulas.variables[call.callee]
            pairs = [(variables[name].value, term.value) for name, term in given.items()] + fresh
            longer = replace(
                chain,
                guard=(*chain.guard, *(substitute(formula, pairs) for formula in through.guard)),
                free=(*chain.free, *(new for _, new in fresh)),
                links=(*chain.links, InlinedLink(call, tuple(_rename_inputs(link, fresh) for link in through.links))),
            )
            leave = {name: _substitute_term(term, pairs) for name, term in through.state.items()}
            if through.failed is not None:
                shared = {name: leave[name] for name in self.formulas.program.globals}
                yield replace(longer, failed=through.failed, state={**chain.state, **shared})
                continue
            yield replace(longer, target=call.target, state=self.formulas.state_after_call(call, chain.state, leave))


def _write_links(links: Sequence[Link]) -> str:
    """Return the places that a chain passes."""
    parts = []
    for link in links:
        match link:
            case StepLink(step):
                parts.append(str(step.target))
            case CallLink(call):
                parts.append(f"{call.callee}() {call.target}")
            case InlinedLink(call, inner):
                parts.append(f"{call.callee}({_write_links(inner)}) {call.target}")
    return " ".join(parts)


def _rename_inputs(link: Link, fresh: list[tuple[Formula, Formula]]) -> Link:
    """Return a link whose inputs have other names."""
    if isinstance(link, StepLink):
        return StepLink(
            link.step, tuple(replace(read, variable=substitute(read.variable, fresh)) for read in link.reads)
        )
    if isinstance(link, InlinedLink):
        return InlinedLink(link.call, tuple(_rename_inputs(inner, fresh) for inner in link.links))
    return link


def _substitute_term(term: Term, pairs: list[tuple[Formula, Formula]]) -> Term:
    return replace(term, value=substitute(term.value, pairs)) if pairs else term
