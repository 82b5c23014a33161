#!/bin/bash
# perfreads.sh WRITES: recordings with known records, read by perf of Linux: no word on standard
# error, and as many records of each type, samples of each task and events as were written. Whole
# files, those of a writer that was killed, pipes; compressed and not; with more events from the
# middle on; on a disk that is too small.
. "$(dirname "$0")/kit.sh"
WRITES=$(realpath "$1")
needs perf
perf version --build-options 2>/dev/null | grep -q 'zstd: \[ on' && zstd=1 || zstd=
at_end() { ! mountpoint -q "$scratch/small" || umount "$scratch/small"; }
cd "$scratch" || exit 1
export HOME=$scratch PAGER=cat

# What perf says about the recording `in`, to the file `out`; it comes by a pipe where $by is one.
by=file
read_it() {
	if [ $by = pipe ]; then
		perf "$@" -i - <in >out 2>err
	else
		perf "$@" -i in >out 2>err
	fi
	local status=$?
	[ $status = 0 ] || fail "$what: perf $*: status $status"
	[ ! -s err ] || fail "$what: perf $*: $(head -n 5 err)"
}

# Records by type. Where the kernel lies is the writer's own.
check_types() {
	read_it script -D
	grep -E 'PERF_RECORD_' out | grep -v 'kernel\.kallsyms' |
		grep -oE 'PERF_RECORD_[A-Z0-9_]+' | sort | uniq -c |
		awk '{ sub("PERF_RECORD_", "", $2); print "type", $2, $1 }' |
		grep -vE ' (ATTR|EVENT_TYPE|EVENT_UPDATE|FEATURE|TRACING_DATA|FINISHED_ROUND|COMPRESSED|BUILD_ID) ' |
		sort >found
	grep '^type ' told | sort >wanted
	diff found wanted >differ || fail "$what: records (< perf, > written): $(cat differ)"
}

check_tasks() {
	read_it script -F tid,event
	awk '$2 == "context-switches:" { n[$1]++ } $2 == "perftop:" { notes++ }
		END { for (t in n) print "task", t, n[t]; print "notes", notes + 0 }' out | sort >found
	grep -E '^(task|notes) ' told | sort >wanted
	diff found wanted >differ || fail "$what: samples (< perf, > written): $(cat differ)"
}

# The rest may say what it likes, as long as it has nothing to complain of.
check_reports() {
	read_it script
	[ "$(wc -l <out)" -gt 100 ] || fail "$what: perf script has $(wc -l <out) lines"
	read_it report --stdio
	grep -q 'task 3' out || fail "$what: perf report does not know task 3"
	read_it evlist -v
	[ $by = pipe ] || check_events
	read_it report --header-only
	grep -q '# hostname' out || fail "$what: the header has no host"
}

check_events() {
	local name
	for name in perftop timeline context-switches page-faults cycles:u 'energy, "all"' \
		uprobe:/bin/true:main sched:sched_wakeup $more; do
		grep -qF "$name: " out || fail "$what: perf evlist does not know $name"
	done
	[ "$tracefs" = no ] || grep -qE '^sched:sched_wakeup: type: 2,' out ||
		fail "$what: sched_wakeup is no tracepoint"
	[ "$(grep -c 'sample_type' out)" = $((8 + $(echo $more | wc -w))) ] ||
		fail "$what: perf evlist has other events: $(cut -d: -f1 out)"
}

check() { # LEVEL HOW
	local rounds=10
	more=
	[ "$2" != grow ] || more="holder major-faults task-clock"
	what="$by, level $1, $2"
	rm -f in in.old
	if [ $by = pipe ]; then
		{ "$WRITES" - "$1" $rounds "$2" 2>told | cat >in; } 2>/dev/null
	else
		{ "$WRITES" in "$1" $rounds "$2" 2>told; } 2>/dev/null
	fi
	grep -q '^type SAMPLE' told || fail "$what: $(head -n 3 told)"
	check_types
	check_tasks
	check_reports
}

tracefs=no
[ ! -r /sys/kernel/tracing/events/sched/sched_wakeup/format ] || tracefs=yes
for by in file pipe; do
	for how in end die grow; do
		check 0 $how
		[ -z "$zstd" ] || "$WRITES" /dev/null 1 0 2>/dev/null && check 1 $how
	done
done
by=file
[ -z "$zstd" ] || check 19 grow

# perf tells how many there are by itself, too, and of this machine what it tells of its own files.
check 0 end
read_it report --stats
grep -qE 'SAMPLE events: +811 ' out || fail "perf report --stats counts other samples"
facts() { grep -E '^# (hostname|os release|arch|nrcpus .*|cpudesc|cpuid|total memory|pmu mappings|sibling (sockets|threads) *|CPU [0-9]+) ?:' |
	sed 's/Die ID [0-9]*, //; s/pmu mappings: /&\n/; s/, /\n/g' | sort; }
read_it report --header-only -I
facts <out >found
if perf record -q -e dummy -o own true >/dev/null 2>&1; then
	perf report --header-only -I -i own 2>/dev/null | facts >wanted
	diff found wanted >differ || fail "the machine (< ours, > perf's): $(cat differ)"
fi
perf buildid-list -i in 2>err | grep -qE '^[0-9a-f]{16,40} /bin/true$' ||
	fail "the build id of /bin/true is missing"
[ ! -s err ] || fail "perf buildid-list: $(head -n 3 err)"

# What is there is moved out of the way; what cannot be written is refused.
cp in before
"$WRITES" in 0 1 2>/dev/null || fail "cannot write over a file"
cmp -s in.old before || fail "the file of before was not moved to in.old"
"$WRITES" . 2>err && fail "a directory was written"
grep -q 'directory' err || fail "a directory: $(cat err)"

# A full disk ends a recording, and perf reads what there is, by names.
mkdir small
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=300k none small 2>/dev/null; then
	"$WRITES" small/in 0 100 2>told && fail "a full disk went unnoticed"
	tail -n 1 told | grep -q 'No space left' || fail "a full disk: $(tail -n 1 told)"
	cp small/in in
	what="full disk"
	read_it script -F tid,event
	[ "$(grep -c context-switches out)" -gt 800 ] || fail "full disk: most of it is missing"
	read_it report --stdio
	umount small
fi

report
