# What the terminal tests share beside kit.sh: a terminal in tmux, a program in it, and looks at its screen.
#
#	terminal_open WIDTH HEIGHT [SHELL COMMAND]   a terminal; the command, or a bare shell
#	terminal_run COMMAND                         runs in the bare shell, with stty before and after
#	press KEY...                                 as tmux names them; text as it is
#	ask KEY PATTERN TEXT...                      opens a prompt, and types into it once it is there
#	run_command WORD...                          runs a command at the prompt
#	search_for TEXT                              puts the cursor there
#	screen                                       what is on it
#	wait_for PATTERN                             until a line matches (grep -E), or fails
#	wait_gone PATTERN                            until none does
#	wait_still                                   until the screen stands still
#	goes_on COUNT                                until its clock has gone on so often
#	message_gone                                 until no message is shown
#	leave [STATUS]                               q ends the program with that (0), and the terminal is as it was
#
# A test that fails says what it wanted and prints the screen. Sourced with the program as $1.
. "$(dirname "${BASH_SOURCE[0]}")/kit.sh"

export LC_ALL=C.UTF-8 LANG=C.UTF-8
socket=perftop-$$
servers=0
# Where there is room COMMAND has command lines, and tasks are named beside the rows; most tests look for names in rows.
printf '%s off\n' command-lines pane verdict >"$scratch/names.conf"
NAMES="--config $scratch/names.conf"

tmux_do() { tmux -L "$socket" -f /dev/null "$@"; }

at_end() { tmux_do kill-server 2>/dev/null; }

command -v tmux >/dev/null || { echo "tmux is missing" >&2; exit 1; }

show() {
	tmux_do has-session -t t 2>/dev/null || return
	echo "--- screen"
	screen
	echo "---"
}

terminal_open() {
	tmux_do kill-server 2>/dev/null
	# A server of its own: the one of before may still be ending, and would take the session with it.
	socket=perftop-$$-$((++servers))
	local width=$1 height=$2
	shift 2
	PS1='ready$ ' tmux_do -u new-session -d -s t -x "$width" -y "$height" \
		"${*:-exec bash --norc --noprofile}"
	tmux_do set-option -g status off
	tmux_do set-option -g remain-on-exit on
	# With the status line off the window grows by a line.
	tmux_do resize-window -t t -x "$width" -y "$height"
}

terminal_run() {
	rm -f "$scratch/status" "$scratch/before" "$scratch/after"
	cat >"$scratch/run" <<RUN
stty -a | sed 's/rows [0-9]*; columns [0-9]*; //' >$scratch/before
$*
echo \$? >$scratch/status.new
stty -a | sed 's/rows [0-9]*; columns [0-9]*; //' >$scratch/after
mv $scratch/status.new $scratch/status
RUN
	press ". $scratch/run" Enter
}

# Keys by tmux's names, or text. On tmux's standard input: what is searched for must not be found in
# a command line of tmux's.
press() {
	local line='send-keys -t t' word
	for word; do
		line+=" '${word//\'/\'\\\'\'}'"
	done
	tmux_do source-file - <<<"$line"
}
screen() { tmux_do capture-pane -p -t t; }
resize() { tmux_do resize-window -t t -x "$1" -y "$2"; }

# Without a process whose command line has the pattern: it would be a task on the screen, and be found there.
is_shown() {
	local line
	while IFS= read -r line; do
		[[ $line =~ $1 ]] && return
	done <<<"$(screen)"
	return 1
}
is_not_shown() { ! is_shown "$1"; }
wait_for() { wait_until "\"$1\" does not come onto the screen" is_shown "$1"; }
wait_gone() { wait_until "\"$1\" stays on the screen" is_not_shown "$1"; }

# The same for a second and a half.
is_still() {
	local before i
	before=$(screen)
	for i in 1 2 3 4 5 6; do
		sleep 0.25
		[ "$(screen)" = "$before" ] || return 1
	done
}
wait_still() { wait_until "the screen does not stand still" is_still; }

has_no_message() { [ -z "$(screen | tail -n 2 | head -n 1 | tr -d ' ')" ]; }
message_gone() { wait_until "the message stays" has_no_message; }

# Waits for terminal_run's command to end; its status goes to $status.
wait_end() {
	status=none
	wait_until "the program does not end" test -s "$scratch/status" || return
	status=$(cat "$scratch/status")
}

# The time of day on the screen; and until that has gone on by so many intervals.
clock() { screen | head -n 1 | grep -oE '[0-9]{2}:[0-9]{2}:[0-9]{2}' | tail -n 1; }
is_later() { [ "$(clock)" != "$1" ]; }
goes_on() { # SECONDS
	local i
	for i in $(seq "$1"); do
		wait_until "the screen stands still" is_later "$(clock)"
	done
}

flag_is() { [ "$(tmux_do display-message -p -t t "#{$1}")" = "$2" ]; }

# The terminal is as it was: modes, screen, cursor.
check_terminal() {
	cmp -s "$scratch/before" "$scratch/after" ||
		fail "the terminal's modes have changed: $(diff "$scratch/before" "$scratch/after")"
	wait_until "the alternate screen was not left" flag_is alternate_on 0
	wait_until "the cursor is hidden" flag_is cursor_flag 1
	wait_until "the keypad stays in application mode" flag_is keypad_flag 0
}

# The pid of the program in the terminal.
program_pid() {
	local shell
	shell=$(tmux_do display-message -p -t t '#{pane_pid}')
	pgrep -P "$shell" -f perftop | head -n 1
}

leave() { # [STATUS]
	press q
	wait_end
	[ "$status" = "${1:-0}" ] || fail "status $status, not ${1:-0}"
	check_terminal
}

ask() {
	press "$1"
	wait_for "$2"
	press "${@:3}"
}
run_command() { ask : '^:' "$*" Enter; }
search_for() {
	ask / '^Search:' "$1" Enter
	wait_gone '^Search:'
}

is_over() { [ -z "$(program_pid)" ]; }
