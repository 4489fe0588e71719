# The study and its tests, each in one command: `make` and `make test`. `make help` lists the rest.
# Everything is installed into .venv and nothing outside this folder is changed.

# The Python to use, as in `make PYTHON=python3.12`; by default that of an existing .venv, else the first
# that works of python3.13, python3.12, python3.11 and python3.
PYTHON ?=
# How many changes `make mutation` tries; 0: all of them.
CHANGES ?= 100
# The Pythons of `make test-matrix`; by default those on PATH.
PYTHONS ?=
# The sets of libraries of `make test-matrix`; by default locked, newest and lowest.
SETS ?=
# The cores that Snakemake may use.
CORES ?= 1
# The browser of `make picture`.
CHROMIUM ?= chromium
# What pip is asked with: nothing but problems is printed.
PIP := .venv/bin/python -m pip --quiet --disable-pip-version-check
SNAKEMAKE := .venv/bin/snakemake

# Snakemake's scripts and notebooks start `python`: it must be that of .venv.
export PATH := $(CURDIR)/.venv/bin:$(PATH)
export PYTHON
export PYTHONNOUSERSITE := 1
unexport PYTHONHOME PYTHONPATH

# Snakemake, matplotlib and Jupyter keep caches in the home folder: lend them one where there is none.
ifneq ($(shell test -d "$$HOME" && test -w "$$HOME" && echo yes),yes)
export HOME := $(CURDIR)/.venv/home
endif

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: all test test-all slurm test-matrix verify sums coverage mutation docs lint format notebooks picture replications benchmark lock licences audit clean distclean help FORCE

all: .venv/.package ## set up .venv and run the study (the default)
	$(SNAKEMAKE) --cores $(CORES)
	@echo "The report is in $$(ls -t results/*/report.html | head -n 1)"

test: lint tests/browser/node_modules ## set up .venv and run every check, and every test but the long ones
	.venv/bin/python -m pytest --numprocesses logical --dist loadfile

test-all: test .venv/.slurm ## also run the long tests: same bytes, faults, damaged results, more runs of the workflow, fuzzing, SLURM, conda's pip step
	.venv/bin/python -m pytest --long -m "long or fuzz"

slurm: .venv/.slurm ## set up .venv/slurm, from which Snakemake sends jobs to SLURM

test-matrix: .venv/.test .venv/.tools ## run the tests on every CPython found (or PYTHONS='...'), with locked, newest and lowest libraries
	.venv/bin/python tests/matrix.py .venv/tools/bin/uv .venv/matrix $(PYTHONS) $(SETS)

lint: .venv/.package .venv/.test ## run the checks of style, types and workflow only
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/mypy
	.venv/bin/snakefmt --check Snakefile workflow
	$(SNAKEMAKE) --lint

format: .venv/.package .venv/.test ## put the code into the project's format
	.venv/bin/ruff check --fix-only
	.venv/bin/ruff format
	.venv/bin/snakefmt Snakefile workflow

verify: .venv/.package ## run the study in a throwaway copy and compare every result with the expected bytes
	.venv/bin/python workflow/verify.py --cores $(CORES)

sums: .venv/.package ## write the expected sums of the results anew
	.venv/bin/python workflow/verify.py --cores $(CORES) --write

coverage: .venv/.package .venv/.test ## measure the branches of the package that the tests in one process take: htmlcov/index.html
	.venv/bin/python -m pytest -m "not workflow and not browser" --cov --cov-report=html --cov-report=term --cov-fail-under=95

mutation: .venv/.package .venv/.test .venv/.tools ## change the code that scores and compares, and see whether the tests notice
	.venv/bin/python tests/mutation.py .venv/tools/bin/cosmic-ray $(CHANGES)

docs: .venv/.package .venv/.tools ## write the API documentation from the docstrings: docs/api/index.html
	PYTHONPATH=src:$$(.venv/bin/python -c 'import site; print(site.getsitepackages()[0])') \
	    .venv/tools/bin/pdoc --docformat numpy --output-directory docs/api manybleus

notebooks: .venv/.package ## run the notebooks
	$(SNAKEMAKE) --cores $(CORES) notebooks

replications: .venv/.package ## repeat the study on other draws, which takes two minutes or so
	$(SNAKEMAKE) --cores $(CORES) replications
	@echo "The page is $$(ls -t results/*/replications.html | head -n 1)"

picture: all ## take the README's picture of the report, with Chromium (CHROMIUM=its command)
	$(CHROMIUM) --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$$(mktemp -d)" \
	    --window-size=1280,900 --screenshot=docs/report.png "file://$(CURDIR)/results/shapes/report.html"

benchmark: .venv/.package .venv/.test ## time the study, and the engine beside the definition and other tools, and its tests beside sacreBLEU
	@$(PIP) install --no-deps bleuscore==0.2.0 || echo "bleuscore cannot be installed here: it is left out"
	.venv/bin/python benchmarks/study.py
	.venv/bin/python benchmarks/engine.py
	.venv/bin/python benchmarks/definition.py
	.venv/bin/python benchmarks/peers.py
	OPENBLAS_NUM_THREADS=1 .venv/bin/python benchmarks/significance.py
	.venv/bin/python benchmarks/replications.py

lock: .venv/.tools ## write requirements/*.txt anew, keeping pins that still fit (UPGRADE=1: take the newest)
	@compile() { \
	    .venv/tools/bin/uv pip compile --no-config --quiet --universal --python-version 3.11 --generate-hashes \
	        --no-emit-index-url --no-emit-find-links --custom-compile-command 'make lock' $(if $(UPGRADE),--upgrade) "$$@"; \
	}; \
	set -e; \
	compile --constraints requirements/study.in --output-file requirements/main.txt pyproject.toml --group build --extra coco; \
	compile --constraints requirements/main.txt --output-file requirements/test.txt pyproject.toml --group build --extra coco --extra test; \
	compile --constraints requirements/main.txt --output-file requirements/tools.txt --group tools; \
	{ echo '# The pins of main.txt without hashes, for environment.yml. Written by: make lock'; \
	  sed -n 's/^\([A-Za-z0-9].*==.*[^ ]\) *\\$$/\1/p' requirements/main.txt; } > requirements/pins.txt; \
	grep -v '^numpy==' requirements/pins.txt | \
	compile --constraints - --output-file requirements/slurm.txt pyproject.toml --group build --extra coco --extra slurm

licences: .venv/.main .venv/.tools ## write docs/licences.md: the licence of every locked package that is installed here
	@{ printf '%s\n' '# Licences' '' 'What `requirements/main.txt` installs, each under its own licence. Written by `make licences`.' '' \
	    'pycocoevalcap tells none. It brings Java programs with licences of their own; of these, the tokenizer `coco` starts' \
	    'Stanford CoreNLP (GPL), and the study starts none.' ''; \
	  .venv/tools/bin/pip-licenses --python .venv/bin/python --with-system --from=mixed --format=markdown --order=name \
	    --packages $$(sed -n 's/^\([A-Za-z0-9._-]*\)==.*/\1/p' requirements/pins.txt); } > docs/licences.md

audit: .venv/.tools ## ask for known vulnerabilities of all locked packages, which needs the network
	@for name in test slurm tools; do \
	    .venv/tools/bin/pip-audit --strict --disable-pip --require-hashes -r requirements/$$name.txt || exit 1; \
	done

clean: ## remove the results and what Snakemake remembers of them
	[ ! -d results ] || find results/ -mindepth 1 ! -path results/README.md -delete
	rm -rf .snakemake logs benchmarks/*.tsv

distclean: clean ## also remove .venv and all caches
	rm -rf .venv tests/browser/node_modules .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage .coverage.* htmlcov docs/api dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1	\2/p' Makefile | expand -t 21

# Set-up. The files .venv/.* are stamps: a step is taken again when what it depends on has changed.

.venv/.test: .venv/.main requirements/test.txt
	$(PIP) install --require-hashes -r requirements/test.txt
	@touch $@

# What the tests in tests/browser take from npm.
tests/browser/node_modules: tests/browser/package-lock.json
	@command -v npm >/dev/null && npm ci --prefix tests/browser --ignore-scripts --silent && touch $@ || \
	echo "npm cannot install what tests/browser/package.json names: these tests are skipped"

# Snakemake's plugin for SLURM needs a newer NumPy than the study was run with: an environment of its own.
.venv/.slurm: .venv/.made requirements/slurm.txt pyproject.toml
	.venv/bin/python -m venv .venv/slurm
	.venv/slurm/bin/python -m pip --quiet --disable-pip-version-check install --require-hashes -r requirements/slurm.txt
	.venv/slurm/bin/python -m pip --quiet --disable-pip-version-check install --no-deps --no-build-isolation -e .
	@touch $@

# Programs that the project is not run with: an environment of their own.
.venv/.tools: .venv/.made requirements/tools.txt
	.venv/bin/python -m venv .venv/tools
	.venv/tools/bin/python -m pip --quiet --disable-pip-version-check install --require-hashes -r requirements/tools.txt
	@touch $@

.venv/.package: .venv/.main pyproject.toml
	$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

.venv/.main: .venv/.made requirements/main.txt
	$(PIP) install --require-hashes -r requirements/main.txt
	@touch $@

# A .venv is kept unless it is broken, was made in another folder or has another Python than is asked for.
.venv/.made: FORCE
	@version() { "$$1" -c 'import sys; print(sys.version)' 2>/dev/null; }; \
	here=$$(pwd -P); has=$$(version .venv/bin/python) || has=; \
	if [ -n "$$has" ] && [ "$$here" = "$$(cat $@ 2>/dev/null)" ] && \
	   { [ -z "$$PYTHON" ] || [ "$$has" = "$$(version "$$PYTHON")" ]; }; then exit 0; fi; \
	$(find_python); \
	echo "making .venv with $$python"; \
	"$$python" -m venv --clear .venv; mkdir -p .venv/home; \
	echo "$$here" > $@

# Shell: sets $python to the interpreter that $PYTHON names or that is found, or says why there is none.
# The name is resolved to the interpreter behind it, be it a pyenv shim or the python of a virtual environment.
define find_python
set -eu; fail() { echo "error: $$*" >&2; exit 1; }; \
python=; old=; bare=; \
for name in $${PYTHON:+"$$PYTHON"} $$([ -n "$$PYTHON" ] || echo python3.13 python3.12 python3.11 python3); do \
    found=$$("$$name" -c 'import sys; print(getattr(sys, "_base_executable", None) or sys.executable)' 2>/dev/null) \
        || continue; \
    "$$found" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { old=$$found; continue; }; \
    "$$found" -c 'import ensurepip, venv' 2>/dev/null || { bare=$$found; continue; }; \
    python=$$found; break; \
done; \
[ -z "$$python" ] && [ -n "$$bare" ] && fail "$$bare has no venv module: install it (Debian: apt-get install python3-venv) or choose another: make PYTHON=/path/to/python3"; \
[ -z "$$python" ] && [ -n "$$old" ] && fail "$$old is too old: Python 3.11 or newer is needed; choose one: make PYTHON=/path/to/python3"; \
[ -z "$$python" ] && fail "$${PYTHON:-python3} does not run: Python 3.11 or newer is needed; choose one: make PYTHON=/path/to/python3"; \
:
endef
