"""post* and pre*: from a system and a regular set of configurations to an answer.

`post_star` and `pre_star` saturate over any domain; `ijop` is the join over all paths between two regular sets
(Lal, PhD thesis, University of Wisconsin, 2009, Definition 2.4.3), which both directions compute.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeVar, cast, get_args

from knaster.base.errors import UsageError
from knaster.pushdown import kernel_calls as compiled
from knaster.pushdown.automaton import Automaton, Inner, number_automaton
from knaster.pushdown.domains.boolean import Boolean
from knaster.pushdown.domains.minpath import MinPath
from knaster.pushdown.fast.expression_log import solve_fast
from knaster.pushdown.numbering import NumberedAutomaton
from knaster.pushdown.saturation.answer import Answer
from knaster.pushdown.saturation.derivations import AllDerivations, LastDerivations
from knaster.pushdown.saturation.least import LIMIT, LeastSolution
from knaster.pushdown.saturation.productions import Triple, saturate_post, saturate_pre
from knaster.pushdown.saturation.query import weight_in
from knaster.pushdown.system import PushdownSystem, State, Symbol
from knaster.pushdown.tick import Tick

W = TypeVar("W")

Witnesses = Literal["none", "one", "all"]
Engine = Literal["plain", "fast"]
Priority = Callable[[State | None, Symbol | None, State | None], Any]


def post_star(
    system: PushdownSystem[W],
    automaton: Automaton[W],
    *,
    engine: Engine = "plain",
    witnesses: Witnesses = "none",
    priority: Priority | None = None,
    limit: int = LIMIT,
    tick: Tick | None = None,
) -> Answer[W]:
    """Return the automaton that accepts c with Σ A(c') · v(σ) over the runs σ from configurations c' to c.

    `witnesses` tells what is kept to justify weights: nothing, one derivation per transition (enough where combine
    chooses one of its arguments and no weight is better than 1), or all of them.  Transitions (source, symbol, target)
    of smallest `priority` are looked at first; the empty word and the states that post* adds are None there.  `limit`
    bounds the changes of one weight.  Over `Boolean` and `MinPath` the compiled kernel does the work where it can.
    `tick` is called often, also while the answer is asked, and stops the work by raising (`tick.py`).

    The engine "fast" works with path expressions and computes a weight when it is read (`fast/solver.py`).  It has its
    own order, so it takes no priority, and it refuses merge functions without path extension.
    """
    return _answer(system, automaton, engine, witnesses, priority, limit, tick, forward=False)


def pre_star(
    system: PushdownSystem[W],
    automaton: Automaton[W],
    *,
    engine: Engine = "plain",
    witnesses: Witnesses = "none",
    priority: Priority | None = None,
    limit: int = LIMIT,
    tick: Tick | None = None,
) -> Answer[W]:
    """Return the automaton that accepts c with Σ v(σ) · A(c') over the runs σ from c to configurations c'.

    The options are those of `post_star`.
    """
    return _answer(system, automaton, engine, witnesses, priority, limit, tick, forward=True)


def ijop(
    system: PushdownSystem[W],
    sources: Automaton[W],
    targets: Automaton[W],
    via: Literal["post", "pre"] = "post",
    *,
    engine: Engine = "plain",
    tick: Tick | None = None,
) -> W:
    """Return the combined weight of all runs from `sources` to `targets`; 0 if there is none."""
    _choose("direction", via, ("post", "pre"))
    if via == "post":
        return weight_in(post_star(system, sources, engine=engine, tick=tick), targets)
    return weight_in(pre_star(system, targets, engine=engine, tick=tick), sources)


def _answer(
    system: PushdownSystem[W],
    automaton: Automaton[W],
    engine: Engine,
    witnesses: Witnesses,
    priority: Priority | None,
    limit: int,
    tick: Tick | None,
    forward: bool,
) -> Answer[W]:
    _choose("engine", engine, get_args(Engine))
    _choose("value of witnesses", witnesses, get_args(Witnesses))
    if engine == "plain":
        return _saturate(system, automaton, witnesses, priority, limit, tick, forward)
    if priority is not None:
        raise UsageError("the engine 'fast' has its own order; it takes no priority")
    return solve_fast(system, automaton, forward=forward, witnesses=witnesses != "none", limit=limit, tick=tick)


def _choose(what: str, value: str, choices: Sequence[str]) -> None:
    """Refuse a choice that there is not."""
    if value not in choices:
        raise UsageError(f"unknown {what} {value!r}; choose one of {', '.join(choices)}")


def _saturate(
    system: PushdownSystem[W],
    automaton: Automaton[W],
    witnesses: Witnesses,
    priority: Priority | None,
    limit: int,
    tick: Tick | None,
    forward: bool,
) -> Answer[W]:
    numbered = number_automaton(system.table, automaton, system.domain)
    if priority is None and witnesses != "all":
        answer = _saturate_compiled(system, numbered, forward, tick)
        if answer is not None:
            return answer
    log = _log(system, numbered, witnesses)
    rank = None if priority is None else _rank(numbered, priority)
    relation: LeastSolution[Triple, W] = LeastSolution(system.domain, log=log, priority=rank, limit=limit, tick=tick)
    middle = (saturate_pre if forward else saturate_post)(system, numbered, relation)
    return Answer(
        system,
        forward,
        [source for source, _, _ in relation.name],
        [symbol for _, symbol, _ in relation.name],
        [target for _, _, target in relation.name],
        relation.value,
        numbered.final,
        numbered.controls,
        numbered.states,
        numbered.symbols,
        middle,
        log,
        tick,
    )


def _saturate_compiled(
    system: PushdownSystem[W], automaton: NumberedAutomaton[W], forward: bool, tick: Tick | None
) -> Answer[W] | None:
    """Return the kernel's answer; None where the domain or the weights are not for it, or where there is no kernel."""
    domain = system.domain
    kind: type = type(domain)
    if kind not in (Boolean, MinPath) or not system.is_plain() or not compiled.is_available():
        return None
    weights = system.weights
    if domain.zero in weights or domain.zero in automaton.weight:
        return None
    lengths = edges = None
    if isinstance(domain, MinPath):
        try:
            lengths = array("q", cast(Sequence[int], weights))
            edges = array("q", cast(list[int], automaton.weight))
        except OverflowError:
            return None
    found = compiled.saturate(system.table, automaton, backward=forward, lengths=lengths, edge_lengths=edges, tick=tick)
    if found is None:
        return None
    return Answer(
        system,
        forward,
        found.source,
        found.symbol,
        found.target,
        [domain.one] * len(found.source) if found.length is None else cast(Sequence[W], found.length),
        automaton.final,
        automaton.controls,
        automaton.states,
        automaton.symbols,
        found.middle,
        found,
        tick,
    )


def _log(
    system: PushdownSystem[W], automaton: NumberedAutomaton[W], witnesses: Witnesses
) -> LastDerivations[W] | AllDerivations[W] | None:
    if witnesses == "none":
        return None
    if witnesses == "all":
        return AllDerivations()
    domain = system.domain
    weights = [*system.weights, *automaton.weight]
    if not system.is_plain() or any(domain.combine(domain.one, weight) != domain.one for weight in weights):
        raise UsageError(
            "one derivation per transition justifies weights only where no weight is better than 1 "
            "and no rule has a merge function; ask for all witnesses"
        )
    return LastDerivations()


def _rank(automaton: NumberedAutomaton[W], priority: Priority) -> Callable[[Triple], Any]:
    """Return the priority of a transition in numbers, as the user's function of its source, symbol and target."""
    states, symbols, empty = automaton.states.names, automaton.symbols.names, automaton.empty

    def name(state: int) -> State | None:
        if state >= len(states):
            return None
        named = states[state]
        return named.state if isinstance(named, Inner) else named

    def rank(transition: Triple) -> Any:
        source, letter, target = transition
        return priority(name(source), None if letter == empty else symbols[letter], name(target))

    return rank
