#!/bin/bash
# session.sh PERFTOP TOOLS: what a session has from its terminal and from time: the first words, keys that a terminal
# may keep, what is pasted, how long a message stays.
. "$(dirname "$0")/lib.sh"

export XDG_CONFIG_HOME=$scratch/config
name=w250m$$ # nobody else has it
start "$TOOLS/spin" $name 0
pid=$started
terminal_open 120 36

# --- ^S is a key that does nothing, not the end of all output
# --- and what is said of it stays for four seconds, however short the intervals are
terminal_run "$PERFTOP $NAMES -d 0.3"
wait_for " $name\$"
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
wait_for " $name\$"
leave

# --- what a key was answered goes with the next key, however long an interval is; what was said of the
# configuration does not
mkdir -p "$scratch/config/perftop"
echo 'theme pink' >"$scratch/config/perftop/perftop.conf"
terminal_run "$PERFTOP -d 900 -p $pid"
wait_for "$pid[ *].*$name"
wait_for 'pink: no such value'
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
report
