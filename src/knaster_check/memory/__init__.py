"""Programs with memory (C with pointers): the kernel's own meaning of them, and its checks of proofs about them.

Written from what C says and docs/c-memory.md chooses, not from `knaster.semantics`.  To be read in this order:

    faults       the steps that C leaves undefined, by kind, and which of them a target asks for
    values       addresses, images of bytes, numbers that follow an input
    numbers      arithmetic, comparisons and conversions
    following    what is done with numbers that follow an input
    inputs       inputs: a run on one value stands for the values up to where something would change
    objects      objects and their bytes
    reals        floating-point numbers
    expressions  expressions as functions of a machine and an activation
    machine      objects, activations, actions: one step at a time
    library      functions of the C library, in a folder
    leaks        what is left in the heap
    codes        procedures that can be run
    runs         the check of all runs
    shapes       the check of shapes of the heap, in a folder
    symbols      inputs as terms: a run stands for all inputs that satisfy the conditions that it has met
    open_reals   the same with floating-point numbers
    paths        the check of all paths
    threads      the machine with threads
    given        inputs of one run that a file says
    run          the check of one run to a target
    states       the check of all states of threads
    lasso        the check of a run of threads that never ends
"""
