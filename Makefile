# Everything a new machine needs is installed by `make run` and `make test` themselves.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: setup run test check widget widget-check eval screenshots bench lock clean

setup: $(VENV)/.dev

$(VENV)/.runtime: requirements.lock pyproject.toml
	@echo "Installing dependencies into $(VENV); about three minutes the first time"
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -qq --disable-pip-version-check -r requirements.lock
	$(BIN)/pip install -qq --disable-pip-version-check --no-deps -e .
	touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.runtime
	$(BIN)/pip install -qq --disable-pip-version-check -r requirements-dev.lock
	touch $@

# Ingests the starter set where nothing has been ingested yet, then serves.
run: $(VENV)/.runtime
	$(BIN)/asktopic topics >/dev/null 2>&1 || $(BIN)/asktopic ingest --starter
	$(BIN)/asktopic serve

test: setup
	$(BIN)/pytest

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

WIDGET := api/widget

$(WIDGET)/node_modules: $(WIDGET)/package-lock.json
	cd $(WIDGET) && npm ci --silent --no-audit --no-fund
	touch $@

# Builds the widget's files, which lie in api/static so that serving them needs no Node.js.
widget: $(WIDGET)/node_modules
	cd $(WIDGET) && npm run --silent build

# Fails where the files that are served are not what the sources make.
widget-check: widget
	git diff --exit-code --stat -- api/static/widget.js api/static/widget-math.js

STARTER_RUN := .asktopic/eval/runs/starter
STARTER_SET := eval/sets/starter

# Asks the starter set's questions, writes the report, and fails where answers have become worse.
eval: setup
	rm -rf $(STARTER_RUN)
	$(BIN)/asktopic eval run starter --out $(STARTER_RUN) --baseline $(STARTER_SET)/baseline
	$(BIN)/asktopic eval gate $(STARTER_SET)/thresholds.yaml $(STARTER_RUN) --baseline $(STARTER_SET)/baseline

# Pictures of every page and state over what `make run` serves, in build/screenshots.
screenshots: setup
	$(BIN)/asktopic topics >/dev/null 2>&1 || $(BIN)/asktopic ingest --starter
	$(BIN)/python tests/e2e/screenshots.py build/screenshots

# A small form over the starter set; see the README for the full one.
bench: setup
	$(BIN)/asktopic bench

# Resolves the dependencies anew and writes both lock files.
lock:
	rm -rf build/lock && $(PYTHON) -m venv build/lock
	build/lock/bin/pip install --quiet torch==2.13.0
	build/lock/bin/pip install --quiet .
	build/lock/bin/pip freeze --exclude asktopic | sed 's/+cpu$$//' > requirements.lock
	build/lock/bin/pip install --quiet '.[dev]'
	build/lock/bin/pip freeze --exclude asktopic | sed 's/+cpu$$//' > requirements-dev.lock
	rm -rf build

clean:
	rm -rf $(VENV) $(WIDGET)/node_modules build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache
