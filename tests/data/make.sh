#!/bin/bash
# make.sh BUILD S390X: makes the recordings that are kept here, by the perftop in BUILD and by perf, in the guest
# (tests/guest/guest.sh says what it needs), with counters and without. With perftop's own it keeps
# what was written live as JSON. One is written by a big-endian machine's build (tests/README.md); the same is
# written here for its JSON. One is made up. Afterwards the golden screens are to be renewed: tests/screens/golden.c.
set -euo pipefail
shopt -s nullglob
here=$(cd "$(dirname "$0")" && pwd)
build=$(realpath "$1") s390x=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
guest=$here/../guest
tools=$build/tests/guest/bin

"$guest/guest.sh" -p -c 8 "$guest/scenarios/data.sh" "$work/unit" \
	"$build/src/perftop" "$tools"/{spin,forkstorm}
"$guest/guest.sh" -n "$guest/scenarios/databare.sh" "$work/bare" \
	"$build/src/perftop" "$tools"/{spin,forkstorm}
"$guest/guest.sh" -i -s 1 "$guest/scenarios/datafunctions.sh" "$work/functions" "$build/src/perftop" "$tools/functions"

large=tests/bench/large size="4 24 3" # CPUs, tasks, intervals
# shellcheck disable=SC2086
qemu-s390x-static -L "$s390x/root" "$s390x/$large" "$work/bare/big-endian.data" $size
# shellcheck disable=SC2086
"$build/$large" "$work/native" $size
"$build/src/perftop" --no-config -b --format json -i "$work/native" >"$work/bare/big-endian.json"

"$build/tests/screens/make_off_cpu" "$work/functions/off-cpu.data"

for kept in "$work"/{unit,bare,functions}/*.{data,json}; do
	gzip -9n <"$kept" >"$here/$(basename "$kept").gz"
done
ls -l "$here"
