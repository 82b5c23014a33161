#!/bin/bash
# help.sh PERFTOP TOOLS: what the screen says of itself.
. "$(dirname "$0")/lib.sh"

start "$TOOLS/spin" w250m40 0
first=$started
export XDG_CONFIG_HOME=$scratch/config
terminal_open 120 36

# --- the first start: three lines, until the first key
terminal_run "XDG_CONFIG_HOME=$scratch/config $PERFTOP -d 0.3"
wait_for 'Up.Down select'
wait_for 'P.*: sort by CPU'
wait_for 'F1: all keys'
press Down
wait_gone 'Up.Down select'
# --- about the column that the rows are sorted by, and any other thing
press P
sleep 0.5
press '?'
wait_for 'CPU %: column cpu%'
wait_for 'meaning +Share of the interval'
wait_for 'formula +100 [*] run_ns / interval_ns'
wait_for 'good +'
press Escape
wait_gone 'meaning'
about() { # NAME PATTERN
	run_command "help $1"
	wait_for "$2"
	press Escape
	wait_gone 'meaning'
}
# --- all of it, by topics and searched
press F1
wait_for '^Help +F1 help'
wait_for '^Enter more of the line'
press /
wait_for '^Search:'
press 'of tasks or li'
wait_for '^  t F5 +next-form +tree of tasks or list'
wait_gone '^Keys'
press Enter
press n
wait_for '^  next-form +tree of tasks or list'
press p
wait_for '^  t F5 +next-form +tree of tasks or list'
press Escape
wait_for '^Help +F1 help'
# --- a line's chapter; a key does what it says
press Down Down Enter
wait_for 'Esc +escape +clear the message'
press q
wait_for '^Help +F1 help'
press N
wait_for 'PID▲'
press P
about ipc 'formula +instructions / cycles'
about signal 'keys +k, F9'
about histogram 'View histogram'
about page-faults 'Event page-faults'
run_command help nonsense
wait_for 'nonsense: no column'
press Escape
wait_gone '^:'
leave

# --- who has a configuration has been here before
mkdir -p "$scratch/config/perftop"
echo 'sort pid' >"$scratch/config/perftop/perftop.conf"
terminal_run "XDG_CONFIG_HOME=$scratch/config $PERFTOP -d 0.3"
wait_for "$first[ *].*w250m40"
is_shown 'Up.Down select' && fail "the first words are said again"
leave
report
