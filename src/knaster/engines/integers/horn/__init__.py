"""engines/integers/horn: see docs/architecture.md."""
