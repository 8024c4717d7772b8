#!/usr/bin/env bash
# Builds everything as a unity build, runs every test, then fuzzes each decoder for a few seconds under sanitizers. The last
# line is the summary of the tests.
#   tools/run_tests.sh [JOBS]
set -euo pipefail
cd "$(dirname "$0")/.."

jobs="${1:-2}"
fuzz_seconds="${SEEDANCE_FUZZ_SECONDS:-5}"
mkdir -p build

echo "== build"
cmake --preset ci >build/ci-configure.log || { cat build/ci-configure.log; exit 1; }
cmake --build build/ci -j"$jobs"

echo "== test"
status=0
ctest --test-dir build/ci --output-on-failure -j"$jobs" --no-tests=error 2>&1 | tee build/ci-tests.log || status=$?
summary="$(grep -E 'tests passed|No tests were found' build/ci-tests.log | tail -1 || true)"

if [ -e fuzz/run.sh ] && command -v clang++-14 >/dev/null; then
  echo "== fuzz, ${fuzz_seconds} s a target"
  cmake --preset fuzz >build/fuzz-configure.log || { cat build/fuzz-configure.log; exit 1; }
  cmake --build build/fuzz -j"$jobs"
  fuzz/run.sh build/fuzz "$fuzz_seconds" || { status=1; summary="${summary}; a fuzz target failed"; }
elif [ -e fuzz/run.sh ]; then
  echo "== fuzz: left out, clang++-14 is not installed"
fi

echo "${summary:-no summary: ctest did not finish}"
exit "$status"
