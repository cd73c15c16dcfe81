"""Invariants from guesses, for `horn`, `ranking`, `recurrence` and `yasm`: candidates, and which of them hold.

In reading order:

    candidates      linear forms at cut points: bounds, orders, conditions of the text
    houdini         the candidates that hold whatever happens; `minimize` keeps those that a proof needs
    from_facts      equations and bounds that `facts` finds
    from_states     equations of states that runs had
    columns         which values an invariant speaks of
    from_calls      what calls of procedures without inputs did, number by number
    laws            polynomials that calls of a procedure satisfy; `law_samples` runs calls to learn them
    from_laws       laws as invariants
    hard_houdini    the same as `houdini` for few guesses of any form, in two arithmetics
"""
