#!/bin/bash
# lent.sh PERFTOP TOOLS: ^S while another program has the terminal. That one's output stops until ^Q; perftop
# goes on, comes back when it has ended and Enter is pressed, and ends when it is told to.
. "$(dirname "$0")/lib.sh"
start "$TOOLS/spin" w250m40 0
first=$started
TALKS=60
talks="i=0; while [ \$i -lt $TALKS ]; do echo \"\$1 \$i end\" >&2; i=\$((i+1)); sleep 0.05; done"
printf '%s\n' "$talks" >"$scratch/talks"
printf '%s\n' "$talks" 'sleep 60' >"$scratch/talks-on"

lend() { # FILE WORD
	word=$2
	run_command "hand-over sh $scratch/$1 $2"
	wait_for "^$word 3 end"
	press C-s
	wait_until "^S does not stop the output" is_stopped
}
count() { screen | grep -c "^$word"; }
is_stopped() { # before its end
	local lines
	lines=$(count)
	sleep 0.5
	[ "$(count)" = "$lines" ] && [ "$lines" -lt "$TALKS" ]
}

terminal_open 100 80
terminal_run "$PERFTOP --no-config -d 0.3 -p $first"
wait_for "$first[ *].*w250m40"

# --- it comes back when the other one ends
lend talks first
press C-q
wait_for 'Enter returns to perftop'
press Enter
wait_for '\[1 tasks\]'
wait_for "$first[ *].*w250m40"
press 2
wait_for '\[2 cpus\]'
press 1
wait_for '\[1 tasks\]'

# --- it goes on meanwhile, and ends when it is told to
lend talks-on then
pid=$(program_pid)
kill -TERM "$pid"
wait_until "it does not end while the terminal stands still" has_ended "$pid"
press C-q
wait_end
check_terminal
report
