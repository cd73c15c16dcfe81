"""Bebop: path edges and summary edges of a sequential Boolean program, as BDDs.

T. Ball and S. K. Rajamani, Bebop: A Symbolic Model Checker for Boolean Programs (SPIN 2000).  `engine` asks the path
edges about the targets; the algorithm is `views/summaries/path_edges`, and `rings` and `shortest_traces` beside it find
its traces: other engines have theirs from there too.
"""

from __future__ import annotations

from knaster.engines.boolean import SummariesOptions
from knaster.engines.card import Card
from knaster.engines.requirements import BOOLEAN, NO_HEAP, NO_THREAD_STATEMENTS, REACH, SEQUENTIAL

CARD = Card(
    "summaries",
    "path edges and summary edges on BDDs (Bebop)",
    paper="Ball and Rajamani, *Bebop: A Symbolic Model Checker for Boolean Programs* (SPIN 2000)",
    missing=("termination",),
    requires=(REACH, NO_HEAP, SEQUENTIAL, NO_THREAD_STATEMENTS, BOOLEAN),
    run="knaster.engines.boolean.summaries.engine:summaries",
    options=SummariesOptions,
)
