"""Random questions about all runs of a program: termination, or a formula about its labels, procedures and globals."""

from __future__ import annotations

from random import Random

from knaster.evidence.questions.question import Temporal, Termination
from knaster.program.model import Program
from support.generators.ltl import random_formula


def random_question(random: Random, program: Program) -> Temporal | Termination:
    """Return termination or a formula about labels, procedures and globals of a program."""
    if random.random() < 0.15:
        return Termination()
    labels = [label for procedure in program.procedures for label, _ in procedure.labels]
    atoms = ["ended", *(f"at({random.choice(labels)})" for _ in range(2))]
    atoms += [f"in({procedure.name})" for procedure in program.procedures[:2]]
    atoms += [f"{{{name}}}" for name in program.globals]
    return Temporal(random_formula(random, random.randrange(1, 6), tuple(random.sample(atoms, 3))))
