#!/bin/bash
# reused.sh PERFTOP TOOLS AGAIN: a process that is on the screen ends, and another gets its number before
# the next refresh: signals, nice values and CPUs are refused in a sentence, and the new one has none of
# them. Among tagged tasks it is left out, and the others are acted on.
. "$(dirname "$0")/lib.sh"
needs root
AGAIN=$(realpath "$3")

nice_of() { sed 's/.*) //' "/proc/$1/stat" | cut -d' ' -f17; }
cpus_of() { awk '/^Cpus_allowed_list/ { print $2 }' "/proc/$1/status"; }

start "$TOOLS/spin" w250m40 0
first=$started
start "$TOOLS/spin" w050m120 1
other=$started
terminal_open 140 40
terminal_run "$PERFTOP $NAMES -d 0.5 -s pid -p $first,$other"
wait_for "$first[ *].*w250m40"
wait_for "$other[ *].*w050m120"
press Z
wait_for '[Ff]rozen'
search_for "$first"

# --- while the screen stands still, the number goes to another
kill -9 "$first"
wait "$first" 2>/dev/null
start "$AGAIN" "$first" usurper
has_the_number() {
	kill -0 "$started" 2>/dev/null || not_run "no number can be had again"
	[ "$(cat "/proc/$first/comm" 2>/dev/null)" = usurper ]
}
wait_until "nobody gets the number $first" has_the_number || report
nice_before=$(nice_of "$first")
cpus_before=$(cpus_of "$first")
refused="$first [(].*is not the task that was on the screen"

refuses() { # WHAT KEY...
	local what=$1
	shift
	press "$@"
	wait_for "$refused" || echo "of $what"
	is_shown 'Send to' && fail "$what: signals are offered"
	press C-l
}
refuses signal k
refuses nice F8
refuses affinity B
refuses 'signal by name' : 'signal KILL' Enter
press Escape
wait_gone '^:'
sleep 0.7

# --- tagged with one that lives: only that one
press Home
press IC
sleep 0.3
press IC
sleep 0.3
run_command signal KILL
wait_for "Send SIGKILL to w050m120 $other [(].*[)] [(]1 had ended[)][?] y/n"
press y
wait_for 'sent SIGKILL to 1 task; 1 had ended'
is_dead() { [ ! -d "/proc/$other" ] || grep -q '^State:.Z' "/proc/$other/status" 2>/dev/null; }
wait_until "$other lives" is_dead

[ "$(cat "/proc/$first/comm" 2>/dev/null)" = usurper ] || fail "the new one is dead"
[ "$(nice_of "$first")" = "$nice_before" ] || fail "the new one was reniced"
[ "$(cpus_of "$first")" = "$cpus_before" ] || fail "the new one was bound"
leave
report
