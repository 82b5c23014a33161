#!/bin/bash
# sleepers.sh PERFTOP TOOLS: a past interval, live, has the tasks that did not run in it where idle tasks were shown:
# groups count them and have their time.
. "$(dirname "$0")/lib.sh"
cp "$(command -v bash)" "$scratch/sleeper1"
mkfifo "$scratch/fifo"
# They wake every three seconds, so that most intervals do not see them.
for _ in 1 2 3 4 5; do
	start "$scratch/sleeper1" -c "exec 3<>'$scratch/fifo'; while :; do read -r -t 3 -u 3; done"
	last=$started
done
start "$TOOLS/spin" sleeper1
terminal_open 132 40
terminal_run "$PERFTOP $NAMES -d 0.5 -V groups -f 'command = sleeper1'"
run_command idle on
wait_for '^ +6 .* sleeper1$'
sleep 3
freeze() {
	press Z
	wait_for 'kept [0-9:]+'
}
freeze
for _ in 1 2 3 4; do
	press Left
	sleep 0.5
	wait_for '^ +6 .* sleeper1$'
done

# --- one that ends was there before, and is not there afterwards
kill -9 "$last"
wait "$last" 2>/dev/null
ask g 'Jump to' C-u '100%' Enter
sleep 0.5
press Z
wait_for '^ +5 .* sleeper1$'
sleep 1
freeze
wait_for '^ +5 .* sleeper1$'
was_there() {
	press Left
	sleep 0.3
	is_shown '^ +6 .* sleeper1$'
}
wait_until "nowhere before its end are they six" was_there
leave
report
