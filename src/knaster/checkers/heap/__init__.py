"""checkers/heap: see docs/architecture.md."""
