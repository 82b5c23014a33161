#!/bin/bash
# replay.sh PERFTOP TOOLS: time on the screen: a live session that is walked back, recorded and
# handed over to perf; its recording played, stopped, stepped and jumped in.
. "$(dirname "$0")/lib.sh"

cd "$scratch" || exit 1
cpu=$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')
start taskset -c "$cpu" "$TOOLS/spin" w250m40 0
first=$started
start taskset -c "$cpu" "$TOOLS/spin" w050m120 0
terminal_open 132 40
terminal_run "cd $scratch; $PERFTOP $NAMES -d 0.3"
wait_for 'w250m40'

# The slider's time, and its time of day, which has tenths of seconds there.
slider() { screen | grep -oE "$1" | tail -n 1; }
slider_clock() { slider '[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]$'; }
slider_is() { [ "$(slider '^[0-9:.]+ ')" = "$1" ]; }
is_earlier() { [ "$(slider '^[0-9:.]+ ')" \< "$1" ]; }
clock_is_before() { [ "$(slider_clock)" \< "$1" ]; }

# --- recorded from now on
press w
wait_for 'Record to file: perftop.data'
press Enter
wait_for 'recording perftop[.]data [0-9.]+ MB'

# --- live: walked back, stepped, and on again
is_shown 'MiB' && fail "the slider is there while nothing stands still"
sleep 2
press Z
wait_for 'frozen'
wait_for '[0-9]:[0-9.]+ ago .*┃.* kept [0-9]:[0-9]+, [0-9.]+ of 32 MiB'
press Left
press Left
wait_for '0:0[1-9]([.][0-9])? ago|0:[1-9][0-9]([.][0-9])? ago'
slider_stays() {
	local before
	before=$(slider '^[0-9:.]+ ')
	sleep 1
	slider_is "$before"
}
wait_until "what is shown does not stand still" slider_stays
stopped=$(slider '^[0-9:.]+ ')
press ,
wait_until "a step back does not go back" is_earlier "$stopped"
press .
wait_until "a step on does not come back" slider_is "$stopped"
run_command jump 0
press Left
wait_for 'no earlier interval is kept'
for key in 2 3 4 5 6 1; do
	press "$key"
	wait_for '┃'
done
run_command "task $first"
wait_for "w250m40 $first [(]q: back[)]"
wait_for '┃.* MiB'
press Right
press q
press Space
wait_for 'live again'
wait_gone ' MiB'

# --- the recording ends
press w
wait_for 'saved .*perftop[.]data'
wait_gone 'recording perftop'
[ -s perftop.data ] || fail "there is no perftop.data"

# --- one that cannot be written is refused in the prompt
ask w 'Record to file' C-u
press '/nowhere/x.data' Enter
wait_for '/nowhere/x[.]data'
wait_for 'No such file'
press Escape

# --- handed over
# in an interval in which it ran, or there is no row of it
offers() {
	search_for "$first"
	press x
	sleep 0.5
	is_shown "Run: perf record -g -p $first -e " || { press Escape; return 1; }
}
wait_until "x does not offer to record w250m40" offers
wait_for 'Enter runs it in this terminal'
press Escape
wait_gone 'Enter runs it'
run_command hand-over nosuchprogram
wait_for 'nosuchprogram: .*not found'
wait_for 'Enter returns to perftop'
press Enter
wait_for '[[]1 tasks[]]'
# said by it, not by who shows what is run
run_command "hand-over sh -c 'echo it cap\"\"tured and wrote this >&2; exec sleep 60'"
wait_for 'perftop counts on while this runs'
wait_for 'it captured and wrote this'
kill -0 "$(program_pid)" || fail "perftop has gone with the terminal"
press C-c
wait_for 'Enter returns to perftop'
press Enter
wait_for '[[]1 tasks[]]'
if perf record -o probe.data true >/dev/null 2>&1; then
	run_command "hand-over perf record -p $first -e cpu-clock -o out.data"
	wait_for 'perftop counts on'
	wait_until "perf writes nothing" test -s out.data
	sleep 1
	press C-c
	wait_for 'wrote .* out[.]data'
	wait_for 'Enter returns to perftop'
	press Enter
	wait_for '[[]1 tasks[]]'
	[ -s out.data ] || fail "perf wrote nothing"
fi
leave

# --- the recording is played to its end
terminal_run "$PERFTOP $NAMES -i perftop.data"
wait_for 'playing +[0-9]:[0-9]+[.][0-9] of [0-9]:[0-9]+ .*┃'
wait_for 'w250m40'
press '}'
wait_for 'playing, no waits|end of the recording'
press '{'
wait_for 'speed: recorded|end of the recording'
run_command speed max # if that is still before the end, which says so until the next key
wait_for 'stopped +([0-9]:[0-9]+)[.][0-9] of '
end=$(slider_clock)

# --- stopped, stepped, jumped
# Six, for a change of what is counted ends an interval, too, and some of the last are shorter than a tenth.
wait_still
press Left Left Left Left Left Left
wait_until "six steps back are not earlier than $end" clock_is_before "$end"
wait_still
rows() { screen | sed -n '6,20p'; }
before=$(rows)
rows_are() { [ "$(rows)" = "$before" ]; }
rows_differ() { ! rows_are; }
press Right
wait_until "a step on shows the same" rows_differ
press Left
wait_until "a step on and back is not the same" rows_are
ask g 'Jump to' '0:00' Enter
wait_for 'stopped +0:0[0-9][.][0-9] of'
press Left
wait_for 'this is the beginning of the recording'
ask g 'Jump to' 'soon' Enter
wait_for 'soon: not a time'
press C-u
press '50%' Enter
wait_for 'stopped +(0:0[1-9]|0:[1-9][0-9]|[1-9]:)'
press Space
wait_for 'playing, no waits|end of the recording'

# --- what there is for the present only
press 7
wait_for '[[]7 timeline[]]'
press Left
press ,
press .
press 1
wait_for '[[]1 tasks[]]'
press x
wait_for 'not available in a recording'
press Escape
wait_gone 'not available in a recording'
press w
wait_for 'not available in a recording'
press Escape
leave

# --- out of a pipe
if perf record -o probe.data true >/dev/null 2>&1; then
	terminal_run "perf record -e cpu-clock --switch-events -a -o - sleep 7 2>/dev/null | $PERFTOP $NAMES -i -"
	wait_for 'playing +0:0[1-9] of 0:0[1-9] .*┃'
	press Space
	wait_for 'stopped'
	press Left
	press Space
	wait_for 'end of the recording'
	leave
fi

report
