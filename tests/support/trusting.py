"""Which engines the tests of trust run, on sequential programs and on programs with threads."""

from __future__ import annotations

from knaster.engines.table import ENGINES
from knaster.evidence.questions.question import Reach
from knaster.evidence.questions.targets import resolve_targets
from knaster.frontends.boolean import parse

_SEQUENTIAL = parse("void main() begin\n  L: skip;\nend\n", "sequential.bp")
_THREADED = parse("decl g;\nvoid main() begin\n  start_thread goto L;\n  L: skip;\nend\n", "threads.bp")

SEQUENTIAL, THREADED = (
    [
        name
        for name, engine in ENGINES.items()
        if engine.why_not(sample, Reach(resolve_targets(sample, "L"))) is None
        and not str(engine.run).startswith("knaster.engines.references.")  # no shortest runs; `test_referred` has these
    ]
    for sample in (_SEQUENTIAL, _THREADED)
)
