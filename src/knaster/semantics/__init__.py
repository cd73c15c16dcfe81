"""semantics: see docs/architecture.md."""
