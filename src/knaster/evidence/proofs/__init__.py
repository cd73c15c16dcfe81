"""Proofs as records and as files; docs/proofs.md says what is in a file.

In reading order: `table`, THE TABLE of kinds of proofs; then one module a kind, each with its record, its form in a
file and its words: `path_edges` (sequential Boolean programs), `configurations`, `interference` and `stack_table`
(threads), `state_table` and `effect_table` (references; values in `heap_values`), `invariants`, `ranking`, `all_runs`
and `lasso` (integers; formulas in `formulas`).  `files` is what all files share, `reading` reads parts without trust.

Whether a proof holds is not looked at here: that is for `checkers`, and so are the functions for whole files.
"""
