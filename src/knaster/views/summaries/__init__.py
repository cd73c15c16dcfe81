"""Summaries of procedures, the heart of five engines: what a call can do is found once and used by every caller.

In reading order: `path_edges` (the fixed point: Ball and Rajamani, Bebop, SPIN 2000, Figure 3), `rings` (states by
their distance), `shortest_traces` (runs to what was found), `scheduled_trace` (runs of threads with a known schedule).

Also here: `forced_runs` (forced runs: from a procedure that never chooses and the state in which it is entered, its
only run).
"""
