"""The control flow of a program, drawn: `blocks` (basic blocks), `visits` (what a trace passes), `layers` (where
boxes stand), `svg`; for other tools `dot`, and as text `listing`.
"""
