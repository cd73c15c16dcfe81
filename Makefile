# make demo: see it work.  make test: everything CI runs.  See CONTRIBUTING.md for each lane.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed

.PHONY: install demo test lint types unit test-slow papers bench bench-peers check-c clean

install: $(STAMP)

$(STAMP): pyproject.toml hatch_build.py src/knaster/pushdown/kernel/saturation.c
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	$(BIN)/python -m compileall -q src
	touch $@

demo: install
	$(BIN)/knaster demo

test: lint types unit

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: install
	$(BIN)/mypy

unit: install
	$(BIN)/python -m compileall -q src  # hundreds of tests start a process, and some machines keep no bytecode by themselves
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow"

test-slow: install
	$(BIN)/python -m pytest -n auto --dist worksteal

papers: install
	PYTHONPATH=tests $(BIN)/python -m support.papers

bench: install
	$(BIN)/python -m benchmarks.run
	$(BIN)/python -m benchmarks.pushdown
	$(BIN)/python -m benchmarks.calculus
	$(BIN)/python -m benchmarks.fast
	$(BIN)/python -m benchmarks.zing

check-c: install
	$(BIN)/python -m benchmarks.c

bench-peers: install
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,peers]'
	$(BIN)/python -m benchmarks.peers

clean:
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache benchmarks/out
