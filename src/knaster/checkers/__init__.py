"""THE TRUSTED BASE: replays every run and checks every proof, before anybody sees an answer.

In reading order: `runs/` executes traces again on the interpreter; `checked` hands a proof to the checker of its kind
and vouches for it by a `Checked`; then one module a kind of proof, called as in `evidence.proofs`: `path_edges`, and
`ranks` and `fair_table` of formulas (`temporal_automata`), of Boolean programs (`boolean_meaning`: expressions as
BDDs), `threads/` of their threads, `heap/` of references, `all_runs`, `invariants`, `ranking`, `recurrence` and
`open_conditions` of integers (by obligations, which `c/` makes and answers).  `files` saves and examines proofs in
files, `kernel` asks the kernel.

Nothing here is code of an engine.  What is shared with engines is the program and its interpreter, the BDD library,
the numbering of its variables (`program.layout`), and of C a solver where no other one is there.

Also here: `enumerated_inputs` (every value of each input, one after the other), `memory_ends` (how a run with memory
ends), `memory_paths` (the check of all paths of a program with memory), `memory_runs` (the check of all runs of a
program with memory), `memory_shapes` (the check of shapes of the heap; `shape_embedding`: whether a shape stands for
all states of another one), `memory_states` (the check of all states of threads with memory), `parts` (the check that a
part of a program has all of its runs, seen through the variables that it keeps), `regions` (the check of a proof about
the program over integers that a program with memory is reduced to), `unrolling` (the check of a depth).
"""
