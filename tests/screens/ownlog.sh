#!/bin/bash
# ownlog.sh PERFTOP TOOLS CHECKER: somebody without privileges watches the switches of an own process.
# The kernel tells when it leaves and comes, and nothing of the others; the checker judges the
# lines. Where the kernel refuses even that, perftop says so.
. "$(dirname "$0")/kit.sh"
needs root setpriv
CHECKER=$(realpath "$3")
own_copies "$PERFTOP" "$TOOLS/shapes"
err=$scratch/own.err

(as_nobody "$scratch/shapes" /dev/null 600) &
workload=$!
has_ping() { own=$(pgrep -P "$workload" -x sh-ping); }
wait_until "the workload does not start" has_ping
(as_nobody "$scratch/perftop" --no-config -b --view switches --format json \
	-d 0.5 -p "$own") >"$scratch/own.out" 2>"$err" &
watcher=$!
# Lines of more than a second, however slowly they come. Only the ends are read: the file grows meanwhile.
time_of() { sed -n 's/.*"time_ns":\([0-9]*\),.*/\1/p'; }
is_long() {
	local first last
	first=$(head -n 1 "$scratch/own.out" | time_of)
	last=$(tail -n 2 "$scratch/own.out" | head -n 1 | time_of)
	[ -n "$first" ] && [ -n "$last" ] && [ $((last - first)) -gt 1000000000 ]
}
has_enough() { has_lines "$scratch/own.out" 3000 && is_long || has_ended $watcher; }
wait_until "too few switches are told" has_enough
kill -TERM $watcher 2>/dev/null
wait $watcher
status=$?
if [ $status = 1 ] && [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt 2 ]; then
	grep -q 'perf_event_paranoid' "$err" && exit 0
fi
[ $status = 0 ] && [ ! -s "$err" ] || fail "status $status"
head -n 3 "$scratch/own.out"
OWN_PID=$own GUEST_RESULTS=$scratch "$CHECKER" || fail "lines"
report
