"""The checks of tables of programs with references: `state_table` (`private_steps`) and `effect_table`.

`rows` asks whether rows can be rows, `excluded` what must not happen, `form` tells states up to the names of cells;
of effects `matching`, `partial_heap` and `endless_regions`.
"""
