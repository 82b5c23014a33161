#!/bin/bash
# actions.sh PERFTOP TOOLS: signals, nice values and CPUs, on processes of the test.
. "$(dirname "$0")/lib.sh"

start "$TOOLS/spin" w250m40 0
victim=$started
start "$TOOLS/spin" w050m120 1
other=$started
terminal_open 140 40
terminal_run "$PERFTOP $NAMES -d 1 -p $victim,$other"
wait_for "$victim[ *].*w250m40"
press N
press Home

# cursor_on PID: the row of it is chosen, by search
cursor_on() {
	search_for "$1"
}
state_of() { sed 's/.*) //' "/proc/$1/stat" | cut -d' ' -f1; }
is_stopped() { [ "$(state_of "$victim")" = T ]; }
runs_on() { [ "$(awk '/^Cpus_allowed_list/ { print $2 }' "/proc/$victim/status")" = "$1" ]; }
is_nice() { [ "$(sed 's/.*) //' "/proc/$victim/stat" | cut -d' ' -f17)" = "$1" ]; }
is_dead() { case $(state_of "$victim" 2>/dev/null) in '' | Z) return 0 ;; esac; return 1; }

# --- nice values and CPUs
cursor_on "$victim"
before=$(sed 's/.*) //' "/proc/$victim/stat" | cut -d' ' -f17)
press F8
wait_until "F8 does not renice" is_nice $((before + 1))
wait_for "$victim.*: nice $((before + 1)) [(]was $before[)]"
press r
wait_for "Nice: .*=$((before + 1))"
press '=7' Enter
wait_until "the nice value is not set" is_nice 7
ask r 'Nice: ' C-u
press 'seven' Enter
wait_for 'seven: not a nice value'
press Escape
wait_gone 'Nice: '
ask B 'CPUs to run on' 0 Enter
wait_until "it is not bound" runs_on 0
wait_for "$victim.*: CPUs 0"
ask B 'CPUs to run on' 0,8000 Enter
wait_for '0,8000: there is no CPU 8000 here, or it is offline'
press Escape
wait_gone 'CPUs to run on'

# --- signals: the list, the question, no and yes
press k
wait_for "Send to .*$victim"
wait_for '15 SIGTERM'
press Escape
wait_gone 'Send to'
press F9
wait_for 'Send to'
press stop Enter
wait_for "Send SIGSTOP to .*$victim .*[?] y/n"
press n
wait_for 'cancelled; nothing sent'
is_stopped && fail "it was stopped although the answer was no"
ask k 'Send to' 19 Enter
wait_for 'Send SIGSTOP'
press y
wait_until "SIGSTOP has no effect" is_stopped
wait_for 'sent SIGSTOP to'
run_command signal cont
wait_for 'Send SIGCONT'
press y
wait_for 'sent SIGCONT to'
press k
wait_for '15 SIGTERM'
press Enter
wait_for 'Send SIGTERM'

# --- who ends while the question stands gets nothing, nor does who comes after him
kill -9 "$victim" 2>/dev/null
wait_until "the victim does not end" is_dead
wait "$victim" 2>/dev/null
press y
wait_for "$victim.* has ended"
wait_for "$other[ *].*w050m120"

# --- perftop itself is asked about twice
leave
terminal_run "$PERFTOP $NAMES -d 0.3 -f 'command = perftop'"
wait_for '[0-9][ *].* perftop$'
self=$(program_pid)
ask '\' '^Filter' C-u
press "pid = $self" Enter
wait_for "^ *$self[ *]"
press Home
press k
wait_for "Send to .*$self"
press Enter
wait_for 'Send SIGTERM to perftop'
press y
wait_for 'This is perftop itself'
press n
wait_for 'cancelled; nothing sent'
leave
report
