"""Computes fixed points of systems of formulas on BDDs (La Torre, Madhusudan and Parlato, PLDI 2009, section 3).

`fixpoint` has Evaluate and its strategies, and `frontier` what is new in a round.  Below them: `allocate` (which BDD
variable holds which bit), `compile` (formulas → the graphs of `plan`), `quantify` (when to quantify), `validity` (codes
that are no values), `machine` (runs a plan again and again), `simplify` (assume, cofactor), `external_relations`
(relations that Python gives as tables, functions or BDDs).

Also here: `native_simplify` (`f assume c` and `f cofactor c` in native code, on a copy of the graphs).
"""
