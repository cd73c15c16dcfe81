"""Files of others: PDAAAL's JSON, rule lists and set expressions, WALi's XML.

Also here: `columns` (reads the rules of PDAAAL's JSON straight into columns of integers), `cuba` (cuba's files),
`instance` (what a file says), `outcome` (writes what was decided about a file), `pdaaal` (PDAAAL's files), `reading`
(files of pushdown systems and of sets of configurations, whatever their format, and names that nothing else has),
`visible_outcome` (writes which visible states several pushdown systems reach), `wali` (WALi's XML: a pushdown system, a
weighted automaton, or a query that holds both).
"""
