"""engines/threads/lazy: see docs/architecture.md."""
