"""views/abstraction: see docs/architecture.md."""
