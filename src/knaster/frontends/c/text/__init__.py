"""Turns the text of a C file into pycparser's syntax tree.

`tokens` and `characters` (text → tokens), `preprocess` with `macros`, `conditions` and `headers` (includes, macros,
`#if`), `clean` (GNU words), `parse` (tokens → tree).
"""
