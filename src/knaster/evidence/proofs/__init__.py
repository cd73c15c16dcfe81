"""Proofs as records and as files; docs/proofs.md says what is in a file.

In reading order: `table`, THE TABLE of kinds of proofs; then one module a kind, each with its record, its form in a
file and its words: `path_edges` (sequential Boolean programs), those of threads in `threads/`, those of references in
`heap/`, `invariants`, `ranking`, `all_runs` and `lasso` (integers; formulas in `formulas`, for people in `acsl`).
`files` is what all files share, `reading` reads parts without trust.

Whether a proof holds is not looked at here: that is for `checkers`, and so are the functions for whole files.

Also here: `fair_table` (why an automaton accepts no fair run of threads), `kernel_text` (a program as the text that
the kernel reads; `kernel_memory_text`: what programs with memory have besides), `memory/` (those of C with memory),
`ranks` (why no run of a program is one that an automaton accepts), `run` (a run to a target, in a file), `unrolling`
(a depth as a proof).
"""
