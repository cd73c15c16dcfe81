"""Sets and relations as binary decision diagrams; the only room that imports a BDD library.

`store` (variables, operations, memory), `relation` (images and pre-images of relations), `nodes` (BDDs as lists of
nodes, for proof files).

<<<<<<< HEAD
Also here: `address_space` (whether there is room for a node table where the address space is limited), `texts` (BDDs as
texts that do not depend on an order).
=======
Also here: `address_space` (whether there is room for a node table where the address space is limited), `texts`
(functions as texts that do not depend on the order of a store).
>>>>>>> 61977a97 (The guide of bdd names texts)
"""
