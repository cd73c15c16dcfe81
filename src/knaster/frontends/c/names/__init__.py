"""Says what the names of a C file mean: `types`, `scope`, and the `library` of known functions."""
