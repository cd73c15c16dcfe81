"""SymbolicProgram to Result; one file per published method."""
