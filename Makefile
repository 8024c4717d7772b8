# `make run` and `make test` are the two set-up commands; both install what is missing and work on a fresh Debian 12.
JOBS ?= 2
.PHONY: run test soak bench build clean

build:
	@tools/install.sh build
	@cmake --preset ci -DSEEDANCE_TESTS=OFF -B build/run >/dev/null
	@cmake --build build/run -j$(JOBS) --target seedanced seedancectl

run: build
	@tools/run_sample.sh build/run

test:
	@tools/install.sh test
	@tools/run_tests.sh $(JOBS)

soak:
	@tools/install.sh test
	@tools/run_soak.sh $(JOBS)

bench:
	@tools/install.sh test
	@tools/install.sh bench
	@tools/run_bench.sh $(JOBS)

clean:
	rm -rf build
