"""Proofs about threads of Boolean programs, one module a kind, called as in `evidence.proofs`.

`configurations` (with `thread_steps`), `fair_sets` of formulas (with `thread_letters` and `counting_steps`),
`interference` (with `interference_form`), `stack_table`, `sequential_program`.
"""
