#!/bin/bash
# golden.sh PERFTOP DATA [--renew] [NAME...]: what the screens show of kept and made recordings, cell by
# cell.
#
# golden/NAME.keys is a script over a recording; its screens, at each size, are kept in
# golden/NAME.SIZE.screen. With --renew they are written anew: look at the difference before you
# keep it. A script has a line for each step:
#
#	data NAME          replays DATA/NAME.data.gz; the first line
#	made ARGUMENT...   or one that tests/bench/large of PERFTOP's build makes of these
#	options OPTION...  for the program; the second, where there are any
#	sizes WxH...       these instead of 80x24 132x43
#	press KEY...       as tmux names them; at the first size
#	type TEXT          and Enter
#	shot NAME          the screen is NAME's, at each size, as soon as it comes
#
# The program is started once for each script, and its terminal gets one size after the other, and the
# first again; "NAME, again" is kept where that does not bring back what was there. Messages go
# away by themselves, so they are seen at the first size only. Else a replay has no clock but that
# of its records, and the screens are the same always and everywhere.
. "$(dirname "$0")/lib.sh"
DATA=$(realpath "$2")
LARGE=$(dirname "$PERFTOP")/../tests/bench/large
KEPT=$(cd "$(dirname "$0")" && pwd)/golden
shift 2
renew=
[ "${1:-}" = --renew ] && { renew=1; shift; }
export TZ=UTC
WAIT_S=90

# section NAME [SUFFIX]: of the kept screens of this size
section() { awk -v name="--- $1" '/^--- / { here = $0 == name; next } here' "$kept.$size.screen${2:-}"; }

# The screen when it has been the same for half a second.
settled() {
	local before= now same=0
	while [ $same -lt 5 ]; do
		sleep 0.1
		now=$(screen)
		[ "$now" = "$before" ] && same=$((same + 1)) || same=0
		before=$now
	done
}

# look NAME: the screen is that one at this size
look() {
	local end=$((SECONDS + WAIT_S))
	section "$1" >"$scratch/wanted"
	[ -s "$scratch/wanted" ] || { fail "$place: no screen $1 is kept at $size; see --renew"; return; }
	while :; do
		screen >"$scratch/shown"
		cmp -s "$scratch/wanted" "$scratch/shown" && return
		[ $SECONDS -le $end ] || break
		sleep 0.05
	done
	fail "$place: $1 at $size is not what was kept"
	diff -u --label kept --label shown "$scratch/wanted" "$scratch/shown"
	WAIT_S=2 # who is wrong once is not waited for so long
}

keep() { # NAME
	settled
	{ echo "--- $1"; screen; } >>"$kept.$size.screen.new"
}

shot_at_size() { # NAME
	if [ -z "$renew" ]; then
		look "$1"
		return
	fi
	keep "$1"
	[ "$sizes" = "$first" ] || [ "$size" != "$first" ] || [ -z "$(screen | tail -n 2 | head -n 1)" ] || sleep 5
}

# Back at the first size the screen is mostly what it was there.
shot_again() { # NAME
	if [ -z "$renew" ]; then
		if grep -qx -- "--- $1, again" "$kept.$size.screen"; then look "$1, again"; else look "$1"; fi
		return
	fi
	settled
	section "$1" .new >"$scratch/before"
	screen | cmp -s "$scratch/before" - || keep "$1, again"
}

shot() { # NAME
	for size in $sizes; do
		[ "$size" = "$first" ] || resize "${size%x*}" "${size#*x}"
		shot_at_size "$1"
	done
	[ "$size" = "$first" ] && return
	size=$first
	resize "${size%x*}" "${size#*x}"
	shot_again "$1"
}

# keys KEY...: one that follows Escape at once would be one with Alt.
keys() {
	local key
	for key in "$@"; do
		press "$key"
		[ "$key" != Escape ] || sleep 0.3
	done
}

# make_data NAME: the file that is replayed
make_data() {
	if [ -n "$made" ]; then
		# shellcheck disable=SC2086
		"$LARGE" "$scratch/$1.data" $made || exit 1
	else
		gzip -cd "$DATA/$1.data.gz" >"$scratch/$1.data" || exit 1
	fi
}

# open DATA OPTION...
open() {
	make_data "$1"
	terminal_open "${first%x*}" "${first#*x}" \
		"cd $scratch && exec $PERFTOP --no-config -i $1.data ${*:2}"
	# a key of before is one to a terminal that nobody has set up yet
	wait_for PID
}

play() { # SCRIPT
	local data=made made= options= opened= verb rest
	kept=$KEPT/$(basename "$1" .keys)
	place=$(basename "$1")
	sizes=$(sed -n 's/^sizes //p' "$1")
	sizes=${sizes:-80x24 132x43}
	first=${sizes%% *}
	rm -f "$kept".*.new
	while read -r verb rest; do
		case $verb in
		'' | '#'* | sizes) continue ;;
		data) data=$rest; continue ;;
		made) made=$rest; continue ;;
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
		*) echo "$1: what is \"$verb\"?"; exit 1 ;;
		esac
	done <"$1"
	[ -n "$renew" ] || return
	for size in $sizes; do
		mv "$kept.$size.screen.new" "$kept.$size.screen"
	done
}

scripts=("${@/#/$KEPT/}")
scripts=("${scripts[@]/%/.keys}")
[ $# -gt 0 ] || scripts=("$KEPT"/*.keys)
for script in "${scripts[@]}"; do
	play "$script"
done
report
