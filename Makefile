# What a person or a CI types. Every target sets up what it needs; nothing is done twice when it is up to date.
# Only set-up and the order of commands live here; what is checked, and how, is the business of the tools called.

VENV  := .venv
BIN   := $(VENV)/bin
# Set up for this lock, this package description and this place: an environment holds absolute paths.
STAMP := $(VENV)/.ready

# The first interpreter that is new enough; `make PYTHON=/usr/bin/python3.13 …` overrides.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { echo $$p; break; }; done)

# Without byte code every child process that a scenario starts would compile its modules again.
unexport PYTHONDONTWRITEBYTECODE

.DELETE_ON_ERROR:
.PHONY: demo test lint adequacy check clean lock benchmark readme second-opinion typecheck-stage

demo: $(STAMP)  ## judge the reference implementation; reports in report/
	@mkdir -p report
	@status=0; \
	$(BIN)/treeproof run reference \
	  --report html=report/report.html --report json=report/run.json --report junit=report/junit.xml || status=$$?; \
	case $$status in \
	  0|3) echo "reports: report/report.html to look at; report/run.json, report/junit.xml for programs" ;; \
	  *) exit $$status ;; \
	esac

test: $(STAMP)  ## the suite's own tests, with the wheel in an empty environment among them
	@$(BIN)/python -m pytest -q -n auto --dist worksteal

lint: $(STAMP)  ## style, types, and the catalogue and features themselves
	@$(BIN)/python -m ruff check
	@$(BIN)/python -m ruff format --check
	@$(MAKE) --no-print-directory -s typecheck-stage
	@$(BIN)/python -m mypy
	@$(BIN)/treeproof lint

# The wheel holds the content folders inside the package; a type checker needs to see the same.
CONTENT := features steps fixtures adapters reference_impl mutants oracles
typecheck-stage:
	@rm -rf .venv/joined && mkdir -p .venv/joined/treeproof
	@ln -s $(addprefix $(CURDIR)/,$(wildcard treeproof/*) $(CONTENT)) .venv/joined/treeproof/

adequacy: $(STAMP)  ## the zoo of wrong implementations: each must be caught by what it violates
	@mkdir -p report
	@$(BIN)/treeproof adequacy --report report/adequacy.json

check: lint test

readme: $(STAMP)  ## the README's table of specifications, written anew
	@$(BIN)/treeproof list specs --format md > .readme-table
	@awk '/^<!-- specifications/ { print; while ((getline line < ".readme-table") > 0) print line; old = 1; next } \
	  /^<!-- end of specifications/ { old = 0 } !old' README.md > .readme-new
	@mv .readme-new README.md && rm .readme-table

benchmark: $(STAMP)  ## start-up, lint and run, as ratios against the interpreter's own start
	@$(BIN)/python benchmarks/commands.py

second-opinion: $(STAMP)  ## what no scenario notices of the changes that mutmut makes; WHAT="listing --sample 20", say
	@$(BIN)/python benchmarks/mutmut_survivors.py $(WHAT)

$(STAMP): requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "treeproof needs Python 3.11 or newer; none was found on PATH (make PYTHON=…)"; exit 1; }
	@echo "setting up $(VENV) with $(PYTHON); the first time takes a while"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

# Needs `uv`. One lock for all platforms; no index address is written into it.
lock:
	uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes \
	  --no-header --no-annotate --no-emit-index-url --no-emit-find-links --upgrade --quiet -o requirements.lock

clean:
	rm -rf $(VENV) report dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
