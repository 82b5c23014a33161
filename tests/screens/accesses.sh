#!/bin/bash
# accesses.sh PERFTOP PERF.DATA-MAKER
#
# Accesses of a recording as of perf mem record are what was written (made_accesses.c), in text and JSON; and, where perf
# is there, what perf mem report makes of it: samples by what answered them, and shares of the latency by task.
. "$(dirname "$0")/kit.sh"

recording=$scratch/accesses.data
"$2" "$recording" || fail "made_accesses made nothing"

rows() { # FORM COLUMN...: of each row the values of the columns, in JSON
	local form=$1 column
	shift
	"$PERFTOP" -i "$recording" --format json -V memory --accesses "$form" -c "$(tr ' ' , <<<"$*")" "${options[@]}" |
		grep -o '"memory":.*' | tr '{' '\n' | grep : | tail -n +2 | while read -r line; do
		for column in "$@"; do
			sed -n "s/.*\"$column\":\"\{0,1\}\([^,\"}]*\).*/\1/p" <<<"$line"
		done | tr '\n' ' '
		echo
	done | sed 's/ $//'
}
options=()

seen=$(rows lines contended writers accesses hitm address pid tid | head -5)
expected='500.0 2.0 500.0 150.0 0x7f4200001040 4711.0 null
200.0 null 200.0 50.0 +0x08 4711.0 4712.0
200.0 null 200.0 null +0x00 4711.0 4711.0
100.0 null 100.0 100.0 +0x10 4711.0 4711.0
0.0 1.0 400.0 null 0x7f4200002000 4711.0 null'
[ "$seen" = "$expected" ] || fail "the line that two threads write: $seen"

seen=$(rows tasks tid accesses "store%" latency "tlb-miss%" "locked%" "blocked%" distance)
for line in '4712\.0 450\.0 33\.3[0-9]* 86\.2[0-9]* 17\.7[0-9]* 0\.0 0\.0 null' \
	'4711\.0 600\.0 83\.3[0-9]* 25\.8[0-9]* 0\.0 0\.0 0\.0 null' \
	'4720\.0 257\.0 23\.3[0-9]* 52\.9[0-9]* 5\.4[0-9]* 23\.3[0-9]* 15\.5[0-9]* socket'; do
	grep -qx "$line" <<<"$seen" || fail "no task $line in: $seen"
done

sources() { # accesses that each answered, of all tasks together
	rows tasks accesses 'l1%' 'lfb%' 'l2%' 'l3%' 'local%' 'remote%' 'rcache%' 'uncached%' 'other%' |
		awk '{ for (i = 2; i <= NF; i++) sums[i] += $1 * $i / 100 }
			END { for (i = 2; i <= 10; i++) printf "%.0f%s", sums[i], i < 10 ? " " : "\n" }'
}
[ "$(sources)" = '760 52 120 120 28 16 54 5 152' ] || fail "what answered: $(sources)"

options=(-f 'command = builder')
[ "$(rows functions accesses)" = 257.0 ] || fail "a filter of tasks: $(rows functions accesses)"
options=(-f 'writers > 1')
[ "$(rows lines address | paste -sd' ')" = '0x7f4200001040 +0x08 +0x00 +0x10' ] ||
	fail "a filter of lines: $(rows lines address)"
options=()

# Of the event with three weights this perf (6.1) knows no level by its number alone.
if command -v perf >/dev/null; then
	perf mem report -i "$recording" --stdio -s mem >"$scratch/levels" 2>/dev/null
	seen=$(awk '/^# Samples/ { events++ }
		events == 1 && $1 ~ /%$/ { n = $2; $1 = $2 = ""; sub(/^ +/, ""); sub(/ +$/, ""); print $0 ": " n }' "$scratch/levels" | sort)
	[ "$seen" = 'L1 hit: 660
L1 miss: 150
L2 hit: 80
L3 hit: 100
LFB/MAB hit: 40
Local RAM hit: 20
Remote Cache (1 hop) hit: 50
Remote RAM (1 hop) hit: 10
Uncached hit: 5' ] || fail "perf mem report: $seen"
	perf mem report -i "$recording" --stdio -s comm >"$scratch/tasks" 2>/dev/null
	# which counts 1 for each of 500 operations that access nothing
	perfs=$(awk '/^# Total weight/ { weight = $5; if (events++) weight -= 500; all += weight } $1 ~ /%$/ { sums[$3] += $1 * weight }
		END { for (task in sums) printf "%s %.0f\n", task, sums[task] / all }' "$scratch/tasks" | sort)
	seen=$(rows tasks command 'latency%' | awk '{ printf "%s %.0f\n", $1, $2 }' | sort)
	[ "$seen" = "$perfs" ] || fail "shares of latency: $seen; perf: $perfs"
fi
report
