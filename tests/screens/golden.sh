#!/bin/bash
# golden.sh PERFTOP DATA NAME...: that a terminal shows the cells that golden.c finds: scripts of
# golden/NAME.keys, which are described there, played in tmux. "made" is not for here.
. "$(dirname "$0")/lib.sh"
DATA=$(realpath "$2")
KEPT=$(cd "$(dirname "$0")" && pwd)/golden
shift 2
export TZ=UTC

# section NAME: of the kept screens of this size
section() { awk -v name="--- $1" '/^--- / { here = $0 == name; next } here' "$kept.$size.screen"; }

is_wanted() { screen >"$scratch/shown" && cmp -s "$scratch/wanted" "$scratch/shown"; }

# look NAME: the screen is that one at this size, as soon as it comes
look() {
	section "$1" >"$scratch/wanted"
	wait_until "$(basename "$kept"): $1 at $size is not what was kept" is_wanted ||
		diff -u --label kept --label shown "$scratch/wanted" "$scratch/shown"
}

shot() { # NAME
	for size in $sizes; do
		[ "$size" = "$first" ] || resize "${size%x*}" "${size#*x}"
		look "$1"
	done
	[ "$size" = "$first" ] && return
	size=$first
	resize "${size%x*}" "${size#*x}"
	if grep -qx -- "--- $1, again" "$kept.$size.screen"; then look "$1, again"; else look "$1"; fi
}

# keys KEY...: one that follows Escape at once would be one with Alt.
keys() {
	local key
	for key in "$@"; do
		press "$key"
		[ "$key" != Escape ] || sleep 0.3
	done
}

# open DATA OPTION...
open() {
	gzip -cd "$DATA/$1.data.gz" >"$scratch/$1.data" || exit 1
	terminal_open "${first%x*}" "${first#*x}" \
		"cd $scratch && exec $PERFTOP --no-config -i $1.data ${*:2}"
	# a key of before is one to a terminal that is not set up yet
	wait_for PID
}

play() { # NAME
	local data= options= opened= verb rest
	kept=$KEPT/$1
	sizes=$(sed -n 's/^sizes //p' "$kept.keys")
	sizes=${sizes:-80x24 132x43}
	first=${sizes%% *}
	while read -r verb rest; do
		case $verb in
		'' | '#'* | sizes) continue ;;
		data) data=$rest; continue ;;
		options) options=$rest; continue ;;
		esac
		# shellcheck disable=SC2086
		[ -n "$opened" ] || open "$data" $options
		opened=1
		case $verb in
		# shellcheck disable=SC2086
		press) keys $rest ;;
		type) tmux_do send-keys -t t -l -- "$rest"; press Enter ;;
		shot) shot "$rest" ;;
		*) echo "$kept.keys: what is \"$verb\"?"; exit 1 ;;
		esac
	done <"$kept.keys"
}

for script; do
	play "$script"
done
report
