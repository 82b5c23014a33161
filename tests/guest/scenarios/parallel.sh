# Latency and parallelism of a program of four threads on four CPUs, one of which works alone in a quarter of the time,
# beside what the kernel's own trace says of when each was on a CPU: here the emulator takes time that the threads cannot
# see themselves. What differs is printed.

columns=tid,command,lat_pct,par
trace=/sys/kernel/tracing
parallel /out/own >/out/offset &
program=$!
named $program pa-0
echo mono >$trace/trace_clock
echo 16384 >$trace/buffer_size_kb
echo 'prev_comm ~ "pa-*" || next_comm ~ "pa-*"' >$trace/events/sched/sched_switch/filter
echo 1 >$trace/events/sched/sched_switch/enable
perftop -b --format csv -H -p $program -d 1 -n 12 -c $columns -w /out/data >/out/csv || exit 1
echo 0 >$trace/events/sched/sched_switch/enable
perftop --format csv -i /out/data -c pid,${columns#*,} >/out/process || exit 1
kill $program
wait $program
awk -v offset=$(cat /out/offset) '
/ sched_switch: / {
	match($0, / [0-9]+\.[0-9]+: sched_switch/)
	time = offset + substr($0, RSTART + 1)
	match($0, /prev_comm=[^ ]*/)
	prev = substr($0, RSTART + 10, RLENGTH - 10)
	match($0, /next_comm=[^ ]*/)
	next_one = substr($0, RSTART + 10, RLENGTH - 10)
	if (prev in begin)
		printf "%s %.6f %.6f\n", prev, begin[prev], time
	delete begin[prev]
	if (next_one ~ /^pa-/)
		begin[next_one] = time
}' $trace/trace >/out/slices
compare_parallel.sh /out/slices /out/csv 0 >/out/differences
compare_parallel.sh /out/slices /out/process 0 process >>/out/differences
cat /out/differences
[ ! -s /out/differences ]
