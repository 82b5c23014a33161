#!/bin/bash
# campaign.sh FUZZ_PERFDATA SEEDS WRITES DATA SECONDS: fuzzes the reader of recordings, SECONDS of CPU time
# in sum, on all CPUs: header, attributes, features and records, from small recordings of perf and perftop on:
# those kept in DATA, and what WRITES writes.
#
# A crash, an input that takes longer than a minute (of the clock: others run too), an allocation of more than 256 MB and more
# than 1 GB of memory are failures; the input is printed. FUZZ_KEEP is a folder in which the
# corpus lies at the end.
set -u
FUZZ=$(realpath "$1") SEEDS=$(realpath "$2") WRITES=$(realpath "$3") DATA=$(realpath "$4") total=$5
processes=$(nproc)
scratch=$(mktemp -d)
children=
finish() {
	[ -z "$children" ] || kill $children 2>/dev/null
	wait
	[ -z "${FUZZ_KEEP:-}" ] || cp -r "$scratch/corpus" "$FUZZ_KEEP"
	rm -rf "$scratch"
}
trap finish EXIT
mkdir "$scratch"/{whole,corpus,found}

for packed in "$DATA"/*.data.gz; do
	gzip -cd "$packed" >"$scratch/whole/$(basename "$packed" .data.gz)"
done
for level in 0 1; do
	for how in end die grow; do
		# "die" ends by a signal, of which the shell would tell
		{ "$WRITES" "$scratch/whole/$how-$level" $level 2 $how; } 2>/dev/null
		{ "$WRITES" - $level 2 $how >"$scratch/whole/$how-$level-pipe"; } 2>/dev/null
	done
done
"$SEEDS" "$scratch/corpus" "$scratch"/whole/* || exit 1

# The CPU time of this shell's children, in seconds, to $spent: not in $(), whose times begin anew.
look_at_times() { # NUMBER
	times >"$scratch/times.$1"
	spent=$(tr 'ms' '  ' <"$scratch/times.$1" | awk '{ sum += 60 * $1 + $2 + 60 * $3 + $4 } END { print int(sum) }')
}

# fuzz NUMBER SECONDS: in turns, for how much of a turn it gets is up to whoever else runs.
fuzz() {
	local left=$2 spent
	while [ "$left" -gt 0 ]; do
		"$FUZZ" "$scratch/corpus" -max_total_time="$left" -seed=$RANDOM -max_len=65536 \
			-timeout=60 -rss_limit_mb=1024 -malloc_limit_mb=256 -reload=1 -print_final_stats=1 \
			-artifact_prefix="$scratch/found/" >"$scratch/log.$1" 2>&1 </dev/null || return
		grep -E 'INITED' "$scratch/log.$1"
		tail -n 8 "$scratch/log.$1" | grep -E 'DONE|stat::(number_of|peak)'
		look_at_times "$1"
		left=$(($2 - spent))
	done
	echo "process $1: $spent s of CPU time"
}
for ((i = 0; i < processes; i++)); do
	fuzz $i $((total / processes)) &
	children="$children $!"
done
failures=0
for child in $children; do
	wait "$child" || failures=$((failures + 1))
done
children=

[ $failures = 0 ] && exit 0
for ((i = 0; i < processes; i++)); do
	tail -n 60 "$scratch/log.$i"
done
for input in "$scratch"/found/*; do
	[ -s "$input" ] || continue
	echo "--- $(basename "$input"), gzip and base64:"
	gzip -9c "$input" | base64
done
exit 1
