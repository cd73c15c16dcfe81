"""Proofs about C with memory as records and as files.

`memory_run` is one run to a target, `memory_runs` is about all runs, `memory_states` about all states of threads,
`memory_paths` about all paths whose inputs are terms, `memory_shapes` about shapes of the heap, `regions` about what a
program is reduced to, `reduced_threads` about what its threads are reduced to, `guaranteed_threads` about
each of them.
"""
