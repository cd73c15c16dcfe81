"""Several pushdown systems and any number of context switches: sets of stacks as canonical automata.

Also here: `all_contexts` (computes what several pushdown systems that share control states reach), `history` (how a
configuration was reached), `recheck` (checks that a table of contexts is closed), `visible_closure` (visible closure),
`visible_states` (visible states).
"""
