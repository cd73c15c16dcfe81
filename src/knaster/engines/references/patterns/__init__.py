"""Summaries of what a call reads: patterns, and the effects of all calls that match them.

S. Qadeer and S. K. Rajamani, Deciding Assertions in Programs with References (MSR-TR-2005-08, 2005), section 6.
`engine` is the fixed point over the tables of `views/heap`, where `pattern_trie` finds the patterns that a call
matches; `engines/references/fixpoint` makes findings of it.
"""

from __future__ import annotations

from knaster.engines.card import Card
from knaster.engines.references import ReferenceOptions
from knaster.engines.requirements import NO_CALLS_IN_WAITS, ONE_THREAD, REACH_OR_MODELS, REFERENCES_OR_REFERRED

CARD = Card(
    "patterns",
    "summaries of what a call reads (references; Boolean programs)",
    paper="Qadeer and Rajamani, *Deciding Assertions in Programs with References* (MSR-TR-2005-08, 2005)",
    missing=("Table 1 with patterns; `transactions` decides the transaction manager (docs/performance-zing.md)",),
    requires=(REACH_OR_MODELS, ONE_THREAD, REFERENCES_OR_REFERRED, NO_CALLS_IN_WAITS),
    run="knaster.engines.references.patterns.engine:patterns",
    reduce="knaster.transform.reference_models.reference_model:reference_model",
    options=ReferenceOptions,
)
