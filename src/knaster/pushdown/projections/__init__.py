"""Error projections: what lies between a source and a target (chapter 5).

Also here: `double_pre` (double-pre*: the weight of all runs through a set of configurations, by two saturations; the
baseline of projections), `error_projection` (error projections), `functional` (functional automata), `run_through` (a
run from a source to a target through a given configuration).
"""
