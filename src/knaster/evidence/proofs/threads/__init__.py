"""Proofs about threads: sets of configurations, interference, stacks, fair sets, infinite runs, sequential programs.

Also here: `fair_sets` (fair sets: why no fair run of threads is accepted by an automaton, as sets of configurations
that shrink to nothing), `sequential_program` (the sequential program for a bound as a proof about threads),
`stack_table` (a table of stacks), `thread_lasso` (an infinite run of threads, or of a model with references, in a
file).
"""
