# Switches one by one where counters follow a known law: two spinners of different rates that share
# a CPU, tasks of known shapes, yields, nobody's own process, the screen. The unit has counters for two
# perftops at once. check_switches.c knows what must come out.

lines='perftop -b --view switches --format json'

spin w250m40 0 &
first=$!
spin w033m120 0 &
second=$!
sleep 0.5
run spinners $lines -d 1 -n 4
run preempted $lines -d 1 -n 2 -f 'kind = preempted && slice > 1ms'
run text perftop -b --view switches -d 1 -n 1

# --- the screen
tmux -u -f /dev/null new-session -d -s t -x 150 -y 30 'perftop -d 1; echo "left $?" >/out/tui.left'
shows() { # FILE WORDS: keeps the screen as soon as a line has the words, or as it is in the end
	for i in $(seq 40); do
		tmux capture-pane -p -t t >/out/$1
		grep -q "$2" /out/$1 && return
		sleep 0.3
	done
}
shows tui-tasks.txt w250m40
tmux send-keys -t t 3
shows tui-log.txt 'w250m40.*preempted.*2\.50'
tmux send-keys -t t q
for i in $(seq 30); do
	[ -s /out/tui.left ] && break
	sleep 0.3
done
tmux kill-server 2>/dev/null
kill $first $second

# --- whole lives, told of by switches and by tasks
perftop -b --format json -d 1 >/out/tasks.out 2>/out/tasks.err &
tasks=$!
$lines -d 1 >/out/shapes.out 2>/out/shapes.err &
switches=$!
for i in $(seq 60); do
	[ -s /out/tasks.out ] && [ -s /out/shapes.out ] && break
	sleep 0.3
done
shapes /out/facts 3
sleep 3
kill $tasks $switches
wait $tasks
echo $? >/out/tasks.status
wait $switches
echo $? >/out/shapes.status

# --- nobody, where own tasks may be watched
echo 2 >/proc/sys/kernel/perf_event_paranoid
asuser 65534 pingpong 20 1 >/dev/null &
sleep 0.5
run nobody asuser 65534 $lines -d 1 -n 2 -p $(pidof pingpong | tr ' ' ,)
exit 0
