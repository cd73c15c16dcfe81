"""SV-COMP: properties, task definitions and verification witnesses, read, written and validated.

`properties` reads `.prp` files, `tasks` task definitions, `documents` the YAML of both, `witness` the records of a
witness and what makes a document one.  A witness about a program of C is validated on its text: `tokens` and
`statements` find the places that it names, `sites` what stands there, `sequence` writes a violation sequence and
`invariant_set` invariants into the program, and `validate` asks about the program that results.  `witness_text` and
`writer` write a witness of an answer, `told_inputs` the values that its run reads.

Also here: `branchings` (whether the conditions on a way were true), `violations` (where a property is violated),
`thread_ids` (which thread passes a segment), `contracts` (contracts of a witness written into a program), `descents`
(transition invariants that steps show), `insertions` (text written into a program without moving a line), `past_values`
(`\\at(e, WHEN)` in expressions of a witness), `inner_variables` (the same of variables that a block declares),
`proved_claims` (what a witness of a proof says).
"""
