"""C with pointers: from what Clang read to a program with memory (`program/memory`, docs/c-memory.md).

A file that `lower` refuses because of pointers, unions or memory of the heap is read again here.  `types` has layouts,
`nodes`, `reader`, `tree` and `declarations` the tree of such a file; `unit` makes a program of it: `objects` and
`initial` what is there from the start, `functions`, `statements`, `expressions`, `places`, `arithmetic` and `calls` the
rest, `scopes` when locals end.

Also here: `assignments` (assignments, `++` and `--` of programs with memory), `builtins` (words of compilers that C
can say), `coincidence` (whether two places meet), `inner_arrays` (indices of arrays that are parts of larger objects),
`jumps` (labels as values), `lengths` (arrays whose lengths vary), `locating` (where an expression of C stands in
memory), `offsets` (`offsetof`), `open_results` (numbers that C leaves to the library), `threads` (words of threads in
C), `unnamed` (arguments without names), `wide_fields` (bit-fields with which compilers compute differently).
"""
