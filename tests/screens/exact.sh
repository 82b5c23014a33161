#!/bin/bash
# exact.sh PERFTOP TOOLS HITS: what a command, and a process, have counted by themselves is exact in all, beside tasks
# that switch all the time; what is counted of unknown tasks is said; and a program that is probed can fork.
. "$(dirname "$0")/kit.sh"
with_tracefs "$0" "$@"
HITS=$(realpath "$3")
COUNT=31337
ROUNDS=${ROUNDS:-3}
err=$scratch/err
call=syscalls:sys_enter_getsid
probe=uprobe:$HITS:probed_here
[ -e /sys/kernel/tracing/events/syscalls/sys_enter_getsid ] || not_run "no tracepoints of system calls"
[ -e /sys/bus/event_source/devices/uprobe ] || not_run "no uprobes"
"$PERFTOP" -b -n 1 -d 0.1 -e "$call" 2>&1 </dev/null | grep -q 'whole machine' || not_run "the machine may not be counted"

total_of() { # EVENT
	tail -n 1 "$scratch/out" | grep -oF "\"$1\":$COUNT.0"
}

start "$TOOLS/pingpong" 4 0
for round in $(seq "$ROUNDS"); do
	"$PERFTOP" --format json -d 0.2 -e "$call" -o "$scratch/out" -- "$HITS" $COUNT >"$err" 2>&1 </dev/null || fail "status $?"
	[ -n "$(total_of $call)" ] || fail "not $COUNT: $(tail -n 1 "$scratch/out" | grep -oE 'getsid":[0-9.]+')"
	grep '"interval_s"' "$scratch/out" | grep -vF '"unattributed":{"ns":' && fail "an interval without what is unaccounted"
	tail -n 1 "$scratch/out" | grep -qE '"unattributed":\{"ns":[0-9]+,"counts":\{' || fail "nothing of it in all"
done

# The counts of a probe are the tasks' and those of unknown ones.
"$PERFTOP" --format json -d 0.2 -e "$probe" -o "$scratch/out" -- "$HITS" $COUNT >"$err" 2>&1 </dev/null || fail "probed: status $?"
tail -n 1 "$scratch/out" | grep -oE "$probe\":[0-9]+" | sed 's/.*://' >"$scratch/both"
[ "$(awk '{ sum += $1 } END { print sum }' "$scratch/both")" = $COUNT ] || fail "probed: $(cat "$scratch/both")"

# Of a process that starts another one its own.
mkfifo "$scratch/go"
start sh -c "read word <\"$scratch/go\"; exec \"$HITS\" $COUNT"
"$PERFTOP" -b -d 0.2 -e "$call" -p "$started" -o "$scratch/out" >"$err" 2>&1 </dev/null &
watcher=$!
wait_lines "$scratch/out" 3 $watcher
echo go >"$scratch/go"
wait $watcher || fail "-p: status $?"
awk -v count=$((COUNT - COUNT / 2)) -v call=$call '$1 == "#" && $3 == call { seen = $2 }
	END { exit !(seen >= count && seen <= count + 2) }' "$scratch/out" || fail "-p: $(grep '^#' "$scratch/out" | tail -n 20)"
report
