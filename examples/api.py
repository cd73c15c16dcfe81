"""Knaster as a library: ask, look at the answer, draw the program."""

from pathlib import Path

import knaster

figure1 = Path(__file__).with_name("figure1.bp")

result = knaster.check(figure1, "R")
print(result.verdict.value, "-", result.reason)
assert result.trace is not None
print("shortest hierarchical trace:", result.trace.length, "steps")
print("with every call expanded:   ", result.trace.expanded_length, "steps")

program = knaster.parse(figure1)
for procedure in program.procedures:
    print(f"{procedure.name}: {len(procedure.edges)} edges")

proof = knaster.check("decl g; void main() begin\n g := F; assert(!g);\nend\n")
print(proof.verdict.value, "-", proof.reason)
