"""Proofs about all runs, ended or endless: termination and formulas of linear temporal logic.

In reading order: `formula` (a text as a tree), `letters` (what its atoms mean in a program), `automaton` (it accepts
every word on which a formula does not hold), `product` (a program beside an automaton) and `ranks` (why none of its
runs is accepted); for threads `thread_graph` (who can move where) and `fair_table`.
"""
