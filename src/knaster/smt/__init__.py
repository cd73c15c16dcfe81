"""Formulas over integers and bit-vectors, on z3: the only layer that imports it.

`terms` says what a term is; `integers` and `bits` compute with terms, the one as unbounded integers and the other as
bit-vectors; `translate` turns expressions of the model into terms; `blocks` turns the edges between cut points into one
formula each; `solver` asks, within what may be spent; `reading` brings formulas back as expressions of the model.
"""
