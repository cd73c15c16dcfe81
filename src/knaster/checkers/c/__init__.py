"""What the checkers of proofs about C share, and nobody else uses; in reading order.

`obligations`: what has to be true.  `names`, `walk`, `claims`, `lines`: from the text of a program and a proof to
obligations.  `terms`, `floating_point`, `bit_vectors`, `unbounded_integers`, `meaning`: from obligations to formulas.
`solvers`: from formulas to answers.
"""
