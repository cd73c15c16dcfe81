"""The native library: what is hot, in C, with Python code of the same meaning beside its callers.

`boolean.c` (Boolean programs from their text, `frontends/boolean/columns`), `saturation.c` (post* and pre* over
integers, `pushdown/kernel_calls`), `loading.c` (rules of pushdown files, `pushdown/formats/columns`), `simplify.c`
(assume and cofactor on BDDs, `calculus/fixpoints/native_simplify`), `howell.c` (rows of numbers modulo 2^w,
`pushdown/domains/native_howell`); `library` opens what `hatch_build.py` made of them.
"""
