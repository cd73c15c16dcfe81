"""Sets and relations as binary decision diagrams; the only room that imports a BDD library.

`store` (variables, operations, memory), `relation` (images and pre-images of relations), `nodes` (BDDs as lists of
nodes, for proof files).
"""
