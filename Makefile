# SPDX-License-Identifier: Apache-2.0
# A thin front of CMake.  `make` builds, `make demo` shows, `make test` tests; see the README.
BUILD ?= build
PREFIX ?= /usr/local
DESTDIR ?=
FUZZ_SECONDS ?= 60
SOAK_SECONDS ?= 3600
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

all: $(BUILD)/build.ninja
	@cmake --build $(BUILD) -j $(JOBS)

# A build directory that was configured otherwise (BUILD=build-dev) is taken as it is.
$(BUILD)/build.ninja:
	@command -v cmake >/dev/null && command -v ninja >/dev/null || \
		{ echo "make: cmake or ninja is missing: run \`make setup\`" >&2; exit 1; }
	@cmake -G Ninja -B $(BUILD)

setup: setup-build setup-test
setup-build:
	@scripts/setup build
setup-test:
	@scripts/setup test

# After set-up, not beside it, also with make -j.
test: setup
	@$(MAKE) --no-print-directory all
	@tests/run $(BUILD)

# The same modes with tt-metal's own numbers: 20,000 programs on all cores, 600 replays; processes killed at 40 moments;
# every call of every command failing once.
# Minutes, gigabytes.
test-slow: all
	@TTP_TEST_SLOW=1 tests/e2e/run_modes $(BUILD)
	@TTP_TEST_SLOW=1 tests/e2e/run_processes $(BUILD)
	@TTP_TEST_SLOW=1 tests/faults/run $(BUILD)

# Every screen of the report page with every kind of run, recorded here, light and dark, 800 to 2560 pixels, in Chromium and Firefox: some minutes.
# TTP_PUBLIC_REPORTS=FOLDER adds ops reports of yours.
test-matrix: all
	@TTP_MATRIX=all tests/web/run $(BUILD) matrix agree firefox

# A release in fresh systems of Debian 11, 12 and 13, by debootstrap; as root. Its own script says more.
test-distros: all
	@tests/distros/all

demo: setup-build
	@$(MAKE) --no-print-directory all
	@scripts/demo $(BUILD)

check:
	@scripts/check

fuzz:
	@FUZZ_SECONDS=$(FUZZ_SECONDS) scripts/fuzz

# Lines of every reader that the corpora reach: docs/explain/fuzzing.md.
fuzz-coverage:
	@scripts/fuzz_coverage

# Records, kills, recovers, compares, with random faults; SOAK_SEED=n repeats one.
soak: all
	@SOAK_SECONDS=$(SOAK_SECONDS) scripts/soak $(BUILD)

# BENCH=report, BENCH=instructions: one of them
bench: all
	@bench/run $(BUILD) $(BENCH)

# A release of HEAD in dist/: sources with the report page made, programs and libraries to be unpacked anywhere, a wheel. scripts/dist says more.
dist: all
	@scripts/dist $(BUILD) $(PARTS)

# The documents as a site with search, in build/site; it opens from disk.
site:
	@scripts/site $(BUILD)/site

install: all
	@DESTDIR="$(DESTDIR)" cmake --install $(BUILD) --prefix "$(PREFIX)"

clean:
	rm -rf build build-*

.PHONY: all setup setup-build setup-test test test-slow test-matrix test-distros demo check fuzz fuzz-coverage soak bench dist site install clean
