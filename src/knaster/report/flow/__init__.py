"""The control flow of a program, drawn: `blocks` (basic blocks), `visited` (what a trace passes), `layered` (where
boxes stand), `svg`; for other tools `dot`, and as text `listing`.
"""
