"""Programs with references, compiled: steps as Python functions on a memory of numbers.

In reading order.  The memory: `memory_layout` (slots and shapes), `sources` and `primitives` (expressions as source),
`deep_expressions`, `compiler` (a function for each location).  States of all threads: `stepper` (steps on lists),
`repetition` (regions that never end), `canonical_states`, `interning` (states as numbers), `turns` (moves of a thread),
`first_hits` (runs to targets).  Summaries of calls: `overlay` (what a call sees and changes), `derivation` (how each
finding came about), `walker` (paths inside a procedure), `summary_tables` (the fixed point's tables), `pattern_trie`
(calls that read the same).  For others: `bounded_paths` (whether types show that summaries end), `proof_tables` (what a
checker is given), `mentions` (for reports).
"""
