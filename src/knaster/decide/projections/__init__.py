"""What runs to a target take: projections and causes by questions about runs through edges (Lal 2009, chapter 5).

Read `runs_through` (is there a run to the target by one of these edges?) and all edges on such runs, then
`threads` and `heap_states` (programs with threads, with references) and `causes` (what only failing runs take),
`slices` (what of a projection the targets depend on).
"""
