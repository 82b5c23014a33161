# Twelve hardware events on units with 1 to 16 counters, on a unit that refuses half of them, and
# beside perf stat. Two spinners share CPU 0. check_events.c knows what must come out.

unit() { # COUNTERS ABSENT
	echo $1 >/sys/module/ratepmu/parameters/counters
	echo -n "$2" >/sys/module/ratepmu/parameters/absent
}

# seven events beside the five that are counted anyway
more=branches,bus-cycles,stalled-cycles-frontend,stalled-cycles-backend,ref-cycles
more=$more,L1-dcache-loads,L1-dcache-load-misses
# each event per ns of run time: scaled, and known by the law
all="cycles instructions cache-references cache-misses branches branch-misses bus-cycles"
all="$all stalled-cycles-frontend stalled-cycles-backend ref-cycles L1-dcache-loads"
all="$all L1-dcache-load-misses"
set -- -e $more
i=0
for event in $all; do
	i=$((i + 1))
	set -- "$@" -m "per_ns_$i = $event / run_ns"
done

spin w175m40 0 &
first=$!
spin w033m120 0 &
second=$!
sleep 0.5

run twelve $batch -d 10 -n 1 "$@"
run pid $batch -d 5 -n 1 -p $first,$second "$@"

for counters in 1 2 3 5 6 8 12 16; do
	unit $counters -
	run counters-$counters $batch -d 3 -n 1 "$@"
done

# references, branches, bus cycles, both stalls and L1 loads are not there
unit 4 rbufsl
run half $batch -d 3 -n 1 "$@"

# a group that must be counted together, and one that cannot be
unit 4 -
run braces $batch -d 2 -n 1 -c pid,command -e '{cycles,instructions,branches}'
run braces-big $batch -d 1 -n 1 -c pid,command \
	-e '{cycles,instructions,branches,bus-cycles,ref-cycles},branch-misses'

# perf stat takes three of four counters on CPU 0 for a while
watch beside $batch -d 1
perf stat -C 0 -e branches,bus-cycles,ref-cycles sleep 4 >/out/perf.out 2>&1
intervals 2
enough

# --- the screen: a metric, then an event, typed while it runs
tmux -u -f /dev/null new-session -d -s t -x 160 -y 30 'perftop -d 1; echo "left $?" >/out/tui.left'
keeps() { # FILE WORDS: the screen as soon as a line has the words, or as it is in the end
	for i in $(seq 40); do
		tmux capture-pane -p -t t >/out/$1
		grep -q "$2" /out/$1 && return
		sleep 0.3
	done
}
keeps tui-before.txt w175m40
tmux send-keys -t t : 'metric front = stalled-cycles-frontend / cycles' Enter
keeps tui-metric.txt 'w175m40.*0\.20\|0\.20.*w175m40'
tmux send-keys -t t : 'event branches' Enter
keeps tui-event.txt 'BRANCHES.*COMMAND'
sleep 3
tmux capture-pane -p -t t >/out/tui-event.txt
tmux send-keys -t t : 'event no-such-event' Enter
sleep 1
tmux capture-pane -p -t t >/out/tui-wrong.txt
tmux send-keys -t t Escape
tmux send-keys -t t : 'remove-event branches' Enter
sleep 3
tmux capture-pane -p -t t >/out/tui-removed.txt
tmux send-keys -t t q
sleep 1
tmux kill-server 2>/dev/null


kill $first $second
exit 0
