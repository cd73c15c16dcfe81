"""THE TRUSTED BASE: replays every run and checks every proof, before anybody sees an answer.

In reading order: `runs/` executes traces again on the interpreter; `checked` hands a proof to the checker of its kind
and vouches for it by a `Checked`; then one module a kind of proof, called as in `evidence.proofs`: `path_edges`, and
`ranks` and `fair_table` of formulas (`temporal_automata`), of Boolean programs (`boolean_meaning`: expressions as
BDDs), `threads/` of their threads, `heap/` of references, `all_runs`, `invariants`, `ranking`, `recurrence` and
`open_conditions` of integers (by obligations, which `c/` makes and answers).  `files` saves and examines proofs in
files, `kernel` asks the kernel.

Nothing here is code of an engine.  What is shared with engines is the program and its interpreter, the BDD library,
the numbering of its variables (`program.layout`), and of C a solver where no other one is there.

Also here: `memory/` (proofs about C with memory), `parts` (the check that a part of a program has all of its runs,
seen through the variables that it keeps), `path_edge_units` (path edges of some procedures, for sessions),
`unrolling` (the check of a depth).
"""
