"""Says what the names of a C file mean: `types`, `declarations`, `scope`, and the `library` of known functions."""
