"""report/heap: see docs/architecture.md."""
