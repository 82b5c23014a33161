#!/bin/bash
# export.sh PERFTOP - DATA: the command export writes on the screen what the format trace prints, but for what only the
# end of a run is known of.
. "$(dirname "$0")/lib.sh"
DATA=$(realpath "$3")

gzip -cd "$DATA/guest.data.gz" >"$scratch/guest.data"
"$PERFTOP" --no-config -i "$scratch/guest.data" --format trace >"$scratch/printed" </dev/null || fail "--format trace"

terminal_open 100 30
terminal_run "$PERFTOP --no-config -i $scratch/guest.data"
wait_for 'w250m8'
press : "speed max" Enter
wait_for 'end of the recording'
press : "export $scratch/exported" Enter
wait_for 'switches as a trace in'
said=$(screen | sed -n 's/.*[^0-9]\([0-9][0-9]*\) switches as a trace in.*/\1/p;s/^\([0-9][0-9]*\) switches as a trace in.*/\1/p' | head -n 1)
lines() { sed 's/,$//' "$1" | grep -v '^[][]$' | LC_ALL=C sort; }
[ "$(head -n 1 "$scratch/exported")$(tail -n 1 "$scratch/exported")" = '[]' ] || fail "it is not whole"
[ "$(LC_ALL=C comm -23 <(lines "$scratch/exported") <(lines "$scratch/printed") | wc -l)" = 0 ] ||
	fail "exported, not printed: $(LC_ALL=C comm -23 <(lines "$scratch/exported") <(lines "$scratch/printed") | head -n 3)"
runs=$(grep -c '"pid":1073741824,.*"cat":"run"' "$scratch/exported")
[ "$runs" = "$said" ] || fail "$said switches are said, $runs slices are there"
LC_ALL=C cmp <(lines "$scratch/exported" | grep '"ph":"C"') <(lines "$scratch/printed" | grep '"ph":"C"') ||
	fail "counters are others"

# --- what cannot be written is said
press : "export /nosuchdirectory/trace" Enter
wait_for 'nosuchdirectory/trace: No such file'
press Escape
press : "export /dev/full" Enter
wait_for 'dev/full: No space left'
press Escape
report
