# Threads in known states (tests/screens/states.c): a recording of two intervals.
states /tmp/own &
sleep 1
perftop --no-config -b -H -p $! -c states -d 0.5 -n 3 -w /out/states.data >/out/states.text
kill $!
