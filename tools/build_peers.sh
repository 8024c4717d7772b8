#!/usr/bin/env bash
# Builds the programs that the ingest benchmark compares with, VictoriaMetrics and vmagent, newer than Debian 12 packages them, into a cache
# folder outside the checkout; does nothing when they are there. Prints lines to be evaluated, SEEDANCE_BENCH_VICTORIA=... and
# SEEDANCE_BENCH_VMAGENT=...; prints nothing, says why on stderr and ends with 0 where Go is missing or none of the versions can be built:
# the benchmark then takes what is on the PATH.
#   eval "$(tools/build_peers.sh)"
set -euo pipefail

module="github.com/VictoriaMetrics/VictoriaMetrics"
versions=(1.151.0 1.148.9)

if ! command -v go >/dev/null; then
  echo "no Go: the ingest benchmark compares with the installed victoria-metrics and vmagent" >&2
  exit 0
fi

print_peers() {
  printf 'export SEEDANCE_BENCH_VICTORIA=%q\n' "$1/victoria-metrics"
  printf 'export SEEDANCE_BENCH_VMAGENT=%q\n' "$1/vmagent"
}

# The program of a module's own main package can only be built inside of the module: `go install` refuses one with replacements.
build_version() {
  local version="$1" cache="$2" work folder
  work="$(mktemp -d)"
  printf 'module peers\n' >"$work/go.mod"
  folder="$(cd "$work" && go mod download -json "${module}@v${version}" 2>/dev/null | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')"
  if [ -z "$folder" ]; then
    rm -rf "$work"
    echo "VictoriaMetrics ${version} cannot be downloaded" >&2
    return 1
  fi
  echo "building VictoriaMetrics ${version}, a few minutes" >&2
  for program in victoria-metrics vmagent; do
    if ! (cd "$folder" && nice -n 10 go build -p 2 -mod=readonly -trimpath -o "$work/$program" \
      -ldflags "-X ${module}/lib/buildinfo.Version=${program}-v${version}" "./app/${program}" >&2); then
      rm -rf "$work"
      echo "${program} ${version} cannot be built" >&2
      return 1
    fi
  done
  mkdir -p "$cache"
  mv "$work/victoria-metrics" "$work/vmagent" "$cache/"
  rm -rf "$work"
}

for version in "${versions[@]}"; do
  cache="${HOME}/.cache/seedance/peers-${version}"
  if { [ -x "$cache/victoria-metrics" ] && [ -x "$cache/vmagent" ]; } || build_version "$version" "$cache"; then
    print_peers "$cache"
    exit 0
  fi
done
echo "the ingest benchmark compares with the installed victoria-metrics and vmagent" >&2
