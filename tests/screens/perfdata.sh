#!/bin/bash
# perfdata.sh CHECKER: recordings of perf record, made with many of its command lines, as our reader
# sees them and as perf script does (check_perfdata.c).
#
# Needs root, perf (Debian: linux-perf) and tracefs; not run otherwise. No unit of counters is needed:
# software events and tracepoints have everything that a record can hold but branches.
. "$(dirname "$0")/kit.sh"
needs root perf
with_tracefs "$0" "$@"
CHECK=$(realpath "$1")
cd "$scratch" || exit 1
agreed=0 refused=0

# Of those that are there already, perf writes what it finds where they are mounted: in a chroot they may not be.
cgroup=
grep -q ' cgroup2 ' /proc/self/mounts && cgroup=CGROUP

# Births, deaths, names, maps, faults and switches in a few milliseconds.
work=(sh -c 'ls -l /usr/bin >/dev/null; sleep 0.01')

dump() { perf script -D -F event -i "$1" >dump 2>script.err; }

compare() { # NAME FILE [TYPE...]; dumped already
	local name=$1 file=$2
	shift 2
	if "$CHECK" "$file" dump "$@" >said 2>&1; then
		agreed=$((agreed + 1))
		echo "$name: $(tail -n 1 said)"
	else
		failures=$((failures + 1))
		echo "FAILED: $name"
		cut -c -1000 said
		head -n 3 script.err
	fi
	rm -f dump
}

record() { # TYPES PERF'S OPTIONS...; the work is run behind them
	local types=$1 _
	shift
	rm -f data
	if ! perf record -q -o data "$@" -- "${work[@]}" >record.out 2>&1; then
		refused=$((refused + 1))
		echo "perf record $*: refused here: $(head -n 1 record.out)"
		return
	fi
	# Where another perf counts the same software event, the kernel may write that one's id into a
	# sample, and perf itself gives up (perftop does not): once more, then.
	for _ in 1 2 3 4; do
		dump data
		grep -q 'failed to process' script.err || break
		sleep 1
		perf record -q -o data "$@" -- "${work[@]}" >record.out 2>&1
	done
	# shellcheck disable=SC2086
	compare "perf record $*" data $types
}

# Through a pipe that is still being written, and the same bytes from a file.
pipe() { # TYPES PERF'S OPTIONS...
	local types=$1
	shift
	perf record -q -o - "$@" -- "${work[@]}" 2>record.out >data
	dump data
	# shellcheck disable=SC2086
	compare "perf record -o - $* (a file)" data $types
	perf script -D -F event -i - <data >dump 2>script.err
	# shellcheck disable=SC2086
	if (cat data; sleep 0.1) | "$CHECK" - dump $types >said 2>&1; then
		agreed=$((agreed + 1))
		echo "perf record -o - $* (a pipe): $(tail -n 1 said)"
	else
		failures=$((failures + 1))
		echo "FAILED: perf record -o - $* (a pipe)"
		cut -c -1000 said
	fi
}

# Counted in ns: a period of 1 would be a sample every 10 us, of which there are no end.
clock='-e cpu-clock'
# shellcheck disable=SC2086
{
	record 'SAMPLE COMM MMAP2 EXIT' $clock
	record 'SAMPLE FORK EXIT' $clock -a
	record 'SAMPLE' $clock -g
	record 'SAMPLE' $clock -a -g
	record 'SAMPLE' $clock --call-graph dwarf,1024
	record 'SAMPLE' $clock -I
	record 'SAMPLE' $clock --user-regs=ip,sp
	record 'SAMPLE SWITCH_CPU_WIDE' $clock -a --switch-events
	record 'SAMPLE SWITCH' $clock --switch-events
	record 'SAMPLE' -e cpu-clock/period=100000/,context-switches,page-faults -c 1
	record 'SAMPLE' -a -e cpu-clock -e sched:sched_switch -e sched:sched_wakeup
	record 'SAMPLE' -a -e sched:sched_switch --filter 'prev_pid != 0'
	record 'SAMPLE' -c 1 -e raw_syscalls:sys_enter,sched:sched_switch -m 1024
	record 'SAMPLE' -e '{cpu-clock,context-switches,page-faults}:S'
	record 'SAMPLE' -a -c 1 -e '{context-switches,cpu-clock,page-faults}:S' --switch-events
	record 'SAMPLE' -a -e '{context-switches/period=1/,task-clock}:S' -e page-faults
	record 'SAMPLE' -d -e page-faults -c 1
	record 'SAMPLE' --data --phys-data --data-page-size --code-page-size -e page-faults -c 1
	record 'SAMPLE' $clock -W
	record 'SAMPLE' $clock --transaction
	record 'SAMPLE' $clock -c 100000
	record 'SAMPLE' $clock -F 5000
	record 'SAMPLE' $clock --per-thread
	record 'SAMPLE' $clock -C 0
	record 'SAMPLE' $clock --sample-cpu
	record 'SAMPLE' $clock -T
	record 'SAMPLE' $clock -P
	record 'SAMPLE' -R -e sched:sched_switch
	record 'SAMPLE' $clock --sample-identifier
	record 'SAMPLE' $clock -k CLOCK_MONOTONIC
	record 'SAMPLE' $clock -a --clockid=boottime
	record 'SAMPLE' $clock -z
	record 'SAMPLE SWITCH_CPU_WIDE' -a -c 1 -e sched:sched_switch --switch-events -z19
	record 'SAMPLE NAMESPACES' $clock --namespaces
	record "SAMPLE $cgroup" $clock -a --all-cgroups
	record 'SAMPLE' $clock -i
	record 'SAMPLE' $clock --inherit
	record 'SAMPLE' $clock -a --tail-synthesize
	record 'SAMPLE' $clock -a --overwrite --tail-synthesize
	record 'SAMPLE' $clock --running-time
	record 'COMM READ' $clock -n -s
	record 'SAMPLE' $clock --buildid-mmap
	record 'SAMPLE' $clock --timestamp-boundary
	record 'SAMPLE' -e cpu-clock:u,cpu-clock:k
	record 'SAMPLE' $clock --aio
	record 'SAMPLE' -b
	pipe 'SAMPLE COMM' $clock
	pipe 'SAMPLE SWITCH_CPU_WIDE' -a -c 1 -e sched:sched_switch,cpu-clock/period=1000000/ --switch-events
	pipe 'SAMPLE' -a -e '{cpu-clock,context-switches}:S'
	pipe 'SAMPLE' $clock -z
}

# Some that already run.
sleep 5 &
rm -f data
perf record -q -o data -e context-switches -c 1 -p $$ -- sleep 0.2 >/dev/null 2>&1 && dump data && compare 'perf record -p' data COMM

# A recording that was killed holds what was written before; perf dumps it as far as there is.
rm -f data
# shellcheck disable=SC2086
perf record -q -o data -a $clock -- sleep 600 >/dev/null 2>&1 &
watcher=$!
wait_until "perf records nothing" test -s data
sleep 1
command=$(pgrep -P $watcher)
kill -9 $watcher 2>/dev/null
wait $watcher 2>/dev/null
# shellcheck disable=SC2086
kill $command 2>/dev/null
if "$CHECK" data /dev/null SAMPLE 2>&1 | grep -q 'the recording is incomplete'; then
	echo "perf record, killed: says so"
else
	failures=$((failures + 1))
	echo "FAILED: perf record, killed"
fi

echo "$agreed recordings agree, $refused refused by perf, $failures failures"
[ $failures = 0 ] && [ $agreed -ge 20 ]
