# Twelve hardware events on units with 1 to 16 counters, on a unit that refuses half of them, and
# beside perf stat. Two spinners share the CPU. check_events.c knows what must come out.

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
named $first w175m40
named $second w033m120

run twelve $batch -d 10 -n 1 "$@"
run pid $batch -d 5 -n 1 -p $first,$second "$@"

for counters in 1 2 5 8 12 16; do
	unit $counters -
	run counters-$counters $batch -d 3 -n 1 "$@"
done

# references, branches, bus cycles, both stalls and L1 loads are not there
unit 4 rbufsl
run half $batch -d 3 -n 1 "$@"
run list perftop events

# a group that must be counted together, and one that cannot be
unit 4 -
run braces $batch -d 2 -n 1 -c pid,command -e '{cycles,instructions,branches}'
run braces-big $batch -d 1 -n 1 -c pid,command \
	-e '{cycles,instructions,branches,bus-cycles,ref-cycles},branch-misses'

# perf stat takes three of four counters on CPU 0 for a while
watch beside $batch -d 1
perf stat -C 0 -e branches,bus-cycles,ref-cycles >/out/perf.out 2>&1 &
other=$!
intervals 4
told '"reason":"[^"]*perf'
kill -INT $other
wait $other
intervals 2
enough

# --- the screen: a metric, then an event, typed while it runs
opens 160 30
shows tui-before.txt w175m40
types : 'metric front = stalled-cycles-frontend / cycles' Enter
shows tui-metric.txt 'FRONT.*COMMAND' '0\.20.*w175m40'
types : 'event branches' Enter
shows tui-event.txt 'FRONT.*BRANCHES.*COMMAND'
types : 'event no-such-event' Enter
shows tui-wrong.txt 'no-such-event.*unknown' w175m40
types Escape
gone '^:'
types : 'remove-event branches' Enter
gone BRANCHES
shows tui-removed.txt '1\.75.*0\.20.*w175m40'
leaves

kill $first $second
exit 0
