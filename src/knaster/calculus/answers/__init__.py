"""calculus/answers: see docs/architecture.md."""
