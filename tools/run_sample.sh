#!/usr/bin/env bash
# Starts seedanced on its embedded store with the sample cluster, waits for the first costs, prints them, and stays until Ctrl-C.
#   tools/run_sample.sh BUILD_DIR [--once]      (--once: print and stop, for tests)
set -euo pipefail
cd "$(dirname "$0")/.."

build="$1"
once="${2:-}"
store="${SEEDANCE_STORE:-build/sample-store}"
port="${SEEDANCE_PORT:-7117}"
log="$build/seedanced.log"
server="http://127.0.0.1:$port"
ctl=("$build/seedancectl" --server "$server")

"$build/seedanced" --store "$store" --port "$port" --sample 2>"$log" &
pid=$!
stop() { kill "$pid" 2>/dev/null || true; wait "$pid" 2>/dev/null || true; }
trap stop EXIT
trap 'exit 0' INT TERM

for _ in $(seq 1 120); do
  kill -0 "$pid" 2>/dev/null || { cat "$log" >&2; exit 3; }
  # Device series come last in the history that is fed: when they have arrived, everything has.
  if "${ctl[@]}" top gpus --window 3h 2>/dev/null | grep -q 'other idle'; then break; fi
  sleep 0.5
done

echo
"${ctl[@]}" cost --by team --window 24h
echo
"${ctl[@]}" waterfall --window 24h
echo
"${ctl[@]}" top gpus --limit 8 -o wide
cat <<EOF

seedanced listens on $server (store $store, log $log)
  costs         $build/seedancectl cost --by tenant,team --window 24h
  where it went $build/seedancectl waterfall --window 24h
  over HTTP     $server/api/v1/cost?by=team&window=24h      $server/api/v1/openapi.yaml
  your own      add to prometheus.yml:  remote_write: [{url: "$server/api/v1/write"}]
EOF
[ "$once" = "--once" ] && exit 0
echo "Ctrl-C stops it."
wait "$pid"
