"""From a text and a question to a result that was checked.

In reading order: `asked` (what is asked, as records), `check` (the whole way on one page), `crew` (which threads run,
and the question about them), `choose` (the engine that answers), `node_tables` (large enough for its BDDs), `conclude`
(from findings to answers; `case`, `conclude_runs`, `conclude_proofs`, `conclude_ends` are its parts), `bounds`
(threads: several bounds, several methods), `bounded_proof` (a proof within a bound), `remarks` and `lapses_left` (where
runs of C leave what C defines).  Beside `check` stand `project` (which statements can matter) and `views` (what
`knaster show` makes).
"""
