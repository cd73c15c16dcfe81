"""The kernel: says whether a proof holds for a program, from two texts and nothing of Knaster's.

It reads a *program text* (`knaster show FILE --as kernel`, docs/kernel.md) and a *proof file* (docs/proofs.md), makes
its own list of obligations, edge by edge, and answers each one itself or has it answered by somebody whom it names.
What is not understood is refused, by name and place.  It imports nothing from `knaster`, no engine and no BDD library.

In reading order: `refused` (why a proof is none), `program` (records), `lines` (what lines are called), `formula`
(expressions, after their operands), `text` (a program text as records) and `fitting` (whether they fit together),
`work` (what is counted), `table` (THE TABLE of kinds of proofs: `check`, and what a checker is given and returns);
`evaluate`, `steps` (one step on values), `paths`, `run`, `lasso` (runs); then the rooms `boolean`, `temporal`, `c`,
`memory` and `heap`, a module for each kind of proof.
"""

from knaster_check.refused import Refused as Refused
from knaster_check.table import Verdict as Verdict
from knaster_check.table import check as check
from knaster_check.text import read_program as read_program
