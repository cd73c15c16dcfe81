"""semantics/heap: see docs/architecture.md."""
