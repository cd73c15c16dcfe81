"""From a text and a question to a result that was checked.

In reading order: `asked` (what is asked, as records), `check` (the whole way on one page), `crew` (which threads run,
and the question about them), `choose` (the engine that answers), `node_tables` (large enough for its BDDs), `mistakes`
(the next method where one has made a mistake), `conclusions/` (from findings to answers), `bounds` (threads: several
bounds, several methods), `several` and `cones` (targets of C one by one, each on its part), `watched_formulas`
(formulas about C by a monitor), `shortening/` (invariants in fewer words), `proof_cache` (what was decided before,
checked again).

Beside `check` stand other questions:
`project` and `projections/` (which statements can matter), `facts` and `facts_session` (what always holds), `crash` and
`crash_run` (how a stack came about), `property` (an automaton), `shown_forms` (what `knaster show` makes).
"""
