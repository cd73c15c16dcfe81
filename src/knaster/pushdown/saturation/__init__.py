"""post* and pre*: productions, their least solution, and the automaton that can be asked (chapters 2 and 3).

Also here: `answer` (the answer of a saturation), `derivations` (why a transition has its weight), `grammar` (grammars
behind saturation), `query` (questions about regular sets of configurations).
"""
