# Everything a user or developer runs. Each target makes the virtual environment it needs.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
NATIVE := pyproject.toml CMakeLists.txt $(wildcard cpp/*)
SEED ?= $(shell date +%s)
SEED := $(SEED)
FUZZ_SEED ?= 1

.PHONY: demo smoke test test-all test-slow versions lint check setup bench bench-core explore nightly sanitize portable fuzz names stubs docs wheel clean

demo: $(VENV)/.runtime
	$(BIN)/bayesloom learn examples/alarm.csv --search xges -o build/alarm-learned.bif --plot build/alarm-learned.svg
	$(BIN)/bayesloom evaluate examples/alarm.bif build/alarm-learned.bif

# One file of every room: whether all is in its place.
SMOKE := $(addprefix tests/,data_layer/test_table.py engine/test_reductions.py graphs/test_dag.py \
  scores/test_score.py golden/test_independence.py search/equivalence/test_ges.py \
  model/test_bif.py inference/test_compiled.py story/test_story.py facade/test_entry.py \
  cli/test_expressions.py)

smoke: $(VENV)/.test
	HYPOTHESIS_PROFILE=quick $(BIN)/python -m pytest -n auto --dist loadfile $(SMOKE)

# Every contract, at fewer inputs and places: drawn tests take fewer inputs, tests marked "few" fewer cases.
test: $(VENV)/.test
	HYPOTHESIS_PROFILE=quick $(BIN)/python -m pytest -n auto --dist loadfile

test-all: $(VENV)/.test
	$(BIN)/python -m pytest -n auto --dist loadfile

test-slow: $(VENV)/.test
	$(BIN)/python -m pytest -n auto --dist loadfile -m slow

versions:
	$(PYTHON) tests/versions.py

lint: $(VENV)/.lint
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/clang-format --dry-run --Werror cpp/*.cpp cpp/*.hpp

check: lint test-all

setup: $(VENV)/.lint $(VENV)/.test
	@echo "ready: $(BIN)/python has bayesloom in editable form; 'make check' runs all checks"

bench: $(VENV)/.runtime
	$(BIN)/python benchmarks/run.py

bench-core: $(VENV)/.runtime
	$(BIN)/python benchmarks/run.py --core

explore: $(VENV)/.test
	HYPOTHESIS_PROFILE=explore $(BIN)/python -m pytest -n auto --dist loadfile -m "hypothesis and not slow" --hypothesis-seed=$(SEED)

nightly: # ends at the first failure, so what is quick comes first
	$(MAKE) fuzz FUZZ_SEED=$(SEED)
	$(MAKE) docs
	$(MAKE) wheel
	$(MAKE) portable
	$(MAKE) explore SEED=$(SEED)
	$(MAKE) test-slow
	$(MAKE) versions
	$(MAKE) sanitize

portable: $(VENV)/.test
	bash tests/portable.sh $(BIN)/python

docs: $(VENV)/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "the site is in build/site"

wheel: $(VENV)/.release
	bash tests/wheel.sh $(BIN)/python

sanitize: $(VENV)/.test
	bash tests/sanitize.sh $(BIN)/python

fuzz: $(VENV)/.test
	$(BIN)/python tests/fuzz/fuzz_csv.py --count 100000 --seed $(FUZZ_SEED)
	$(BIN)/python tests/fuzz/fuzz_native.py --count 100000 --seed $(FUZZ_SEED)
	$(BIN)/python tests/fuzz/fuzz_native_models.py --count 100000 --seed $(FUZZ_SEED)
	$(BIN)/python tests/fuzz/fuzz_networks.py --count 50000 --seed $(FUZZ_SEED)

names: $(VENV)/.runtime
	$(BIN)/python docs/make_names.py

stubs: $(VENV)/.lint
	$(BIN)/pip install -q nanobind
	$(BIN)/python -m nanobind.stubgen -m bayesloom._native -o src/bayesloom/_native.pyi

clean:
	rm -rf build $(VENV) benchmarks/.work

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.runtime: $(VENV)/bin/python $(NATIVE)
	mkdir -p build
	$(BIN)/pip install -q --disable-pip-version-check -e .
	@touch $@

# In one go, so that the native module is built once.
$(VENV)/.test: $(VENV)/bin/python $(NATIVE) reproduction/pyproject.toml
	mkdir -p build
	$(BIN)/pip install -q --disable-pip-version-check -e ".[test]" -e ./reproduction
	@touch $(VENV)/.runtime $@

$(VENV)/.lint: $(VENV)/.test
	$(BIN)/pip install -q --disable-pip-version-check -e ".[test,lint]" -e ./reproduction
	@touch $@

$(VENV)/.docs: $(VENV)/.runtime
	$(BIN)/pip install -q --disable-pip-version-check -e ".[docs]"
	@touch $@

$(VENV)/.release: $(VENV)/.runtime
	$(BIN)/pip install -q --disable-pip-version-check -e ".[release]"
	@touch $@
