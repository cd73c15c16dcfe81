"""Runs that justify an answer: what is remembered while saturating, and the one search that finds them.

Also here: `derivation_runs` (runs described by derivations), `run_search` (finds runs that make up a weight), `witness`
(runs that justify an answer).
"""
