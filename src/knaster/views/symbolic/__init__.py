"""Programs as relations on BDDs, after Ball and Rajamani, Bebop: A Symbolic Model Checker for Boolean Programs (2000).

In reading order: `frame` (what sets of states speak of, and what passes between two at a call), `formula_sets`
(expressions as sets), `encoding` (all of a program), `symbolic_program` (what an engine may ask of it).  Which BDD
variable holds which variable is said in `program.layout`, because proofs and checkers ask it too.
"""
