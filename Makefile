# Everything here runs in .venv, which `make install` creates. `make` alone lists the targets.

PYTHON  ?= python3
WORKERS ?= 2
# make bench GAME=kalah measures this game alone
GAME    ?=
UV      ?= uv
# More options for pytest: make test ARGS="-k kalah"
ARGS    ?=

BIN      := .venv/bin
PIP      := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
# worksteal keeps neighbouring tests together; under loadfile the whole run hangs when one worker dies.
PYTEST   := $(BIN)/pytest -n $(WORKERS) --dist worksteal $(ARGS)
# Folders; they are imported as tunesmith.games and so on (pyproject.toml).
PACKAGES := games engine tuning experiments

# What only some need: make install EXTRAS=dashboard,chess
EXTRAS  ?=
# All that tests and proofs need of it; gp is some gigabytes.
TESTED  := bench,chess,dashboard,dask,plots,postgres,sklearn
comma   := ,

# Programs that tests marked needs_PROGRAM look for, and what these need to show text.
SYSTEM_PACKAGES := chromium default-jdk-headless fonts-dejavu-core gcc ghc glaurung libc6-dev nodejs postgresql rustc toga2

# Modules of experiments/proofs, each run by itself; a leading underscore marks a helper.
PROOFS := $(sort $(filter-out _%,$(notdir $(basename $(wildcard experiments/proofs/*.py))))) clocks.ugi_games

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help install demo test test-quick test-pages test-system lint format proofs bench figures figures-check constraints clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' $(firstword $(MAKEFILE_LIST)) | \
		while IFS='|' read -r name what; do printf '  make %-13s %s\n' "$$name" "$$what"; done

install: .venv/.installed$(EXTRAS:%=-%) ## create .venv and install tunesmith into it (EXTRAS=dashboard,chess: more)

demo: install ## tune Kalah with the quick preset into studies/kalah-quick; run again to continue
	$(BIN)/tunesmith run experiments/kalah.toml --preset quick

test: .venv/.installed-dev ## run the test suite, all but test-pages
	$(PYTEST) -m "not pages"

test-quick: .venv/.installed-dev ## run the tests that take seconds
	$(PYTEST) -m "not pages and not slow"

test-pages: .venv/.installed-dev ## run the tests of reports, tutorials and what is seen in a browser
	$(PYTEST) -m pages

test-system: .venv/.installed-dev ## install the programs that tests need (Debian), then run every test: none may be skipped
	@dpkg --status $(SYSTEM_PACKAGES) >/dev/null 2>&1 || { \
		run=; [ "$$(id -u)" = 0 ] || run=sudo; \
		$$run apt-get update && \
		$$run env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends $(SYSTEM_PACKAGES); }
	TUNESMITH_NO_SKIP=1 $(PYTEST)

lint: .venv/.installed-dev ## check style, format and types (of links to the packages, under their import names)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@mkdir -p build/tunesmith
	@ln -sfn ../../tuning/front/__init__.py build/tunesmith/__init__.py
	@for package in $(PACKAGES); do ln -sfn ../../$$package build/tunesmith/$$package; done
	$(BIN)/mypy

format: .venv/.installed-dev ## repair style and format where that is automatic
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

proofs: .venv/.installed-$(TESTED) ## run every proof in experiments/proofs
	@set -e; for proof in $(PROOFS); do echo "== $$proof"; $(BIN)/python -m tunesmith.experiments.proofs.$$proof; done

bench: .venv/.installed$(if $(GAME),,-bench) ## measure speed beside other programs (make bench GAME=kalah: of one game)
	$(BIN)/$(if $(GAME),tunesmith bench $(GAME),python -m tunesmith.experiments.figures bench)

figures: .venv/.installed-$(TESTED) ## measure every figure of README and guides anew (hours), write them into their pages
	$(BIN)/python -m tunesmith.experiments.figures

figures-check: install ## list figures of older code, and pages that say something else than their figures
	@$(BIN)/python -m tunesmith.experiments.figures --check

constraints: ## pin every dependency anew in constraints.txt (needs uv)
	$(UV) pip compile pyproject.toml --universal --python-version 3.11 --fork-strategy fewest \
		$(addprefix --extra ,dev $(subst $(comma), ,$(TESTED))) --no-emit-index-url --no-emit-find-links --quiet \
		--upgrade --custom-compile-command "make constraints (uv pip compile --universal)" --output-file constraints.txt

clean: ## remove caches and builds (.venv and studies stay)
	rm -rf build dist htmlcov test-results .coverage .coverage.* coverage.xml
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis .benchmarks
	find $(PACKAGES) tests -name __pycache__ -type d -prune -exec rm -rf {} +

# --- the environment: each stamp is older than what it depends on only if something changed

$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { \
		echo "make: no $(PYTHON) found; tunesmith needs Python 3.11 or newer (name one: make PYTHON=python3.12 ...)" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "make: tunesmith needs Python 3.11 or newer, $(PYTHON) is $$($(PYTHON) --version 2>&1 | head -n 1) (name another: make PYTHON=python3.12 ...)" >&2; exit 1; }
	$(PYTHON) -m venv --clear .venv || { rm -rf .venv; exit 1; }

.venv/.installed: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) -e .
	@touch $@

.venv/.installed-dev: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) -e '.[dev,$(TESTED)]'
	@touch $@ .venv/.installed

.venv/.installed-%: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) -e '.[$*]'
	@touch $@ .venv/.installed
