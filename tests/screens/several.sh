#!/bin/bash
# several.sh PERFTOP TOOLS: two machines on one screen while they record: their rows, the host of the selected row above
# them, and one that breaks off. The machines are this one under two names.
. "$(dirname "$0")/lib.sh"
needs root unshare

cd "$scratch" || exit 1
mkfifo web1.pipe web2.pipe
start "$TOOLS/spin" w250m40 0
# The name is given, and the recorder takes the place of the shell, so that its end is that of the pipe.
recorder='hostname $1 && exec "$2" --no-config -b -d 0.4 -w - >"$1.pipe"'
start unshare -u bash -c "$recorder" - web1 "$PERFTOP"
start unshare -u bash -c "$recorder" - web2 "$PERFTOP"
second=$started

terminal_open 120 40
terminal_run "$PERFTOP $NAMES -i web1.pipe -i - <web2.pipe -f 'command = w250m40'"
wait_for '^HOST +PID '
wait_for '^web1 .* w250m40'
wait_for '^web2 .* w250m40'

# --- what is above is of the selected row's host, and goes on
above() { screen | head -n 1 | grep -q "^perftop   *$1: "; }
run_command host web2
wait_until "web2 is not above" above web2
goes_on 2
press 3
wait_for '\[3 switches\]'
wait_until "the switches are not of web2" above web2
run_command host
wait_until "web1 is not above" above web1
goes_on 2
press 1
run_command host web2
wait_until "web2 is not above" above web2

# --- sums by host
press 4
run_command group-by host
wait_for '^web1 .* web1$'
wait_for '^web2 .* web2$'
press 1

# --- one breaks off: its rows go, it is said, the other goes on
wait_for '^web2 .* w250m40'
kill -9 "$second"
wait_for 'web2: end of the recording, its rows are gone'
wait_gone '^web2 .* w250m40'
wait_for '^web1 .* w250m40'
wait_until "web1 is not above" above web1
goes_on 2
leave

report
