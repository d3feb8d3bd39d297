# make play    build everything and open the board in the browser
# make test    build everything and run every check and test
#
# Needed: python3 (3.11 or newer) with venv and its headers, g++, make. Everything else is fetched into .venv and build/.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
INSTALL := $(BIN)/python scripts/install.py
JOBS   ?= $(shell nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
# One more process than cores runs the Python tests: many of them wait for others.
WORKERS ?= $(shell expr $(JOBS) + 1)
# Extras of pyproject.toml that only some tests need; `make test EXTRAS=` goes without. PyPI's torch brings CUDA along;
# pip takes a build for processors where it is told of one: PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu make test
EXTRAS ?= learn onnx analysis parquet
# mypy's options for code that imports torch where there is none.
UNTYPED := --allow-subclassing-any --allow-untyped-decorators --no-warn-return-any --no-warn-unused-ignores

CPP_SOURCES := $(shell find cpp cmake -type f) CMakeLists.txt
WEB_SOURCES := $(shell find web -type f -not -name '*.pyc')
PAGE        := src/okapi/web/static/sources.sha256
PACKAGE     := $(shell find src -type f -not -name '*.pyc' -not -path '*/web/static/*') pyproject.toml constraints.txt LICENSE
CPP_STYLED  := $(shell find cpp -name '*.h' -o -name '*.cpp')
PY_STYLED   := src tests bench docs/conf.py docs/tutorials examples scripts web

.DEFAULT_GOAL := help
.PHONY: help play test check docs lint test-cpp test-fast sanitize format stubs install web wheel release clean

help: ## Say what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1|\2/p' $(MAKEFILE_LIST) | column -t -s '|' 2>/dev/null \
	  || sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1   \2/p' $(MAKEFILE_LIST)

play: install ## Build everything and open the board in the browser
	@$(BIN)/okapi play

test: install $(VENV)/.dev $(VENV)/.extras ## Build everything and run every check and test
	@$(MAKE) --no-print-directory -j 2 lint test-cpp
	@echo "make: running the Python tests"
	@$(BIN)/python -m pytest -q -n $(WORKERS)

check: install $(VENV)/.dev ## Style, types and the fast Python tests, for the time between two edits
	@$(MAKE) --no-print-directory -j 2 lint test-fast

test-fast: install $(VENV)/.dev ## The fast Python tests
	@echo "make: running the fast Python tests"
	@$(BIN)/python -m pytest -q -n $(JOBS) -m "not slow"

lint: install $(VENV)/.dev ## Formatting, lint and types, without running anything
	@echo "make: checking style and types"
	@$(BIN)/ruff format --check --quiet $(PY_STYLED) || (echo "hint: make format" >&2; exit 1)
	@$(BIN)/ruff check --quiet $(PY_STYLED)
	@$(BIN)/clang-format --dry-run --Werror $(CPP_STYLED) || (echo "hint: make format" >&2; exit 1)
	@$(BIN)/mypy $$($(BIN)/python -c 'import torch' 2>/dev/null || echo $(UNTYPED))
	@$(BIN)/python web/page.py --check

test-cpp: install ## The C++ tests
	@echo "make: building and running the C++ tests"
	@$(BIN)/cmake --build build/install --target okapi_tests -j $(JOBS) -- --quiet
	@$(BIN)/ctest --test-dir build/install --output-on-failure --progress -j $(JOBS)

# Each file is compiled by itself here, which finds a missing #include.
sanitize: $(VENV)/.needs ## The C++ tests under AddressSanitizer and UBSan
	@echo "make: building and running the C++ tests under AddressSanitizer and UBSan"
	@$(BIN)/cmake -S . -B build/sanitize -G Ninja -DCMAKE_MAKE_PROGRAM="$(CURDIR)/$(BIN)/ninja" \
	  -DOKAPI_UNITY=OFF -DOKAPI_TESTS=ON -DOKAPI_SANITIZE=address,undefined -DCMAKE_BUILD_TYPE=Debug \
	  -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g" -DCMAKE_MESSAGE_LOG_LEVEL=WARNING
	@$(BIN)/cmake --build build/sanitize --target okapi_tests -j $(JOBS) -- --quiet
	@$(BIN)/ctest --test-dir build/sanitize --output-on-failure -j $(JOBS)

format: $(VENV)/.dev ## Format all code
	@$(BIN)/ruff check --quiet --fix $(PY_STYLED)
	@$(BIN)/ruff format --quiet $(PY_STYLED)
	@$(BIN)/clang-format -i $(CPP_STYLED)
	@$(BIN)/python web/page.py --format

docs: install $(VENV)/.docs ## Build the site of the docs into build/docs/html, and check its links
	@echo "make: building the docs"
	@$(BIN)/python scripts/docs.py

stubs: install $(VENV)/.dev ## Write src/okapi/core/_core.pyi from the bindings
	@$(BIN)/python -m nanobind.stubgen -q -m okapi.core._core -o src/okapi/core/_core.pyi
	@$(BIN)/ruff format --quiet src/okapi/core/_core.pyi

install: $(VENV)/.installed ## Build okapi and install it into .venv

web: $(PAGE) ## Build the board's page

wheel: ## Build a source distribution and a portable wheel into dist/, and test both
	@$(PYTHON) scripts/wheel.py

release: ## Say how a release is made
	@sed -n '/^## Releases/,/^## /p' CONTRIBUTING.md | sed '$$d'

$(PAGE): $(WEB_SOURCES) | $(VENV)/.created
	@echo "make: building the board's page"
	@$(BIN)/python web/page.py
	@touch $@

$(VENV)/.created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || (echo "error: okapi needs Python 3.11 or newer. hint: make PYTHON=python3.12 play" >&2; exit 1)
	@$(PYTHON) -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' \
	  || (echo "error: the headers of Python are not installed. hint: apt-get install python3-dev" >&2; exit 1)
	@command -v $${CXX:-c++} >/dev/null \
	  || (echo "error: there is no C++ compiler. hint: apt-get install g++" >&2; exit 1)
	@echo "make: creating $(VENV)"
	@$(PYTHON) -m venv $(VENV) \
	  || (rm -rf $(VENV); echo "error: no environment for Python. hint: apt-get install python3-venv" >&2; exit 1)
	@touch $@

$(VENV)/.needs: $(VENV)/.created pyproject.toml constraints.txt
	@echo "make: fetching what okapi needs"
	@$(INSTALL) needs
	@touch $@

$(VENV)/.installed: $(VENV)/.needs $(PAGE) $(CPP_SOURCES) $(PACKAGE)
	@echo "make: compiling and installing okapi"
	@CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) $(INSTALL) okapi
	@touch $@

$(VENV)/.dev: $(VENV)/.needs
	@echo "make: fetching the test tools"
	@$(INSTALL) needs dev
	@touch $@

$(VENV)/.docs: $(VENV)/.needs
	@echo "make: fetching what the docs need"
	@$(INSTALL) needs docs
	@touch $@

$(VENV)/.extras: $(VENV)/.dev
	@for extra in $(EXTRAS); do echo "make: fetching the extra $$extra for the tests"; \
	  $(INSTALL) needs $$extra || echo "make: $$extra could not be installed; tests that need it are skipped"; done
	@touch $@

clean: ## Remove everything that was built
	rm -rf $(VENV) build dist src/okapi/web/static .mypy_cache .ruff_cache .pytest_cache .hypothesis
