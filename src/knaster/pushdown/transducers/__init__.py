"""Weighted transducers of weighted pushdown systems, tensor products, and what both tell about several systems.

Also here: `compose` (composes weighted transducers, and weighs what their compositions relate), `contexts` (weighs the
runs of several pushdown systems that share control states, within a number of context switches), `images` (the words
that a transducer makes of a regular set of words), `kronecker` (kronecker's product of sparse matrices, and its
undoing), `language` (regular sets of stacks, each as its smallest deterministic automaton), `of_system` (the transducer
of a pushdown system), `phases` (the two phases of a run on a stack), `rounds` (reduces several pushdown systems to
one), `tensor_laws` (the laws of tensor products, tried on samples), `tensors` (tensor products of weights),
`transducer` (weighted transducers).
"""
