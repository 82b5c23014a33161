# Four counters for five hardware events: groups take turns. Two spinners share CPU 0, so that a
# reading that mixes tasks shows. check_rotation.c knows what must come out.

spin w175m40 0 0 rests &
first=$!
spin w033m120 0 0 rests &
second=$!
spin w250m10 1 0 rests &
third=$!
named $first w175m40
named $second w033m120
named $third w250m10
watch rotation $batch -d 1
forkstorm 150 5 w150m80 >/out/storm
intervals 3
enough

# one's own tasks only: the same groups, rotated by the kernel or by us
run pid $batch -d 1 -n 4 -p $first,$second

# somebody else takes a counter of CPU 0 for himself, so that there are too few for a group
crowd() {
	hog 0 2 &
	other=$!
	intervals 3
	kill $other
	intervals 2
	enough
}
watch crowded $batch -d 1
crowd
watch crowded-software without_tracefs $batch -d 1
crowd
kill $first $second $third
run check perftop check
exit 0
