"""Says what the names of a C file mean: `types`, `scope`, the `library` of known functions, their `formats`."""
