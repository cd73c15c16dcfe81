"""The door to libclang: `library` loads it, `command` says how Clang is to read, `reading` makes a `Unit` of a text.

`cursors` walks what Clang read, `diagnostics` has its errors in our form, `headers` the folder of our own headers and
which other files may be included, `words` what verifiers call without declaring it.
"""
