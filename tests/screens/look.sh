#!/bin/bash
# look.sh PERFTOP DATA: the screen in colours and without, on terminals that know more and less: what
# themes, NO_COLOR, --ascii, TERM and the locale come to. It shows a recording, which stands still.
. "$(dirname "$0")/lib.sh"

gzip -cd "$TOOLS/guest.data.gz" >"$scratch/guest.data" || exit 1
cat >"$scratch/theme.conf" <<CONFIG
theme light
theme pink
CONFIG

# What of the screen are colours: one code a line.
colors() {
	tmux_do capture-pane -e -p -t t | grep -oE $'\e\\[[0-9;]*m' | tr -d $'\e[m' |
		grep -E '(^|;)(3[0-79]|4[0-79]|9[0-7]|10[0-7]|[34]8;5;[0-9]+)(;|$)' |
		grep -vE '^(39|49|39;49)$' | sort -u
}

# show ENVIRONMENT OPTION...
show() {
	shown=$*
	terminal_open 100 30
	terminal_run "env $1 $PERFTOP ${2:---no-config} -i $scratch/guest.data ${*:3}"
	wait_for 'w031m48'
	press Space
	wait_for 'stopped'
}
is_colored() { colors | grep -qE "$1"; }
has_color() { wait_until "$shown: no $1 among its colours: $(colors | tr '\n' ' ')" is_colored "$1"; }
is_plain() { [ -z "$(colors)" ]; }
has_none() { wait_until "$shown: there are colours: $(colors | tr '\n' ' ')" is_plain; }
is_ascii() { screen | LC_ALL=C grep -q '[^ -~]' && fail "$shown: not all of it is ASCII"; }

# --- themes at 256 colours
show TERM=xterm-256color
has_color '38;5;172'
# the bar of the cursor leaves values their colours
press : 'jump 0:02' Enter
wait_for 'stopped +0:02'
press M Home
is_colored_in_bar() { tmux_do capture-pane -e -p -t t | grep -E '[[]([0-9;]*;)?7m' | grep -qF '[38;5;172m0.92'; }
wait_until "no value in the bar says how good it is" is_colored_in_bar
press : 'theme light' Enter
wait_for 'theme: light'
has_color '38;5;130'
press : 'theme pink' Enter
wait_for 'pink: no such value'
press Escape
wait_gone 'no such value'
press : 'theme mono' Enter
wait_for 'theme: mono'
has_none
press : theme Enter
wait_for 'theme: high-contrast'
has_color '48;5;16'
leave
show TERM=xterm-256color --no-config --theme dark
has_color '38;5;214'
leave
show TERM=xterm-256color "--config $scratch/theme.conf"
wait_for 'theme.conf:2: pink: no such value'
has_color '38;5;130'
leave

# --- colours are refused; who asks for them gets them all the same
show 'TERM=xterm-256color NO_COLOR=1'
has_none
screen | grep -q '▼' || fail "NO_COLOR took more than colours"
leave
show 'TERM=xterm-256color NO_COLOR='
has_color '38;5;172'
leave
show 'TERM=xterm-256color NO_COLOR=1' --no-config --theme light
has_color '38;5;130'
leave
show TERM=xterm-256color --no-config --theme mono
has_none
leave

# --- fewer colours, and none
show TERM=xterm
has_color '(^|;)33'
leave
show TERM=linux
has_color '(^|;)33'
leave
show TERM=tmux-256color
has_color '38;5;172'
leave
show TERM=vt100
has_none
# It cannot hide its cursor, which stays with the selected row.
press Home Down
cursor_line() { tmux_do display-message -p -t t '#{cursor_y}'; }
is_at_second_row() { [ "$(cursor_line)" = "$(screen | grep -n 'PID' | head -n 1 | awk -F: '{ print $1 + 1 }')" ]; }
wait_until "the cursor is in another line" is_at_second_row
leave
show TERM=vt100 --no-config --theme high-contrast
has_none
leave

# --- strips of CPUs
show TERM=xterm-256color
wait_for '^0 █+[▏▎▍▌▋▊▉]? +[0-9]+% IPC [0-9][.][0-9]{2}   1 █+'
press l
wait_for 'CPU bars: miss'
wait_for '^0 █+[▏▎▍▌▋▊▉]? +[0-9]+% miss [0-9.]+%   1 █+'
press l
wait_gone '^0 █'
press : 'cpu-strips busy' Enter
wait_for '^0 █+[▏▎▍▌▋▊▉]? +[0-9]+%   1 █+'
press 2
wait_gone '^0 █'
leave
echo 'cpu-strips off' >"$scratch/strips.conf"
show TERM=xterm-256color "--config $scratch/strips.conf"
is_shown '^0 █' && fail "the configuration has not put the strips off"
leave

# --- characters
for view in 1 2 3 4 5 6; do
	show LC_ALL=C --no-config
	press "$view"
	wait_for "[[]$view "
	is_ascii
	leave
done
show TERM=linux --no-config --ascii
is_ascii
leave

# --- a screen is one write, however much of it changes: twenty steps are far below two hundred
writes() { sed -n 's/^syscw: //p' "/proc/$(program_pid)/io"; }
show TERM=xterm-256color
before=$(writes)
for step in 1 2 3 4 5 6 7 8 9 10; do
	press Left
	sleep 0.1
	press Right
	sleep 0.1
done
wait_still
written=$(($(writes) - before))
[ "$written" -gt 1 ] && [ "$written" -lt 100 ] || fail "$written writes for twenty steps"
leave
report
