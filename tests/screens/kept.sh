#!/bin/bash
# kept.sh PERFTOP CHECKER DATA [EMULATOR...]: recordings that were kept (DATA) tell what was seen when they were made,
# whoever asks and wherever.
. "$(dirname "$0")/kit.sh"
set -e
CHECKER=$TOOLS DATA=$(realpath "$3")
emulator=("${@:4}")
names=
for live in "$DATA"/*.json.gz; do
	name=$(basename "$live" .json.gz)
	gzip -cd "$live" >"$scratch/$name.live"
	gzip -cd "$DATA/$name.data.gz" >"$scratch/$name.data"
	"${emulator[@]}" "$PERFTOP" --no-config -b --format json -i "$scratch/$name.data" >"$scratch/$name.replay" </dev/null
	names="$names $name"
done
# shellcheck disable=SC2086
ROUNDTRIP_KEPT=1 GUEST_RESULTS=$scratch "${emulator[@]}" "$CHECKER" $names

# --- an interval that is a little shorter than was asked for is not joined with the next one
intervals() { # of how many of the recording's, of half a second, those are that are asked for
	"${emulator[@]}" "$PERFTOP" --no-config --format json -i "$scratch/guest.data" -d "$1" </dev/null | wc -l
}
[ "$(intervals 0.5) $(intervals 1) $(intervals 100)" = '10 5 1' ] ||
	fail "-d 0.5, 1 and 100: $(intervals 0.5) $(intervals 1) $(intervals 100) intervals"
report
