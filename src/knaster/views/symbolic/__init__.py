"""views/symbolic: see docs/architecture.md."""
