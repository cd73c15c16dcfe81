"""Proofs about threads of Boolean programs, one module a kind, called as in `evidence.proofs`.

`configurations` (with `thread_steps`), `interference` (with `interference_form`), `stack_table`, `sequential_program`.
"""
