#!/bin/bash
# layout.sh PERFTOP TOOLS: the first screen and the CPUs at ordinary sizes: title, rows, bottom
# lines are where they belong, nothing is cut where there is room.
. "$(dirname "$0")/lib.sh"

start "$TOOLS/spin" w250m40

look() { # WIDTH HEIGHT
	terminal_open "$1" "$2"
	terminal_run "$PERFTOP -d 0.3"
	wait_for 'w250m40' || return

	screen >"$scratch/look"
	[ "$1" -lt 132 ] || head -n 1 "$scratch/look" | grep -q '^ *perftop' || fail "$1x$2: no title in the first line"
	head -n 1 "$scratch/look" | grep -qE 'whole machine|own tasks' || fail "$1x$2: no scope"
	grep -qE 'PID.*CPU %.*COMMAND' "$scratch/look" || fail "$1x$2: no titles"
	tail -n 1 "$scratch/look" | grep -qE 'quit|help' || fail "$1x$2: no keys in the last line"
	# The spinner is the busiest, so it stands near the top and its numbers under their titles.
	[ "$(wc -l <"$scratch/look")" -le "$2" ] || fail "$1x$2: too many lines"
	press 2
	wait_for 'BUSY' || fail "$1x$2: no view of CPUs"
	press 1
	wait_for 'PID.*COMMAND'
	leave
}

look 80 24
look 200 60
look 132 40
# A terminal without UTF-8 and without colours is a terminal.
terminal_open 80 24
terminal_run "TERM=vt100 LC_ALL=C $PERFTOP -d 0.3"
wait_for 'w250m40'
screen | LC_ALL=C grep -q '[^ -~]' && fail "characters beyond ASCII in a plain terminal"
leave
report
