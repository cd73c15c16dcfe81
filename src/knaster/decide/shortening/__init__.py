"""Short invariants: a proof that was checked, said in fewer words, and checked again.

In reading order: `results` (whose proofs), `shorten` (the whole way), `solved`, `bounds` and `clauses` (formulas as
clauses of intervals, in which nothing is said twice), `needs` (which of them the obligations of the proof need).
"""
