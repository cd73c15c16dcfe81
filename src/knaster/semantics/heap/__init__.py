"""What a step of a program with references does: the heap, many threads, exceptions, after the Zing model checker.

To be read in this order:

    configuration     statics, heap, and the stack of every thread; `canonical_form` up to the names of cells
    evaluate          the value of an expression in a configuration, and what a store does to it
    interpreter       one step of one thread; `handlers` where exceptions go, `failure` how a run fails
    cycle_watch       runs without choices that come back to where they were
    decisions         a run as its decisions; `goals` what a search looks for
    run_graph         single statements as a graph, for questions about infinite runs
    explore           the oracle: every configuration of a small program
"""
