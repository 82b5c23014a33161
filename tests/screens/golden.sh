#!/bin/bash
# golden.sh PERFTOP DATA [--renew] [NAME...]: what the screens show of kept recordings, cell by cell.
#
# golden/NAME.keys is a script over a recording of DATA; its screens, at each size, are kept in
# golden/NAME.SIZE.screen. With --renew they are written anew: look at the difference before you
# keep it. A script has a line for each step:
#
#	data NAME          replays DATA/NAME.data.gz; the first line
#	options OPTION...  for the program; the second, where there are any
#	sizes WxH...       these instead of 80x24 132x40 200x60
#	press KEY...       as tmux names them
#	type TEXT          and Enter
#	shot NAME          the screen is NAME's, within ten seconds
#
# A replay has no clock but that of its records, so the screens are the same always and everywhere.
. "$(dirname "$0")/lib.sh"
DATA=$(realpath "$2")
KEPT=$(cd "$(dirname "$0")" && pwd)/golden
shift 2
renew=
[ "${1:-}" = --renew ] && { renew=1; shift; }
export TZ=UTC
WAIT_S=10
servers=0

# section NAME: of the kept screens
section() { awk -v name="--- $1" '/^--- / { here = $0 == name; next } here' "$kept"; }

# The screen when it has been the same for a second.
settled() {
	local before= now same=0
	while [ $same -lt 5 ]; do
		sleep 0.2
		now=$(screen)
		[ "$now" = "$before" ] && same=$((same + 1)) || same=0
		before=$now
	done
}

shot() { # NAME
	if [ -n "$renew" ]; then
		settled
		{ echo "--- $1"; screen; } >>"$kept.new"
		return
	fi
	section "$1" >"$scratch/wanted"
	[ -s "$scratch/wanted" ] || { fail "$place: no screen $1 is kept; see --renew"; return; }
	local end=$((SECONDS + WAIT_S))
	while :; do
		screen >"$scratch/shown"
		cmp -s "$scratch/wanted" "$scratch/shown" && return
		[ $SECONDS -le $end ] || break
		sleep 0.1
	done
	fail "$place: $1 is not what was kept"
	diff -u --label kept --label shown "$scratch/wanted" "$scratch/shown"
	WAIT_S=2 # who is wrong once is not waited for so long
}

# play SCRIPT SIZE
play() {
	local data= options= verb rest
	kept=$KEPT/$(basename "$1" .keys).$2.screen
	place="$(basename "$1") at $2"
	rm -f "$kept.new"
	while read -r verb rest; do
		case $verb in
		'' | '#'* | sizes) ;;
		data)
			data=$rest
			gzip -cd "$DATA/$data.data.gz" >"$scratch/$data.data" || exit 1
			opened=
			;;
		options) options=$rest ;;
		*)
			if [ -z "$opened" ]; then
				# a server of its own: the one of before may still be ending
				tmux_do kill-server 2>/dev/null
				socket=perftop-$$-$((++servers))
				terminal_open "${2%x*}" "${2#*x}" \
					"cd $scratch && exec $PERFTOP --no-config -i $data.data $options"
				opened=1
				# a key of before is one to a terminal that nobody has set up yet
				wait_for PID 60
			fi
			case $verb in
			# shellcheck disable=SC2086
			press) for key in $rest; do press "$key"; done ;;
			type) tmux_do send-keys -t t -l -- "$rest"; press Enter ;;
			shot) shot "$rest" ;;
			*) echo "$1: what is \"$verb\"?"; exit 1 ;;
			esac
			;;
		esac
	done <"$1"
	[ -z "$renew" ] || mv "$kept.new" "$kept"
}

scripts=("${@/#/$KEPT/}")
scripts=("${scripts[@]/%/.keys}")
[ $# -gt 0 ] || scripts=("$KEPT"/*.keys)
for script in "${scripts[@]}"; do
	sizes=$(sed -n 's/^sizes //p' "$script")
	for size in ${sizes:-80x24 132x40 200x60}; do
		play "$script" "$size"
	done
done
report
