"""THE TRUSTED BASE: replays every run and checks every proof, before anybody sees an answer.

In reading order: `replay` (`replay_steps`, `replay_heap`, `replay_deadlock`, `lasso`) runs traces again on the
interpreter; `checked` hands a proof to the checker of its kind and vouches for it by a `Checked`; then one module a
kind of proof, called as in `evidence.proofs`: `path_edges`, `configurations` (`thread_steps`), `interference` and
`stack_table` of Boolean programs and threads (`boolean_meaning`: expressions as BDDs), `heap/` of references,
`all_runs`, `invariants`, `ranking`, `recurrence` and `open_conditions` of integers (by obligations, which
`c/` makes and answers).  `files` saves and examines proofs in files.

Nothing here is code of an engine.  What is shared with engines is the program and its interpreter, the BDD library,
the numbering of its variables (`program.layout`), and of C a solver where no other one is there.
"""
