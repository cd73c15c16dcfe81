"""views/heap: see docs/architecture.md."""
