# A budget that bites: two threads wake each other as fast as they can, beside two spinners, so that readings
# cost a good deal; then a storm of short tasks; then other events by keys. check_budget.c knows
# what must come out.

spin w175m40 0 &
first=$!
spin w033m120 0 &
second=$!
named $first w175m40
named $second w033m120
watch budget $batch -d 1 --budget 8%
# the budget begins to bite while they switch: from then on other groups count
pingpong 3 0 threads switches >/out/sleeps
charged storm forkstorm 60 5 w150m80 >/out/storm
intervals 1
enough
kill $second

# Which events are counted changes, by keys, while two threads switch.
opens 100 30 '-d 0.5 --record /out/changes.data'
shows changes.txt w175m40
pingpong 1 0 threads switches >/out/changes.sleeps &
switching=$!
sleep 0.2
types : 'event branches' Enter
for i in 1 2; do
	sleep 0.2
	types L
done
wait $switching
sleep 0.6
leaves
run changes $batch -i /out/changes.data
rm /out/changes.data
kill $first
exit 0
