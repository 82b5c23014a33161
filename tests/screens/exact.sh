#!/bin/bash
# Counts per task are exactly what a program did: calls, returns, writes, faults, signals, and only what
# passes a filter; the whole machine watched, one process picked out of it, and a command from its
# start. check_exact.c compares. Events that need no hardware counter, so that it holds everywhere.
#
# Needs root (probes and tracepoints count for nobody else); not run otherwise.
set -u
if [ "$(id -u)" != 0 ]; then
	echo "not run: needs root"
	exit 77
fi
# tracefs of our own where there is none
if [ -z "${EXACT_INSIDE:-}" ] && [ ! -e /sys/kernel/tracing/events ]; then
	EXACT_INSIDE=1 exec unshare -m bash -c \
		'mount -t tracefs nodev /sys/kernel/tracing || { echo "not run: no tracefs"; exit 77; }; exec "$@"' \
		- "$0" "$@"
fi
PERFTOP=$(realpath "$1") EXACTLY=$(realpath "$2") CHECK=$(realpath "$3")
for pmu in uprobe msr; do
	[ -e /sys/bus/event_source/devices/$pmu ] || { echo "not run: no $pmu PMU"; exit 77; }
done

scratch=$(mktemp -d)
workload= watcher=
finish() {
	for child in $workload $watcher; do kill -9 "$child" 2>/dev/null; done
	rm -rf "$scratch"
}
trap finish EXIT

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
	[ "${1:-}" = -p ] && set -- -p $workload "${@:2}"
	"$PERFTOP" --no-config -b --format json -H -d 0.5 -e "$events" "$@" \
		>"$scratch/$name.out" 2>"$scratch/$name.err" &
	watcher=$!
	wait_lines "$scratch/$name.out" 1
	exec 9>"$scratch/fifo"
	echo >&9
	while [ ! -s "$scratch/$name.facts" ] && kill -0 $workload 2>/dev/null; do sleep 0.1; done
	wait_lines "$scratch/$name.out" $(($(wc -l <"$scratch/$name.out") + 2))
	exec 9>&-
	wait $workload
	workload=
	kill -TERM $watcher 2>/dev/null
	wait $watcher
	watcher=
}
wait_lines() { # FILE COUNT
	for _ in $(seq 1200); do
		[ "$(wc -l <"$1")" -ge "$2" ] && return
		kill -0 $watcher 2>/dev/null || return
		sleep 0.1
	done
}

measure() {
	exact system
	exact pid -p

	# a command from its first instruction on: the fifo is written by somebody else
	rm -f "$scratch/fifo"
	mkfifo "$scratch/fifo"
	(sleep 1; echo >"$scratch/fifo") &
	"$PERFTOP" --no-config -b --format json -H -d 0.5 -e "$events" -o "$scratch/command.out" \
		-- "$EXACTLY" "$scratch/fifo" "$scratch/command.facts" 2>"$scratch/command.err"
	wait

	EXACT_EVENTS=$events GUEST_RESULTS=$scratch "$CHECK"
}

# A column that needs wake-ups brings them, in a view that does without.
"$PERFTOP" --no-config -b -d 0.5 -n 6 -c wakeups/s,command >"$scratch/wakeups" 2>&1 &&
	grep -qE '^ +[0-9.]+k? ' "$scratch/wakeups" || {
	echo "no wake-ups in a column of them"
	cat "$scratch/wakeups"
	exit 1
}

# 3: in a slice beside a task that the machine hides something was left over; see check_exact.c
for _ in 1 2 3 4 5 6; do
	measure
	status=$?
	[ $status = 3 ] || break
done
[ $status = 0 ] || head -c 2000 "$scratch"/*.err
exit $status
