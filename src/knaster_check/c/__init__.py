"""Proofs about programs over integers: invariants, measures, recurrent sets.

In reading order: `nodes` (what an obligation speaks of), `walk` (from a place to the next ones, edge by edge),
`claims` (what a proof says), `invariants`, `ranking`, `recurrence` (the lists of obligations); then `terms`,
`bits`, `integers`, `reals`, `real_terms`, `translation` (obligations as terms of SMT-LIB, in one of two arithmetics),
`script` (terms as text) and `solvers` (who answers).
"""
