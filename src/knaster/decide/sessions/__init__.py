"""Programs that are edited: what was solved before is kept in a file, and only what an edit changes is solved again.

Read `text_library` and `program_library` (a program as procedures with digests: split by its text, or read as a whole),
`boolean_units` and `fact_units` (who solves procedures that call each other), `unit_texts` (what passes between them),
`unit_certificates` (their check), `session_file`, then `since`.
"""
