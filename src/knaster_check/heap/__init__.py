"""Tables of programs with references, by an interpreter of the model.

In reading order: `memory` (statics, frames and cells, also where not everything is known), `evaluate` (expressions and
places), `machine` (what one thread does in one step), `form` (states up to the names of cells), `rows` (what a file
says), `excluded` (what must not happen), `state_table` (all states of all threads) with `private` (steps that nobody
notices), `reduced_table` (fewer of them) with `unnoticed`, `all_states` (all, without a table), `effect_table` (what
calls can do) with `matching` and `regions`, `graph` (infinite runs) with `fair_states`, `fair_runs` (all, without a
table) and `lasso`, `run` (replayed).
"""
