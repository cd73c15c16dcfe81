"""engines/calculus: see docs/architecture.md."""
