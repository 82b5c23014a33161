#!/bin/bash
# beside.sh PERFTOP SHAPES CHECKER: perftop's switches beside those of perf, recorded at the same time
# over tasks of known shapes; the checker compares.
#
# Needs root, perf (Debian: linux-perf) and tracefs; not run otherwise. perf needs no unit of counters
# for this: its dummy event carries the records of switches.
. "$(dirname "$0")/kit.sh"
needs root perf
[ "$(nproc)" -ge 2 ] || not_run "needs two CPUs"
with_tracefs "$0" "$@"
SHAPES=$TOOLS CHECK=$(realpath "$3")

# What the host has taken from this machine, in ticks.
stolen() { awk '$1 == "cpu" { print $9 + 0 }' /proc/stat; }
# The time of the last line but one, which is whole.
is_after() { [ "$(last_ns)" -gt "$1" ]; }
last_ns() { tail -n 2 "$scratch/switches.out" | sed -n '1s/.*"time_ns":\([0-9]*\),.*/\1/p'; }

# measure SECONDS
# Each recorder begins before the one inside it, and ends after it.
measure() {
	local stolen kinds=sched:sched_switch,sched:sched_waking,sched:sched_wakeup_new
	"$PERFTOP" --no-config -b --view switches --format json -d 0.5 \
		>"$scratch/switches.out" 2>"$scratch/err" &
	watcher=$!
	wait_lines "$scratch/switches.out" 1 $watcher
	stolen=$(stolen)
	perf record -q -a -m 2048 -k CLOCK_MONOTONIC --switch-events -e dummy -o "$scratch/switch.data" -- \
		perf record -q -a -m 2048 -k CLOCK_MONOTONIC -e $kinds -o "$scratch/sched.data" -- \
		"$SHAPES" "$scratch/facts" "$1" >"$scratch/perf.err" 2>&1 || {
		cat "$scratch/perf.err"
		return 1
	}
	# a line of a later time comes after all that happened up to the end
	local end
	end=$(sed -n 's/^end - //p' "$scratch/facts")
	wait_until "perftop writes no line after the end" is_after "$end"
	kill -TERM "$watcher"
	wait "$watcher" || {
		echo "perftop: status $?"
		return 1
	}
	echo $(($(stolen) - stolen)) >"$scratch/stolen"
	perf script -i "$scratch/switch.data" --show-switch-events --show-lost-events --ns \
		-F pid,tid,cpu,time >"$scratch/script.out" 2>>"$scratch/perf.err"
	perf sched timehist -i "$scratch/sched.data" >"$scratch/timehist.out" 2>>"$scratch/perf.err"
	grep -qi "lost" "$scratch/perf.err" "$scratch/script.out" && return 3
	grep -qE '^[{]"(lost|left_out)"' "$scratch/switches.out" && return 3
	GUEST_RESULTS=$scratch "$CHECK"
}

# 3: perf or perftop has lost records, and says so, or was too much disturbed, or there was too little; 4: the times are
# apart, which may be the machine's fault once, but not always
for seconds in 3 4 6 10; do
	measure $seconds
	status=$?
	[ $status = 3 ] || [ $status = 4 ] || break
done
[ $status = 3 ] && not_run "perf's own recordings are not alike, as where others record too"
[ $status = 0 ] || head -c 2000 "$scratch/err"
[ -z "${BESIDE_KEEP:-}" ] || cp -r "$scratch" "$BESIDE_KEEP"
exit $status
