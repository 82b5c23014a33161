#!/bin/bash
# reading.sh BUILD [MEGABYTES...]: how long perftop takes to read a recording, beside perf report of the same
# file on the same machine, and how much memory; files of 100 and 1000 MB, or as asked for. perf report is
# timed as it is and with --sort pid, which is nearest to what perftop shows; the faster one counts.
#
# The files: perf's of a load that switches as fast as it can, with a reading of three counters at each
# switch and the switches themselves; a plain profile; and perftop's own of the same load. BUILD is the
# folder of a release build. Needs root, perf, and room for the files in READING_DIR (/var/tmp).
# Medians of ROUNDS (3), taken in turns.
set -eu
[ "$(id -u)" = 0 ] || { echo "needs root"; exit 1; }
command -v perf >/dev/null || { echo "needs perf (Debian: linux-perf)"; exit 1; }
build=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- 100 1000
rounds=${ROUNDS:-3}
bench=$build/tests/bench
perftop=$build/src/perftop
scratch=$(mktemp -d -p "${READING_DIR:-/var/tmp}")
finish() {
	kill $(jobs -p) 2>/dev/null || true
	rm -rf "$scratch"
}
trap finish EXIT

median() { sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
column() { awk -v f="$2" '{ print $f }' "$1" | median; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { if (b > 0) printf "%.2f", a / b; else print "-" }'; }

# under_load COMMAND...: while tasks switch as fast as they can
under_load() {
	"$bench/switchload" 0 3600 >/dev/null &
	local load=$!
	"$@" >"$scratch/log" 2>&1 || true
	pkill -KILL -P $load 2>/dev/null || true
	kill -KILL $load 2>/dev/null || true
	wait $load 2>/dev/null || true
}

readings() { # FILE MB
	under_load perf record -q -a -m 4096 -k CLOCK_MONOTONIC --switch-events --max-size "$2M" \
		-e '{context-switches/period=1/,page-faults,cpu-clock}:S' -o "$1" -- sleep 600
}
profile() {
	under_load perf record -q -a -m 4096 -c 1 --max-size "$2M" -e context-switches,cpu-clock/period=1000000/ -o "$1" -- sleep 900
}
own() { # until it is large enough
	under_load bash -c '"$1" --no-config -b --format json -d 1 -w "$2" >/dev/null &
		while kill -0 $! && [ $(($(stat -c %s "$2" 2>/dev/null || echo 0) / 1000000)) -lt "$3" ]; do
			sleep 0.2
		done
		kill -TERM $!; wait' - "$perftop" "$1" "$2"
}

report() { # FILE NAME OPTION...
	local file=$1 name=$2
	shift 2
	"$bench/peak" perf report --stdio "$@" -i "$file" >/dev/null 2>"$scratch/report" || true
	tail -n 1 "$scratch/report" >>"$scratch/$name"
}

# compare NAME FILE
compare() {
	local bytes name=$1 file=$2 round ours theirs plain sorted how
	bytes=$(stat -c %s "$file")
	rm -f "$scratch"/{ours,plain,sorted}
	cat "$file" >/dev/null # into memory, for both
	for ((round = 0; round < rounds; round++)); do
		"$bench/peak" "$perftop" --no-config -b --format json -i "$file" \
			>"$scratch/out" 2>>"$scratch/ours.all" || tail -n 2 "$scratch/ours.all"
		tail -n 1 "$scratch/ours.all" >>"$scratch/ours"
		report "$file" plain
		report "$file" sorted --sort pid
	done
	ours=$(column "$scratch/ours" 1) plain=$(column "$scratch/plain" 1) sorted=$(column "$scratch/sorted" 1)
	how=$(awk -v p="$plain" -v s="$sorted" 'BEGIN { print s < p ? "sorted" : "plain" }')
	theirs=${!how}
	printf '%-10s %8.1f MB %9.2f s %9.2f s %-7s %8s %10.0f MB/s %10d KiB %10d KiB\n' "$name" \
		"$(ratio "$bytes" 1000000)" "$ours" "$theirs" "$how" "$(ratio "$theirs" "$ours")" \
		"$(ratio "$bytes" "$(awk -v s="$ours" 'BEGIN { print s * 1000000 }')")" \
		"$(column "$scratch/ours" 3)" "$(column "$scratch/$how" 3)"
}

echo "perftop $("$perftop" --version | awk '{ print $2 }'), $(nproc) CPUs, Linux $(uname -r), medians of $rounds"
printf '%-10s %11s %11s %11s %-7s %8s %15s %14s %14s\n' file size perftop 'perf report' '' ratio speed memory "perf's"
for megabytes in "$@"; do
	for kind in readings profile own; do
		$kind "$scratch/$kind.data" "$megabytes"
		compare $kind "$scratch/$kind.data"
		rm -f "$scratch/$kind.data" "$scratch/out"
	done
done
