"""The method that answers a question: the engine that was named or the first that can, with its options."""

from __future__ import annotations

from knaster.base.errors import UnsupportedError, UsageError
from knaster.base.named_tuples import NamedTuple
from knaster.base.options import Options
from knaster.decide.asked import How
from knaster.engines.card import Card
from knaster.engines.table import ENGINES, engine_named, make_options
from knaster.evidence.questions.question import Question, Reach
from knaster.program.model import Kind, Program


class Method(NamedTuple):
    """An engine by name, with its options; `fits` where nobody named it, and it was chosen because it can."""

    name: str
    engine: Card
    options: Options
    fits: bool = False


def choose(program: Program, question: Question, how: How) -> Method:
    """Return the method that answers; refuse an engine that cannot, and name those that can."""
    fits = how.engine is None or (how.engine == "auto" and program.kind is Kind.BOOLEAN)
    name = default_engine(program, question) if fits else how.engine
    assert name is not None
    return Method(name, usable(name, program, question), make_options(name, how.options), fits)


def default_engine(program: Program, question: Question) -> str:
    """Return the first engine that handles a question about a program; where none does, the first of all.

    A method that only proves is not asked alone.
    """
    deciding = (name for name, engine in ENGINES.items() if engine.decides)
    return next((name for name in deciding if ENGINES[name].why_not(program, question) is None), next(iter(ENGINES)))


def usable(name: str, program: Program, question: Question) -> Card:
    """Return the engine of this name; refuse what it does not handle, and name those that do."""
    engine = engine_named(name)
    why = engine.why_not(program, question)
    if why is None:
        return engine
    others = [other for other, candidate in ENGINES.items() if candidate.why_not(program, question) is None]
    if others:
        raise UsageError(f"{program.file}: the engine '{name}' cannot be used: {why}; use {' or '.join(others)}")
    raise UnsupportedError(_why_nobody(name, why, program, question), None, program.file)


def _why_nobody(name: str, why: str, program: Program, question: Question) -> str:
    """Say why no engine answers: what is missing in those that would decide reachability of the program."""
    near = [card for card in ENGINES.values() if card.decides and card.why_not(program, Reach(())) is None]
    if not near:
        return f"the engine '{name}' cannot be used: {why}; no other engine can, so far"
    reasons = "; ".join(
        f"'{card.name}' can read the program, but {card.why_not(program, question)}" for card in near[:2]
    )
    return f"no engine can answer this, so far: {reasons}"
