"""Checks of proofs about C with memory, one module a kind of proof, called as in `evidence.proofs.memory`.

`memory_runs` runs the program again on every input (`enumerated_inputs`: every value of each, one after the other;
`memory_ends`: how a run ends), `memory_states` lets threads run again in every order, `memory_paths` goes through all
paths with a solver, `memory_shapes` takes every step again from every shape of the heap (`shape_embedding`: whether a
shape stands for all states of another one), `regions` makes the program over integers again and checks its proof,
`reduced_threads` the sequential program of threads, `guaranteed_threads` that of each of them; `reduced_texts` hands
such programs to the kernel.  `ending_states` sees that no way through the states of threads leads around,
`memory_lasso` that a run of them which never ends is one.
"""
