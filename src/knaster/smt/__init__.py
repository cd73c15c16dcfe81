"""Formulas over integers and bit-vectors, on z3: the only layer that imports it.

`terms` says what a term is; `integers` and `bits` compute with terms, the one as unbounded integers and the other as
bit-vectors; `translate` turns expressions of the model into terms; `solver` asks, within what may be spent; `read_back`
brings formulas back as expressions of the model.

Also here: `bit_questions` (questions about bit-vectors that were written down for z3, answered by Bitwuzla where it is
installed), `congruences` (that a linear form is a multiple of a number, as a formula and as an expression of the
model), `door` (one door to three solvers), `floats` (operations of floating-point numbers as
terms), `horn` (Horn clauses over integers, decided by Spacer), `interrupt` (stops
z3 from one thread of a session), `library` (imports z3, or says what to type where it is not installed), `linear`
(linear forms), `quantifiers` (eliminates quantifiers over integers by projecting models, within resource units),
`script` (terms as text of SMT-LIB), `signs` (finds the combinations of signs that formulas can have together, and what
of a set of states some step covers).
"""
