"""post* and pre*: from a system and a regular set of configurations to an answer.

`post_star` and `pre_star` saturate over any domain; `ijop` is the join over all paths between two regular sets
(Lal, PhD thesis, University of Wisconsin, 2009, Definition 2.4.3), which both directions compute.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeVar

from knaster.errors import UsageError
from knaster.pushdown.answer import Answer
from knaster.pushdown.automaton import Automaton, number_automaton
from knaster.pushdown.derivations import AllDerivations, LastDerivations, NoDerivations
from knaster.pushdown.numbering import NumberedAutomaton
from knaster.pushdown.query import weight_in
from knaster.pushdown.relation import LIMIT, Relation
from knaster.pushdown.saturation import saturate_post, saturate_pre
from knaster.pushdown.system import PushdownSystem, State, Symbol
from knaster.pushdown.worklist import PriorityQueue, Queue, Worklist

W = TypeVar("W")

Witnesses = Literal["none", "one", "all"]
Priority = Callable[[State, Symbol | None, State], Any]


def post_star(
    system: PushdownSystem[W],
    automaton: Automaton[W],
    *,
    witnesses: Witnesses = "none",
    priority: Priority | None = None,
    limit: int = LIMIT,
) -> Answer[W]:
    """Return the automaton that accepts c with Σ A(c') · v(σ) over the runs σ from configurations c' to c.

    `witnesses` tells what is kept to justify weights: nothing, one derivation per transition (enough where combine
    chooses one of its arguments and no weight is better than 1), or all of them.  Transitions (source, symbol, target)
    of smallest `priority` are looked at first.  `limit` bounds the changes of one weight.
    """
    return _saturate(system, automaton, witnesses, priority, limit, forward=False)


def pre_star(
    system: PushdownSystem[W],
    automaton: Automaton[W],
    *,
    witnesses: Witnesses = "none",
    priority: Priority | None = None,
    limit: int = LIMIT,
) -> Answer[W]:
    """Return the automaton that accepts c with Σ v(σ) · A(c') over the runs σ from c to configurations c'.

    The options are those of `post_star`.
    """
    return _saturate(system, automaton, witnesses, priority, limit, forward=True)


def ijop(
    system: PushdownSystem[W], sources: Automaton[W], targets: Automaton[W], via: Literal["post", "pre"] = "post"
) -> W:
    """Return the combined weight of all runs from `sources` to `targets`; 0 if there is none."""
    if via == "post":
        return weight_in(post_star(system, sources), targets)
    return weight_in(pre_star(system, targets), sources)


def _saturate(
    system: PushdownSystem[W],
    automaton: Automaton[W],
    witnesses: Witnesses,
    priority: Priority | None,
    limit: int,
    forward: bool,
) -> Answer[W]:
    numbered = number_automaton(system.table, automaton, system.domain)
    log = _log(system, numbered, witnesses)
    relation = Relation(system.domain, log, limit)
    answer = Answer(
        system,
        forward,
        relation.source,
        relation.symbol,
        relation.target,
        relation.weight,
        numbered.final,
        numbered.controls,
        numbered.states,
        numbered.symbols,
        None if isinstance(log, NoDerivations) else log,
    )
    todo: Worklist = Queue() if priority is None else PriorityQueue(_numbered_priority(answer, priority))
    (saturate_pre if forward else saturate_post)(system, numbered, relation, todo)
    return answer


def _log(
    system: PushdownSystem[W], automaton: NumberedAutomaton[W], witnesses: Witnesses
) -> NoDerivations[W] | LastDerivations[W] | AllDerivations[W]:
    if witnesses == "none":
        return NoDerivations()
    if witnesses == "all":
        return AllDerivations()
    domain = system.domain
    weights = [*(rule.weight for rule in system.rules), *automaton.weight]
    if not system.is_plain() or any(domain.combine(domain.one, weight) != domain.one for weight in weights):
        raise UsageError(
            "one derivation per transition justifies weights only where no weight is better than 1 "
            "and no rule has a merge function; ask for all witnesses"
        )
    return LastDerivations()


def _numbered_priority(answer: Answer[W], priority: Priority) -> Callable[[int], Any]:
    def rank(t: int) -> Any:
        letter = None if answer.symbol[t] == answer.empty else answer.symbols.names[answer.symbol[t]]
        return priority(answer.state_name(answer.source[t]), letter, answer.state_name(answer.target[t]))

    return rank
