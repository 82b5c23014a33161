#!/bin/bash
# recordkey.sh PERFTOP TOOLS: a session is recorded from its middle on, by keys. While it is recorded the
# screen is frozen and kept; the replay of the recording shows the same numbers at that time. Then a
# second recording of the same session.
. "$(dirname "$0")/lib.sh"
export TZ=UTC
start "$TOOLS/spin" w250m40 0
first=$started
start "$TOOLS/spin" w050m120 1
second=$started
start "$TOOLS/shapes" /dev/null 300
shapes=$started
cd "$scratch" || exit 1

# Rows of tasks, without the marks of new and exited ones.
rows() { screen | grep -E '^ *[0-9]+[ *×].*(sh-|w250m40|w050m120)' | sed 's/[*×]/ /'; }
rows_stay() {
	rows >"$scratch/rows"
	sleep 0.5
	rows | cmp -s - "$scratch/rows"
}
shown="-c pid,cpu%,sw/s,pre/s,migr/s,fault/s,command -s pid"
shown="$shown -f '(w250m40 || w050m120 || sh-) && !sh-short'"
terminal_open 132 40
terminal_run "$PERFTOP $NAMES -d 1 $shown"
wait_for "$first[ *].*w250m40"
goes_on 3

record() { # FILE [COMMAND]: kept rows in FILE.rows, their time in FILE.time
	ask w 'Record to file' C-u
	press "$1" Enter
	wait_for "recording ${1/./[.]} [0-9.]+ MB"
	goes_on 3
	"${2:-true}"
	goes_on 1
	sleep 0.5
	press Z
	wait_for '[Ff]rozen'
	wait_until "the rows do not stand still" rows_stay
	rows >"$scratch/$1.rows"
	clock >"$scratch/$1.time"
	press Z
	wait_gone '[Ff]rozen'
	goes_on 2
	press w
	wait_for "saved .*${1/./[.]}"
	[ -s "$scratch/$1" ] || fail "$1 was not written"
}
record one.data
goes_on 2
record two.data
# Samples, and the states of threads, begin and end in the middle of an interval.
look_at_functions() {
	press 8
	wait_for '^SELF'
	press 1
	wait_for '^ +PID'
}
look_at_page() {
	press Enter
	wait_for '^off the CPU'
	press Escape
	wait_for '^ +PID'
}
record three.data look_at_functions
record four.data look_at_page
leave
stop "$first" "$second"

# Rows of tasks that have ended are no longer drawn when samples have ended their interval.
terminal_run "$PERFTOP $NAMES -d 3 -w five.data"
wait_for '^ +PID'
for _ in 1 2 3; do
	look_at_functions
done
leave
stop "$shapes"

for file in one.data two.data three.data four.data; do
	"$PERFTOP" --no-config -b -i "$file" --format json >"$scratch/json" </dev/null || fail "$file: status $?"
	grep -q '"cpus":\[{"cpu":0,"ns":0,' "$scratch/json" && fail "$file: an interval in which no CPU was counted"
	[ "$(wc -l <"$scratch/$file.rows")" -ge 5 ] || fail "$file: no rows were kept"
	terminal_run "$PERFTOP $NAMES -i $file $shown"
	wait_for 'w250m40'
	press Space
	press g
	press "$(cat "$scratch/$file.time")" Enter
	# freezing ends an interval, so that its second may have several
	found=
	for move in '' Left Left Left Right Right Right Right Right Right Right; do
		[ -z "$move" ] || press $move
		for _ in 1 2 3 4 5 6 7 8 9 10; do
			sleep 0.2
			rows >"$scratch/replay.rows"
			cmp -s "$scratch/$file.rows" "$scratch/replay.rows" && found=1 && break 2
		done
	done
	[ -n "$found" ] || {
		fail "$file: the replay at $(cat "$scratch/$file.time") shows something else"
		diff "$scratch/$file.rows" "$scratch/replay.rows"
	}
	leave
done
report
