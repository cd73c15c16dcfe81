"""Programs that are edited: what was solved before is kept in a file, and only what an edit changes is solved again.

Read `text_library` and `program_library` (a program as procedures with digests: split by its text, or read as a whole),
`edited_text` (the same after an edit inside procedures), `boolean_units` and `fact_units` (who solves procedures that
call each other), `known_units` (what is known of them), `unit_texts` (what passes between them), `unit_certificates`
(their check), `outline` and `session_file` (what is kept), then `since` and `facts_since`.
"""
