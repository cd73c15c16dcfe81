"""Shapes of the heap: the kernel's own meaning of them, and its check of proofs by them (C with memory).

Written from docs/c-memory.md ("Shapes"), not from `knaster.semantics.memory.shapes`.  To be read in this order:

    shape         what a shape stands for; a segment is one object, or one before a segment
    open_inputs   what is computed of inputs of many values
    open_machine  the machine in any state of a shape, and where it has come to as a shape
    embedding     whether all states of one shape are states of another
    calls         what a callee sees of its caller's shape, and what comes back
    reading       the shapes of a proof file
    all_shapes    the check: from each shape every step leads into shapes, and to no target
"""
