"""Zing models without a heap as Boolean programs with threads, and the way back for runs.

In reading order: `value_sets` (which values each variable can have; what is refused), `bits` (variables and expressions
as truth values), `procedures` (edges), `flatten` (the whole program, and the way back).
"""
