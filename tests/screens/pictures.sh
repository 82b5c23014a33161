#!/bin/bash
# pictures.sh BUILD: makes screenshots/*.png from the program in BUILD, running in the guest with hardware
# counters. Needs what guest.sh needs, and xvfb xterm imagemagick fonts-dejavu-core tmux.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(realpath "$1")
pictures=$here/../../screenshots
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT

"$here/../guest/guest.sh" -T -c 8 "$here/../guest/scenarios/pictures.sh" "$work/out" \
	"$build/src/perftop" "$build"/tests/guest/bin/{spin,forkstorm}

# draw NAME: shows the kept screen in a terminal nobody sees, and takes its picture.
draw() {
	local title=perftop-picture-$1 terminal
	DISPLAY=:$screen LANG=C.UTF-8 xterm -u8 -T "$title" -fa 'DejaVu Sans Mono' -fs 11 -b 8 -bw 0 \
		-bg '#101418' -fg '#d8dee4' -geometry 132x30 +sb \
		-e "printf '\033[?25l'; head -c -1 '$work/out/$1.ansi'; sleep 30" &
	terminal=$!
	sleep 2
	DISPLAY=:$screen import -window "$title" "$pictures/$1.png"
	kill $terminal
}

screen=$((100 + $$ % 800))
Xvfb ":$screen" -screen 0 1600x900x24 >/dev/null 2>&1 &
sleep 2
mkdir -p "$pictures"
for kept in "$work"/out/*.ansi; do
	draw "$(basename "$kept" .ansi)"
done
ls -l "$pictures"
