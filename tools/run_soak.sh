#!/usr/bin/env bash
# The long forms: every test under AddressSanitizer and UndefinedBehaviorSanitizer, then minutes of fuzzing a decoder.
#   tools/run_soak.sh [JOBS]      SEEDANCE_FUZZ_SECONDS sets the seconds a target, 60 unless told
set -euo pipefail
cd "$(dirname "$0")/.."

jobs="${1:-2}"
fuzz_seconds="${SEEDANCE_FUZZ_SECONDS:-60}"
mkdir -p build

echo "== tests under sanitizers"
cmake --preset ci -B build/sanitize -DSEEDANCE_SANITIZE=ON >build/sanitize-configure.log ||
  { cat build/sanitize-configure.log; exit 1; }
cmake --build build/sanitize -j"$jobs"
status=0
SEEDANCE_KILLS=100 ctest --test-dir build/sanitize --output-on-failure -j"$jobs" --no-tests=error || status=$?

if [ -e fuzz/run.sh ]; then
  echo "== fuzz, ${fuzz_seconds} s a target"
  cmake --preset fuzz >build/fuzz-configure.log || { cat build/fuzz-configure.log; exit 1; }
  cmake --build build/fuzz -j"$jobs"
  fuzz/run.sh build/fuzz "$fuzz_seconds" || status=1
fi
[ "$status" = 0 ] && echo "soak passed" || echo "soak failed"
exit "$status"
