# A recording of functions whose instructions per cycle differ, for tests/data; one CPU, where an instruction takes
# a nanosecond.

functions &
first=$!
sleep 1
perftop --no-config -b --view functions --format json -d 0.25 -n 4 -p $first -w /out/functions.data >/dev/null
kill $first
exit 0
