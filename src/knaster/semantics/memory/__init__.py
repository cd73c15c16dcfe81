"""What a program with memory does: C with pointers, run step by step on values (`docs/c-memory.md`).

To be read in this order:

    failure     the steps that C leaves undefined, by kind, and how a run says that it cannot go on
    objects     objects, their bytes, and when they may be used
    unknown     inputs that are chosen as late as possible
    floats      floating-point numbers
    evaluate    expressions as functions of a machine and an activation
    library     what functions of the C library do to memory
    strings     what they do with texts
    characters  classes of characters
    mathematics functions of math.h that have one result
    numerals    floating-point numbers in texts
    printing    numbers as printf prints them
    formats     what they print into memory, and what they scan
    environment the environment, the time, functions that nobody defines
    arguments   what `argv` points to
    streams     files
    symbolic/   inputs as terms
    bits        builtins that compute with bits
    actions     actions as functions of a machine and an activation
    leaks       what is left in the heap
    machine     the machine: activations, one step at a time
    inputs      the values that a run reads: given ones, or candidates one after the other
    explore     runs on chosen inputs, the simplest first; all of them where there are few

Also here: `library_sites` (which steps of the library may be undefined), `sites` (the steps of a program with memory
that C may leave undefined), `shapes/` (graphs that stand for many states, lists of any length in them).
"""
