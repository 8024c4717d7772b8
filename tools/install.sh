#!/usr/bin/env bash
# Installs what a build needs and this machine lacks: Debian 12 packages, and DuckDB's prebuilt library into a cache folder
# outside the checkout. Works as root or with sudo; does nothing when everything is there.
#   tools/install.sh [build|test|bench]      (default: build; test and bench add what they need)
set -euo pipefail

purpose="${1:-build}"
packages=(g++ make cmake ninja-build ccache mold git ca-certificates python3
  libsnappy-dev libprotozero-dev libyaml-cpp-dev libcli11-dev libspdlog-dev libfmt-dev libexpected-dev libabsl-dev
  libxxhash-dev tzdata zlib1g-dev libzstd-dev libmicrohttpd-dev libcurl4-openssl-dev nlohmann-json3-dev libssl-dev libgrpc++-dev)
case "$purpose" in
  test) packages+=(libgtest-dev prometheus prometheus-node-exporter openssl clang-14 libclang-rt-14-dev curl) ;;
  bench) packages+=(libbenchmark-dev) ;;
esac

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
if [ "${#missing[@]}" -gt 0 ]; then
  echo "installing: ${missing[*]}" >&2
  export DEBIAN_FRONTEND=noninteractive
  as_root apt-get update -qq
  # A package that starts a service on install would listen on a port that the tests want.
  as_root env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

install_npm() {
  if command -v npm >/dev/null; then return; fi
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends npm >/dev/null
}

duckdb_version=1.4.4
cache="${HOME}/.cache/seedance/duckdb-${duckdb_version}"
if [ ! -e "$cache/libduckdb.so" ] || [ ! -e "$cache/duckdb.h" ]; then
  install_npm
  echo "fetching DuckDB ${duckdb_version}" >&2
  work="$(mktemp -d)"
  trap 'rm -rf "$work"' EXIT
  (cd "$work" && npm pack --silent "@duckdb/node-bindings-linux-x64@${duckdb_version}-r.4" "duckdb@${duckdb_version}" >/dev/null)
  mkdir -p "$cache"
  tar -xzf "$work"/duckdb-node-bindings-*.tgz -C "$work" package/libduckdb.so
  tar -xzf "$work"/duckdb-"${duckdb_version}".tgz -C "$work" package/src/duckdb/src/include/duckdb.h
  mv "$work/package/src/duckdb/src/include/duckdb.h" "$cache/duckdb.h"
  mv "$work/package/libduckdb.so" "$cache/libduckdb.so"
fi

# The OpenTelemetry SDK that a test sends with; the test is skipped where it is missing.
if [ "$purpose" = test ]; then
  sender="$(cd "$(dirname "$0")/../tests/e2e/otel_sender" && pwd)"
  cache="${HOME}/.cache/seedance/otel-sender-0.57.2"
  if ! cmp -s "$sender/package-lock.json" "$cache/node_modules/installed-lock.json"; then
    install_npm
    echo "fetching the OpenTelemetry SDK 0.57.2" >&2
    mkdir -p "$cache"
    cp "$sender/package.json" "$sender/package-lock.json" "$cache/"
    if (cd "$cache" && npm ci --silent --ignore-scripts --no-audit --no-fund >/dev/null); then
      cp "$sender/package-lock.json" "$cache/node_modules/installed-lock.json"
    else
      echo "the OpenTelemetry SDK cannot be installed: its test will be skipped" >&2
    fi
  fi
fi
