"""What the checkers of proofs about C share, and nobody else uses; in reading order.

`names`, `walk`, `claims`, `lines`: from the text of a program and a proof to obligations.  `terms`, `bit_vectors`,
`unbounded`, `meaning`: from obligations to formulas.  `asking`: from formulas to answers.
"""
