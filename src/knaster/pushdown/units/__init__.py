"""Control-flow graphs solved unit by unit, a unit being procedures that call each other: what is kept for later edits.

Read `component` (one unit, given the summaries of what it calls), `backwards` (which of its nodes lead to targets),
then `table` (all units, of which those are solved whose text or whose neighbours changed) and `edits` (the same where
it is known who changed).
"""
