#!/bin/bash
# parallel.sh PERFTOP TOOLS PARALLEL: latency and parallelism of a program of four threads, one of which works alone in a
# quarter of the time, beside what they saw themselves: when each was on a CPU. Live, and of a recording.
. "$(dirname "$0")/kit.sh"
needs root
PARALLEL=$(realpath "$3")
err=$scratch/err
show() { head -c 3000 "$scratch/differences"; }

start "$PARALLEL" "$scratch/own"
parallel=$started
"$PERFTOP" --no-config -b --format csv -H -p "$parallel" -d 1 -n 12 -c tid,command,lat_pct,par -w "$scratch/data" \
	>"$scratch/csv" 2>"$err" </dev/null || fail "status $?"
"$PERFTOP" --no-config --format csv -H -i "$scratch/data" -c tid,command,lat_pct,par >"$scratch/again" 2>"$err" </dev/null ||
	fail "replay: status $?"
"$PERFTOP" --no-config -b --format csv -i "$scratch/data" -c pid,command,lat_pct,par >"$scratch/process" 2>"$err" </dev/null ||
	fail "replay of the process: status $?"
kill "$parallel"
wait_until "the program ends" has_ended "$parallel"
compare() {
	"$(dirname "$0")/compare_parallel.sh" "$scratch/own" "$@" >"$scratch/differences"
	[ ! -s "$scratch/differences" ] || fail "$(basename "$1")"
}
compare "$scratch/csv"
compare "$scratch/again"
compare "$scratch/process" process
report
