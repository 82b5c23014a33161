#!/bin/bash
# cost.sh BUILD: what perftop adds to each context switch, in instructions, counted in a guest where one
# instruction takes one ns: the same on every machine. BUILD is the folder of a release build. What the
# guest needs is in tests/guest/guest.sh.
set -eu
guest=$(cd "$(dirname "$0")/../guest" && pwd)
build=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for unit in -c8 -n; do
	[ $unit = -n ] && echo 'without counters of the hardware' || echo 'with the hardware events of the default'
	"$guest/guest.sh" $unit -i -s 1 "$guest/scenarios/cost.sh" "$scratch/out" \
		"$build/src/perftop" "$build/tests/guest/bin/pingpong" 2>"$scratch/log" | grep -v '^+' ||
		{ tail -n 30 "$scratch/log"; exit 1; }
done
