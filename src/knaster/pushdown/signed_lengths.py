"""Shortest and longest runs where lengths may be negative: the least upper bound of an infinite chain is infinite.

Lengths with minimum (or maximum) and addition are a semiring whose chains need not end: going round a negative cycle
makes a run shorter again and again.  The equations of saturation are still solved exactly.  After k rounds in which all
of them are applied at once, a variable has its best value over derivations of height at most k.  A derivation higher
than the number n of variables repeats a variable on some branch, and the part in between can be left out or repeated.
If leaving it out never makes a derivation better, n rounds are enough.  So a variable that still gets better in round
n + 1 contains a part whose repetition makes it better without end: its value is infinite.  Only pre* is offered.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from knaster.base.errors import UsageError
from knaster.base.records import dataclass
from knaster.pushdown.automaton import Automaton, number_automaton, without_weights
from knaster.pushdown.domains.boolean import Boolean
from knaster.pushdown.numbering import NONE, NumberedAutomaton, columns
from knaster.pushdown.runs.run_search import Found
from knaster.pushdown.runs.witness import Witness, expand_derivations, finish_witness
from knaster.pushdown.saturation.answer import Answer
from knaster.pushdown.saturation.derivations import LastDerivations
from knaster.pushdown.saturation.query import product
from knaster.pushdown.solve import pre_star
from knaster.pushdown.system import PushdownSystem, Rule
from knaster.pushdown.tick import Tick, with_ticks

Signed = int | float  # an integer, or an infinity


class SignedLengths:
    """Integers and both infinities: combine is minimum, or maximum for the longest; extend is addition.

    0 is the worst value; the opposite infinity means that there is no best one.
    """

    def __init__(self, *, longest: bool = False) -> None:
        self.longest = longest
        self.zero: Signed = -inf if longest else inf
        self.one: Signed = 0

    def combine(self, first: Signed, second: Signed) -> Signed:
        """Return the better one."""
        return max(first, second) if self.longest else min(first, second)

    def extend(self, first: Signed, second: Signed) -> Signed:
        """Return the sum; the worst value absorbs."""
        return self.zero if self.zero in (first, second) else first + second

    def owns(self, weight: object) -> bool:
        """Tell whether `weight` is an integer or an infinity."""
        return (isinstance(weight, int) and not isinstance(weight, bool)) or weight in (inf, -inf)


@dataclass(frozen=True, slots=True)
class Equation:
    """variable += length + the arguments, made by `rule`."""

    variable: int
    length: Signed
    arguments: tuple[int, ...]
    rule: int = NONE


def best_values(
    domain: SignedLengths, count: int, equations: list[Equation], tick: Tick | None = None
) -> tuple[list[Signed], list[int]]:
    """Return the exact value of every variable and the equation that gave it; NONE where it is 0."""
    using: list[list[int]] = [[] for _ in range(count)]
    for number, equation in enumerate(equations):
        for argument in dict.fromkeys(equation.arguments):
            using[argument].append(number)
    value, reason = [domain.zero] * count, [NONE] * count
    active: list[int] = list(range(len(equations)))
    rounds = 0
    while active:
        rounds += 1
        better: dict[int, tuple[Signed, int]] = {}
        for number in with_ticks(active, tick):
            equation = equations[number]
            total = equation.length
            for argument in equation.arguments:
                total = domain.extend(total, value[argument])
            best = better.get(equation.variable, (value[equation.variable], NONE))[0]
            if domain.combine(best, total) != best:
                better[equation.variable] = total, number
        for variable, (total, number) in better.items():
            value[variable] = total if rounds <= count else -domain.zero
            reason[variable] = number
        active = sorted({number for variable in better for number in using[variable]})
    return value, reason


def best_pre_star(
    system: PushdownSystem[Signed],
    automaton: Automaton[Signed],
    *,
    longest: bool = False,
    tick: Tick | None = None,
) -> Answer[Signed]:
    """Return pre* with the length of a shortest (or longest) run on every transition, an infinity where there is none.

    Ask it with `best_run_in`.  Rules with merge functions are refused.  `tick` is called often and stops the work by
    raising (`tick.py`).
    """
    if not system.is_plain():
        raise UsageError("lengths that may be negative cannot be combined with merge functions")
    domain = SignedLengths(longest=longest)
    rules = [Rule(rule.source, rule.symbol, rule.target, rule.push, True) for rule in system.rules]
    reachable = PushdownSystem.of(Boolean(), rules)
    found = pre_star(reachable, without_weights(automaton), tick=tick)
    inputs = number_automaton(system.table, automaton, domain)
    equations = list(with_ticks(_equations(system, found, inputs), tick))
    value, reason = best_values(domain, len(found), equations, tick)
    log = LastDerivations[Signed]()
    for number in reason:
        first, second = NONE, NONE
        if number != NONE:
            first, second = (*equations[number].arguments, NONE, NONE)[:2]
        log.rule.append(equations[number].rule if number != NONE else NONE)
        log.first.append(first)
        log.second.append(second)
    signed = PushdownSystem(domain, system.rules, system.given, system.origin, system.table)
    return Answer(
        signed,
        True,
        found.source,
        found.symbol,
        found.target,
        value,
        found.final,
        found.controls,
        found.states,
        found.symbols,
        log=log,
        tick=tick,
    )


def _equations(
    system: PushdownSystem[Signed], found: Answer[bool], inputs: NumberedAutomaton[Signed]
) -> Iterator[Equation]:
    """Yield the productions of Figure 2.13 for the transitions of `found`."""
    table, leaving = system.table, found.leaving
    number = {t: n for n, t in enumerate(zip(found.source, found.symbol, found.target, strict=True))}
    for p, g, q, weight in zip(inputs.source, inputs.symbol, inputs.target, inputs.weight, strict=True):
        yield Equation(number[p, g, q], weight, ())  # (1)
    for r, rule in enumerate(system.rules):
        p, g, to, first, second = (column[r] for column in columns(table))
        if first == NONE:
            yield Equation(number[p, g, to], rule.weight, (), r)  # (2)
            continue
        for t in leaving.get((to, first), ()):
            if second == NONE:
                yield Equation(number[p, g, found.target[t]], rule.weight, (t,), r)  # (3)
                continue
            for t2 in leaving.get((found.target[t], second), ()):
                yield Equation(number[p, g, found.target[t2]], rule.weight, (t, t2), r)  # (4)


def best_run_in(answer: Answer[Signed], configurations: Automaton[Signed]) -> tuple[Signed, Witness[Signed] | None]:
    """Return the best length of a run from one of the configurations, and such a run where the length is finite."""
    domain = answer.system.domain
    if not isinstance(domain, SignedLengths) or not isinstance(answer.log, LastDerivations):
        raise UsageError("this asks answers of best_pre_star only")
    pairs = product(answer, configurations)
    equations = [Equation(node, 0, ()) for node in pairs.ends]
    steps = [NONE for _ in pairs.ends]
    for node, arrows in enumerate(pairs.into):
        for source, t in arrows:
            equations.append(Equation(source, answer.weight[t], (node,)))
            steps.append(t)
    value, reason = best_values(domain, len(pairs.nodes), equations, answer.tick)
    start, best = NONE, domain.zero
    for node in pairs.starts:
        if domain.combine(best, value[node]) != best:
            start, best = node, value[node]
    if start == NONE or best == -domain.zero:
        return best, None
    path: list[int] = []
    node = start
    while (t := steps[reason[node]]) != NONE:
        path.append(t)
        node = equations[reason[node]].arguments[0]
    numbers = expand_derivations(answer.log, path, True, answer.tick)
    return best, finish_witness(answer, Found(path, pairs.nodes[start][0], numbers, best))
