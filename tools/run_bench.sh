#!/usr/bin/env bash
# Builds the benchmarks optimised and runs each of them; a benchmark checks its answer before it reports a time.
#   tools/run_bench.sh [JOBS]
set -euo pipefail
cd "$(dirname "$0")/.."

jobs="${1:-2}"
mkdir -p build
if [ ! -e bench/CMakeLists.txt ]; then
  echo "no benchmarks: bench/CMakeLists.txt is missing" >&2
  exit 1
fi
cmake --preset bench >build/bench-configure.log || { cat build/bench-configure.log; exit 1; }
cmake --build build/bench -j"$jobs"

# What the ingest benchmark compares with, as new as it can be had.
peers="$(tools/build_peers.sh)"
eval "$peers"

status=0
count=0
while IFS= read -r program; do
  echo "== ${program#build/bench/}"
  "$program" || status=1
  count=$((count + 1))
done < <(find build/bench -type f -executable -name '*_bench' | sort)
echo "${count} benchmarks run"
[ "$count" -gt 0 ] || status=1
exit "$status"
