#!/bin/bash
# make.sh BUILD: makes the recordings that are kept here, by the perftop in BUILD and by perf, in the guest
# (tests/guest/guest.sh says what it needs), with counters and without, as root and as nobody. With perftop's own it keeps
# what was written live as JSON. Two are made up. Afterwards the golden screens are to be renewed: tests/screens/golden.c.
set -euo pipefail
shopt -s nullglob
here=$(cd "$(dirname "$0")" && pwd)
build=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
guest=$here/../guest
tools=$build/tests/guest/bin

"$guest/guest.sh" -p -c 8 "$guest/scenarios/data.sh" "$work/unit" \
	"$build/src/perftop" "$tools"/{spin,forkstorm}
"$guest/guest.sh" -n "$guest/scenarios/databare.sh" "$work/bare" \
	"$build/src/perftop" "$tools"/{spin,forkstorm}
"$guest/guest.sh" -i -s 1 "$guest/scenarios/datafunctions.sh" "$work/functions" "$build/src/perftop" "$tools/functions"
"$guest/guest.sh" -n "$guest/scenarios/datastates.sh" "$work/states" "$build/src/perftop" "$build/tests/screens/states"
for unit in "-c 8" -n; do
	"$guest/guest.sh" $unit "$guest/scenarios/datanobody.sh" "$work/own" \
		"$build/src/perftop" "$tools"/{spin,forkstorm,asuser}
	[ "$unit" = -n ] && name=nobody-bare || name=nobody
	mv "$work/own/own.data" "$work/unit/$name.data"
done

"$build/tests/screens/make_off_cpu" "$work/functions/off-cpu.data"
"$build/tests/screens/made_branches" "$work/functions/branches.data" 0x401000
"$build/tests/screens/made_accesses" "$work/functions/accesses.data"
"$build/tests/screens/made_faults" "$work/functions/faults.data"

for kept in "$work"/{unit,bare,functions,states}/*.{data,json}; do
	gzip -9n <"$kept" >"$here/$(basename "$kept").gz"
done
ls -l "$here"
