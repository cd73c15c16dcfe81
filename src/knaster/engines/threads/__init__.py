"""Engines for Boolean programs with threads.

`states` sets of configurations, `modular` one thread at a time, `stacks` and `transducers` sets of stacks, `lazy` and
`eager` contexts one after the other or as one sequential program.  Shared by `stacks` and `transducers`:
`pushdown_systems`, the threads as pushdown systems, and `pushdown_traces`, from what those found back to the program.
"""
