"""engines/threads/states: see docs/architecture.md."""
