#!/bin/bash
# exact.sh PERFTOP TOOLS HITS: what a command, and a process, have counted by themselves is exact in all, beside tasks
# that switch all the time; what is counted of unknown tasks is said; and a program that is probed can fork.
#
# Linux 6.18 now and then stops to count the events of a task, and to report its switches: then it is said that time is
# unaccounted, and it is tried again.
. "$(dirname "$0")/kit.sh"
with_tracefs "$0" "$@"
HITS=$(realpath "$3")
COUNT=31337
ROUNDS=${ROUNDS:-3}
TRIES=20
err=$scratch/err
call=syscalls:sys_enter_getsid
probe=uprobe:$HITS:probed_here
[ -e /sys/kernel/tracing/events/syscalls/sys_enter_getsid ] || not_run "no tracepoints of system calls"
[ -e /sys/bus/event_source/devices/uprobe ] || not_run "no uprobes"
"$PERFTOP" -b -n 1 -d 0.1 -e "$call" 2>&1 </dev/null | grep -q 'whole machine' || not_run "the machine may not be counted"

summary() { tail -n 1 "$scratch/out"; }
# FOUND HOW...: whether it is as it should be; a failure where nothing is unaccounted, else it may be tried again
judge() {
	[ -z "$1" ] || return 0
	grep -qE '^\{"summary".*"unattributed":\{"ns":0,' "$scratch/out" && fail "${*:2}: $(summary)"
	return 1
}
# What counts COUNTS of an event: one number of the tasks, or what is unaccounted beside it
numbers() { summary | grep -oE "$1\":[0-9]+" | sed 's/.*://'; }

whole() {
	"$PERFTOP" --format json -d 0.2 -e "$call" -o "$scratch/out" -- "$HITS" $COUNT >"$err" 2>&1 </dev/null || fail "status $?"
	grep '"interval_s"' "$scratch/out" | grep -vF '"unattributed":{"ns":' && fail "an interval without what is unaccounted"
	summary | grep -qE '"unattributed":\{"ns":[0-9]+,"counts":\{' || fail "nothing of it in all"
	judge "$(numbers $call | grep -x $COUNT)" "not $COUNT"
}
# The counts of a probe are the tasks' and those of unknown ones.
probed() {
	"$PERFTOP" --format json -d 0.2 -e "$probe" -o "$scratch/out" -- "$HITS" $COUNT >"$err" 2>&1 </dev/null ||
		fail "probed: status $?"
	judge "$(numbers "$probe" | awk '{ sum += $1 } END { print sum }' | grep -x $COUNT)" "probed, not $COUNT"
}
# What the slices of the log have counted.
logged() {
	"$PERFTOP" --view switches --format json -d 0.2 -e "$call" -o "$scratch/out" -- "$HITS" $COUNT >"$err" 2>&1 </dev/null ||
		fail "logged: status $?"
	judge "$(grep '"slice_ns"' "$scratch/out" | grep -oE "$call\":[0-9]+" | awk -F: '{ sum += $NF } END { print sum }' |
		grep -x $COUNT)" "logged, not $COUNT"
}
# Of a process that starts another one its own.
process() {
	local watcher
	rm -f "$scratch/go" "$scratch/out"
	mkfifo "$scratch/go"
	start sh -c "read word <\"$scratch/go\"; exec \"$HITS\" $COUNT"
	"$PERFTOP" --format json -d 0.2 -e "$call" -p "$started" -o "$scratch/out" >"$err" 2>&1 </dev/null &
	watcher=$!
	wait_lines "$scratch/out" 1 $watcher
	echo go >"$scratch/go"
	wait $watcher || fail "-p: status $?"
	judge "$(numbers $call | grep -x $((COUNT - COUNT / 2)))" "-p, not half of $COUNT"
}

# The same of an ordinary user, whose counters are the tasks' alone: no fewer than the rows have.
ordinary() {
	"${nobody[@]}" --format json -d 0.2 -e page-faults -o "$scratch/own/out" -- "$scratch/hits" $COUNT >"$err" 2>&1 </dev/null ||
		fail "nobody: status $?"
	cp "$scratch/own/out" "$scratch/out"
	[ "$(numbers page-faults | head -n 1)" -gt 50 ] || fail "nobody: $(summary)"
	summary | grep -q '"processes":2,.*"unattributed":{"ns":0,' || fail "nobody: not two processes: $(summary)"
}

own_copies "$PERFTOP" "$HITS"
mkdir "$scratch/own"
chown 65534 "$scratch/own"
nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups "$scratch/perftop" --no-config)
start "$TOOLS/pingpong" 4 0
if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ]; then ordinary; fi
for what in $(printf "whole %.0s" $(seq "$ROUNDS")) logged probed process; do
	tries=0
	until $what || [ $failures != 0 ]; do
		[ $((++tries)) -lt $TRIES ] || not_run "the kernel does not report all switches"
	done
done
report
