# Everything a newcomer needs: `make play` to see msat at work, `make test` to check it.
# Each target sets up what it needs in .venv, once, and again when pyproject.toml changes: to play takes msat,
# what it depends on, the viewer and CP-SAT; the tools of developers come on top, for the targets that use them.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
DEV    := $(VENV)/.ready-dev
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# A pleasant game: expert size, several guesses, won in the end.
GAME   ?= --preset expert --seed 4 --speed 4

.PHONY: play serve web test test-all kernels checked lint types format bench fuzz pictures docs dist clean help

play: $(READY) ## solve an expert game in front of you (GAME="--preset beginner --seed 7" for another)
	@$(BIN)/python -m msat play $(GAME)
	@echo "Next: $(BIN)/msat tui      play yourself: hints, reasons, undo; ? shows all keys"
	@echo "      $(BIN)/msat hint -   what to open on a board that you paste, then Ctrl-D"

serve: $(READY) ## the page and the HTTP API; prints the address
	@$(BIN)/python -m msat serve

# The bundle of the page is committed: nobody needs Node to use msat, and where it is missing its checks are left out.
NODE := $(shell command -v npm)
web: ## types, lint and unit tests of the page, where Node is installed
ifeq ($(NODE),)
	@echo "Node is not installed: the page's own checks are skipped; its committed bundle is tested."
else
	@cd web && { [ node_modules/.package-lock.json -nt package-lock.json ] || npm install --silent --no-save \
		|| { echo "npm could not install what the page is built with: its own checks are skipped."; exit 0; }; } \
		&& [ -d node_modules ] && npm run --silent check && npm run --silent test -- --reporter=dot
endif

# Compiling takes one process, so the kernel tests with checked indices, which compile kernels of their own, run
# beside it. Whatever fails there is told, and ends `make test` when both are done.
test: lint ## every check and every test, as CI runs them: about ten minutes on two cores
	@$(MAKE) --no-print-directory -j 2 checked types kernels web
	@echo "All tests …"
	@$(BIN)/python -m pytest -q -n 2 --dist worksteal --ignore tests/page
	@echo "… those of the page, in a browser, by themselves: what drives it keeps an event loop running …"
	@$(BIN)/python -m pytest -q -n 2 --dist loadfile tests/page
	@echo "… and the kernel tests again, with the compiler off."
	@NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q -n 2 --dist worksteal -m kernel

# Each environment compiles the kernels of its Python once more; NUMBA_CACHE_DIR keeps them from one run to the next.
test-all: $(DEV) ## the release, built, checked and tried with every Python that it is for (VERSIONS="3.12 3.13")
	@$(PIP) -e '.[release]'
	@$(BIN)/python -m tests.all_pythons $(VERSIONS)

dist: $(DEV) ## build what is released, into dist/
	@$(PIP) -e '.[release]'
	@rm -rf dist && $(BIN)/python -m build
	@$(BIN)/python -m twine check --strict dist/*

kernels: $(DEV)
	@$(BIN)/python -m tests.warm

# Hardly optimised: that is compiled sooner, and checks the same.
checked: $(DEV)
	@echo "Compiling the kernels, once; beside that, the kernel tests with every array index checked …"
	@NUMBA_BOUNDSCHECK=1 NUMBA_OPT=1 NUMBA_CACHE_DIR=$(VENV)/kernels-checked $(BIN)/python -m pytest -q -m kernel

lint: $(DEV) ## ruff: lint and formatting
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check . || { echo "some files are not formatted: run 'make format'"; exit 1; }

types: $(DEV) ## mypy, strict
	@$(BIN)/mypy --no-error-summary

format: $(DEV) ## let ruff format and fix what it can
	@$(BIN)/ruff check --quiet --fix .
	@$(BIN)/ruff format --quiet .

bench: $(DEV) ## time every engine and strategy, then msat next to its peers
	@$(PIP) -e '.[bench]'
	@$(BIN)/python -m msat bench
	@$(BIN)/python -m bench.peers

# The corpus is kept in .fuzz and taken up again; what gets through is written to tests/fuzz/cases.
MINUTES ?= 30
fuzz: $(DEV) ## fuzz everything that reads (MINUTES=30)
	@$(BIN)/python -m tests.fuzz --minutes $(MINUTES)

docs: $(DEV) ## build the documentation site into site/, without the network, every link checked
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@echo "site/index.html is the front page; search works where it is served: $(BIN)/python -m http.server -d site"

pictures: $(DEV) ## make the pictures of README and site anew, by msat itself
	@$(BIN)/python docs/make_pictures.py
	@$(BIN)/python docs/make_drawings.py

clean: ## remove the virtual environment and what the tools left behind
	@rm -rf $(VENV) build dist site web/node_modules *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .fuzz

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("msat needs Python 3.11 or newer, and $(PYTHON) is " \
		+ sys.version.split()[0] + ": try make PYTHON=python3.12")'
	@echo "Setting up $(VENV), once: that takes some minutes, and the network …"
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) -e '.[cpsat,tui]'
	@touch $@

$(DEV): $(READY)
	@echo "Adding the tools of developers, once …"
	@$(PIP) -e '.[dev]'
	@$(PIP) -e '.[ganak]' || echo "pyganak has no build for this Python: its tests are skipped"
	@touch $@
