# Recordings for tests/data, small ones; tests/data/make.sh keeps them. Programs of different nature on two
# CPUs; their rates are made up, the rest is what a kernel does.

spin w250m8 0 &
spin w031m48 1 &
spin w092m15 - &
(for i in 1 2 3 4 5 6 7 8 9; do forkstorm 6 5 w120m3; sleep 0.3; done >/dev/null) &
sleep 2

# ten intervals, six events by readings
perftop --no-config -b --format json -d 0.5 -n 10 -w /out/guest.data >/out/guest.json
# four counters for nine events: they take turns; and one of them is added in the middle
echo 4 >/sys/module/ratepmu/parameters/counters
perftop --no-config -b --format json -d 0.5 -n 6 -e branches,bus-cycles,ref-cycles \
	-w /out/turns.data >/out/turns.json
echo 8 >/sys/module/ratepmu/parameters/counters
# perf's: readings at switches, a plain profile, and one through a pipe
perf record -q -a -k CLOCK_MONOTONIC --switch-events \
	-e '{context-switches/period=1/,cycles,instructions,cache-misses}:S' -o /out/perf-readings.data \
	sleep 2
perf record -q -a -F 199 -e cpu-clock,page-faults -o /out/perf-profile.data sleep 3
perf record -q -a -F 99 -g -e cpu-clock -o - sleep 2 >/out/perf-pipe.data
exit 0
