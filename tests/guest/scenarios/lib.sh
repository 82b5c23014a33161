# What scenarios are written with; guest.sh puts it before each of them.

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
