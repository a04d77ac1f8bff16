# The commands for users and CI. Every target sets up the environment that it needs, if it is not up to date.

VENV  := .venv
BIN   := $(VENV)/bin
# Exists if the environment is complete.
STAMP := $(VENV)/.ready
# The site is built by other packages, which the tests do not need.
SITE  := .venv-site

# The first interpreter that is new enough; `make PYTHON=/usr/bin/python3.13 …` overrides.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { echo $$p; break; }; done)

# Without byte code, every child process of a scenario would compile its modules again.
unexport PYTHONDONTWRITEBYTECODE

.DELETE_ON_ERROR:
.PHONY: demo test test-slow lint adequacy check clean lock benchmark pages site pictures mutmut gallery typecheck-stage

demo: $(STAMP)  ## test the reference implementation; write reports to report/
	@mkdir -p report
	@status=0; \
	$(BIN)/treeproof run reference \
	  --report html=report/report.html --report json=report/run.json --report junit=report/junit.xml || status=$$?; \
	case $$status in \
	  0|3) echo "reports: report/report.html for a browser; report/run.json, report/junit.xml for programs" ;; \
	  *) exit $$status ;; \
	esac

test: $(STAMP)  ## run the tests of treeproof that take little time
	@$(BIN)/python -m pytest -q -rs -n auto --dist worksteal -m 'not slow'

test-slow: $(STAMP)  ## run the others: examples, bare systems, the wheel in an empty environment, pages in a browser
	@$(BIN)/python -m pytest -q -rs -n auto --dist worksteal -m slow

lint: $(STAMP)  ## check style, types, catalogues and features
	@$(BIN)/python -m ruff check
	@$(BIN)/python -m ruff format --check
	@$(MAKE) --no-print-directory -s typecheck-stage
	@$(BIN)/python -m mypy
	@$(BIN)/treeproof lint

# Join the package and the content folders as the wheel does, for the type checker.
CONTENT := features steps fixtures adapters reference_impl rows mutants variants oracles
typecheck-stage:
	@rm -rf .venv/joined && mkdir -p .venv/joined/treeproof
	@ln -s $(addprefix $(CURDIR)/,$(wildcard treeproof/*) $(CONTENT)) .venv/joined/treeproof/

adequacy: $(STAMP)  ## check that the suite kills every mutant and reaches the inputs of its tables
	@mkdir -p report
	@$(BIN)/treeproof adequacy --report report/adequacy.json
	@$(BIN)/treeproof coverage --report report/coverage.json

check: lint test test-slow  ## everything that a change must pass

pages: $(STAMP)  ## write the pages of the site that have another source, such as the specifications
	@$(BIN)/python docs/pages.py

site: pages $(SITE)/.ready  ## build the site in site/; an error is a link without a target
	@NO_MKDOCS_2_WARNING=1 $(SITE)/bin/mkdocs build --strict
	@echo "site: site/index.html"

pictures: $(STAMP)  ## make the pictures of README.md and docs/ in headless Chromium
	@$(BIN)/python docs/pictures/make.py

benchmark: $(STAMP)  ## measure start, lint and run, as ratios to the start of the interpreter
	@$(BIN)/python benchmarks/commands.py

gallery: $(STAMP)  ## judge public tools, and write gallery/survey/site; for example TOOLS="langchain-community"
	@$(BIN)/python gallery/gallery.py $(if $(TOOLS),--tool $(TOOLS))

mutmut: $(STAMP)  ## print changes by mutmut that no scenario detects; for example ARGS="list_directory --sample 20"
	@$(BIN)/python benchmarks/mutmut_survivors.py $(ARGS)

$(STAMP): requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "PATH: no Python 3.11 or newer; install it or use make PYTHON=…"; exit 1; }
	@echo "setting up $(VENV) with $(PYTHON); the first time takes a while"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

$(SITE)/.ready: docs/requirements.txt
	@echo "setting up $(SITE)"
	@$(PYTHON) -m venv $(SITE)
	@$(SITE)/bin/python -m pip install -qq --disable-pip-version-check --require-hashes -r docs/requirements.txt
	@touch $@

# Needs `uv`. Lock files for all platforms, without an index address.
lock:
	uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes \
	  --no-header --no-annotate --no-emit-index-url --no-emit-find-links --upgrade --quiet -o requirements.lock
	uv pip compile docs/requirements.in --universal --python-version 3.11 --generate-hashes \
	  --no-header --no-annotate --no-emit-index-url --no-emit-find-links --upgrade --quiet -o docs/requirements.txt

clean:
	rm -rf $(VENV) $(SITE) site report dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
