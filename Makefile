# Two commands do everything: `make run` and `make test`. `make help` lists the rest.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMPS := $(VENV)/.stamps

.DEFAULT_GOAL := help
.PHONY: help run test check demo bench image screenshots format

help: ## Say what each command does
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(STAMPS)/app ## Install, then open the app (it builds its demo from HumanEval on the first start)
	@$(BIN)/python -m core demo --background
	@echo "touchstone: opening the app (Ctrl-C ends it); for another port: make run PORT=8600"
	@$(BIN)/streamlit run app.py $(if $(PORT),--server.port $(PORT))

test: $(STAMPS)/dev $(STAMPS)/system ## Install, then run every test (browser and sandbox ones where the machine has them)
	@echo "touchstone: running all tests"
	@$(BIN)/python -m pytest

check: $(STAMPS)/dev ## Format, lint, types, import rules
	@echo "touchstone: format" && $(BIN)/ruff format --check .
	@echo "touchstone: lint" && $(BIN)/ruff check .
	@echo "touchstone: types" && $(BIN)/mypy
	@echo "touchstone: import rules" && $(BIN)/lint-imports --no-cache

format: $(STAMPS)/dev ## Put every file into the project's format
	@$(BIN)/ruff format . && $(BIN)/ruff check --fix .

demo: $(STAMPS)/app ## Build the demo from the command line
	@$(BIN)/python -m core demo

bench: $(STAMPS)/dev $(STAMPS)/system ## Measure the sandbox, the engine (ratios within one run) and the pages (up to 21,642 problems)
	@$(BIN)/python -m tests.bench

image: ## Make the image of the docker sandbox (where nothing can be pulled: sudo sh sandbox/make_image.sh)
	@docker build --tag touchstone-sandbox sandbox

screenshots: $(STAMPS)/dev $(STAMPS)/system ## Take a picture of every page, light and dark
	@$(BIN)/python -m tests.browser.screenshots

$(STAMPS)/venv:
	@echo "touchstone: making $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "touchstone: Python 3.11 or newer is needed; try: make PYTHON=python3.11 run" >&2; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/app: $(STAMPS)/venv requirements.txt
	@echo "touchstone: installing what the app needs (a minute or two the first time)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(STAMPS)/dev: $(STAMPS)/venv requirements.txt requirements-cluster.txt requirements-dev.txt requirements-evalplus.txt
	@echo "touchstone: installing what the tests need (a minute or two the first time)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -r requirements-evalplus.txt
	@touch $@ $(STAMPS)/app

# Chromium for the browser tests and bubblewrap for the sandbox's: installed where apt-get and root allow it,
# otherwise the tests that need them are skipped and say so.
$(STAMPS)/system: $(STAMPS)/venv
	@sh tests/install_system.sh
	@touch $@
