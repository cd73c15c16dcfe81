"""Conclusions: from findings of engines to answers that may be believed, and what is to be known of them.

Read `conclude` first: it hands a `case` to `runs` (each trace is replayed), `proofs` (each proof is checked) or `ends`
(termination and formulas).  `bounded_proof` makes a proof for methods that have none, `second_look` asks the kernel;
`remarks`, `memory_remarks` and `lapses_left` say where runs of C leave what C defines.
"""
