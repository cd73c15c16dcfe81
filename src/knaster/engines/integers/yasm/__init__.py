"""engines/integers/yasm: see docs/architecture.md."""
