"""Reads a file of the fixed-point language (muCKE's) and says what it means over bits.

In the order of the data: `lexer` and `tokens` (text → tokens), `parser` and `expressions` (tokens → the tree of
`syntax`), `resolve` and `terms` (names, types → formulas), `formula` (the core language), `types`, `values` and
`constraints` (how values are bits), `dependency` (who calls whom, and whether positively), `system` (a checked file
with its requests), `stopwatch` (`#timer`).
"""
