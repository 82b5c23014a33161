# A screen that nobody sees and an xterm on it: what pictures.sh and xterm.sh share.
#
#	display_open                                Xvfb, in $DISPLAY
#	window_open WIDTH HEIGHT COMMAND OPTION...  an xterm of so many cells with a shell command in it
#	window_text                                 what is in its cells, as xterm prints it; of a quiet screen
#	window_settled                              waits until that has been the same for a moment
#	window_picture FILE                         PNG
#	type_key KEY...                             as xdotool names them, through the X server
#	window_close, display_close
#
# There is one window at a time, which has the keyboard. Needs Debian's xvfb xterm xdotool; pictures imagemagick
# and fonts-dejavu-core, too. Whoever sources this sets $scratch, a folder, and ends with display_close.

xvfb_pid=
window_pid=
window=

# The number of the display is Xvfb's choice, so that several may run. One that ends at that moment may take the
# socket of its successor with it, so a display is there when somebody was let in.
display_open() {
	local tries=0
	until display_try; do
		display_close
		[ $((tries += 1)) -lt 5 ] || { echo "Xvfb does not come up" >&2; return 1; }
	done
}

display_try() {
	local tries=0
	rm -f "$scratch/display"
	Xvfb -displayfd 3 -screen 0 2600x1700x24 -nolisten tcp 3>"$scratch/display" >/dev/null 2>&1 &
	xvfb_pid=$!
	until [ -s "$scratch/display" ]; do
		kill -0 $xvfb_pid 2>/dev/null || return 1
		[ $((tries += 1)) -le 900 ] || return 1
		sleep 0.1
	done
	DISPLAY=:$(cat "$scratch/display")
	export DISPLAY
	timeout 20 xdotool getdisplaygeometry >/dev/null 2>&1
}

display_close() {
	window_close
	[ -z "$xvfb_pid" ] || { kill "$xvfb_pid"; wait "$xvfb_pid"; } 2>/dev/null || true
	xvfb_pid=
}

# What xterm is told to print goes through a command into a file. The window tells its terminal in another.
window_open() {
	local width=$1 height=$2 command=$3 tries=0
	shift 3
	rm -f "$scratch/tty" "$scratch/print"
	cat >"$scratch/print.sh" <<PRINT
cat >$scratch/print.new
mv $scratch/print.new $scratch/print
PRINT
	cat >"$scratch/inside.sh" <<INSIDE
tty >$scratch/tty.new
mv $scratch/tty.new $scratch/tty
$command
INSIDE
	xterm -fa 'DejaVu Sans Mono' -fs 11 -b 8 -bw 0 +sb -geometry "${width}x$height+0+0" \
		-bg '#101418' -fg '#d8dee4' -T perftop \
		-xrm "XTerm*printerCommand: sh $scratch/print.sh" -xrm 'XTerm*printerAutoClose: true' \
		-xrm 'XTerm*printAttributes: 2' "$@" -e sh "$scratch/inside.sh" &
	window_pid=$!
	window=
	until [ -s "$scratch/tty" ] && [ -n "$window" ]; do
		kill -0 $window_pid 2>/dev/null || { echo "xterm does not start" >&2; return 1; }
		[ $((tries += 1)) -le 900 ] || { echo "xterm does not come up" >&2; return 1; }
		sleep 0.1
		window=$(xdotool search --onlyvisible --pid $window_pid 2>/dev/null | head -n 1 || true)
	done
	xdotool windowfocus "$window"
}

window_close() {
	[ -z "$window_pid" ] || { kill "$window_pid"; wait "$window_pid"; } 2>/dev/null || true
	window_pid=
}

# With its attributes: "media copy" is a sequence that any program on the terminal may send.
window_print() {
	local tries=0
	rm -f "$scratch/print"
	printf '\033[i' >"$(cat "$scratch/tty")"
	until [ -e "$scratch/print" ]; do
		[ $((tries += 1)) -le 1800 ] || { echo "xterm does not print" >&2; return 1; }
		sleep 0.05
	done
	tr -d '\r\f' <"$scratch/print"
}

window_text() { window_print | sed -e 's/\x1b[[][0-9;:]*m//g; s/\x1b#[0-9]//g; s/\x1b[()][0-9AB]//g; s/[\x0e\x0f]//g; s/ *$//'; }

window_settled() {
	local before= now same=0 tries=0
	while [ $same -lt 3 ] && [ $((tries += 1)) -le 100 ]; do
		sleep 0.15
		now=$(window_text)
		[ "$now" = "$before" ] && same=$((same + 1)) || same=0
		before=$now
	done
}

window_picture() { import -window "$window" "$1"; }

type_key() { xdotool key --delay 40 "$@"; }

# named_liblzma FILE: Debian's code of xz with the names of its functions, which its shared library has lost.
named_liblzma() {
	gcc -shared -Wl,-soname,liblzma.so.5,-Bsymbolic,--whole-archive "$(gcc -print-file-name=liblzma.a)" \
		-Wl,--no-whole-archive -o "$1"
}
