"""Proofs about C as scripts of SMT-LIB, for whoever wants to check them with solvers and programs of their own.

`listing`: every obligation of a proof, with the arithmetic in which a solver has answered it.  `smt_lib`: obligations,
one after the other.  `horn_clauses`: the program as clauses, and the proof as their solution.  `files`: which of them a
file wants.
"""
