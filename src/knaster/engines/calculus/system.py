"""The text of an algorithm of the calculus as a system: its file, behind the relations that it mentions."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

from knaster.base.errors import UsageError
from knaster.calculus.language.formula import Predicate
from knaster.calculus.language.lexer import Source
from knaster.calculus.language.system import System, load_file, parse
from knaster.engines.calculus.templates import RELATIONS, Templates

ALGORITHMS = {
    "summary": "summary.mu",
    "entry-forward": "entry_forward.mu",
    "entry-forward-opt": "entry_forward_opt.mu",
}
ABOUT_RUNS = {"fair": "fair.mu"}  # these decide questions about all runs
_RELATIONS = "the relations of the program"


def algorithm_text(algorithm: str) -> tuple[str, str]:
    """Return the name of an algorithm's file and its text."""
    if (own := (ALGORITHMS | ABOUT_RUNS).get(algorithm)) is not None:
        return own, (files("knaster.engines.calculus") / own).read_text(encoding="utf-8")
    try:
        return algorithm, Path(algorithm).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        known = ", ".join(ALGORITHMS)
        reason = error.strerror or str(error)
        raise UsageError(f"no algorithm '{algorithm}' ({reason}); choose one of {known}, or name a file") from None


def read_algorithm(program: Templates, algorithm: str) -> tuple[System, list[str]]:
    """Return the algorithm's system and the relations that it mentions, which stand in front of it without bodies."""
    name, text = algorithm_text(algorithm)
    needed = [relation for relation in RELATIONS if re.search(rf"\b{relation}\b", text)]
    relations = Source(_RELATIONS, program.declarations(needed))

    def load(wanted: str, asking: str) -> Source | None:
        return relations if wanted == _RELATIONS else load_file(wanted, asking)

    system = parse(f'#load "{_RELATIONS}"; {text}', file=name, load=load)
    if not _answers(system.predicates.get("Reached")):
        wanted = "bool Reached(Module mod, Counter pc)"
        raise UsageError(f"{name}: define '{wanted}', the locations that are found reachable")
    return system, needed


def _answers(predicate: Predicate | None) -> bool:
    if predicate is None or predicate.body is None:
        return False
    return [parameter.type.name for parameter in predicate.parameters] == ["Module", "Counter"]
