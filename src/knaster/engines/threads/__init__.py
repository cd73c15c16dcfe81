"""engines/threads: see docs/architecture.md."""
