#!/bin/bash
# xterm.sh PERFTOP TOOLS DATA [FOLDER]: the program in a real xterm, on an X server without a screen. What stands in
# xterm's cells, which xterm itself prints, is what stands in those of tmux after the same keys: terminals that
# know more and fewer colours, UTF-8 and not, other sizes, names of all kinds. Keys, clicks and sizes go through the X
# server. With FOLDER, pictures of all of it are left there, to be looked at.
#
# Needs Debian's xvfb xterm xdotool (pictures: imagemagick fonts-dejavu-core, too); not run otherwise.
. "$(dirname "$0")/lib.sh"
needs Xvfb xterm xdotool
. "$(dirname "$0")/xterm_lib.sh"
at_end() {
	display_close
	tmux_do kill-server 2>/dev/null
}
DATA=$(realpath "$3")
FOLDER=${4:-}
[ -z "$FOLDER" ] || { mkdir -p "$FOLDER" && FOLDER=$(realpath "$FOLDER"); }
export TZ=UTC

gzip -cd "$DATA/guest.data.gz" >"$scratch/guest.data" || exit 1
display_open || exit 1

# Keys as tmux and the X server name them, where that is not the same.
declare -A x_names=([Enter]=Return [PPage]=Prior [NPage]=Next [BTab]=shift+Tab [BSpace]=BackSpace [DC]=Delete
	[IC]=Insert [S-Left]=shift+Left [S-Right]=shift+Right [Space]=space [C-u]=ctrl+u)

# both KEY...: in xterm and in tmux; a text that is no key is typed.
both() {
	local key
	for key in "$@"; do
		case $key in
		F[1-9] | F1? | Up | Down | Left | Right | Home | End | Tab | Escape) xdotool key $key ;;
		*)
			if [ -n "${x_names[$key]:-}" ]; then
				xdotool key "${x_names[$key]}"
			else
				xdotool type --delay 20 -- "$key"
			fi
			;;
		esac
		press "$key"
		# What is typed into one must not come out of order in the other.
		sleep 0.1
	done
}

# What both may show in ways of their own: xterm keeps two combining characters (U+0300 to U+036F) at a base, and puts
# the first into it where there is such a letter, leaves out blanks without a width, and prints U+FFFF for the right
# half of what is wide. How much memory the history takes is not the same in two runs.
plain_text() {
	LC_ALL=C sed $'s/\xcc[\x80-\xbf]//g; s/\xcd[\x80-\xaf]//g; s/\xc3\xa9/e/g; s/\xe2\x80\x8b//g; s/\xef\xbf\xbf//g; s/, <*[0-9]* MB)/)/; s/ *$//'
}

# alike NAME: xterm shows what tmux does; its picture is NAME's.
alike() {
	local end=$((SECONDS + PATIENCE_S))
	while :; do
		screen | plain_text >"$scratch/tmux"
		window_text | plain_text >"$scratch/xterm"
		grep -q '[a-z]' "$scratch/tmux" && cmp -s "$scratch/tmux" "$scratch/xterm" && break
		if [ $SECONDS -gt $end ]; then
			fail "$opened, $1: xterm does not show what tmux does"
			diff -u --label tmux --label xterm "$scratch/tmux" "$scratch/xterm"
			break
		fi
		sleep 0.1
	done
	[ -z "$FOLDER" ] || window_picture "$FOLDER/${opened// /_}.${1// /_}.png"
}

# Each is stopped as soon as it plays: a recording that has ended would begin again.
stop_window() {
	local end=$((SECONDS + PATIENCE_S))
	until window_text | plain_text | grep -q "${shows:-w031m48}"; do
		[ $SECONDS -le $end ] || { fail "$opened: xterm shows nothing: $(window_text)"; return; }
		sleep 0.1
	done
	xdotool key space
}

# open NAME SIZE ENVIRONMENT OPTION...: the program in both, over the recording, which stands still then.
# $xterm_options are xterm's; TERM is among the environment and goes for xterm only.
xterm_options=-u8
open() {
	opened=$1
	local size=$2 environment=$3 term
	shift 3
	term=$(grep -o 'TERM=[^ ]*' <<<"$environment")
	environment=${environment/$term/}
	window_open "${size%x*}" "${size#*x}" "PS1='ready$ '; export PS1
env $environment $PERFTOP $NAMES -i ${recording:-$scratch/guest.data} $*; echo status \$?; sleep 60" \
		-tn "${term#TERM=}" $xterm_options || exit 1
	stop_window
	terminal_open "${size%x*}" "${size#*x}"
	terminal_run "env $environment $PERFTOP $NAMES -i ${recording:-$scratch/guest.data} $*"
	wait_for "${shows:-w031m48}"
	press Space
	wait_for 'stopped'
	both g '50%' Enter
}

# q ends it, and what was there before comes back.
leave() {
	both q
	wait_end
	[ "$status" = 0 ] || fail "$opened: status $status"
	local end=$((SECONDS + PATIENCE_S))
	until window_text | grep -q '^status 0'; do
		[ $SECONDS -le $end ] || { fail "$opened: xterm shows no end: $(window_text)"; break; }
		sleep 0.1
	done
	window_close
}

# Colours as xterm prints them.
has_colors() { window_print | grep -qE $'\e\\[[0-9;]*(3[0-7]|9[0-7]|[34]8[:;]5)'; }
colored() { has_colors || fail "$opened: there are no colours"; }
plain() { has_colors && fail "$opened: there are colours"; }
is_ascii() { window_text | LC_ALL=C grep -q '[^ -~]' && fail "$opened: not all of it is ASCII"; }

# --- every view, and what opens over them
open views 132x40 TERM=xterm-256color
alike tasks
grep -q 'F1 help' "$scratch/xterm" || fail "the line of keys is not whole"
colored
for view in 2:cpus 3:switches 4:groups 5:pairs 6:histogram 7:timeline; do
	both "${view%:*}"
	alike "${view#*:}"
done
both 1 Home Enter
alike page
both q F1
alike help
both q F2
alike setup
both Escape F6
alike "sort menu"
both Escape t
alike tree
both t : 'columns pid,user,ipc,mis'
alike prompt
both Tab
alike completion
both Escape Escape
alike "after the prompt"

# --- the window's size; the mouse
size() {
	local border=16 # twice xterm's
	local geometry
	geometry=$(xdotool getwindowgeometry --shell "$window")
	eval "$geometry"
	[ -n "${cell_width:-}" ] || { cell_width=$(((WIDTH - border) / 132)) cell_height=$(((HEIGHT - border) / 40)); }
	xdotool windowsize "$window" $((border + $1 * cell_width)) $((border + $2 * cell_height))
	resize "$1" "$2"
}
click() { # PATTERN: where xterm shows it
	local line text
	line=$(window_text | grep -nE -- "$1" | head -n 1)
	[ -n "$line" ] || { fail "$opened: $1 is not there"; return; }
	text=$(grep -oE -- ".*$1" <<<"${line#*:}" | head -n 1)
	xdotool mousemove --window "$window" $((8 + (${#text} - 1) * cell_width + cell_width / 2)) \
		$((8 + (${line%%:*} - 1) * cell_height + cell_height / 2)) click "${2:-1}"
}
size 80 24
alike 80x24
size 200 60
alike 200x60
size 132 40
alike 132x40
click 'SW/s' && press S
alike "sorted by a click"
click '2 cpus' && press 2
alike "a tab by a click"
click '1 tasks' && press 1
alike "another tab by a click"
size 20 5
window_settled
[ -z "$FOLDER" ] || window_picture "$FOLDER/views.20x5.png"
leave

# --- themes
# A terminal of 16 colours that is there whatever is installed.
infocmp -x xterm-256color | sed 's/^xterm-256color|.*,/xterm-16,/; s/colors#[^,]*/colors#16/; s/pairs#[^,]*/pairs#256/' |
	TERMINFO=$scratch/terminfo tic -x - || exit 1
# No part is empty: ncurses loses the 14 bytes of "/etc/terminfo", which it puts there, when a second ends between its
# two looks at the list.
export TERMINFO_DIRS=$scratch/terminfo:/etc/terminfo:/lib/terminfo:/usr/share/terminfo
for theme in default dark light mono high-contrast; do
	xterm_options=-u8
	[ $theme != light ] || xterm_options='-u8 -bg white -fg black'
	terms=xterm-256color
	[ $theme != default ] && [ -z "$FOLDER" ] || terms='xterm-256color xterm-16 xterm vt100'
	for term in $terms; do
		open "theme $theme $term" 100x30 "TERM=$term" --theme "$theme"
		alike tasks
		case $theme,$term in
		mono,* | *,vt100) plain ;;
		*) colored ;;
		esac
		[ -z "$FOLDER" ] || for view in 2 6 7; do
			both $view
			alike "view $view"
		done
		leave
	done
done
xterm_options=-u8
open "refused colours" 100x30 "TERM=xterm-256color NO_COLOR=1"
alike tasks
plain
leave

# --- names that are wide, combine, turn the direction, or are none at all
names=('日本語テスト' $'e\u0301\u0302\u0303x' $'\u202egnp.exe' $'\xff\xfe\x80bad' $'\033[2Jclear' $'\u200b\u200bzw' $'tab\there'
	'שלום' '한국어이름' $'\u0301first')
named=
for name in "${names[@]}"; do
	start "$TOOLS/spin" "$name"
	named="$named $started"
done
"$PERFTOP" --no-config -b -d 0.5 -n 10 -w "$scratch/names.data" >/dev/null || fail "nothing is recorded"
# shellcheck disable=SC2086
kill $named
recording=$scratch/names.data shows='日本語テス'
xterm_options=-u8
# aligned NAME BLANKS: the share of the CPU stands where it does in all rows, that many before a number of two digits.
aligned() {
	grep -qE "root +$1( {$(($2 + 1))}[0-9]| {$2}[0-9]{2}| {$(($2 - 1))}[0-9]{3})[.][0-9] " "$scratch/xterm" ||
		fail "$1: its columns have moved"
}
open names 132x40 TERM=xterm-256color -c pid,user,command,cpu%,sw/s --filter "ppid=$$"
alike tasks
aligned '日本語テス' 5
aligned '한국어이름' 5
aligned 'שלום' 11
aligned ex 13
aligned '\\xFF\\xFE\\x8…' 3
for view in 3 4 5 7; do
	both $view
	alike "view $view"
done
leave
recording= shows=

# --- terminals that know nothing of UTF-8
for how in "C:+u8 +lc" "C:-u8" "POSIX:+u8 +lc"; do
	xterm_options=${how#*:}
	open "locale $how" 100x30 "TERM=xterm-256color LC_ALL=${how%%:*}"
	for view in 2 3 4 5 6 7 1; do
		both $view
		alike "view $view"
		is_ascii
	done
	leave
done
report
