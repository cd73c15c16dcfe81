"""What passes from engines to checkers to reports: questions, runs, proofs, answers.

`questions/` (what is asked, with the table of properties), `traces/` (runs that happened, and what matters in them),
`proofs/` (that no run does, with the table of proofs), `answers/` (what was decided); `renderers` names who draws them.
"""
