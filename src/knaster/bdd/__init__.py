"""Sets and relations as binary decision diagrams; the only room that imports a BDD library.

`store` (variables, operations, memory), `relation` (images and pre-images of relations), `nodes` (BDDs as lists of
nodes, for proof files).

Also here: `address_space` (whether there is room for a node table where the address space is limited), `texts` (BDDs as
texts that do not depend on an order).
"""
