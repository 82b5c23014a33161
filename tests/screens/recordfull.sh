#!/bin/bash
# recordfull.sh PERFTOP TOOLS: a recording that is begun on the screen and finds the disk full. One sentence
# says so, the screen goes on, a new recording can be begun elsewhere, and what was written can be read.
. "$(dirname "$0")/lib.sh"
needs root
small=$scratch/small
mkdir "$small"
mount -t tmpfs -o size=256m perftop-small "$small" 2>/dev/null || not_run "no mount"
at_end() {
	tmux_do kill-server 2>/dev/null
	umount -l "$small"
}
start "$TOOLS/spin" w250m40 0 # switches seldom: not the recording fills the disk, we do
cd "$scratch" || exit 1

record() { # FILE
	ask w 'Record to file' C-u
	press "$1" Enter
}

terminal_open 120 30
terminal_run "$PERFTOP $NAMES -d 0.2"
wait_for 'w250m40'
record small/f.data
wait_for 'recording to small/f.data'
wait_for 'recording small/f.data [0-9.]+ MB'
goes_on 3
head -c 1G /dev/zero >"$small/rest" 2>/dev/null && fail "the disk is not full"
wait_for 'small/f[.]data.*No space left'
[ "$(screen | grep -c 'No space left')" = 1 ] || fail "it is not one sentence"
wait_gone 'recording .* MB'

# --- the screen goes on
goes_on 2
press 3
wait_for '\[3 switches\]'
press 1
wait_for '\[1 tasks\]'
wait_for 'w250m40'

# --- elsewhere there is room
record other.data
wait_for 'recording other.data [0-9.]+ MB'
goes_on 2
press w
wait_for 'saved .*other.data'

leave 1 # a recording has failed
for file in small/f.data other.data; do
	[ -s "$file" ] || fail "$file: nothing was written"
	"$PERFTOP" $NAMES -b --format json -i "$file" >"$scratch/replay" 2>"$scratch/replay.err"
	[ "$(wc -l <"$scratch/replay")" -ge 2 ] ||
		fail "$file: $(wc -l <"$scratch/replay") intervals can be read: $(cat "$scratch/replay.err")"
	grep -q '"command": *"w250m40"' "$scratch/replay" || fail "$file: who ran is not in it"
done
report
