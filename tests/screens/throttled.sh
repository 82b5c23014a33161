#!/bin/bash
# throttled.sh PERFTOP TOOLS: a task in a cgroup below one with a CPU limit is found by its group, by its container and
# by itself, in the replay of a recording, and by nobody; without cgroups nothing is said.
#
# Needs root and a hierarchy of cgroups with CPU limits, to make one in it; not run otherwise.
. "$(dirname "$0")/kit.sh"
needs root setpriv taskset unshare
err=$scratch/err
mount=/sys/fs/cgroup/cpu
[ ! -e /sys/fs/cgroup/cgroup.controllers ] || mount=/sys/fs/cgroup
id=$(printf '%-64d' $$ | tr ' ' 0)
limited=$mount/perftop-test-$$ inner=$mount/perftop-test-$$/docker-$id.scope
spinner= busy=
at_end() {
	[ -z "$spinner$busy" ] || { kill -9 $spinner $busy; wait $spinner $busy; } 2>/dev/null
	rmdir "$inner" "$limited" 2>/dev/null
}
mkdir -p "$inner" 2>/dev/null || not_run "no cgroup can be made here"
# 1 ms of 100, which is reached however busy the machine is
if [ -e "$limited/cpu.max" ]; then
	echo "1000 100000" >"$limited/cpu.max" || not_run "no CPU limit can be set here"
else
	echo 1000 >"$limited/cpu.cfs_quota_us" || not_run "no CPU limit can be set here"
fi
"$TOOLS/spin" w250m40 - 300 >/dev/null 2>&1 &
spinner=$!
echo $spinner >"$inner/cgroup.procs" || not_run "no task can be moved into a cgroup here"
own_copies "$PERFTOP"
batch="--no-config -b --format csv -d 0.5 -n 4"

# shows NAME COMMAND...: the command writes some interval in which more than 0 is throttled in the row of NAME
shows() {
	local name=$1
	shift
	"$@" 2>"$err" </dev/null | grep -F -- "$name" | cut -d , -f 2 | grep -q '[1-9]'
}
wait_until "the cgroup is not shown as throttled" shows "${inner#"$mount"}" \
	"$PERFTOP" $batch -c throttled%,group --group-by cgroup
wait_until "its container is not" shows "${id:0:12}" "$PERFTOP" $batch -c throttled%,group --group-by container
wait_until "its task is not" shows ",$spinner" "$PERFTOP" $batch -c throttled%,pid
wait_until "nobody does not see it" shows "${id:0:12}" \
	setpriv --reuid 65534 --regid 65534 --clear-groups "$scratch/perftop" $batch -c throttled%,group --group-by container
# Its limit holds it back, and nobody is known to have preempted it, however often the kernel calls it runnable: also
# where its CPU never idles, since another one runs there meanwhile.
cpu=$(taskset -pc $spinner | sed 's/.*[^0-9]//')
taskset -pc $cpu $spinner >/dev/null
taskset -c $cpu "$TOOLS/spin" w250m40 - 300 >/dev/null 2>&1 &
busy=$!
waits=$("$PERFTOP" $batch -c pwait%,throttled%,pid 2>"$err" </dev/null |
	awk -F , -v pid=$spinner '$4 == pid && $3 > 50 { print "throttled"; if ($2 > 5) print "preempted " $2 }')
case $waits in
*preempted*) fail "it counts as preempted: $waits" ;;
*throttled*) ;;
*) fail "it is not throttled beside another one" ;;
esac
kinds=$("$PERFTOP" $batch -V pairs -c victim,wait-kind 2>"$err" </dev/null | grep " $spinner,")
[ -n "$kinds" ] && ! grep -q preempted <<<"$kinds" || fail "pairs do not name its limit: $kinds"
{ kill -9 $busy; wait $busy; } 2>/dev/null
busy=
recorded() {
	"$PERFTOP" $batch -w "$scratch/data" -c throttled%,group --group-by container >/dev/null 2>"$err" </dev/null &&
		shows "${id:0:12}" "$PERFTOP" --no-config -b --format csv -i "$scratch/data" -c throttled%,group \
			--group-by container
}
wait_until "a recording does not have it" recorded
! shows "" unshare -m sh -c 'mount -t tmpfs nodev /sys/fs/cgroup && exec "$@"' - \
	"$PERFTOP" $batch -c throttled%,group --group-by cgroup || fail "something is shown without cgroups"
report
