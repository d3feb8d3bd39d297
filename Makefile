# make play    build everything and open the board in the browser
# make test    build everything and run every check and test
#
# Needed: python3 (3.11 or newer) with venv, g++, make. Everything else is fetched into .venv and web/node_modules.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --quiet --disable-pip-version-check install --constraint constraints.txt
# Where okapi's C++ is compiled; kept, so that the next build compiles only what changed.
BUILD  := build/install
JOBS   ?= $(shell nproc 2>/dev/null || echo 2)
# One more process than cores runs the Python tests: many of them wait for others.
WORKERS ?= $(shell expr $(JOBS) + 1)
# The C++ tests get the core in a third of the time: many files are compiled as one. `install` compiles each by itself, and
# so finds a missing #include.
TOGETHER := -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=8
# What only some tests need. PyPI's torch brings CUDA along; pip takes a build for processors where it is told of one:
# PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu make test
COMPANY := torch onnxruntime cma
# How mypy looks at code that imports torch where there is none.
UNTYPED := --allow-subclassing-any --allow-untyped-decorators --no-warn-return-any --no-warn-unused-ignores

CPP_SOURCES := $(shell find cpp cmake -type f) CMakeLists.txt
WEB_SOURCES := $(shell find web -type f -not -path 'web/node_modules/*')
WEB         := src/okapi/frontends/web/static/index.html
PACKAGE     := $(shell find src -type f -not -name '*.pyc' -not -path '*/web/static/*') pyproject.toml constraints.txt LICENSE
CPP_STYLED  := $(shell find cpp -name '*.h' -o -name '*.cpp')

.DEFAULT_GOAL := help
.PHONY: help play test check test-cpp sanitize format stubs install web clean

help: ## Say what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1|\2/p' $(MAKEFILE_LIST) | column -t -s '|' 2>/dev/null \
	  || sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1   \2/p' $(MAKEFILE_LIST)

play: install ## Build everything and open the board in the browser
	@$(BIN)/okapi play

test: install $(VENV)/.dev ## Build everything and run every check and test
	@$(MAKE) --no-print-directory -j 2 check test-cpp
	@echo "make: running the Python tests"
	@$(BIN)/python -m pytest -q -n $(WORKERS) --dist loadgroup

check: install $(VENV)/.company ## Formatting, lint and types, without running anything
	@echo "make: checking style and types"
	@$(BIN)/ruff format --check --quiet src tests bench examples || (echo "hint: make format" >&2; exit 1)
	@$(BIN)/ruff check --quiet src tests bench examples
	@$(BIN)/clang-format --dry-run --Werror $(CPP_STYLED) || (echo "hint: make format" >&2; exit 1)
	@$(BIN)/mypy $$(ls -d $(VENV)/lib/*/site-packages/torch >/dev/null 2>&1 || echo $(UNTYPED))
	@$(BIN)/python web/build.py --check

test-cpp: $(VENV)/.dev ## The C++ tests
	@echo "make: building and running the C++ tests"
	@$(BIN)/cmake -S . -B build/tests -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja \
	  $(TOGETHER) -DOKAPI_TESTS=ON -DOKAPI_LTO=OFF -DCMAKE_MESSAGE_LOG_LEVEL=WARNING
	@$(BIN)/cmake --build build/tests -j $(JOBS) -- --quiet
	@$(BIN)/ctest --test-dir build/tests --output-on-failure -j $(JOBS)

sanitize: $(VENV)/.dev ## The C++ tests under AddressSanitizer and UBSan
	@echo "make: building and running the C++ tests under AddressSanitizer and UBSan"
	@$(BIN)/cmake -S . -B build/sanitize -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja \
	  $(TOGETHER) -DOKAPI_TESTS=ON -DOKAPI_SANITIZE=address,undefined -DCMAKE_BUILD_TYPE=Debug \
	  -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g" -DCMAKE_MESSAGE_LOG_LEVEL=WARNING
	@$(BIN)/cmake --build build/sanitize -j $(JOBS) -- --quiet
	@$(BIN)/ctest --test-dir build/sanitize --output-on-failure -j $(JOBS)

format: $(VENV)/.dev ## Format all code
	@$(BIN)/ruff check --quiet --fix src tests bench examples
	@$(BIN)/ruff format --quiet src tests bench examples
	@$(BIN)/clang-format -i $(CPP_STYLED)
	@$(BIN)/python web/build.py --format

stubs: install $(VENV)/.dev ## Write src/okapi/core/_core.pyi from the bindings
	@$(BIN)/python -m nanobind.stubgen -q -m okapi.core._core -o src/okapi/core/_core.pyi
	@$(BIN)/ruff format --quiet src/okapi/core/_core.pyi

install: $(VENV)/.installed ## Build okapi and install it into .venv

web: $(WEB) ## Build the board's page

# A machine that cannot build the page gets everything else; `okapi play` then says what to do.
$(WEB): $(WEB_SOURCES) | $(VENV)/.created
	@echo "make: building the board's page"
	@$(BIN)/python web/build.py || echo "make: the board's page was not built; okapi play --terminal works without it"

$(VENV)/.created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || (echo "error: okapi needs Python 3.11 or newer. hint: make PYTHON=python3.12 play" >&2; exit 1)
	@echo "make: creating $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.tools: $(VENV)/.created pyproject.toml constraints.txt
	@echo "make: fetching the build tools"
	@$(PIP) scikit-build-core nanobind cmake ninja
	@touch $@

$(VENV)/.installed: $(VENV)/.tools $(WEB) $(CPP_SOURCES) $(PACKAGE)
	@echo "make: compiling and installing okapi (a minute or two the first time)"
	@PATH="$(abspath $(BIN)):$$PATH" CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) $(PIP) --no-build-isolation \
	  --config-settings=build-dir=$(BUILD) .
	@touch $@

$(VENV)/.dev: $(VENV)/.tools
	@echo "make: fetching the test tools"
	@$(PIP) clang-format httpx2 hypothesis mypy pytest pytest-xdist ruff selenium
	@touch $@

$(VENV)/.company: $(VENV)/.dev
	@echo "make: fetching $(COMPANY) for the tests"
	@$(PIP) $(COMPANY) || for package in $(COMPANY); do \
	  $(PIP) $$package || echo "make: $$package could not be installed; tests that need it are skipped"; done
	@touch $@

clean: ## Remove everything that was built
	rm -rf $(VENV) build dist web/node_modules src/okapi/frontends/web/static .mypy_cache .ruff_cache .pytest_cache .hypothesis
