#!/bin/bash
# session.sh PERFTOP TOOLS: what a session has from its terminal and from time: the first words, keys that a terminal
# may keep, what is pasted, how long a message stays, any size, the end
# of many events.
. "$(dirname "$0")/lib.sh"

export XDG_CONFIG_HOME=$scratch/config
name=w250m$$ # nobody else has it
start "$TOOLS/spin" $name 0
pid=$started
terminal_open 120 100 # all rows, however many others there are
terminal_run "$PERFTOP -d 0.3"
wait_for "$pid[ *].*$name"
# --- the first words are three lines, until the first key
wait_for 'Up.Down select'
wait_for 'P.*: sort by CPU'
wait_for 'F1: all keys'
press Down
wait_gone 'Up.Down select'

# --- ^S is a key that does nothing, not the end of all output
# --- and what is said of it stays for four seconds, however short the intervals are
begin=$(date +%s%N)
press C-s
wait_for '\^S does nothing here'
wait_gone '\^S does nothing here'
[ $(($(date +%s%N) - begin)) -gt 3900000000 ] || fail "a message is taken away after $(($(date +%s%N) - begin)) ns"

# --- what is pasted is text in a prompt, in one line, and no keys elsewhere
tmux_do set-buffer 'q
w250'
tmux_do paste-buffer -p -t t
wait_for 'pasted text ignored'
tmux_do set-buffer 'w250
m40'
press '\'
wait_for '^Filter'
tmux_do paste-buffer -p -t t
wait_for '^Filter.*: w250 m40$'
press Escape
wait_for "$pid[ *].*$name"
leave

# --- there is a configuration now, so there are no first words
# --- what a key was answered goes with the next key, however long an interval is; what was said of the
# configuration does not
mkdir -p "$scratch/config/perftop"
echo 'theme pink' >"$scratch/config/perftop/perftop.conf"
terminal_run "$PERFTOP -d 900 -p $pid"
wait_for "$pid[ *].*$name"
wait_for 'pink: no such value'
is_shown 'Up.Down select' && fail "the first words are said again"
press R
wait_for 'PID▼|CPU %▲'
is_shown 'pink: no such value' || fail "the first key takes away what the configuration's fault is"
press H
wait_for 'showing threads'
press P
wait_gone 'showing threads'
run_command untag
wait_for 'no task is tagged'
press P
wait_gone 'no task is tagged'
leave

# --- storms of sizes in each view, on a page and at a prompt, and of signals without a new size
events=$(cd /sys/kernel/tracing/events/sched 2>/dev/null && printf 'sched:%s,' */ | tr -d / | cut -d, -f1-20)
terminal_run "$PERFTOP --no-config -d 0.2 ${events:+-e $events}"
wait_for 'CPU %'
program=$(program_pid)
for key in 3 4 5 6 7 Left Z h Escape 2 1 a; do
	press $key
	for size in '1 1' '500 200' '500 1' '1 200' '7 5' '30 8'; do
		# shellcheck disable=SC2086
		resize $size
	done
	for ((i = 0; i < 10; i++)); do
		resize $((RANDOM % 500 + 1)) $((RANDOM % 200 + 1))
	done
done
for ((i = 0; i < 200; i++)); do
	kill -WINCH "$program"
done
resize 19 5
wait_for '^perftop: terminal t'
resize 120 30
wait_for '^Attach'
press Escape
wait_gone '^Attach' # or what is pressed next would be read as Alt with it
wait_for 'CPU %'

# --- many events: the terminal is given back, and what takes its time then is said there
press q
if [ -n "$events" ]; then
	wait_for 'the kernel closes [0-9]+ events'
	wait_until "the alternate screen was not left" flag_is alternate_on 0
fi
wait_end
[ "$status" = 0 ] || fail "status $status after many sizes, with many events"
check_terminal
report
