# The recording for tests/data of a machine without a unit of counters: two that share a CPU, one that is
# alone, short lives.

spin hungry 0 &
spin thirsty 0 &
spin alone 1 &
(for i in 1 2 3 4 5 6; do forkstorm 6 5 brief; sleep 0.3; done >/dev/null) &
sleep 2
perftop --no-config -b --format json -d 0.4 -n 6 -w /out/bare.data >/out/bare.json
exit 0
