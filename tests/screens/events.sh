#!/bin/bash
# events.sh PERFTOP: what perftop events prints: by topic, with description, and last what cannot be
# counted, by the reason; found by words, to a terminal no wider than it, and quickly.
. "$(dirname "$0")/kit.sh"
export LC_ALL=C.UTF-8 LANG=C.UTF-8
chmod 755 "$scratch"
out=$scratch/out err=$scratch/err
show() { head -n 20 "$out" | sed 's/^/    stdout: /'; }

# shown STATUS WORD...: runs `perftop events WORD...`
shown() {
	local expected=$1
	shift
	timeout -s KILL 120 "$PERFTOP" events "$@" >"$out" 2>"$err" </dev/null
	status=$?
	[ $status = "$expected" ] || fail "events $*: status $status instead of $expected"
}

# --- everything
# spent COMMAND...: what CPU time it takes, in ms, goes to $milliseconds
spent() {
	local TIMEFORMAT='%U %S' times
	{ times=$( { time "$@" 1>&3 2>&4; } 2>&1); } 3>&1 4>&2
	milliseconds=$(awk '{ printf "%d", ($1 + $2) * 1000 + 1 }' <<<"$times")
}
# what this machine takes to count that far, in a shell
count_far() { for ((i = 0; i < 200000; i++)); do :; done; }
spent count_far
unit=$milliseconds
spent shown 0
echo "$(grep -c '^  ' "$out") events in $milliseconds ms of CPU time; counting takes $unit ms"
# a sanitizer takes its share; without it is less than a tenth of this
[ $milliseconds -lt $((10 * unit)) ] || fail "everything takes $milliseconds ms of CPU time"
[ ! -s "$err" ] || fail "something on standard error"
for topic in cycles faults scheduler probes other; do
	grep -qE "^$topic: [a-z]" "$out" || fail "no section $topic"
done
sed '/^not \(available\|permitted\): /,$d' "$out" | grep -qE '^  context-switches  +[a-z]' ||
	fail "context-switches cannot be opened"
grep -qE '^  cpu-cycles  +.*\(also: cycles\)' "$out" || fail "no cpu-cycles"
sed '1,/^not \(available\|permitted\): /d' "$out" | grep '^[^ ]' | grep -vE '^not (available|permitted): ' &&
	fail "what can be counted is behind what cannot"
grep -qE '^  mem:ADDRESS' "$out" || fail "no form of breakpoints"
grep -qP '[\x00-\x09\x0b-\x1f\x7f]' "$out" && fail "control characters"
grep -qE ' $' "$out" && fail "blanks at the end of a line"
grep '^  ' "$out" | awk '{print $1}' | sort | uniq -d | grep . && fail "names twice"
grep '^[^ ]' "$out" | sort | uniq -d | grep . && fail "a section twice"

# --- words
shown 0 software page
[ "$(grep -c '^  ' "$out")" -ge 1 ] || fail "nothing about page faults"
grep '^  ' "$out" | grep -viq page && fail "a line without the word"
lines=$(wc -l <"$out")
shown 0 'PAGE software'
[ "$(wc -l <"$out")" = "$lines" ] || fail "case, order or quoting make a difference"
shown 0 task-clock
[ "$(grep -c '^  ' "$out")" = 1 ] || fail "task-clock is one event"

shown 0 page
grep -q '^faults: ' <(head -n 1 "$out") || fail "the section of page-faults is not the first"
sed -n 2p "$out" | grep -q '^  page-faults ' || fail "page-faults is not the first"

shown 1 no-such-event-at-all
[ ! -s "$out" ] || fail "something on standard output"
[ "$(grep -c '^perftop: no-such-event-at-all: ' "$err")" = 1 ] || fail "no sentence"
shown 1 $'no\033[31m\nsuch'
grep -q "$(printf '\033')" "$err" && fail "an escape sequence went through"
shown 1 "$(printf '%01000d' 0)"

# --- JSON
shown 0 --format json software
command -v python3 >/dev/null && ! python3 - "$out" <<'PYTHON' && fail "JSON"
import json, sys
names = [json.loads(line) for line in open(sys.argv[1])]
assert any(e["name"] == "context-switches" and e["state"] == "opens" and e["reason"] is None for e in names)
assert all(e["description"] and e["source"] and e["topic"] for e in names)
assert all(e["topic"] == "scheduler" for e in names if e["name"].endswith("-switches"))
PYTHON

# --- wrong usage
for wrong in "check events" "events --nosuchoption" "nosuch events"; do
	# shellcheck disable=SC2086
	timeout -s KILL 120 "$PERFTOP" $wrong >"$out" 2>"$err" </dev/null
	[ $? = 2 ] || fail "$wrong: not refused as wrong usage"
done
timeout -s KILL 120 "$PERFTOP" --help >"$out" 2>"$err"
grep -q 'perftop events' "$out" || fail "--help does not name events"

# --- a terminal: no line is wider
if command -v script >/dev/null; then
	for columns in 40 80; do
		timeout -s KILL 120 script -qec "stty cols $columns rows 24; $PERFTOP events software" /dev/null \
			</dev/null 2>"$err" | tr -d '\r' >"$out"
		grep -q context-switches "$out" || fail "nothing on a terminal of $columns columns"
		awk -v most="$columns" 'length($0) > most {exit 1}' "$out" || fail "wider than $columns columns"
	done
fi

# --- pipes and full disks
: >"$out"
set -o pipefail
timeout -s KILL 120 "$PERFTOP" events 2>"$err" </dev/null | head -n 1 >"$out"
status=$?
[ $status = 0 ] || fail "a closed pipe: status $status"
[ ! -s "$err" ] || fail "a closed pipe is no error"
set +o pipefail
if [ -w /dev/full ]; then
	timeout -s KILL 120 "$PERFTOP" events >/dev/full 2>"$err" </dev/null
	status=$?
	[ $status = 1 ] || fail "a full disk: status $status"
	[ "$(grep -c '^perftop: ' "$err")" = 1 ] || fail "a full disk: not one sentence"
fi

# --- as nobody: what is refused has its reason
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	cp "$PERFTOP" "$scratch/perftop"
	timeout -s KILL 120 setpriv --reuid 65534 --regid 65534 --clear-groups "$scratch/perftop" events \
		>"$out" 2>"$err" </dev/null
	status=$?
	[ $status = 0 ] || fail "as nobody: status $status"
	grep -q '^  context-switches ' "$out" || fail "as nobody: no context-switches"
	[ -z "$(grep '^not ' "$out" | uniq -d)" ] || fail "as nobody: a reason twice"
	[ -r /sys/kernel/tracing/events ] && [ "$(stat -c %a /sys/kernel/tracing)" = 700 ] &&
		! grep -qE '^not available: .*cannot be read' "$out" && fail "as nobody: no word about tracefs"
fi

report
