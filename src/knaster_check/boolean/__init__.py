"""Proofs about Boolean programs and their threads, without temporal ones: sets as formulas, or stacks one by one.

In reading order: `circuit` (sets of states as gates), `sat` (whether clauses are unsatisfiable), `obligations` (what is
asked, and who answers), `circuit_steps` (statements as gates); `path_edges`; `lanes` and `configurations`;
`interference_file` and `interference`; then `successors` and `thread_steps` (steps on states), `stack_table`.
"""
