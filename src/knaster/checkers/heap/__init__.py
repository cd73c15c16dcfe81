"""The checks of tables of programs with references: `state_table` (`private_steps`) and `effect_table`.

`rows` asks whether rows can be rows, `exclusions` what must not happen, `form` tells states up to the names of cells;
of effects `matching`, `partial_heap` and `endless_regions`.

Also here: `edge_parts` (what an edge mentions and changes), `effect_arcs` (what leads where in a table of effects),
`fair_effects` (the check of fair effects), `fair_states` (the check of fair states), `lasso` (the check of an infinite
run of a model with references), `reduced_table` (the check of a table that leaves out the order of threads, and threads
whose turn can wait), `referred_table` (the check of a table of a reference model as a proof about a Boolean program),
`unnoticed_moves` (moves that concern no other thread).
"""
