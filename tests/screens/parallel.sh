#!/bin/bash
# parallel.sh PERFTOP TOOLS PARALLEL: latency and parallelism of a program of four threads, one of which works alone in a
# quarter of the time, beside what they saw themselves: when each was on a CPU. Live, and of a recording. The samples of
# each thread have its share of the latency, if they are weighed by that. Two such programs are also one scope.
. "$(dirname "$0")/kit.sh"
needs root
PARALLEL=$(realpath "$3")
err=$scratch/err
show() {
	head -c 3000 "$scratch/differences"
	"$PERFTOP" --no-config -b --format json -i "$scratch/data" </dev/null | grep -o '"lost":{[^}]*}' | sort | uniq -c
}

start "$PARALLEL" "$scratch/own"
parallel=$started
stolen_ticks() { awk '/^cpu / { print $9 }' /proc/stat; }
before=$(stolen_ticks)
"$PERFTOP" --no-config -b --format csv -H -p "$parallel" -d 1 -n 12 -c tid,command,lat_pct,par -w "$scratch/data" \
	>"$scratch/csv" 2>"$err" </dev/null || fail "status $?"
stolen=$(($(stolen_ticks) - before))
"$PERFTOP" --no-config --format csv -H -i "$scratch/data" -c tid,command,lat_pct,par >"$scratch/again" 2>"$err" </dev/null ||
	fail "replay: status $?"
"$PERFTOP" --no-config -b --format csv -i "$scratch/data" -c pid,command,lat_pct,par >"$scratch/process" 2>"$err" </dev/null ||
	fail "replay of the process: status $?"

# samples are at random: the mean of all intervals but the first, and three points for it
functions="--no-config -b --format csv -V functions --calls threads"
"$PERFTOP" $functions --weight latency -p "$parallel" -d 1 -n 12 -w "$scratch/samples" >"$scratch/live" 2>"$err" </dev/null ||
	fail "functions by latency: status $?"
"$PERFTOP" $functions --weight latency -i "$scratch/samples" >"$scratch/weighed" 2>"$err" </dev/null || fail "replay: status $?"
"$PERFTOP" $functions -i "$scratch/samples" >"$scratch/timed" 2>"$err" </dev/null || fail "replay by time: status $?"
"$PERFTOP" --no-config -b --format csv -H -i "$scratch/samples" -c command,lat_pct >"$scratch/latency" 2>"$err" </dev/null ||
	fail "replay of tasks: status $?"
cmp "$scratch/live" "$scratch/weighed" || fail "live and replay are different"
# shares FILE COLUMN: of pa-0 in percent, as a mean
shares() {
	awk -F, -v field="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; first = ""; next }
		first == "" { first = $1 }
		$1 != first { all += $at[field]; if ($at["command"] == "pa-0") own += $at[field] }
		END { printf "%.2f", (all > 0 ? 100 * own / all : -1) }' "$1"
}
weighed=$(shares "$scratch/weighed" self%) timed=$(shares "$scratch/timed" self%) latency=$(shares "$scratch/latency" lat_pct)
awk "BEGIN { exit !($latency > 0 && $weighed > $latency - 3 && $weighed < $latency + 3) }" ||
	fail "the serial thread has $weighed % of the samples by latency, $timed % by time; its latency is $latency %"
cmp -s "$scratch/weighed" "$scratch/timed" && fail "by latency is by time"
for refused in "--samples off-cpu" "--by page-faults"; do
	"$PERFTOP" --no-config -b -n 1 -V functions --weight latency $refused >"$scratch/out" 2>&1 </dev/null && fail "accepted: $refused"
	grep -q 'only samples by time, on the CPU, are weighed by latency' "$scratch/out" || fail "$refused: $(cat "$scratch/out")"
done

kill "$parallel"
wait_until "the program ends" has_ended "$parallel"
compare() {
	"$(dirname "$0")/compare_parallel.sh" "$scratch/own" "$1" "$(awk "BEGIN { print $stolen / $(getconf CLK_TCK) }")" "${@:2}" \
		>"$scratch/differences"
	[ ! -s "$scratch/differences" ] || fail "$(basename "$1"), stolen $stolen ticks"
}
compare "$scratch/csv"
compare "$scratch/again"
compare "$scratch/process" process

# two such programs as one, live and of a recording: their threads, and the processes
programs=
for name in pa pb; do
	start "$PARALLEL" "$scratch/own.$name" 2 $name
	programs+=${programs:+,}$started
done
before=$(stolen_ticks)
"$PERFTOP" --no-config -b --format csv -H -p "$programs" --latency-of all -d 1 -n 8 -c tid,command,lat_pct,par \
	-w "$scratch/data" >"$scratch/csv" 2>"$err" </dev/null || fail "two as one: status $?"
stolen=$(($(stolen_ticks) - before))
"$PERFTOP" --no-config -b --format csv -i "$scratch/data" --latency-of all -c pid,command,lat_pct,par >"$scratch/process" \
	2>"$err" </dev/null || fail "replay of two as one: status $?"
kill ${programs//,/ }
for program in ${programs//,/ }; do
	wait_until "the program ends" has_ended "$program"
done
cat "$scratch"/own.p? >"$scratch/own"
compare "$scratch/csv"
compare "$scratch/process" process
awk -F, 'NR > 1 && !seen[$3]++ { n++ } END { exit n != 2 }' "$scratch/process" || fail "not two processes: $(head -3 "$scratch/process")"
report
