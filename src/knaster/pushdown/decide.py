"""Decides what a file of a pushdown system asks: the library behind `knaster pushdown`.

Sets are given as a file or as an expression such as `< p, a .* >` (`formats/expressions.py`).  What is asked:

- a file with two sets, or one set and `ask`: can a configuration of the first reach one of the second?
- one set only: which configurations does it reach (post*), or which reach it (pre*)?

`shortest` uses the lengths of the rules, 1 for each where the file gives none.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from knaster.base.errors import UsageError
from knaster.base.records import dataclass
from knaster.pushdown.automaton import without_weights
from knaster.pushdown.domains.boolean import Boolean
from knaster.pushdown.domains.minpath import Length, MinPath
from knaster.pushdown.formats.instance import Instance
from knaster.pushdown.formats.reading import read_instance, read_set, require_known_symbols
from knaster.pushdown.runs.witness import Witness, witness
from knaster.pushdown.saturation.answer import Answer
from knaster.pushdown.saturation.query import weight_in
from knaster.pushdown.signed_lengths import SignedLengths, best_pre_star, best_run_in
from knaster.pushdown.solve import post_star, pre_star
from knaster.pushdown.tick import Tick

Direction = Literal["post", "pre"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was found: a verdict with its weight and run, or, where nothing was asked, the saturated automaton."""

    file: str
    direction: Direction
    reachable: bool | None
    weight: Length | None = None
    found: Witness[Any] | None = None
    answer: Answer[Any] | None = None


def decide_file(
    path: str | Path,
    *,
    post: str | None = None,
    pre: str | None = None,
    ask: str | None = None,
    shortest: bool = False,
    tick: Tick | None = None,
    text: str | None = None,
) -> Outcome:
    """Return what saturation finds out about a file and the sets given beside it; `text` is what is in the file.

    `tick` is called often and stops the work by raising (`tick.py`).
    """
    if post is not None and pre is not None:
        raise UsageError("choose one of post* and pre*")
    instance = read_instance(Path(path), text)
    start = pre if post is None else post
    given = None if start is None else read_set(start, instance)
    asked = None if ask is None else read_set(ask, instance)
    require_known_symbols(instance, *(each for each in (given, asked) if each is not None))
    direction: Direction = "pre" if pre is not None else "post" if post is not None else instance.direction or "post"
    start_set, asked_set = (None if each is None else each.automaton for each in (given, asked))
    sets = (start_set, asked_set) if direction == "post" else (asked_set, start_set)
    return decide(str(path), instance.with_sets(*sets), direction, shortest, tick)


def decide(
    file: str, instance: Instance, direction: Direction, shortest: bool = False, tick: Tick | None = None
) -> Outcome:
    """Return what saturation finds out about the sets of an instance."""
    first, second = instance.sources, instance.targets
    start, asked = (first, second) if direction == "post" else (second, first)
    if start is None:
        raise UsageError("there is nothing to start from: give a set, or a file with one")
    if shortest and instance.has_negative_lengths():
        return _decide_signed(file, instance, tick)
    saturate: Any = post_star if direction == "post" else pre_star
    answer: Answer[Any]
    if shortest:
        answer = saturate(instance.with_lengths(MinPath()), start, witnesses="one", tick=tick)
    else:
        answer = saturate(instance.without_lengths(Boolean()), without_weights(start), witnesses="one", tick=tick)
    if asked is None:
        return Outcome(file, direction, None, answer=answer)
    found = witness(answer, without_weights(asked))
    if found is None:
        return Outcome(file, direction, False)
    weight = weight_in(answer, without_weights(asked)) if shortest else None
    return Outcome(file, direction, True, weight, found, answer)


def _decide_signed(file: str, instance: Instance, tick: Tick | None) -> Outcome:
    """Return the answer where lengths may be negative: pre* of the targets, asked about the sources."""
    if instance.sources is None or instance.targets is None:
        raise UsageError("with negative lengths both sets are needed")
    answer = best_pre_star(instance.with_lengths(SignedLengths()), instance.targets, tick=tick)
    weight, found = best_run_in(answer, without_weights(instance.sources))
    if weight == SignedLengths().zero:
        return Outcome(file, "pre", False)
    return Outcome(file, "pre", True, weight, found, answer)
