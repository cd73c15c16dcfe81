"""Runs: what they are, how they are recorded and executed, and what of them matters.

In reading order: `trace` (paths, segments, traces), `recorder` (builds them from moves), `execute` (runs edges on
values), `lasso` (runs that never end).  Programs with references: `heap_recorder` (records what the interpreter does),
`heap_runs` (traces from decisions), `heap_ends` (whether a target is met).  What is told of a run: `inputs`,
`relevance` (values that matter), `justification` (variables that force a value).

Also here: `closed_runs` (closed runs: from the run of a call that is shown as one line, what it needs at its start and
what is known after it), `concrete_run` (one run of a sequential program on inputs that somebody chooses, recorded as a
trace), `letters` (the word of a run that never ends), `memory_runs` (runs of programs with memory), `memory_moves`
(their steps in the order of execution), `memory_inputs` (what they read), `memory_values` (their values as people read
them), `memory_threads` (runs of programs with memory and threads), `undefined_functions` (what a run takes for granted
of functions that nobody has defined).
"""
