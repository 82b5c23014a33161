#!/bin/bash
# causes.sh PERFTOP TOOLS CAUSES: something is wrong with the machine, one thing at a time and two, and perftop's line
# names it within three intervals, and of its tasks nothing else; beside tasks that share the CPUs in fairness it says
# nothing of them for a minute.
#
# Other tasks of the machine may be named, too, also as what runs while a planted one waits. Of a machine that is so
# busy that a cause is none, more intervals are looked at.
. "$(dirname "$0")/kit.sh"
needs root
CAUSES=$(realpath "$3")
err=$scratch/err
planted=
# all that CAUSES does, by the names of its tasks
names='forker|locked|ping|pong|victim|hog|faulter|syncer|fair'
mount=/sys/fs/cgroup/cpu
[ ! -e /sys/fs/cgroup/cgroup.controllers ] || mount=/sys/fs/cgroup
limited=$mount/perftop-causes-$$
end_planted() {
	[ -z "$planted" ] || { kill -9 $planted; wait $planted; } 2>/dev/null
	planted=
}
at_end() {
	end_planted
	rmdir "$limited" 2>/dev/null
}
show() { head -c 2000 "$scratch/said" | sed 's/^/    verdict: /'; }

plant() { # KIND [FILE]
	"$CAUSES" "$@" >/dev/null 2>&1 &
	planted="$planted $!"
}

# A line for each sentence that was said in so many intervals, behind those that were said before.
verdicts() { # INTERVALS [OPTION...]
	"$PERFTOP" --no-config --format json -d 1 -n "$@" 2>"$err" </dev/null |
		sed -n 's/.*"verdict":"\([^"]*\)".*/\1/p' | sed 's/; /\n/g' | tr -d '\\' >>"$scratch/said"
}

says() { # PATTERN...
	local pattern
	verdicts 3
	for pattern; do
		grep -Eq "$pattern" "$scratch/said" || return
	done
}

# Sentences about planted tasks that wait for no others; others may wait for them.
about_planted() {
	grep -E "(^|[ :])($names)( |\$)" "$scratch/said" |
		grep -E "((^| )($names) .* a CPU: ($names)\$|^[^:]*\$)"
}

# names_cause WHAT PATTERN...: what was planted, and of its tasks nothing else
names_cause() {
	local what=$1 pattern
	shift
	: >"$scratch/said"
	if wait_until "$what: is not named" says "$@"; then
		pattern=$(IFS='|'; echo "$*")
		! about_planted | grep -Ev "$pattern" || fail "$what: something else is named, too"
	fi
	end_planted
}

forks='^forker starts [0-9]+ processes/s'
lock='^[2-9] threads of locked contend for a lock'
pingpong='^(ping and pong|pong and ping) wake each other [0-9]+ times/s'
preempted='^victim waits [0-9.]+ % of the time for a CPU: ' # it need not be the hog, of several
faults='^faulter has [0-9]+ page faults/s'
fair_s=60
[ -z "${PERFTOP_TEST_SHORT:-}" ] || fair_s=20 # the guest tests have minutes of it
disk='^syncer waits [0-9.]+ % of the time for (the disk|a CPU: )' # both, where another one has its CPU

# By the kernel's ticks, as perftop asks it: under some hypervisors most of what a fault takes is the program's time.
are_faults_the_kernels() {
	local ticks
	plant faults
	sleep 2
	ticks=$(awk '$14 + $15 > 0 { print (30 * $15 >= 70 * $14) + 0, $14, $15 }' "/proc/${planted# }/stat")
	end_planted
	[ "$ticks" ] || { fail "the faulter has not run"; return 1; }
	[ "${ticks%% *}" = 1 ] || { echo "not run: page faults: their ticks in the program and the kernel are ${ticks#* }"; return 1; }
}

plant forks; names_cause "short processes" "$forks"
plant lock; names_cause "a lock" "$lock"
plant pingpong; names_cause "two tasks" "$pingpong"
plant preempted; names_cause "a wait" "$preempted"
has_faults=
are_faults_the_kernels && has_faults=yes
[ -z "$has_faults" ] || { plant faults; names_cause "page faults" "$faults"; }
case $(stat -fc %T "$scratch") in
tmpfs | ramfs | overlayfs) echo "not run: fsync, for want of a disk" ;;
*)
	plant fsync "$scratch/file"
	names_cause "the disk" "$disk"
	plant fsync-beside "$scratch/file"
	names_cause "the disk on a busy CPU" "$disk"
	;;
esac
if [ "$has_faults" ]; then
	plant forks; plant faults; names_cause "processes and page faults" "$forks" "$faults"
	plant preempted; plant faults; names_cause "a wait and page faults" "$preempted" "$faults"
fi
if mkdir "$limited" 2>/dev/null && { echo 10000 >"$limited/cpu.cfs_quota_us" || echo "10000 100000" >"$limited/cpu.max"; } 2>/dev/null; then
	# what it starts is in the cgroup, too
	bash -c 'echo $$ >"$1/cgroup.procs" && exec "$2" fair' - "$limited" "$CAUSES" >/dev/null 2>&1 &
	planted=$!
	names_cause "a CPU limit" "^/${limited##*/} is held by its CPU limit [0-9]+ % of the time"
else
	echo "not run: a CPU limit, no cgroup can be made here"
fi
plant fair
: >"$scratch/said"
verdicts "$fair_s"
! about_planted || fail "fair shares are named"
end_planted
# Which function is hot is known where functions are sampled.
names_function() {
	: >"$scratch/said"
	verdicts 3 -V functions
	grep -Eq '^hot spends [0-9]+ % of its CPU time in ' "$scratch/said"
}
nice -n -15 "$TOOLS/spin" hot - 0 >/dev/null 2>&1 &
planted=$!
wait_until "a hot function is not named" names_function
report
