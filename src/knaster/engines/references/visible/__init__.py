"""Summaries of all that a call sees: its visible state, and the effects on it.

S. Qadeer and S. K. Rajamani, Deciding Assertions in Programs with References (MSR-TR-2005-08, 2005), sections 4 and 5.
`engine` is the fixed point over the tables of `views/heap`; `engines/references/fixpoint` makes findings of it.
"""

from __future__ import annotations

from knaster.engines.card import Card
from knaster.engines.references import ReferenceOptions
from knaster.engines.requirements import NO_CALLS_IN_WAITS, ONE_THREAD, REACH_OR_MODELS, REFERENCES_OR_REFERRED

CARD = Card(
    "visible",
    "summaries of all that a call sees (references; Boolean programs)",
    paper="Qadeer and Rajamani, *Deciding Assertions in Programs with References* (MSR-TR-2005-08, 2005)",
    requires=(REACH_OR_MODELS, ONE_THREAD, REFERENCES_OR_REFERRED, NO_CALLS_IN_WAITS),
    run="knaster.engines.references.visible.engine:visible",
    reduce="knaster.transform.reference_models.reference_model:reference_model",
    options=ReferenceOptions,
)
