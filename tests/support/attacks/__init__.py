"""Attacks on the kernel that are made by hand: each is a proof file that must be refused (`tests/fuzz.py attacks`).

`attack` (one of them), `on_invariants`, `on_measures`, `on_lassos` (C), `on_memory` (all runs of C with
memory), `on_memory_run` (one run of it to a target), `other_texts` (the proof of one program as one of another, of
every kind), `on_envelopes` (what surrounds every proof), `table` (all of them).
"""
