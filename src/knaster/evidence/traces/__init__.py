"""Runs: what they are, how they are recorded and executed, and what of them matters.

In reading order: `trace` (paths, segments, traces), `recorder` (builds them from moves), `execute` (runs edges on
values), `lasso` (runs that never end).  Programs with references: `heap_recorder` (records what the interpreter does),
`heap_runs` (traces from decisions), `heap_ends` (whether a target is met).  What is told of a run: `inputs`,
`relevance` (values that matter), `justification` (variables that force a value).
"""
