# Enough counters for all events: rates, books, order, attaching by keys, an unprivileged user,
# a CPU that comes and goes, lost records. check_rates.c knows what must come out.

# --- two spinners and many short lives
spin w250m40 0 &
first=$!
spin w050m120 1 &
second=$!
sleep 0.5
watch rates $batch -d 1
forkstorm 300 5 w150m80 >/out/storm
intervals 2
enough

# shows FILE WORDS: keeps the screen as soon as a line has the words, or as it is in the end.
shows() {
	for i in $(seq 40); do
		tmux capture-pane -p -t t >/out/$1
		grep -q "$2" /out/$1 && grep -q 'F1 help' /out/$1 && return
		sleep 0.3
	done
}

# --- the screen: attach to the first spinner by keys
tmux -u -f /dev/null new-session -d -s t -x 140 -y 40 'perftop -d 1; echo "left $?" >/out/tui.left'
sleep 3
shows tui-all.txt w050m120
tmux send-keys -t t a
sleep 0.5
tmux send-keys -t t $first
sleep 0.5
tmux capture-pane -p -t t >/out/tui-prompt.txt
tmux send-keys -t t Enter
sleep 0.5
tmux send-keys -t t M
sleep 3
shows tui-attached.txt w250m40
tmux send-keys -t t A
sleep 2
shows tui-back.txt w050m120
tmux send-keys -t t 2
sleep 1.5
tmux capture-pane -p -t t >/out/tui-cpus.txt
tmux send-keys -t t q
sleep 1
tmux kill-server 2>/dev/null
echo $first >/out/first.pid

# --- order
spin w100m50r10 0 &
third=$!
spin w100m20r60 1 &
fourth=$!
sleep 0.3
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
spin w250m40 0 &
first=$!
watch crowded $batch -d 1
hog 0 4 3
intervals 2
enough
kill $first

# --- a command that is counted from its first instruction
run command perftop -b --format json -d 1 -n 5 -o /out/command.jsonl -- \
	sh -c 'spin w200m30 - 1.5; exit 7'

run children perftop -b --format json -d 1 -n 20 -o /out/children.jsonl -- \
	forkstorm 100 5 w150m80

# --- one process by its pid, with threads that come later and go at once
mkfifo go
threadstorm 200 5 w150m80 <go >/out/threads &
storm=$!
exec 5>go
sleep 0.3
watch threads $batch -d 1 -p $storm
echo >&5
until [ -s /out/threads ]; do sleep 0.2; done
intervals 2
enough
exec 5>&-

# --- nobody, where only one's own tasks may be watched
spin w250m40 0 &
first=$!
chmod 777 /out
for level in 2 3; do
	echo $level >/proc/sys/kernel/perf_event_paranoid
	asuser 65534 spin w050m120 1 &
	own=$!
	sleep 0.3
	run nobody-$level asuser 65534 $batch -d 1 -n 2
	run nobody-own-$level asuser 65534 $batch -d 1 -n 1 -p $own
	run nobody-foreign-$level asuser 65534 $batch -d 1 -n 1 -p $first
	[ $level = 2 ] && run nobody-children asuser 65534 perftop -b --format json -d 1 -n 20 \
		-o /out/nobody-children.jsonl -- forkstorm 60 5 w150m80
	run nobody-check-$level asuser 65534 perftop check
	kill $own
done
echo 2 >/proc/sys/kernel/perf_event_paranoid
kill $first

# --- lost records: the reader is stopped while two tasks switch as fast as they can
lose() { # SECONDS
	pid=$(pidof perftop)
	kill -STOP $pid
	pingpong $1 0
	kill -CONT $pid
}
watch lost $batch -d 1
lose 5
intervals 3
enough
watch lost-text perftop -b -d 1
lose 4
sleep 2.5
enough
run check perftop check
exit 0
