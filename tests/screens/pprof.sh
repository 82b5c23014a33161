#!/bin/bash
# pprof.sh PERFTOP TOOLS CHECKER DATA SHARES: profiles of recordings and of this machine are what the checker, JSON and,
# where it is installed (Debian: golang-go), go tool pprof say.
. "$(dirname "$0")/kit.sh"
CHECKER=$(realpath "$3") DATA=$(realpath "$4") SHARES=$(realpath "$5")
err=$scratch/err

# profiled NAME FILE [OPTION...]: the profile of a recording, and the same intervals in JSON
profiled() {
	"$PERFTOP" --no-config -i "$2" --format pprof "${@:3}" >"$scratch/$1.pprof" 2>"$err" </dev/null ||
		fail "$1: $(cat "$err")"
	"$PERFTOP" --no-config -i "$2" --format json -V functions "${@:3}" >"$scratch/$1.functions" 2>"$err" </dev/null ||
		fail "$1, functions: $(cat "$err")"
}
for name in functions off-cpu perf-profile perf-readings; do
	gzip -cd "$DATA/$name.data.gz" >"$scratch/$name.data"
	profiled $name "$scratch/$name.data"
done
profiled both "$scratch/off-cpu.data" --samples both
profiled one "$scratch/functions.data" -n 1
profiled top "$scratch/functions.data" --top 5
GUEST_RESULTS=$scratch "$CHECKER" functions off-cpu both perf-profile perf-readings one top,functions,5 ||
	fail "profiles of recordings"

# --- of a program of this machine: from a recording, with its file's build id; shares as in the view
start "$SHARES"
"$PERFTOP" --no-config --format pprof -p $started -d 1 -n 2 -o "$scratch/live.pb.gz" -w "$scratch/live.data" 2>"$err" \
	</dev/null || fail "live: $(cat "$err")"
stop "$started"
profiled live "$scratch/live.data"
GUEST_RESULTS=$scratch "$CHECKER" live || fail "the recording of a live profile"
mv "$scratch/live.pb.gz" "$scratch/live.pprof"
GUEST_RESULTS=$scratch "$CHECKER" live || fail "a live profile"
if command -v go >/dev/null; then
	export HOME=$scratch PPROF_TMPDIR=$scratch
	go tool pprof -top -nodecount=3 "$scratch/live.pprof" >"$scratch/top" 2>"$err" || fail "go tool pprof: $(cat "$err")"
	# what it says of the function with most is what the view says
	first=$(awk '$2 ~ /^[0-9.]+%$/ && $1 ~ /s$/ { print $6, $2; exit }' "$scratch/top")
	"$PERFTOP" --no-config -i "$scratch/live.data" -b -V functions -d 100 >"$scratch/view" 2>/dev/null </dev/null
	share=$(awk -v name="${first% *}" '{ for (i = 1; i <= NF; i++) if ($i == name) { print $1; exit } }' "$scratch/view")
	awk -v one="${first#* }" -v other="$share" 'BEGIN { exit !(other != "" && one - other < 0.1 && other - one < 0.1) }' ||
		fail "go tool pprof: $first, the view: $share %; $(cat "$scratch/top" "$scratch/view")"
	if command -v readelf >/dev/null; then
		id=$(readelf -n "$SHARES" | sed -n 's/.*Build ID: //p')
		[ -z "$id" ] || go tool pprof -raw "$scratch/live.pprof" 2>/dev/null | grep -q "$SHARES $id" ||
			fail "no mapping of $SHARES with build id $id"
	fi
fi

# --- a full disk, a reader that goes, a terminal
"$PERFTOP" --no-config --format pprof -i "$scratch/functions.data" 2>"$err" </dev/null | head -c 10 >"$scratch/head"
[ "${PIPESTATUS[0]}" = 0 ] || fail "a reader that goes is an error"
[ ! -s "$err" ] || fail "a reader that goes: $(cat "$err")"
if [ -e /dev/full ]; then
	! "$PERFTOP" --no-config --format pprof -i "$scratch/functions.data" -o /dev/full 2>"$err" </dev/null ||
		fail "a full disk is no error"
	grep -q 'No space left' "$err" || fail "a full disk: $(cat "$err")"
fi
if command -v script >/dev/null; then
	script -qec "$PERFTOP --no-config --format pprof -i $scratch/functions.data" /dev/null >"$scratch/typed" </dev/null
	grep -q 'will not write it to a terminal' "$scratch/typed" || fail "a terminal: $(cat -v "$scratch/typed")"
fi
report
