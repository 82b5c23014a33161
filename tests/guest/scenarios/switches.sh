# Switches one by one where counters follow a known law: two spinners of different rates that share
# a CPU, tasks of known shapes, yields, nobody's own process, the screen. The unit has counters for two
# perftops at once. check_switches.c knows what must come out.

lines='perftop -b --view switches --format json'

spin w250m40 0 &
first=$!
spin w033m120 0 &
second=$!
named $first w250m40
named $second w033m120
watch spinners $lines -d 1
told '"out":{[^}]*"w250m40"' 60
told '"out":{[^}]*"w033m120"' 60
enough
watch preempted $lines -d 1 -f 'kind = preempted && slice > 1ms'
intervals 30
enough
run text perftop -b --view switches -d 1 -n 1

# --- the screen
opens 150 30
shows tui-tasks.txt w250m40
types 3
shows tui-log.txt 'w250m40.*preempted.*2\.50'
leaves
kill $first $second

# --- whole lives, told of by switches and by tasks
perftop -b --format json -d 1 >/out/tasks.out 2>/out/tasks.err &
tasks=$!
$lines -d 1 >/out/shapes.out 2>/out/shapes.err &
switches=$!
# those whom they watch take both CPUs, and after a pause of the emulator whoever ran then has to wait for the others
renice -n -19 -p $tasks $switches >/dev/null
watcher=$switches watched=shapes
told .
watcher=$tasks watched=tasks
told .
shapes /out/facts 5
intervals 2
# whose line is of a later time is told of after all that came before
end=$(sed -n 's/^end - //p' /out/facts)
until [ "$(tail -n 2 /out/shapes.out | sed -n '1s/.*"time_ns":\([0-9]*\),.*/\1/p')" -gt "$end" ]; do
	sleep 0.2
done
kill $tasks $switches
wait $tasks
echo $? >/out/tasks.status
wait $switches
echo $? >/out/shapes.status

# --- the same lives seen both ways at once: by sched_switch, and, where there is no tracefs, by a software
# event and switch records
perftop -b --format json -d 1 >/out/tracepoint.out 2>/out/tracepoint.err &
tracepoint=$!
unshare -m sh -c 'umount /sys/kernel/tracing && perftop check >/out/software.check; exec perftop -b --format json -d 1' \
	>/out/software.out 2>/out/software.err &
software=$!
for seen in tracepoint software; do
	watched=$seen
	eval watcher=\$$seen
	told .
done
spin w250m40 0 2 >/dev/null &
pingpong 1 0 >/dev/null
wait $!
intervals 2
kill $tracepoint $software
wait $tracepoint
echo $? >/out/tracepoint.status
wait $software
echo $? >/out/software.status

# --- nobody, where own tasks may be watched
echo 2 >/proc/sys/kernel/perf_event_paranoid
asuser 65534 pingpong 600 1 >/dev/null &
until [ "$(pidof pingpong | wc -w)" = 2 ]; do sleep 0.1; done
run nobody asuser 65534 $lines -d 1 -n 2 -p $(pidof pingpong | tr ' ' ,)
exit 0
