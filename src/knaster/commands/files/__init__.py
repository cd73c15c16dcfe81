"""Several files of one command: `questions` (what `check` asks of them), `batch` (its answers), `each` (the others'),
`together` (files that are one program).

Answers are written in the order of the files, whoever finds them; one exit code stands for all.
"""
