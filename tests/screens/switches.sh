#!/bin/bash
# switches.sh PERFTOP TOOLS: the views of the history: the log that runs, freezes, is scrolled,
# searched and filtered; the page of a task; pairs, histogram and time line.
. "$(dirname "$0")/lib.sh"

# Two on one CPU, so that they push each other out.
cpu=$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')
start taskset -c "$cpu" "$TOOLS/spin" w250m40 0
first=$started
start taskset -c "$cpu" "$TOOLS/spin" w050m120 0
terminal_open 132 40
terminal_run "$PERFTOP $NAMES -d 0.3"
wait_for 'w250m40'

# The log's lines alone.
lines() { screen | grep -E '^ *[0-9][0-9]:[0-9][0-9]:[0-9][0-9][.][0-9]{6} '; }
# Waits until the log is another one, or the same for more than a second.
lines_are() { [ "$(lines)" = "$1" ]; }
lines_differ() { ! lines_are "$1"; }
moves() { wait_until "the log stands still" lines_differ "$(lines)"; }
lines_stay() {
	local before i
	before=$(lines)
	for i in 1 2 3 4 5 6; do
		sleep 0.25
		lines_are "$before" || return
	done
}
stands() { wait_until "the log does not stand still" lines_stay; }

# --- it runs; the cursor holds it; the end lets it go
press 3
wait_for '[[]3 switches[]]'
wait_for 'w250m40 [0-9]+.*(preempted|blocked|yielded)|w050m120 [0-9]+.*preempted'
wait_for 'history [0-9.]+k? [(]'
moves
press Up
press Up
stands
press End
moves

# --- frozen: scrolled to its beginning and back, searched, filtered
press Z
wait_for '[Ff]rozen'
stands
before=$(lines)
press Home
wait_until "Home does not scroll" lines_differ "$before"
press End
wait_until "End does not come back" lines_are "$before"
press PageUp
press PageUp
press End
press /
wait_for '^Search:'
press zzzznobody Enter
wait_for 'zzzznobody|nothing shown'
press Escape
press Escape
press '\'
press 'how = preempted' Enter
wait_for 'filter: how = preempted'
all_are() { lines | grep -q "$1" && ! lines | grep -qv "$1"; }
wait_until "the filter lets others pass, or nobody" all_are preempted
press '\'
press C-u
press 'w250m40' Enter
wait_for 'filter: w250m40'
wait_until "the filter by name lets others pass, or nobody" all_are w250m40

# --- the page of a task, and back
press Enter
wait_for '[(]q: back[)]'
wait_gone '[[]3 switches[]]'
press Z
wait_for 'live again'
press Down
press q
wait_for '[[]3 switches[]]'
press Escape
press Escape
wait_gone 'filter:'

# --- pairs, histogram, time line
press 5
wait_for '[[]5 pairs[]]'
wait_for '^(w250m40|w050m120) [0-9]+ +[^ ].* [0-9]+ '
press W
wait_for '60 s'
press b
wait_for 'by name'
wait_for '^(w250m40|w050m120) +[^0-9 ].* [0-9]+ '
press b
wait_for 'by cpu'
press Enter
wait_for '[(]q: back[)]'
press q
press 6
wait_for '[[]6 histogram[]]'
wait_for '[0-9.]+ms +[0-9.]+ms +[0-9]+'
press 7
wait_for '[[]7 timeline[]]'
wait_for "^ +$cpu .*[a-h]{3}"
wait_for '[a-h] [^ ]+ [0-9]+' # beside much other load these are not among the busiest
press Left
wait_for '[Ff]rozen'
press Left
wait_for 'CPU [0-9]+: '
press Down Up
press '['
wait_for 'showing 5[.]00s'
press ']' ']' ']'
press Home
press End
press o
wait_for 'cells show the IPC'
press o
press Enter
wait_for '[(]q: back[)]|no task selected'
press Escape
press Z
wait_for 'live again'

# --- a task by its number
run_command "task $first"
wait_for "w250m40 $first [(]q: back[)]"
sleep 1
press q
press Tab
wait_for '[[]8 functions[]]'
press Tab
wait_for '[[]1 tasks[]]'

# --- stopped they stand in the order of a length, and Enter leads to the moment
press 3
wait_for '[[]3 switches[]]'
press : 'sort ran' Enter
wait_for 'stopped .Z. they sort by ran'
press Z
wait_for 'frozen'
press : 'sort ran' Enter
descends() {
	screen | awk 'BEGIN { scale["ns"] = 1; scale["us"] = 1e3; scale["ms"] = 1e6; scale["s"] = 1e9 }
		$1 ~ /^[0-9:]+[.][0-9]+$/ && match($0, / [0-9.]+(ns|us|ms|s) /) {
			text = substr($0, RSTART + 1, RLENGTH - 2)
			unit = text; gsub(/[0-9.]/, "", unit)
			ns = (text + 0) * scale[unit]
			bad = bad || (rows++ && ns > last)
			last = ns
		} END { exit !(rows > 5 && !bad) }'
}
wait_until "switches are not sorted by how long they ran" descends
press Enter
wait_for 'in time order again, at this switch'
press Z
leave

# --- without a history the views say why they are empty
terminal_run "$PERFTOP $NAMES --history 0 -V timeline -d 0.3"
wait_for 'no history is kept'
press 3
wait_for '[[]3 switches[]]'
leave

report
