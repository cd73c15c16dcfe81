"""Programs to programs, each with a way back: what is found about the new one is said about the old one.

In reading order: `reduction` (a program and a question in place of others, and the way back for traces), `through`
(runs that stand at a place first), `formula_letters`, `formula_monitor`, `formula_product` (a C program beside a safety
formula), `flat_models/` (Zing models without a heap as Boolean programs), `reference_models/`
(Boolean programs as programs with references), `threads/` (threads as one sequential program, and what single threads
see), `cones/` (what a target depends on), `regions/` (C with memory as a program over integers), `shrink/` (delta
debugging, which needs no way back); `formulae` is what all of them write with.

Also here: `monitor_product` (a program together with a monitor), `passing_runs` (runs that end well), `stack_product`
(runs that end with a stack), `through_edges` (runs that take some edges).
"""
