"""engines/threads/modular: see docs/architecture.md."""
