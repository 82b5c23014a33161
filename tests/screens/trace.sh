#!/bin/bash
# trace.sh PERFTOP CHECKER DATA: traces of recordings and of this machine are what the checker and JSON say.
. "$(dirname "$0")/kit.sh"
CHECKER=$TOOLS DATA=$(realpath "$3")
err=$scratch/err

# replayed NAME FILE: the trace of a recording, and the same intervals in JSON
replayed() {
	"$PERFTOP" --no-config -i "$2" --format trace >"$scratch/$1.trace" 2>"$err" </dev/null || fail "$1: $(cat "$err")"
	for view in tasks switches; do
		"$PERFTOP" --no-config -i "$2" --format json -V $view >"$scratch/$1.$view" 2>"$err" </dev/null ||
			fail "$1, $view: $(cat "$err")"
	done
}
for name in guest bare turns functions perf-readings; do
	gzip -cd "$DATA/$name.data.gz" >"$scratch/$name.data"
	replayed $name "$scratch/$name.data"
done
for name in functions perf-readings; do
	"$PERFTOP" --no-config -i "$scratch/$name.data" --format json -V functions >"$scratch/$name.functions" 2>"$err" \
		</dev/null || fail "$name, functions: $(cat "$err")"
done
GUEST_RESULTS=$scratch "$CHECKER" guest bare turns functions perf-readings || fail "traces of recordings"

# --- of this machine: what it says live is what its recording says; ended by ^C it is whole
"$PERFTOP" --no-config --format trace -d 0.1 -n 3 -w "$scratch/live.data" >"$scratch/seen" 2>"$err" </dev/null ||
	fail "live: $(cat "$err")"
replayed live "$scratch/live.data"
GUEST_RESULTS=$scratch "$CHECKER" live || fail "the recording of a live trace"
cp "$scratch/seen" "$scratch/live.trace"
GUEST_RESULTS=$scratch "$CHECKER" live || fail "a live trace"
"$PERFTOP" --no-config --format trace -d 0.2 >"$scratch/ended" 2>"$err" </dev/null &
pid=$!
for ((i = 0; i < 600; i++)); do
	grep -q '"ph":"C"' "$scratch/ended" && break
	sleep 0.1
done
kill -INT $pid
wait $pid || fail "ended by a signal: status $?"
[ "$(head -n 1 "$scratch/ended")$(tail -n 1 "$scratch/ended")" = '[]' ] || fail "ended by a signal it is not whole"

# --- a full disk and a reader that goes, as with other formats
[ ! -e /dev/full ] || ! "$PERFTOP" --no-config --format trace -d 0.1 -n 1 -o /dev/full 2>"$err" </dev/null ||
	fail "a full disk is no error"
[ ! -e /dev/full ] || grep -q 'No space left' "$err" || fail "a full disk: $(cat "$err")"
"$PERFTOP" --no-config --format trace -i "$scratch/guest.data" 2>"$err" </dev/null | head -c 100 >"$scratch/head"
[ "${PIPESTATUS[0]}" = 0 ] || fail "a reader that goes is an error"
[ ! -s "$err" ] || fail "a reader that goes: $(cat "$err")"
report
