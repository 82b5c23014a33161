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

# watch NAME OPTION...: perftop in the background
watch() {
	"$PERFTOP" --no-config -b --format json -H -d 0.5 -e "$events" -o "$scratch/$1.out" "${@:2}" \
		2>"$scratch/$1.err" &
	watcher=$!
	children="$children $watcher"
}
has_threads() { [ "$(find "/proc/$1/task" -mindepth 1 -maxdepth 1 2>/dev/null | wc -l)" = 7 ]; }
# more NAME COUNT: so many lines more
more() {
	wait_until "perftop does not begin" test -s "$scratch/$1.out"
	wait_lines "$scratch/$1.out" $(($(wc -l <"$scratch/$1.out") + $2)) $watcher
}

begin() { # NAME
	rm -f "$scratch/fifo"
	mkfifo "$scratch/fifo"
	"$EXACTLY" "$scratch/fifo" "$scratch/$1.facts" &
	workload=$!
	children="$children $workload"
	wait_until "the workload has no threads" has_threads $workload
}
# work NAME: the workload does its work while perftop watches.
work() {
	local name=$1
	more "$name" 1
	exec 9>"$scratch/fifo"
	echo >&9
	wait_until "the workload does not come to its end" test -s "$scratch/$name.facts"
	more "$name" 2
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

watch system
more system 1
begin system
work system

begin pid
watch pid -p "$workload"
work pid

# a command from its start; its threads have their counters after the interval in which they began
rm -f "$scratch/fifo"
mkfifo "$scratch/fifo"
watch command -- "$EXACTLY" "$scratch/fifo" "$scratch/command.facts"
has_command() { has_threads "$(pgrep -P "$watcher" -x exactly)"; }
wait_until "the command has no threads" has_command
more command 2
echo >"$scratch/fifo"
wait $watcher || fail "command: status $?"

EXACT_EVENTS=$events GUEST_RESULTS=$scratch "$CHECK" || fail "counts: $(head -c 2000 "$scratch"/*.err)"
report
