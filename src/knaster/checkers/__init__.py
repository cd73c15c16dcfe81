"""checkers: see docs/architecture.md."""
