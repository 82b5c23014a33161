#!/bin/bash
# prefixes.sh PERFTOP PREFIXES DATA: recordings that end too early: the kept ones in DATA, cut everywhere
# for the reader (PREFIXES), and here and there for the program: a sentence and status 1, or what
# there is, with a sentence that it is not all. Then endings that are not perf.data at all, and names of events.
. "$(dirname "$0")/kit.sh"
PREFIXES=$TOOLS DATA=$(realpath "$3")

for packed in "$DATA"/*.data.gz; do
	gzip -cd "$packed" >"$scratch/$(basename "$packed" .gz)"
done
"$PREFIXES" "$scratch"/*.data || fail "prefixes"

# read_it FILE: by the program; status, and what it says
read_it() {
	timeout 300 "$PERFTOP" --no-config -b --format json -i "$1" >"$scratch/out" 2>"$scratch/err" </dev/null
	status=$?
}
# That it is not all, and where that is so, that what there is can be of no use.
says_so() { # NAME
	local sentences
	sentences=$(grep -c '^perftop: ' "$scratch/err")
	[ "$sentences" -ge 1 ] && [ "$sentences" -le 2 ] ||
		fail "$1: status $status: $(head -c 500 "$scratch/err")"
}
parts='1 2 5 10 25 50 75 90 95 98 99'
[ -z "${PERFTOP_TEST_SHORT:-}" ] || parts='2 50 98'
for whole in "$scratch"/*.data; do
	size=$(stat -c %s "$whole")
	name=$(basename "$whole")
	for part in $parts; do
		head -c $((size * part / 100)) "$whole" >"$scratch/cut"
		read_it "$scratch/cut"
		[ $status -le 1 ] || fail "$name, $part %: status $status"
		says_so "$name, $part %"
	done
done

: >"$scratch/empty"
echo "a text is no recording" >"$scratch/text"
head -c 100000 /dev/urandom >"$scratch/noise"
{ printf PERFILE2; head -c 100000 /dev/urandom; } >"$scratch/header"
mkdir "$scratch/folder"
for wrong in empty text noise header folder nothing; do
	read_it "$scratch/$wrong"
	[ $status = 1 ] || fail "$wrong: status $status"
	says_so "$wrong"
	[ ! -s "$scratch/out" ] || fail "$wrong: it prints something"
done

# --- events of a recording are named as those that are counted
for events in cycles,instructions '{cycles,instructions}' 'page-faults,{cycles,instructions},cache-misses'; do
	"$PERFTOP" --no-config -b -i "$scratch/guest.data" -e "$events" >"$scratch/out" 2>&1 </dev/null ||
		fail "-e $events: $(cat "$scratch/out")"
done
"$PERFTOP" --no-config -b -i "$scratch/guest.data" -e 'uprobe:/a/b/c:d,cycles' >"$scratch/out" 2>&1 </dev/null &&
	fail "a probe that was not recorded"
grep -q '^perftop: uprobe:/a/b/c:d: not in this recording' "$scratch/out" || fail "a probe: $(cat "$scratch/out")"
report
