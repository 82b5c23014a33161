#!/bin/bash
# kept.sh PERFTOP CHECKER DATA: recordings that were kept (DATA) tell what was seen when they were made, whoever
# asks and wherever.
set -eu
PERFTOP=$(realpath "$1") CHECKER=$(realpath "$2") DATA=$(realpath "$3")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
names=
for live in "$DATA"/*.json.gz; do
	name=$(basename "$live" .json.gz)
	gzip -cd "$live" >"$scratch/$name.live"
	gzip -cd "$DATA/$name.data.gz" >"$scratch/$name.data"
	"$PERFTOP" --no-config -b --format json -i "$scratch/$name.data" >"$scratch/$name.replay" </dev/null
	names="$names $name"
done
# shellcheck disable=SC2086
ROUNDTRIP_KEPT=1 GUEST_RESULTS=$scratch "$CHECKER" $names
