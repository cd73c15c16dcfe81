"""Answers the requests of a system, and says why.

`evaluation` (a session: what each request gives), `outcomes` (the records of that), `solution` (all requests in one
call), `tuples` (a relation as a set of tuples), `witness` (why a formula is true), `describe` (formulas and BDDs as
text), `render` (muCKE's format and JSON), `plot` (sizes round by round).

Also here: `picture` (what a notebook shows of a solution).
"""
