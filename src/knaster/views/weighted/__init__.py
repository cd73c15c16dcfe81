"""Programs as weighted pushdown systems (Lal 2009, chapters 2 and 3): what an edge does, as a weight of a domain.

Read `flow_graph` (program → control-flow graph with weights), then `affine_forms` and `constant_sources` (what an
expression is for each domain), then `program_facts` (what holds at every place, and what a procedure does).  Beside
them `interval_facts` has bounds (`interval_values`), which are no weights, and advises the others.  `alias_facts` is
about pointers: `pointer_flow` makes weights over `pointer_terms`, with `points_to` for what is read from memory.

Also here: `control_flow` (the control-flow graph of a sequential program without its data, and the stacks that it can
have), `flow_session` (facts of a program that is edited).
"""
