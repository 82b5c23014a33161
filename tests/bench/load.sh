#!/bin/bash
# load.sh PERFTOP BENCH: many switches a second, LOAD_SECONDS (4) long. At a rate that can be
# taken nothing is lost; at any rate what was lost is counted; the screen answers meanwhile.
#
# BENCH is the folder of switchload, loadtold and keytime. What a machine reaches is its own affair: the
# numbers are printed, and nothing is asked of one that is too slow or too busy to reach the rate.
. "$(dirname "$0")/../screens/kit.sh"
needs root
BENCH=$TOOLS
SECONDS_EACH=${LOAD_SECONDS:-4}
err=$scratch/err
# workers POLICY PRIORITY: of the kernel's threads that carry keys and screens through a terminal.
# A load that keeps perftop from running keeps them as well, and that is not perftop's answer.
workers() {
	for worker in $(ps -eo pid=,comm= | awk '$2 ~ /^kworker\/u/ { print $1 }'); do
		chrt "$1" -p "$2" "$worker" 2>/dev/null
	done
}
at_end() { workers -o 0; }

# load RATE PERFTOP-OPTION...: sets switches, rate (the kernel's account), seen, unattributed, lost (perftop's)
load() {
	local wanted=$1
	shift
	rm -f "$scratch/out"
	"$PERFTOP" --no-config -b --format json -d 0.5 "$@" >"$scratch/out" 2>"$scratch/err" &
	watcher=$!
	wait_until "perftop writes nothing" test -s "$scratch/out"
	"$BENCH/switchload" "$wanted" "$SECONDS_EACH" >"$scratch/load" || fail "switchload: status $?"
	sleep 1.2
	kill -TERM "$watcher"
	wait "$watcher" || fail "perftop: status $?"
	"$BENCH/loadtold" "$scratch/out" "$(grep -o "load-[0-9]*" "$scratch/load")" >"$scratch/told" || fail "loadtold: status $?"
	echo "$wanted/s wanted: $(cat "$scratch/load") $(cat "$scratch/told")"
	eval "$(tr ' ' '\n' <"$scratch/load" | grep -E '^(switches|rate)=[0-9]+$')"
	eval "$(tr ' ' '\n' <"$scratch/told" | grep -E '^(seen|unattributed|lost)=[0-9]+$')"
	own=$(grep -o "own_pct=[0-9]*" "$scratch/told" | cut -d= -f2)
}

# The first switches come before a task has its name. A switch that left no record is unattributed, one whose
# records were lost too once there is a reading; each had three records.
books() {
	[ "$seen" -le $((switches + 100)) ] || fail "$seen switches seen, the kernel has counted $switches"
	[ $((seen + unattributed + lost)) -ge $((switches - switches / 500 - 100)) ] ||
		fail "$seen switches seen, $unattributed unattributed and $lost records lost of $switches switches"
}

for wanted in 200000 500000; do
	load $wanted
	books
	# a build that checks itself takes much longer for each
	if [ "$rate" -ge 100000 ] && [ "$rate" -le 250000 ] && [ "$own" -lt 50 ]; then
		[ "$lost" = 0 ] || fail "$lost records lost at $rate switches a second"
	fi
done

# The log: a line for each switch, or, where they come faster than they can be written or read, a line that
# says how many were left out or how many records were lost.
#
# count_lines GATE: reads the first line, and the others once GATE is there
count_lines() {
	read -r _
	touch "$scratch/begun"
	until_there "$1"
	awk 'BEGIN { lines = 1 }
		substr($0, 1, 12) == "{\"left_out\":" { left_out += substr($0, 13) + 0; next }
		substr($0, 1, 8) == "{\"lost\":" { lost += substr($0, 9) + 0; next }
		/^{.*}$/ { lines++; next }
		{ broken++ }
		END { printf "%d %d %d %d\n", lines, left_out, lost, broken }' >"$scratch/lines.new"
	mv "$scratch/lines.new" "$scratch/lines"
}
until_there() { wait_until "$(basename "$1") does not come" test -e "$1"; }
# log WHEN: the reader reads from the start, or at the end only
log() {
	local gate=$scratch/begun lines left_out lost broken switches
	rm -f "$scratch"/{begun,ending,lines}
	[ "$1" = start ] || gate=$scratch/ending
	"$PERFTOP" --no-config -b --view switches --format json -d 0.5 2>"$scratch/err" > >(count_lines "$gate") &
	watcher=$!
	until_there "$scratch/begun"
	"$BENCH/switchload" 200000 "$SECONDS_EACH" >"$scratch/load"
	touch "$scratch/ending"
	kill -TERM "$watcher"
	wait "$watcher" || fail "perftop --view switches: status $?"
	until_there "$scratch/lines"
	read -r lines left_out lost broken <"$scratch/lines"
	switches=$(grep -o '^switches=[0-9]*' "$scratch/load" | cut -d= -f2)
	echo "log of $(cat "$scratch/load"), read from the $1: $lines lines, $left_out left out, $lost records lost"
	[ "$lines" -ge $((switches / 100)) ] && [ $((lines + left_out + lost)) -ge $((switches * 99 / 100)) ] ||
		fail "$lines lines, $left_out left out and $lost records lost of $switches switches"
	# each lost switch had three records, and machines do other things, too
	[ "$left_out" -le $((switches * 2)) ] && [ "$lost" -le $((switches * 4)) ] ||
		fail "$left_out left out and $lost records lost of only $switches switches"
	[ "$broken" = 0 ] || fail "$broken lines that are none"
}
log start
log end

"$BENCH/switchload" 500000 $((SECONDS_EACH + 3)) >"$scratch/load" &
loader=$!
sleep 0.5
workers -r 1
"$BENCH/keytime" 30 COMMAND 3 1 -- "$PERFTOP" --no-config -d 60 >"$scratch/keys" ||
	fail "the screen does not answer under load"
wait $loader
read -r median longest <"$scratch/keys"
echo "keys under load ($(cat "$scratch/load")): median $median ms, longest $longest ms"
# an interval later would be too late
awk -v ms="${median:-99999}" 'BEGIN { exit !(ms < 10000) }' || fail "a key takes $median ms"

report
