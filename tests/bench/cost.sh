#!/bin/bash
# cost.sh BUILD [switch|refresh]: what perftop adds to each context switch, and what a refresh costs it and top, htop,
# tiptop and perf stat, in instructions, counted in a guest where one of them takes a ns: the same on every machine.
# BUILD is the folder of a release build. Needs what guest.sh says; for the refresh top, htop and tiptop, too.
set -eu
guest=$(cd "$(dirname "$0")/../guest" && pwd)
build=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# measure SCENARIO OPTIONS PROGRAM...
measure() {
	local scenario=$1 options=$2
	shift 2
	# shellcheck disable=SC2086
	"$guest/guest.sh" $options -i -s 1 "$guest/scenarios/$scenario.sh" "$scratch/out" "$build/src/perftop" "$@" \
		2>"$scratch/log" | grep -v '^+' || { tail -n 30 "$scratch/log"; exit 1; }
}
if [ "${2:-switch}" = switch ]; then
	echo 'with the hardware events of the default'
	measure cost -c8 "$build/tests/guest/bin/pingpong"
	echo 'without counters of the hardware'
	measure cost -n "$build/tests/guest/bin/pingpong"
fi
if [ "${2:-refresh}" = refresh ]; then
	measure peers '-c8 -T -p' "$build"/tests/bench/{meter,idlers} /usr/bin/{top,htop,tiptop}
fi
