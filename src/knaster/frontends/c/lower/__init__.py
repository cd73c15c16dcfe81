"""Turns the syntax tree of a C file into procedures: every effect in an order that C allows, every value typed.

`unit` (the file), `functions`, `objects` and `initial` (what a program has), `statements`, `switches` and `graph`
(what it does), `expressions` with `branches`, `assignments`, `calls`, `locating`, `places`, `values` and `effects`
(what it computes).

Also here: `blocks` (statements inside expressions, `({ ... })`), `coincidence` (whether two places are the same).
"""
