#!/bin/bash
# demo.sh BUILD [FOLDER]: makes screenshots/demo.gif: the program in BUILD beside programs that people know, in a
# machine with hardware counters (tests/guest/scenarios/demo.sh), whose screens are kept in FOLDER; where they are
# there already, only the picture is made. Needs what pictures.sh needs, gcc liblzma-dev xz-utils zstd sqlite3 perl.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { sed -n 2p "$0" >&2; exit 2; }
build=$(realpath "$1")
scratch=$(mktemp -d)
film=${2:-$scratch/film}
. "$here/xterm_lib.sh"
trap 'display_close; rm -rf "$scratch"' EXIT
export LC_ALL=C.UTF-8

[ -d "$film/frames" ] || {
	named_liblzma "$scratch/liblzma.so.5"
	"$here/../guest/guest.sh" -T -c 8 -s 4 -m 1500 "$here/../guest/scenarios/demo.sh" "$film" \
		"$build/src/perftop" "$(gcc -print-prog-name=cc1)" /usr/bin/{xz,zstd,sqlite3,perl} "$scratch/liblzma.so.5"
}

# Each frame is shown for the time from one to the next, or for longer where the next is the same.
display_open
frames=() last=
for kept in "$film"/frames/*.ansi; do
	if [ -n "$last" ] && cmp -s "$kept" "$last"; then
		frames+=(-delay 44 "${frames[-1]}")
		continue
	fi
	last=$kept
	window_open 100 31 "printf '\033[?25l'; head -c -1 '$kept'; sleep 60" -u8
	window_settled
	window_picture "$scratch/$(basename "$kept").png"
	window_close
	frames+=(-delay 44 "$scratch/$(basename "$kept").png")
done
convert "${frames[@]}" -loop 0 +dither -colors 48 -layers Optimize "$here/../../screenshots/demo.gif"
ls -l "$here/../../screenshots/demo.gif"
