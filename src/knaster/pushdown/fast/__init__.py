"""Faster saturation: path expressions inside procedures, iteration only between them.

Also here: `contexts` (what lies below the top of the stack), `dependence` (the transition dependence graph),
`dominators` (reverse post-order and immediate dominators of a directed graph with a root), `equations` (out-node
equations), `evaluate` (incremental evaluation of expressions), `expression` (regular expressions over weights as one
shared graph without duplicates), `expression_log` (answers by path expressions, and runs that justify them),
`expression_runs` (runs described by path expressions), `lazy_answer` (the answer of path expressions), `paths`
(single-source path expressions), `post` (the productions of post*), `pre` (the productions of pre*), `regions`
(regions: straight-line code and branches that meet again, for which path expressions need no general method),
`rule_numbers` (rules and automaton in the numbers that the dependence graph works with), `session` (sessions: ask, edit
the rules, ask again; only what an edit reaches is computed again), `solver` (FWPDS: post* and pre* by path expressions;
a weight is computed when it is asked for), `tours` (path queries of BTRACE's kind).
"""
