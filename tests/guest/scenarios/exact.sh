# Counts per task are exactly what a program did: calls, returns, writes, faults, signals, and only what passes a
# filter; the whole machine watched, one process picked out of it, and a command from its start; and so is how long
# a task waits for which lock. check_exact.c compares. Events that need no hardware counter, so that the same holds everywhere.

exactly=$(command -v exactly)
events="page-faults,mem:$(exactly --cell)/4:w,uprobe:$exactly:exact_call,uretprobe:$exactly:exact_call"
events="$events,msr/tsc/,signal:signal_generate,signal:signal_generate/sig==10/"
echo $events >/out/events
exact="$batch -H -d 0.5 -e $events"
mkfifo /tmp/fifo

has_threads() { # PID...
	[ $# = 1 ] && [ "$(ls /proc/$1/task 2>/dev/null | wc -l)" = 7 ]
}
begins() { # NAME
	exactly /tmp/fifo /out/$1.facts &
	workload=$!
	until has_threads $workload; do
		sleep 0.1
	done
}
# works NAME: does its work while perftop watches.
works() {
	intervals 1
	exec 9>/tmp/fifo
	echo >&9
	until [ -s /out/$1.facts ]; do
		sleep 0.1
	done
	intervals 2
	exec 9>&-
}

watch system $exact
begins system
works system
enough

begins pid
watch pid $exact -p $workload
works pid
enough

# From its start; its threads have their counters after the interval in which they began. What is no part of the
# output of the command goes where one says.
watch command $exact -o /out/command.out -- exactly /tmp/fifo /out/command.facts
until has_threads $(pidof exactly); do
	sleep 0.1
done
intervals 1
works command
wait $watcher

# a column that needs wake-ups brings them, in a view that does without
run wakeups perftop -b -d 0.5 -n 3 -c wakeups/s,command
grep -qE '^ +[0-9.]+k? ' /out/wakeups.out
echo $? >/out/wakeups.found

# --- tasks of milliseconds that leave the cgroup that they were born in; "brief" is gone by the time that they
# are heard of
computes() {
	set +x
	i=0
	while [ $i -lt 2000 ]; do
		i=$((i + 1))
	done
}
moves() { # NAME
	mkdir -p /sys/fs/cgroup/$1
	(
		echo 0 >/sys/fs/cgroup/$1/cgroup.procs
		computes
	)
}
echo +cpu >/sys/fs/cgroup/cgroup.subtree_control # as systemd does; without, all tasks are the root's for perf
watch moved $batch -d 2 --group-by cgroup -w /tmp/moved.data
for i in 1 2 3 4 5 6 7 8 9 10; do
	moves one
	moves two
done
moves brief
usage brief >/out/brief.charged
rmdir /sys/fs/cgroup/brief
intervals 2
enough
for name in one two; do
	usage $name >/out/$name.charged
done
run replayed $batch -d 2 --group-by cgroup -i /tmp/moved.data

# --- of eight locks one is waited for, which the program measures itself, from the intervals on that are compared
locks one </tmp/fifo >/out/locks.own &
locks=$!
exec 9>/tmp/fifo
watch locks $batch -d 0.3 -n 12 -p $locks --pairs locks -w /tmp/locks.data
told . 2
printf m >&9
wait $watcher
exec 9>&-
wait $locks
run waits $batch -H -c lock_pct -i /tmp/locks.data
exit 0
