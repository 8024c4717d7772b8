#!/usr/bin/env bash
# Replays the seeds of every fuzzer in a build folder and then fuzzes each for some seconds; one line a target.
#   fuzz/run.sh BUILD_DIR SECONDS
# What it finds is left in BUILD_DIR/fuzz/<target>.crash-*; inputs that reach new code are kept in BUILD_DIR/fuzz/<target>.corpus.
set -euo pipefail

build="${1:?usage: fuzz/run.sh BUILD_DIR SECONDS}"
seconds="${2:?usage: fuzz/run.sh BUILD_DIR SECONDS}"
seeds="$(cd "$(dirname "$0")" && pwd)/corpus"
status=0
found_any=0

for program in "$build"/fuzz/*_fuzz; do
  [ -x "$program" ] || continue
  found_any=1
  target="$(basename "$program")"
  log="$build/fuzz/$target.log"
  grown="$build/fuzz/$target.corpus"
  mkdir -p "$grown" "$seeds/$target"
  if ! "$program" -runs=0 "$seeds/$target" >"$log" 2>&1; then
    echo "$target: FAILED on a seed, see $log"
    status=1
  elif ! "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
      -artifact_prefix="$build/fuzz/$target." "$grown" "$seeds/$target" >"$log" 2>&1; then
    echo "$target: FAILED, see $log"
    status=1
  else
    runs="$(awk '/stat::number_of_executed_units/ {print $2}' "$log")"
    covered="$(grep -o 'cov: [0-9]*' "$log" | tail -1 | cut -d' ' -f2)"
    echo "$target: ok, $(ls "$seeds/$target" | wc -l) seeds, $runs runs in ${seconds}s, $covered edges"
  fi
done
if [ "$found_any" = 0 ]; then
  echo "no fuzzers in $build/fuzz: configure with the preset fuzz and build first" >&2
  exit 1
fi
exit "$status"
