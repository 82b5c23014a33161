#!/bin/bash
# pictures.sh BUILD [FOLDER [PART...]]: makes screenshots/*.png from the program in BUILD. Its parts:
#
#	guest     boots a machine with hardware counters and keeps screens of the program there, and a recording,
#	          in FOLDER/guest, and one without counters for a recording in FOLDER/bare; takes five minutes of a CPU
#	screens   pictures of those screens
#	replays   pictures of the program over that recording and others, in an xterm: themes, many CPUs, no counters
#	console   boots a machine with a screen of its own and takes pictures of its console
#
# All of them are made where none is named. Needs what guest.sh needs, and xvfb xterm xdotool imagemagick
# fonts-dejavu-core tmux; gcc liblzma-dev xz-utils zstd sqlite3 perl nginx-light. A BUILD of release makes the best of them: the
# program shows what it costs itself.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { sed -n 2p "$0" >&2; exit 2; }
build=$(realpath "$1")
pictures=$(realpath "$here/../../screenshots")
scratch=$(mktemp -d)
work=${2:-$scratch}
shift $(($# < 2 ? $# : 2))
parts=("$@")
[ $# -gt 0 ] || parts=(guest screens replays console)
. "$here/xterm_lib.sh"
guest_pid=
finish() {
	display_close
	[ -z "$guest_pid" ] || kill "$guest_pid" 2>/dev/null || true
	rm -rf "$scratch"
}
trap finish EXIT
export LC_ALL=C.UTF-8
mkdir -p "$pictures" "$work"
work=$(realpath "$work")

guest() {
	local files=("$build/src/perftop" "$build/tests/guest/bin/asuser" "$(gcc -print-prog-name=cc1)"
		/usr/bin/{xz,zstd,sqlite3,perl} /usr/sbin/nginx
		"$scratch/liblzma.so.5")
	named_liblzma "$scratch/liblzma.so.5"
	"$here/../guest/guest.sh" -T -c 8 -I 2 -s 1 -m 1500 -t 3600 "$here/../guest/scenarios/pictures.sh" \
		"$work/guest" "${files[@]}"
	"$here/../guest/guest.sh" -n -I 2 -s 1 -m 1500 "$here/../guest/scenarios/pictures.sh" "$work/bare" "${files[@]}"
}

# A kept screen is text with its colours: as many lines as the screen had.
screens() {
	local kept
	for kept in "$work"/guest/*.ansi; do
		window_open 132 "$(wc -l <"$kept")" \
			"printf '\033[?25l'; head -c -1 '$kept'; sleep 60" -u8
		window_settled
		window_picture "$pictures/$(basename "$kept" .ansi).png"
		window_close
	done
}

# replay NAME SIZE FILE OPTIONS XTERM_OPTIONS KEY...: stopped in the middle, and then the keys
replay() {
	local name=$1 size=$2 file=$3 options=$4 xterm_options=$5 key
	shift 5
	# shellcheck disable=SC2086
	window_open "${size%x*}" "${size#*x}" \
		"cd '$(dirname "$file")' && exec '$build/src/perftop' --no-config -i '$(basename "$file")' $options" \
		-u8 -tn xterm-256color $xterm_options
	sleep 3
	xdotool key space
	xdotool type --delay 60 'g60%'
	xdotool key Return
	for key in "$@"; do
		case $key in
		?) xdotool type -- "$key" ;;
		*) xdotool key "$key" ;;
		esac
		sleep 0.2
	done
	window_settled
	window_picture "$name"
	window_close
}

replays() {
	local theme colors
	for theme in default dark light mono high-contrast; do
		colors=
		[ $theme != light ] || colors='-bg white -fg black'
		[ $theme != dark ] || colors='-bg black -fg gray90'
		replay "$scratch/$theme.png" 104x17 "$work/guest/seen.data" "--theme $theme" "$colors" K M Down Down Down
	done
	montage "$scratch"/{default,dark,light,high-contrast,mono}.png -tile 2x3 -geometry +6+6 \
		-background '#808080' "$pictures/themes.png"
	replay "$pictures/replay.png" 132x30 "$work/guest/seen.data" '' '' M
	replay "$pictures/column.png" 132x16 "$work/guest/seen.data" '' '' M question
	replay "$pictures/page.png" 132x44 "$work/guest/seen.data" '' '' / x z Return Return
	replay "$pictures/bare.png" 132x24 "$work/bare/bare.data" '' ''
	zcat "$here/../data/states.data.gz" >"$scratch/states.data"
	replay "$pictures/states.png" 132x36 "$scratch/states.data" '-c states' '' H / s t minus l o Return
	"$build/tests/bench/large" "$scratch/server.data" 512 700 20
	replay "$pictures/strips.png" 132x32 "$scratch/server.data" '-c pid,cpu%,ghz,ipc,miss%,mpki,pre/s,trend,command' '' l
}

# The emulator's monitor presses the keys and takes the pictures.
console() {
	mkfifo "$scratch/monitor.in" "$scratch/monitor.out"
	exec 7<>"$scratch/monitor.in" 8<>"$scratch/monitor.out"
	"$here/../guest/guest.sh" -T -c 8 -m 1500 -V "$scratch/monitor" "$here/../guest/scenarios/console.sh" \
		"$scratch/console" "$build/src/perftop" /usr/bin/{xz,sqlite3,perl} 7>&- 8>&- &
	guest_pid=$!
	sleep 50
	echo "screendump $scratch/console.ppm" >&7
	sleep 2
	convert "$scratch/console.ppm" "$pictures/console.png"
	echo "sendkey q" >&7
	wait $guest_pid
	guest_pid=
}

display_open
for part in "${parts[@]}"; do
	case $part in
	guest | screens | replays | console) $part ;;
	*) echo "pictures.sh: $part is no part" >&2; exit 2 ;;
	esac
done
ls -l "$pictures"
