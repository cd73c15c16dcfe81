"""post* and pre*: productions, their least solution, and the automaton that can be asked (chapters 2 and 3)."""
