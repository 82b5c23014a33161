# What the terminal tests share: a terminal in tmux, a program in it, and looks at its screen.
#
#	terminal_open WIDTH HEIGHT [SHELL COMMAND]   a terminal; the command, or a bare shell
#	terminal_run COMMAND                         runs in the bare shell, with stty before and after
#	press KEY...                                 as tmux names them; text as it is
#	screen                                       what is on it
#	wait_for PATTERN [SECONDS]                   until a line matches (grep -E), or fails
#	wait_gone PATTERN [SECONDS]                  until none does
#
# A test that fails says what it wanted and prints the screen. Sourced with the program as $1.
set -u

PERFTOP=$(realpath "$1")
TOOLS=${2:+$(realpath "$2")}
export LC_ALL=C.UTF-8 LANG=C.UTF-8
scratch=$(mktemp -d)
socket=perftop-$$
failures=0
children=

tmux_do() { tmux -L "$socket" -f /dev/null "$@"; }

finish() {
	tmux_do kill-server 2>/dev/null
	for child in $children; do
		kill -9 "$child" 2>/dev/null
		wait "$child" 2>/dev/null
	done
	rm -rf "$scratch"
}
trap finish EXIT

command -v tmux >/dev/null || { echo "tmux is missing" >&2; exit 1; }

# start NAME PROGRAM...: a background program that ends with the test; its pid is in $started.
start() {
	"$@" >/dev/null 2>&1 &
	started=$!
	children="$children $started"
}

fail() {
	echo "FAILED: $*"
	if tmux_do has-session -t t 2>/dev/null; then
		echo "--- screen"
		screen
		echo "---"
	fi
	failures=$((failures + 1))
	return 1
}

# The test's last line.
report() {
	if [ $failures -gt 0 ]; then
		echo "$failures failed"
		exit 1
	fi
	exit 0
}

terminal_open() {
	tmux_do kill-server 2>/dev/null
	# The server of before must have gone, or the new session would be its last.
	while tmux_do has-session -t t 2>/dev/null; do
		sleep 0.05
	done
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

press() { tmux_do send-keys -t t "$@"; }
screen() { tmux_do capture-pane -p -t t; }
resize() { tmux_do resize-window -t t -x "$1" -y "$2"; }

wait_for() {
	local end=$((SECONDS + ${2:-15}))
	while [ $SECONDS -le $end ]; do
		screen | grep -qE -- "$1" && return 0
		sleep 0.1
	done
	fail "\"$1\" does not come onto the screen"
}

wait_gone() {
	local end=$((SECONDS + ${2:-15}))
	while [ $SECONDS -le $end ]; do
		screen | grep -qE -- "$1" || return 0
		sleep 0.1
	done
	fail "\"$1\" stays on the screen"
}

# Waits for terminal_run's command to end; its status goes to $status.
wait_end() {
	local end=$((SECONDS + ${1:-15}))
	while [ ! -s "$scratch/status" ]; do
		[ $SECONDS -le $end ] || { fail "the program does not end"; status=none; return 1; }
		sleep 0.1
	done
	status=$(cat "$scratch/status")
}

# The terminal is as it was: modes, screen, cursor.
check_terminal() {
	cmp -s "$scratch/before" "$scratch/after" ||
		fail "the terminal's modes have changed: $(diff "$scratch/before" "$scratch/after")"
	[ "$(tmux_do display-message -p -t t '#{alternate_on}')" = 0 ] ||
		fail "the alternate screen was not left"
	[ "$(tmux_do display-message -p -t t '#{cursor_flag}')" = 1 ] || fail "the cursor is hidden"
	[ "$(tmux_do display-message -p -t t '#{keypad_flag}')" = 0 ] ||
		fail "the keypad stays in application mode"
}

# The pid of the program in the terminal.
program_pid() {
	local shell
	shell=$(tmux_do display-message -p -t t '#{pane_pid}')
	pgrep -P "$shell" -f perftop | head -n 1
}
