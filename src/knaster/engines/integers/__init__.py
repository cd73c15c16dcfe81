"""engines/integers: see docs/architecture.md."""
