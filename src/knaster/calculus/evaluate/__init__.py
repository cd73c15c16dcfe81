"""calculus/evaluate: see docs/architecture.md."""
