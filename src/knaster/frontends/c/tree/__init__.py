"""Makes a small typed tree of what Clang read: `nodes` are its records, `spots` say where they stand.

`unit` reads a file, `declarations` variables and functions, `statements` and `loops` bodies, `expressions` and
`initial` values, `selections` the chosen part of a `_Generic`, `placing` says where C puts those of a list, `types`
Clang's types, `attributes` what is said in `__attribute__`, `assembly` what is in assembly without an instruction.
Every cursor of Clang becomes a node or is refused by name and place: nothing is skipped.

Also here: `characters` (texts of C as numbers, from their spelling), `reading` (from the text of a C file to its tree,
on a stack that is deep enough for Clang).
"""
