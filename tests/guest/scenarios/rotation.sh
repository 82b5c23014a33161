# Four counters for five hardware events: groups take turns. Two spinners share CPU 0, so that a
# reading that mixes tasks shows. check_rotation.c knows what must come out.

# run NAME COMMAND...: keeps what it prints, what it says and how it ends.
run() {
	name=$1
	shift
	"$@" >/out/$name.out 2>/out/$name.err
	echo $? >/out/$name.status
}
# watch NAME COMMAND...: the same in the background, until enough; returns after the first interval.
watch() {
	watched=$1
	: >/out/$1.out
	run "$@" &
	watcher=$!
	intervals 1
}
# Until so many more intervals are written, however slow the emulator is.
intervals() {
	goal=$(($(wc -l </out/$watched.out) + $1))
	while [ "$(wc -l </out/$watched.out)" -lt $goal ] && kill -0 $watcher 2>/dev/null; do
		sleep 0.2
	done
}
enough() {
	kill -TERM $(pidof perftop)
	wait $watcher
}
batch='perftop -b --format json'
cd /tmp

spin w175m40 0 &
first=$!
spin w033m120 0 &
second=$!
spin w250m10 1 &
third=$!
sleep 0.5
watch rotation $batch -d 1
forkstorm 150 5 w150m80 >/out/storm
intervals 3
enough

# one's own tasks only: the same groups, rotated by the kernel or by us
run pid $batch -d 1 -n 4 -p $first,$second

# somebody else takes a counter of CPU 0 for himself, so that there are too few for a group
watch crowded $batch -d 1
hog 0 2 3
intervals 2
enough
kill $first $second $third
run check perftop check
exit 0
