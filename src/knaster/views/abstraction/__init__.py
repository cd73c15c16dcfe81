"""Predicates over steps: what a program does as far as some predicates see it, from above and from below.

In reading order:

    normal_form       one form for comparisons that mean the same, or the opposite
    predicates        which predicate stands at which place
    relations         minterms, and the relations between those before a step and those after it
    preimage          pre of an abstract set, may and must
    boolean_program   the may side as a Boolean program
    discovery         predicates where may and must differ
    interpolants      predicates that exclude a path which is no run
"""
