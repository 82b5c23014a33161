#!/bin/bash
# mouse.sh PERFTOP TOOLS: clicks and the wheel, and that the terminal has its mouse back at the end.
. "$(dirname "$0")/lib.sh"

start "$TOOLS/spin" w250m40 0
first=$started
start "$TOOLS/spin" w050m120 1
second=$started

# click X Y, from 1; wheel up or down: as xterm tells them
mouse() { tmux_do send-keys -t t -l "$(printf '\033[<%d;%d;%dM\033[<%d;%d;%dm' "$1" "$2" "$3" "$1" "$2" "$3")"; }
# Where a pattern is on the screen, and in its last line, that of the keys: words of a key can be elsewhere, too, as
# "n no" is in "in no task's slices" where perftop is behind.
is_found() { line=$(screen | grep -nE -- "$1" | head -n 1) && [ -n "$line" ]; }
is_key() { line=$(screen | sed '$!s/.*//' | grep -nE -- "$1") && [ -n "$line" ]; }
click_there() { # PATTERN, in $line
	local text found
	text=$(grep -oE -- ".*($1)" <<<"${line#*:}" | head -n 1)
	found=$(grep -oE -- "$1" <<<"$text" | head -n 1)
	mouse 0 $((${#text} - ${#found} + 1)) "${line%%:*}"
}
click() { wait_until "$1 is not there" is_found "$1" && click_there "$1"; }
click_key() { wait_until "$1 is not among the keys" is_key "$1" && click_there "$1"; }
mouse_is() { # 0 or 1
	wait_until "the mouse is not $1" flag_is mouse_standard_flag "$1"
	wait_until "the mouse is not $1" flag_is mouse_sgr_flag "$1"
}

terminal_open 140 40
terminal_run "$PERFTOP $NAMES -d 0.3 -p $first,$second"
wait_for "$first[ *].*w250m40"
wait_for "$second[ *].*w050m120"
mouse_is 1

# --- a title sorts, and again the other way
click 'PID'
wait_for 'PID▲'
click 'PID'
wait_for 'PID▼'
# --- a tab, a key of the key line, a row
click '2 cpus'
wait_for '\[2 cpus\]'
click '1 tasks'
wait_for '\[1 tasks\]'
click 'w050m120'
click_key 'Enter open'
wait_for "w050m120.*$second|$second.*w050m120"
press q
wait_for '\[1 tasks\]'
click_key 'F1 help'
wait_for '^Help: Enter'
click 'Manual  '
click 'Manual  '
wait_for '^Keys'
wait_for '^Help.* 1–'
mouse 65 10 10
wait_for '^Help.* 4–'
press q
wait_for '^Help: Enter'
press q
wait_for '\[1 tasks\]'
# --- the beginning of the slider is the beginning of what is kept
sleep 2
press Z
wait_for '[0-9]:[0-9.]+ ago  '
line=$(screen | grep -nE '[0-9]:[0-9.]+ ago  ' | head -n 1)
before=${line%%ago  *}ago number=${line%%:*}
mouse 0 $((${#before} - ${#number} + 2)) "$number"
is_at_beginning() {
	screen | sed -nE 's/.* ([0-9]+):([0-9]+)([.][0-9])? ago  .* kept ([0-9]+):([0-9]+),.*/\1 \2 \4 \5/p' |
		awk '{ there = $1 * 60 + $2 >= $3 * 60 + $4 && $3 * 60 + $4 > 0 } END { exit !there }'
}
wait_until "a click does not lead to the beginning" is_at_beginning
press Z
wait_gone ' ago  '
# --- the list of signals: choose, choose it, no
press k
wait_for '15 SIGTERM'
mouse 65 5 12
click 'SIGKILL'
click 'SIGKILL'
wait_for 'Send SIGKILL'
click_key 'n no'
wait_for 'cancelled; nothing sent'
kill -0 "$first" "$second" || fail "somebody was killed"
# --- a click that is told in no form that is known does nothing
tmux_do send-keys -t t -l "$(printf '\033[<0;1M\033[<;;M\033[<0;999999;999999M\033[<35;3;3M')"
wait_for "$first[ *].*w250m40"

# --- the terminal gets it back: by command, while stopped, at the end
run_command mouse off
mouse_is 0
run_command mouse on
mouse_is 1
press C-z
mouse_is 0
press 'fg' Enter
wait_for "$first[ *].*w250m40"
mouse_is 1
# --- as is the terminal's flow control
press C-s
wait_for '\^S does nothing here'
leave 147 # what the shell said when it was stopped
mouse_is 0

# --- not even asked for
terminal_run "$PERFTOP $NAMES --no-mouse -d 0.3 -p $first"
wait_for "$first[ *].*w250m40"
mouse_is 0
press q
wait_end
echo 'mouse off' >"$scratch/conf"
terminal_run "$PERFTOP --config $scratch/conf -d 0.3 -p $first"
wait_for "$first[ *].*w250m40"
mouse_is 0
press q
wait_end

# --- a crash gives it back, too
terminal_run "$PERFTOP $NAMES -d 0.3 -p $first"
wait_for "$first[ *].*w250m40"
mouse_is 1
kill -ABRT "$(program_pid)"
wait_end
mouse_is 0
report
