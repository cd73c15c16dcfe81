"""Boolean programs as programs with references that have no cells, and the way back for runs.

So the methods for references (`visible`, `patterns`, `transactions`) decide Boolean programs.  In reading order:
`section_flags` (where a thread is inside an atomic section; what is refused), `entry_values` (which variables a callee
may read before it writes them), `procedures` (edges), `prologue` (the start), `reference_model` (the whole, and back).

Also here: `connectives` (connectives: from a Boolean expression, the same in those that programs with references have).
"""
