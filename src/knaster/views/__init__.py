"""How engines see a program; each view is made from the program alone, and no checker uses one.

`symbolic/` (statements as relations on BDDs), `summaries/` (path edges and summaries over those, after Bebop), `steps/`
(the program between cut points, for solvers), `abstraction/` (predicates over steps), `heap/` (compiled models with
references), `weighted/` (edges as weights of pushdown systems).
"""
