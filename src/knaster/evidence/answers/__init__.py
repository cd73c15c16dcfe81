"""What is said of a program: `answer` (an answer for each target, and the result), `ledger` (what is established
before the end), `projection` (which statements can matter for an error).
"""
