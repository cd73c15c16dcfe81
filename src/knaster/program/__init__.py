"""What a program is: expressions on edges of control-flow graphs.  Everything else in the house is about it.

To be read in this order:

    model           procedures, edges, actions, programs; `kind` what their variables hold
    expression      the only expression tree; `operators` its nodes over other types than Boolean, `types` those types
    objects         what only programs with references have
    state evaluate  states, and the value of an expression in one; `bit_state` those of truth values as an integer
    algebra         formulas as things to compute with: substitution, conjunctions; `flat` expressions as lists
    validate        what is wrong with a program, as data; `typecheck` its half about types
    traversal       orders in which to visit a program
    effects         what an edge and a procedure read and write; on it `liveness` and `thread_liveness`
    threads         how many threads a program starts, and which of its procedures they run
    layout/         which Boolean variable stands for which part of a state

Also here: `memory` (what programs with memory have besides the model), `floating_point` (what its operations compute),
`temporaries` (names of temporaries),
`unrolling` (a program without loops and recursion from one that has them).
"""
