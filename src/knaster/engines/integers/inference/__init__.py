"""engines/integers/inference: see docs/architecture.md."""
