#!/bin/bash
# functions.sh BUILD [SECONDS]: which functions are hottest for perftop and for perf over the same time, and what each of
# them takes for that, while the tests' program of known shares keeps all CPUs busy beside whatever else runs.
# BUILD is the folder of a release build. Needs root and perf. Costs are CPU time per second, after the first ten seconds.
set -eu
build=$(realpath "$1")
seconds=${2:-20}
perftop=$build/src/perftop
scratch=$(mktemp -d)
maps=
finish() {
	kill $(jobs -p) 2>/dev/null || true
	rm -rf "$scratch" $maps
}
trap finish EXIT

for ((i = 0; i < $(nproc); i++)); do
	"$build/tests/screens/hidden_shares" &
	maps="$maps /tmp/perf-$!.map"
done

# --- the twenty hottest by themselves, in percent
"$perftop" -b -V functions -d "$seconds" -n 1 --format json >"$scratch/json" &
watching=$!
perf record -q -F 997 -g -a -o "$scratch/data" -- sleep "$seconds" >/dev/null 2>&1
wait "$watching"
# Of both: the name up to its arguments, since perf leaves these out at times.
tr '{' '\n' <"$scratch/json" | awk -F, '
	/^"function":/ {
		name = $1
		gsub(/^"function":"|"$|[ (].*/, "", name)
		for (i = 1; i <= NF; i++)
			if ($i ~ /^"self_weight":/) { weight = substr($i, 15); sum[name] += weight; all += weight }
	}
	END { for (name in sum) printf "%s %.2f\n", name, 100 * sum[name] / all }' >"$scratch/ours"
perf report -i "$scratch/data" --no-children --no-inline --stdio -g none -F overhead,sym --sort sym 2>/dev/null |
	awk '$1 ~ /%$/ { name = $3; sub(/\(.*/, "", name); sum[name] += $1 }
		END { for (name in sum) print name, sum[name] }' | sort -k2gr | head -20 >"$scratch/perf"
printf '%-50s %8s %8s %12s\n' function perf perftop difference
awk 'NR == FNR { ours[$1] = $2; next }
	{ d = ours[$1] - $2; if (d < 0) d = -d; if (d > most) most = d; printf "%-50.50s %8.2f %8.2f %12.2f\n", $1, $2, ours[$1], d }
	END { printf "\nlargest difference: %.2f points\n\n", most }' "$scratch/ours" "$scratch/perf"

# --- what it takes
family() { # PID: its process, and those it has started
	local child
	echo "$1"
	for child in $(cat /proc/"$1"/task/*/children 2>/dev/null); do family "$child"; done
}
run_us() { # PID: CPU time of all of these
	local pid
	for pid in $(family "$1"); do cat /proc/"$pid"/task/*/schedstat 2>/dev/null || true; done | awk '{ s += $1 } END { printf "%d", s / 1000 }'
}
cost() { # NAME COMMAND...
	local before after pid
	"${@:2}" >/dev/null 2>&1 </dev/null &
	pid=$!
	sleep 10
	before=$(run_us $pid)
	sleep "$seconds"
	after=$(run_us $pid)
	kill -INT $pid
	wait $pid || true
	printf '%-20s %12d us\n' "$1" $(((after - before) / seconds))
}
cost 'perftop, tasks' "$perftop" -b -d 1
cost 'perftop, functions' "$perftop" -b -V functions -d 1
# What samples take from the tasks, by perftop's own estimate: the median of the last seconds.
samples() { # NAME OPTION...
	"$perftop" -b --format json -d 1 -n $((seconds + 10)) "${@:2}" 2>/dev/null </dev/null | tail -n "$seconds" |
		grep -o '"samples_ns":[0-9]*' | cut -d : -f 2 | sort -n |
		awk -v name="$1" '{ v[NR] = $1 } END { printf "%-20s %12d us\n", name, v[int((NR + 1) / 2)] / 1000 }'
}
samples 'its samples' -V functions
samples 'off the CPU, too' --samples both
cost 'perf record -g' perf record -F 997 -g -a -o "$scratch/data"
cost 'perf top -g' perf top --stdio -F 997 -g
