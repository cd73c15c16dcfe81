"""Several files of C as one program: `units` (each file as Clang reads it), `link` (which names mean the same).

A plain text is one file, whose names mean what they say.
"""
