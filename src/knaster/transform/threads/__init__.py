"""transform/threads: see docs/architecture.md."""
