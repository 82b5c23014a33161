#!/bin/bash
# container.sh PERFTOP TOOLS: somebody's perf in a container, begun after perftop, does not take tasks of
# here for tasks of there. It samples the event with which perftop counts, and the kernel tells both
# the numbers that tasks have in the container.
#
# Needs root and perf (Debian: linux-perf); not run otherwise.
. "$(dirname "$0")/kit.sh"
needs root perf
err=$scratch/err
lines() { wc -l <"$scratch/out"; }
told_ns() { tail -n 1 "$scratch/out" | cut -d , -f 3; }
ran_ns() { cut -d ' ' -f 1 "/proc/$spinner/schedstat"; }
# Until so many more intervals are told.
intervals() { wait_lines "$scratch/out" $(($(lines) + $1)) $watcher; }

start "$TOOLS/spin" w250m40 - 300
spinner=$started
"$PERFTOP" --no-config -b --format csv -c pid,time -d 0.5 -f "pid = $spinner" \
	>"$scratch/out" 2>"$scratch/err" </dev/null &
watcher=$!
intervals 3
unshare --pid --kill-child --mount-proc perf record -q -a -e context-switches -c 1 -o "$scratch/data" \
	sleep 300 >/dev/null 2>&1 </dev/null &
until [ -s "$scratch/data" ]; do
	kill -0 $! 2>/dev/null || { echo "not run: no perf record in a namespace of its own"; exit 77; }
	sleep 0.1
done
intervals 2
# look_at: what is told, and what it had run before the end of that interval, and after: whoever waits for the
# CPU may wait between any two steps. The second line from now on is of an interval that ended later than now.
look_at() {
	before=$(ran_ns)
	intervals 2
	told=$(told_ns)
	after=$(ran_ns)
}
look_at
begin_told=$told begin_before=$before begin_after=$after
intervals 10
look_at
told=$((told - begin_told)) least=$((before - begin_after)) most=$((after - begin_before))
echo "it ran for $least to $most ns, of which it is told to have run for $told ns"
[ $((10 * told)) -ge $((9 * least)) ] && [ $((10 * most)) -ge $((9 * told)) ] || fail "that is not the same"
report
