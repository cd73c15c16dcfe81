"""The door to libclang: `library` loads it, `command` says how Clang is to read, `reading` makes a `Unit` of a text.

`cursors` walks what Clang read, `includes` says which files may be included beside our own headers, `words` what
verifiers call without declaring it.

Also here: `conditions` (how often files include each other, by the names that they define), `designators` (finds
designators of elements so far away), `macros` (finds macros that stand for so many words), `stack` (a stack that is
deep enough for Clang).
"""
