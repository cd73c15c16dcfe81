"""Engines for programs over integers (C).

`search` runs on chosen inputs, `horn` invariants by Spacer, `ranking` measures, `recurrence` runs that never end,
`yasm` predicates; `paths` and `regions` take C with memory, `interleaved` and `rounds` its threads.  `portfolio` asks
them in turn, `helpers` some before their time; `inference`, `tabulation_traces` and `replayed_threads` are shared.
"""

UNITS = 200_000_000  # resource units of z3 that a method may spend if nobody says otherwise, a few minutes
