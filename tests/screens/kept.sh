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
