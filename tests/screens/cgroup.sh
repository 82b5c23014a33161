#!/bin/bash
# cgroup.sh PERFTOP TOOLS: -G counts the tasks of cgroups, and of those below them, as the whole machine's rows have
# them, takes names and paths, and ends when its cgroups are removed.
#
# Linux 6.18 now and then does not report a switch to who counts the machine: then it is tried again.
#
# Needs root and cgroups of version 2 with the controller perf_event, to make one in them; not run otherwise.
. "$(dirname "$0")/kit.sh"
with_tracefs "$0" "$@"
needs root
TRIES=20
err=$scratch/err
mount=/sys/fs/cgroup
[ -e $mount/cgroup.controllers ] || mount=/sys/fs/cgroup/unified
id=$(printf '%-64d' $$ | tr ' ' 0)
beside=$mount/perftop-beside-$$
cgroup=$mount/perftop-test-$$ inner=$mount/perftop-test-$$/docker-$id.scope
switching=sw$$ other=ot$$ outside=out$$
call=syscalls:sys_enter_write
watchers= loads=
kill_all() {
	local pids=$*
	[ -z "$pids" ] || { kill -9 $pids; wait $pids; } 2>/dev/null
}
at_end() {
	kill_all $watchers $loads $(tasks)
	rmdir "$inner" "$cgroup" "$beside" 2>/dev/null
}
tasks() { cat "$inner/cgroup.procs" "$beside/cgroup.procs"; }
make_cgroups() { mkdir -p "$inner" "$beside" 2>/dev/null; }
no_cgroups() { rmdir "$inner" "$cgroup" 2>/dev/null && rmdir "$beside" 2>/dev/null; }
make_cgroups || not_run "no cgroup can be made here"
batch="$PERFTOP --no-config -b --history 0"
$batch -n 1 -d 0.1 -e "$call" -G "${cgroup##*/}" >/dev/null 2>"$err" </dev/null ||
	not_run "no cgroup can be counted: $(cat "$err")"

# in_cgroup CGROUP COMMAND...: born in it, so that nothing of it is counted outside
in_cgroup() {
	sh -c 'echo $$ >"$0/cgroup.procs" && { "$@" & wait; }' "$@" >/dev/null 2>&1 &
	loads="$loads $!"
}
# watch FILE OPTION...: what was counted so far, after each interval
watch() {
	local file=$1
	shift
	rm -f "$file"
	$batch -d 0.3 -V groups --group-by command --format openmetrics -e "$call" -o "$file" "$@" 2>"$err" </dev/null &
	watchers="$watchers $!"
	wait_lines "$file" 5 $!
}
# total FILE QUANTITY NAME [LABEL]: the last one
total() { grep -E "^perftop_group_${2}_total\{.*group=\"$3\"${4:-}" "$1" | sed 's/.* //'; }
unattributed() { grep -h '^perftop_cpu_unattributed_seconds' "$scratch/machine" "$scratch/cgroup" | awk '{ sum += $2 } END { print sum }'; }
has_more() { [ "$(total "$scratch/cgroup" switches $1)" -gt "$2" ] 2>/dev/null; }
is_new() { [ "$scratch/machine" -nt "$scratch/stopped" ] && [ "$scratch/cgroup" -nt "$scratch/stopped" ]; }
# Both have seen an interval's end after the tasks have stopped.
stop_tasks() {
	kill -STOP $(tasks)
	for end in 1 2; do
		sleep 0.02
		touch "$scratch/stopped"
		wait_until "no interval ends" is_new
	done
}
# QUANTITY NAME [LABEL]
equal() {
	local a b
	a=$(total "$scratch/machine" "$@") b=$(total "$scratch/cgroup" "$@")
	[ -n "$a" ] && [ "$a" = "$b" ] && return 0
	differences="$differences; $*: $a in the machine, $b in the cgroup"
}

# compare CGROUP[,CGROUP]
compare() {
	local before
	watchers= loads= differences=
	make_cgroups
	watch "$scratch/machine"
	watch "$scratch/cgroup" -G "$1"
	before=$(unattributed)
	"$scratch/$outside" 300 >/dev/null &
	loads=$!
	in_cgroup "$inner" "$scratch/$switching" 300
	in_cgroup "$beside" "$scratch/$other" 300
	wait_until "nothing switches" has_more $switching 2000
	[ "$1" = "$cgroup" ] || wait_until "nothing switches beside it" has_more $other 2000
	$PERFTOP --complete -G "/perftop-test-$$" | grep -qxF "${inner#"$mount"}" || fail "the cgroup is not proposed"
	stop_tasks
	for name in $switching $([ "$1" = "$cgroup" ] || echo $other); do
		equal switches $name
		equal preemptions $name
		equal events $name ",event=\"$call\""
	done
	grep -q "group=\"$outside\"" "$scratch/machine" || fail "the machine's rows lack $outside"
	grep -q "group=\"$outside\"" "$scratch/cgroup" && fail "$outside is not in the cgroup"
	[ "$1" = "$cgroup" ] && grep -q "group=\"$other\"" "$scratch/cgroup" && fail "$other is not in the cgroup"
	unaccounted=$(awk -v a="$before" -v b="$(unattributed)" 'BEGIN { print b - a }')
	kill_all $loads $(tasks) ${watchers% *}
	wait_until "the cgroup stays" no_cgroups
	watchers=${watchers##* }
	wait_until "-G goes on without its cgroup" has_ended $watchers
	wait $watchers
	[ $? = 1 ] && grep -q "the cgroup has been removed" "$err" || fail "-G without its cgroup: $(cat "$err")"
	watchers=
}

# --- what cannot be counted is refused
# refuses WORD STATUS WORDS
refuses() {
	$batch -n 1 -d 0.1 -G "$1" >/dev/null 2>"$err" </dev/null
	[ $? = "$2" ] && grep -q -- "$3" "$err" || fail "-G $1: $(cat "$err")"
}
refuses nosuch$$ 1 'no such cgroup or container'
refuses "/perftop-test-$$/../x" 1 'no such cgroup'
refuses / 2 'every task is in this cgroup'
refuses "${cgroup##*/},nosuch$$" 1 "nosuch$$: no such cgroup"
refuses "$inner,$cgroup" 2 'would be counted twice'
refuses "$cgroup,${cgroup##*/}" 2 'would be counted twice'
$batch -n 1 -d 0.1 -G "${id:0:12}" >"$scratch/out" 2>"$err" </dev/null && grep -q "cgroup ${inner#"$mount"}" "$scratch/out" ||
	fail "not by the container's id: $(cat "$scratch/out" "$err")"

$batch -n 1 -d 0.1 -G "$cgroup,$beside" >"$scratch/out" 2>"$err" </dev/null &&
	grep -q "cgroup ${cgroup#"$mount"}, ${beside#"$mount"}" "$scratch/out" || fail "not two: $(cat "$scratch/out" "$err")"

$batch -n 1 -d 0.1 -G "$cgroup,$beside" -C 0 >"$scratch/out" 2>"$err" </dev/null &&
	grep -q "cgroup ${cgroup#"$mount"}, ${beside#"$mount"} on CPU 0" "$scratch/out" || fail "not on one CPU: $(cat "$scratch/out" "$err")"

# --- one of two is removed
gone=$mount/perftop-gone-$$
mkdir "$gone"
rm "$scratch/out"
$batch -d 0.2 -G "$gone,$beside" >"$scratch/out" 2>"$err" </dev/null &
watchers=$!
wait_lines "$scratch/out" 2 $watchers
rmdir "$gone"
wait_until "that one is removed is not said" grep -q "${beside#"$mount"} (1 removed)" "$scratch/out"
kill $watchers
wait $watchers
watchers=

# --- the same as in the rows of the whole machine
for name in $switching $other $outside; do
	install -m 755 "$TOOLS/pingpong" "$scratch/$name"
done
for cgroups in "$cgroup" "$cgroup,$beside"; do
	for try in $(seq $TRIES); do
		compare "$cgroups"
		[ -n "$differences" ] || break
		[ "$unaccounted" != 0 ] || fail "differs where nothing is unaccounted$differences"
	done
	[ -z "$differences" ] || fail "unaccounted $unaccounted s$differences"
done
report
