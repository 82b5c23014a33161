#!/bin/bash
# run.sh BUILD [IDLE_TASKS]: what perftop costs, beside others, on this machine and in one run.
# BUILD is the folder of a release build. Needs root; top and htop are compared where they are installed.
# Medians of the rounds, and the ratios that matter.
set -eu
build=$(realpath "$1")
idle_tasks=${2:-10000}
rounds=${ROUNDS:-5}
bench=$build/tests/bench
perftop=$build/src/perftop
pingpong=$build/tests/guest/bin/pingpong
scratch=$(mktemp -d)
idlers=
finish() {
	[ -z "$idlers" ] || kill "$idlers" 2>/dev/null || true
	kill $(jobs -p) 2>/dev/null || true
	rm -rf "$scratch"
}
trap finish EXIT

median() { sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { if (b > 0) printf "%.4f", a / b; else print "-" }'; }

echo "perftop $("$perftop" --version | awk '{ print $2 }'), $(nproc) CPUs, Linux $(uname -r), $idle_tasks idle tasks, medians of $rounds"
echo

# --- beside others, with many idle tasks
mkfifo "$scratch/hold"
"$bench/idlers" "$idle_tasks" <"$scratch/hold" >"$scratch/idlers" &
idlers=$!
exec 9>"$scratch/hold"
until grep -q ready "$scratch/idlers"; do sleep 0.1; done
sleep 1

meter() { # NAME MARK COMMAND...
	local name=$1 mark=$2
	shift 2
	command -v "$1" >/dev/null || return 0
	for ((i = 0; i < rounds; i++)); do
		"$bench/meter" 9 "$mark" "$@" >>"$scratch/meter.$name" || return 0
	done
}
meter perftop COMMAND "$perftop" -d 1
meter top COMMAND top -d 1
meter htop Command htop -d 10

printf '%-10s %14s %14s %18s %12s %14s %8s %16s\n' program 'first screen' 'first list' 'CPU per refresh' memory \
	'of it private' descr. 'ten with start'
for name in perftop top htop; do
	[ -s "$scratch/meter.$name" ] || continue
	for field in 1 2 3 4 5 6 7; do
		awk -v f=$field '{ print $f }' "$scratch/meter.$name" | median >"$scratch/$name.$field"
	done
	printf '%-10s %11s ms %11s ms %15s us %8s KiB %10s KiB %8s %13s ms\n' $name \
		"$(cat "$scratch/$name.1")" "$(cat "$scratch/$name.2")" "$(cat "$scratch/$name.3")" \
		"$(cat "$scratch/$name.4")" "$(cat "$scratch/$name.5")" "$(cat "$scratch/$name.6")" \
		"$(cat "$scratch/$name.7")"
done
for name in top htop; do
	[ -s "$scratch/$name.3" ] &&
		echo "CPU per refresh, perftop / $name: $(ratio "$(cat "$scratch/perftop.3")" "$(cat "$scratch/$name.3")"); ten" \
			"refreshes with the start: $(ratio "$(cat "$scratch/perftop.7")" "$(cat "$scratch/$name.7")")"
done
# the line over the table: of perftop's own CPU time, idle beside these tasks, and with what it has most to look at
verdict() { # LOAD [COMMAND...]
	local load=$1 loader=
	shift
	[ $# = 0 ] || { "$@" >"$scratch/verdict.load" 2>&1 & loader=$!; }
	PERFTOP_VERDICT=$scratch/verdict "$bench/meter" 12 COMMAND "$bench/verdict" -d 1 >/dev/null
	awk -v load="$load" '{ printf "what is wrong, %s: %.0f us a refresh, %.2f %% of its CPU time\n", load, $2 / $1, 100 * $2 / $3 }' \
		"$scratch/verdict"
	[ -z "$loader" ] || wait "$loader" || true
}
verdict 'idle'
verdict '2000 round trips a second' "$bench/switchload" 2000 18
verdict 'a starter of processes' timeout 18 sh -c 'while :; do /bin/true; done'
kill "$idlers"
wait "$idlers" 2>/dev/null || true
idlers=
echo

# --- records
for ((i = 0; i < rounds; i++)); do
	"$bench/records" >>"$scratch/records"
done
echo "ring + decoder + attribution: $(awk '{ print $1 }' "$scratch/records" | median) million records/s," \
	"$(awk '{ print $2 }' "$scratch/records" | median) ns each"
for ((i = 0; i < rounds; i++)); do
	"$bench/records" 20 0 1 >>"$scratch/siblings"
done
echo "the same on a CPU that shares its core with a busy one: $(awk '{ print $2 }' "$scratch/siblings" | median) ns each"
echo

# --- a program that does nothing but switch
cpu=$(($(nproc) - 1))
for ((i = 0; i < rounds; i++)); do
	"$pingpong" 2 $cpu >>"$scratch/alone"

	"$perftop" -b --format json -d 1 -o "$scratch/watched.jsonl" &
	watcher=$!
	sleep 1
	"$pingpong" 2 $cpu >>"$scratch/watched"
	kill "$watcher"
	wait "$watcher" 2>/dev/null || true
	lost=$(grep -o '"records": *[0-9]*' "$scratch/watched.jsonl" | awk '{ n += $2 } END { print n + 0 }')
	echo "${lost:-0}" >>"$scratch/lost"

	"$pingpong" 3 $cpu >"$scratch/last" &
	switcher=$!
	sleep 0.5
	"$bench/pertask" 6 $switcher $(pgrep -P $switcher) >"$scratch/pertask.ready" &
	counter=$!
	wait $switcher
	kill $counter
	wait $counter 2>/dev/null || true
	cat "$scratch/last" >>"$scratch/pertask"
done
alone=$(median <"$scratch/alone") watched=$(median <"$scratch/watched") pertask=$(median <"$scratch/pertask")
echo "a byte to and fro through pipes on one CPU, two switches a round trip"
printf '%-34s %10s round trips/s   %s of alone\n' \
	alone "$alone" 1 \
	'watched by perftop' "$watched" "$(ratio "$watched" "$alone")" \
	'counted by a group for each task' "$pertask" "$(ratio "$pertask" "$alone")"
echo "records lost meanwhile: $(median <"$scratch/lost")"
echo

# --- many switches a second, on all CPUs
echo "switches by the kernel's account and by perftop, own CPU time and keys, ${LOAD_SECONDS:-60} s each"
LOAD_SECONDS=${LOAD_SECONDS:-60} "$(dirname "$0")/load.sh" "$perftop" "$bench" ||
	echo "not all held, see above"
