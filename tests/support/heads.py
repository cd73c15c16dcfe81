"""The heads of a program beside the automaton of a question, for tests of what is computed on them."""

from __future__ import annotations

from knaster.base.limits import Budget
from knaster.engines.boolean.ranks.heads import Heads
from knaster.engines.violations import automaton_against
from knaster.evidence.proofs.ranks import product_for
from knaster.evidence.questions.product import EVERYTHING, Product
from knaster.evidence.questions.properties import property_named
from knaster.evidence.questions.question import Temporal, Termination
from knaster.frontends.boolean import parse
from knaster.views.summaries.path_edges import Summaries
from knaster.views.symbolic.encoding import encode


def product_in(text: str, property: str) -> Product:
    """Return the product of a program with the automaton of a property."""
    question = property_named(property).question
    assert isinstance(question, Temporal | Termination)
    automaton = EVERYTHING
    if isinstance(question, Temporal):
        automaton = automaton_against(question.formula, Budget())
    return product_for(parse(text + "\n", "<text>", "default", None), question, automaton)


def heads_of(text: str, property: str) -> Heads:
    """Return the reachable heads of that product."""
    product = product_in(text, property)
    symbolic = encode(product.program)
    engine = Summaries(symbolic, Budget())
    engine.demand(symbolic.entry, symbolic.initial())
    engine.run()
    return Heads(product, symbolic, engine)
