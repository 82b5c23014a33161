#!/bin/bash
# Counts per task are exactly what a program did: calls, returns, writes, faults, signals, and only what
# passes a filter; the whole machine watched, one process picked out of it, and a command from its
# start. check_exact.c compares. Events that need no hardware counter, so that it holds everywhere.
#
# Needs root (probes and tracepoints count for nobody else); not run otherwise.
. "$(dirname "$0")/kit.sh"
needs root
with_tracefs "$0" "$@"
EXACTLY=$TOOLS CHECK=$(realpath "$3")
for pmu in uprobe msr; do
	[ -e /sys/bus/event_source/devices/$pmu ] || not_run "no $pmu PMU"
done

cell=$("$EXACTLY" --cell)
events="page-faults,mem:$cell/4:w,uprobe:$EXACTLY:exact_call,uretprobe:$EXACTLY:exact_call"
events="$events,msr/tsc/,signal:signal_generate,signal:signal_generate/sig==10/"

# exact NAME PERFTOP-OPTION...: the workload does its work while perftop watches.
exact() {
	local name=$1
	shift
	rm -f "$scratch/fifo"
	mkfifo "$scratch/fifo"
	"$EXACTLY" "$scratch/fifo" "$scratch/$name.facts" &
	workload=$!
	children="$children $workload"
	[ "${1:-}" = -p ] && set -- -p $workload "${@:2}"
	"$PERFTOP" --no-config -b --format json -H -d 0.5 -e "$events" "$@" \
		>"$scratch/$name.out" 2>"$scratch/$name.err" &
	watcher=$!
	children="$children $watcher"
	wait_lines "$scratch/$name.out" 1 $watcher
	exec 9>"$scratch/fifo"
	echo >&9
	wait_until "the workload does not come to its end" test -s "$scratch/$name.facts"
	wait_lines "$scratch/$name.out" $(($(wc -l <"$scratch/$name.out") + 2)) $watcher
	exec 9>&-
	wait $workload
	kill -TERM $watcher
	wait $watcher || fail "$name: status $?"
}
# A column that needs wake-ups brings them, in a view that does without.
"$PERFTOP" --no-config -b -d 0.5 -n 6 -c wakeups/s,command >"$scratch/wakeups" 2>&1 &&
	grep -qE '^ +[0-9.]+k? ' "$scratch/wakeups" || {
	echo "no wake-ups in a column of them"
	cat "$scratch/wakeups"
	exit 1
}

exact system
exact pid -p

# a command from its first instruction on: the fifo is written by somebody else
rm -f "$scratch/fifo"
mkfifo "$scratch/fifo"
(sleep 1; echo >"$scratch/fifo") &
"$PERFTOP" --no-config -b --format json -H -d 0.5 -e "$events" -o "$scratch/command.out" \
	-- "$EXACTLY" "$scratch/fifo" "$scratch/command.facts" 2>"$scratch/command.err"
wait

EXACT_EVENTS=$events GUEST_RESULTS=$scratch "$CHECK" || fail "counts: $(head -c 2000 "$scratch"/*.err)"
report
