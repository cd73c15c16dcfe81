"""calculus/language: see docs/architecture.md."""
