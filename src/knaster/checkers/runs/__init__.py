"""Runs, executed again on the interpreter: traces to targets and deadlocks, and lassos that never end.

In reading order: `replay_steps` (one path), `replay` (a trace of one thread or several), `replay_heap` (with
references), `replay_deadlock`, `run` (a trace of a file), `lasso` and `thread_lasso` (runs that never end),
`run_letters` (their words).

Also here: `replay_bits` (folded runs whose states are bits: a quick yes), `replay_memory` (the replay of a trace of a
program with memory), `replay_memory_threads` (the replay of a trace of a program with memory and threads).
"""
