# Enough counters for all events: rates, books, order, attaching by keys, an unprivileged user,
# a CPU that comes and goes, lost records. check_rates.c knows what must come out.

# --- two spinners and many short lives
spin w250m40 0 &
first=$!
spin w050m120 1 &
second=$!
named $first w250m40
named $second w050m120
watch rates $batch -d 1
charged storm forkstorm 300 5 w150m80 >/out/storm
intervals 2
enough

# --- the screen: attach to the first spinner by keys
opens 140 40
shows tui-all.txt '2\.50 *20\.0.*w250m40' '0\.50 *20\.0.*w050m120'
# only the rows are to name the other one then
for line in 'pane off' 'verdict off'; do
	types :
	types "$line"
	types Enter
done
types a
shows tui-prompt.txt Attach
types $first
shows tui-prompt.txt "^ *$first  *spin"
types Enter
shows tui-prompt.txt "attached: w250m40 $first"
types M
gone w050m120
shows tui-attached.txt 'MISS%▼' '2\.50 *20\.0 *40\.0.*w250m40'
types A
shows tui-back.txt '2\.50.*w250m40' '0\.50.*w050m120'
types 2
# in an interval in which each spinner has a good part of its CPU
shows tui-cpus.txt 'BUSY' '^ *0 .* \(1\.[5-9]\|2\.[0-5]\)[0-9]* *20\.0' '^ *1 .* 0\.[5-7][0-9]* *20\.0'
leaves
echo $first >/out/first.pid

# --- order. From here on CPUs are not kept busy for longer than it takes.
kill $first $second
spin w250m40 0 0 rests &
first=$!
spin w050m120 1 0 rests &
second=$!
named $first w250m40
named $second w050m120
spin w100m50r10 0 0 rests &
third=$!
spin w100m20r60 1 0 rests &
fourth=$!
named $third w100m50r10
named $fourth w100m20r60
run sort-miss $batch -d 1 -n 1 -s miss%
run sort-ipc $batch -d 1 -n 1 -s ipc
run sort-mpki $batch -d 1 -n 1 -s mpki
run sort-ipc-up $batch -d 1 -n 1 -s +ipc
kill $third $fourth

# --- a CPU goes and comes back
watch hotplug $batch -d 0.5
echo 0 >/sys/devices/system/cpu/cpu1/online
echo $? >/out/offline.status
intervals 3
echo 1 >/sys/devices/system/cpu/cpu1/online
taskset -p 2 $second >/dev/null
intervals 4
enough
kill $first $second

# --- somebody else takes so many counters of CPU 0 that the group does not fit any more
spin w250m40 0 0 rests &
first=$!
named $first w250m40
watch crowded $batch -d 1
hog 0 4 &
other=$!
intervals 3
kill $other
intervals 2
enough
kill $first

# --- a command that is counted from its first instruction
run command perftop -b --format json -d 1 -n 600 -o /out/command.jsonl -- \
	sh -c 'spin w200m30 - 1.5; exit 7'

run children perftop -b --format json -d 1 -n 600 -o /out/children.jsonl -- \
	forkstorm 100 5 w150m80

# --- one process by its pid, with threads that come later and go at once
mkfifo go
mkdir /sys/fs/cgroup/threads
echo 0 >/sys/fs/cgroup/threads/cgroup.procs
threadstorm 200 5 w150m80 <go >/out/threads &
storm=$!
echo 0 >/sys/fs/cgroup/cgroup.procs
exec 5>go
named $storm w150m80
watch threads $batch -d 1 -p $storm
before=$(usage threads)
echo >&5
until [ -s /out/threads ]; do sleep 0.2; done
intervals 2
echo $(($(usage threads) - before)) >/out/threads.charged
enough
exec 5>&-

# --- nobody, where only one's own tasks may be watched
spin w250m40 0 0 rests &
first=$!
named $first w250m40
chmod 777 /out
for level in 2 3; do
	echo $level >/proc/sys/kernel/perf_event_paranoid
	asuser 65534 spin w050m120 1 0 rests &
	own=$!
	named $own w050m120
	run nobody-$level asuser 65534 $batch -d 1 -n 2
	run nobody-own-$level asuser 65534 $batch -d 1 -n 1 -p $own
	run nobody-foreign-$level asuser 65534 $batch -d 1 -n 1 -p $first
	[ $level = 2 ] && run nobody-children asuser 65534 perftop -b --format json -d 1 -n 600 \
		-o /out/nobody-children.jsonl -- forkstorm 60 5 w150m80
	run nobody-check-$level asuser 65534 perftop check
	# 38: CAP_PERFMON, which Debian's kernel accepts up to level 2 only
	run capable-$level asuser 65534:38 $batch -d 1 -n 1
	run capable-check-$level asuser 65534:38 perftop check
	kill $own
done
echo 2 >/proc/sys/kernel/perf_event_paranoid
kill $first

# --- lost records: the reader is stopped while two threads switch as fast as they can
watch lost $batch -d 1
lose
intervals 3
enough
watch lost-text perftop -b -d 1
lose
told 'lost [1-9]'
enough
watch lost-software without_tracefs $batch -d 1
lose
intervals 3
enough

# --- tracefs goes away under it, and then a CPU comes that was not there
watch vanished unshare -m sh -c 'perftop -b --format json -d 1 & child=$!
	until [ -e /tmp/vanish ]; do sleep 0.2; done
	umount -l /sys/kernel/tracing && touch /tmp/vanished
	wait $child'
echo 0 >/sys/devices/system/cpu/cpu1/online
touch /tmp/vanish
until [ -e /tmp/vanished ]; do sleep 0.2; done
echo 1 >/sys/devices/system/cpu/cpu1/online
intervals 2
spin w250m40 1 &
spinner=$!
named $spinner w250m40
intervals 3
kill $spinner
enough
run check perftop check
exit 0
