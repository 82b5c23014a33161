#!/bin/bash
# browser.sh PERFTOP TOOLS: events and metrics that come and go on the running screen.
. "$(dirname "$0")/lib.sh"

start "$TOOLS/spin" w250m40 0
terminal_open 140 40
terminal_run "$PERFTOP $NAMES -d 0.3"
wait_for 'w250m40'

# --- the browser: search, state, adding
press e
wait_for '[[]all [0-9]+[]]'
wait_for 'Search:'
press context-sw
wait_for '^context-switches +switches from one task'
press Enter
wait_for 'CONTEXT-SWITCHES/s|SWITCHES/s'
press Tab
wait_for '[[]open [0-9]+[]]'
wait_for 'context-switches.*counting'
press Escape
wait_for 'SWITCHES/s.*COMMAND'
wait_for 'w250m40'

# --- what is typed and is in no list; a wrong text loses nothing
press e
wait_for 'Search:'
press 'page-faults:u' Enter
wait_for 'page-faults:u|FAULTS:u/s'
press 'no-such-event-at-all' Enter
wait_for 'no-such-event-at-all.*(unknown|no such)'
wait_for 'Search: no-such-event-at-all'
press C-e C-u
if [ -r /sys/kernel/tracing/events/sched/sched_switch/id ]; then
	press 'sched:sched_switch'
	wait_for '^sched:sched_switch +switches from one task'
	press Enter
	wait_for 'SCHED_SWITCH/s'
fi
press Escape
wait_for 'FAULTS:u/s.*COMMAND'

# --- removing: the column goes, the others stay
press e
wait_for 'Search:'
press Tab
wait_for '[[]open'
press 'page-faults:u'
wait_for 'page-faults:u'
press DC
wait_for 'no longer counted'
press Escape
wait_gone 'FAULTS:u/s'
wait_for 'SWITCHES/s.*COMMAND'

# --- a metric at the prompt appears at once; a wrong one can be mended
press D
wait_for 'NAME = FORMULA'
press 'fpsw = page-faults / (switches' Enter
wait_for "expected|'[)]'"
wait_for 'fpsw = page-faults'
press C-e ')' Enter
wait_for 'FPSW.*COMMAND'
run_command remove-column fpsw
wait_gone 'FPSW'
run_command event cycles-of-nothing
wait_for 'cycles-of-nothing.*(unknown|no such)'
press Escape
wait_gone '^:'

# --- frozen, events may be added all the same
press Z
wait_for '[Ff]rozen'
run_command event minor-faults
wait_for 'MINOR-FAULTS/s.*COMMAND'
press Z
wait_gone '[Ff]rozen'

# --- every size
press e
wait_for 'Search:'
for size in '20 5' '80 24' '19 4' '200 60' '40 10'; do
	# shellcheck disable=SC2086
	resize $size
	sleep 0.4
	press Down
done
resize 80 24
wait_for 'Search:'
press Escape
wait_gone 'Search:'
leave

# --- the configuration: right lines hold, a wrong one is named
cat >"$scratch/conf" <<CONF
# of the test
metric twice = 2 * page-faults
event minor-faults
fly away
sort pid
CONF
terminal_run "$PERFTOP --config $scratch/conf -d 0.3"
wait_for "conf:4: fly"
wait_for 'TWICE.*COMMAND'
wait_for 'PID[▲^]'
leave

# --- many events: the terminal is given back, and what takes its time then is said there
events=$(cd /sys/kernel/tracing/events/sched 2>/dev/null && printf 'sched:%s,' */ | tr -d / | cut -d, -f1-20)
if [ -n "$events" ]; then
	terminal_run "$PERFTOP -d 0.3 -e $events"
	wait_for 'CPU %'
	press q
	wait_for 'the kernel closes [0-9]+ events'
	wait_until "the alternate screen was not left" flag_is alternate_on 0
	wait_end
	[ "$status" = 0 ] || fail "status $status with many events"
fi

# --- the same without a screen
"$PERFTOP" -b -n 1 -d 0.2 --config "$scratch/conf" >"$scratch/out" 2>"$scratch/err"
grep -q 'TWICE' "$scratch/out" || fail "no TWICE in $(cat "$scratch/out")"
grep -q 'conf:4: fly' "$scratch/err" || fail "not named: $(cat "$scratch/err")"
"$PERFTOP" $NAMES -b -n 1 -d 0.2 -c pid,nonsense >"$scratch/out" 2>"$scratch/err"
[ $? = 2 ] || fail "an unknown column is not refused"
grep -q 'nonsense' "$scratch/err" || fail "not named: $(cat "$scratch/err")"
[ -s "$scratch/out" ] && fail "something was shown before"

report
