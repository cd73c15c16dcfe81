"""The part of a program that a target depends on, as a program of its own, with a way back for runs.

M. Weiser, Program Slicing (ICSE 1981); S. Horwitz, T. Reps and D. Binkley, Interprocedural Slicing Using Dependence
Graphs (TOPLAS 1990).  In reading order: `observables` (which branches decide what is seen next), `cone` (variables,
branches and procedures that matter), `part` (the program that is left), `guided_run` (a run of the whole program along
one of the part), `reduction`, and `lifted_invariants` (a proof about the part as one about the whole).

A part has at least the runs of the whole: what is unreachable in it is unreachable.  `checkers.parts` looks at that
edge by edge.  A run of the part is believed only where the whole program has it too.
"""
