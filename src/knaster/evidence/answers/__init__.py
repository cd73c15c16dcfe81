"""What is said of a program: `answer` (an answer for each target, and the result), `ledger` (what is established
before the end), `projection` (which statements can matter for an error).

Also here: `crash` (how a stack can have come about), `facts` (facts: what holds whenever control is before a line,
whatever called its procedure; and what each procedure does).
"""
