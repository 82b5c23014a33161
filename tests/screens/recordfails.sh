#!/bin/bash
# recordfails.sh PERFTOP TOOLS: a recording that cannot be written. Said once; counting goes on; what was
# written can be read. Files that are in the way are kept, not overwritten.
. "$(dirname "$0")/kit.sh"
needs root
at_end() { umount "$scratch/small" 2>/dev/null; }
replay="--no-config -b --format json -i" # in the intervals that were recorded, however late one was
json="--no-config -b --format json -d 0.3"
start setsid "$TOOLS/pingpong" 300 0

# run NAME OPTION...: status, NAME.out, NAME.err
run() {
	local name=$1
	shift
	# shellcheck disable=SC2086
	timeout 300 "$PERFTOP" $json "$@" >"$scratch/$name.out" 2>"$scratch/$name.err" </dev/null
	status=$?
}
# run_on NAME OPTION...: the same without an end, until it has said something, and some intervals more
run_on() {
	local name=$1 watcher
	shift
	# shellcheck disable=SC2086
	timeout 300 "$PERFTOP" $json "$@" >"$scratch/$name.out" 2>"$scratch/$name.err" </dev/null &
	watcher=$!
	wait_until "$name: nothing is said" test -s "$scratch/$name.err"
	wait_lines "$scratch/$name.out" $(($(wc -l <"$scratch/$name.out") + 3)) $watcher
	kill -TERM $watcher # passes it on, twice
	wait $watcher
	status=$?
}
lines() { # NAME COUNT
	[ "$(wc -l <"$scratch/$1.out")" = "$2" ] || fail "$1: $(wc -l <"$scratch/$1.out") intervals, not $2"
}
said() { # NAME PATTERN: in one sentence, once
	[ "$(grep -cE "$2" "$scratch/$1.err")" = 1 ] && [ "$(grep -c '^perftop: ' "$scratch/$1.err")" = 1 ] ||
		fail "$1: \"$2\" is to be said once: $(head -c 600 "$scratch/$1.err")"
}

# --- a disk that is full after a while
mkdir "$scratch/small"
if mount -t tmpfs -o size=8m perftop-small "$scratch/small" 2>/dev/null; then
	run_on full -w "$scratch/small/f.data"
	said full 'No space left'
	cp "$scratch/small/f.data" "$scratch/full.data"
	# shellcheck disable=SC2086
	"$PERFTOP" $replay "$scratch/full.data" >"$scratch/full.replay" 2>"$scratch/full.rerr"
	[ -s "$scratch/full.replay" ] || fail "full: nothing of it can be read: $(cat "$scratch/full.rerr")"
	# what is whole in it is what was seen, but for the program itself and the verdict, which asks /proc about the present
	count=$(wc -l <"$scratch/full.replay")
	for seen in replay out; do
		head -n $((count - 1)) "$scratch/full.$seen" |
			sed -E 's/,"own":.*//; s/"verdict":(null|"([^"\\]|\\.)*")//' >"$scratch/full.$seen.alike"
	done
	cmp "$scratch/full.replay.alike" "$scratch/full.out.alike" || fail "full: what was written is not what was seen"
	umount "$scratch/small"
else
	echo "no mount: the full disk is left out"
fi
run devfull -n 4 -w /dev/full
[ $status -le 1 ] || fail "/dev/full: status $status"
grep -q '^perftop: ' "$scratch/devfull.err" || fail "/dev/full: not a word"

# --- a limit on the size of files: the signal must not end it
(
	ulimit -f 4096
	run_on limit -w "$scratch/limit.data"
	echo $status >"$scratch/limit.status"
)
[ "$(cat "$scratch/limit.status")" -le 1 ] || fail "limit: status $(cat "$scratch/limit.status")"
[ "$(wc -l <"$scratch/limit.out")" -ge 3 ] || fail "limit: it does not count on"
said limit 'File too large'

# --- a pipe whose reader goes
# shellcheck disable=SC2086
timeout 300 "$PERFTOP" $json -n 12 -w - -o "$scratch/pipe.out" 2>"$scratch/pipe.err" </dev/null |
	head -c 30000 >/dev/null
lines pipe 12
said pipe 'reader has gone'

# --- the directory goes while it writes: the file has no name any more, but is written on
mkdir "$scratch/gone"
# shellcheck disable=SC2086
timeout 300 "$PERFTOP" $json -n 8 -w "$scratch/gone/f.data" >"$scratch/gone.out" 2>"$scratch/gone.err" &
watcher=$!
wait_until "gone: no line" test -s "$scratch/gone.out"
rm -r "$scratch/gone"
wait $watcher
[ $? -le 1 ] || fail "a vanished directory ends it"
lines gone 8

# --- where nothing can be written
for place in "$scratch/missing/f.data" "$scratch" /proc/version /sys/kernel/f.data; do
	run refused -n 2 -w "$place"
	[ $status = 1 ] || fail "$place: status $status"
	said refused '^perftop: '
	[ ! -s "$scratch/refused.out" ] || fail "$place: counts all the same"
done

# --- nothing is overwritten unasked
echo precious >"$scratch/old.data"
run old -n 2 -w "$scratch/old.data"
[ $status = 0 ] || fail "old: status $status: $(cat "$scratch/old.err")"
[ "$(cat "$scratch/old.data.old" 2>/dev/null)" = precious ] || fail "the old file is gone"
head -c 8 "$scratch/old.data" | grep -q PERFILE2 || fail "old: no recording"
[ "$(stat -c %a "$scratch/old.data")" = 600 ] || fail "others may read it: $(stat -c %a "$scratch/old.data")"

# --- killed in the middle: what was written can be read
# shellcheck disable=SC2086
"$PERFTOP" $json -w "$scratch/killed.data" >"$scratch/killed.out" 2>&1 &
watcher=$!
wait_lines "$scratch/killed.out" 6 $watcher
kill -KILL $watcher
wait $watcher 2>/dev/null
# shellcheck disable=SC2086
"$PERFTOP" $replay "$scratch/killed.data" >"$scratch/killed.replay" 2>"$scratch/killed.err"
[ "$(wc -l <"$scratch/killed.replay")" -ge 3 ] ||
	fail "killed: $(wc -l <"$scratch/killed.replay") intervals can be read: $(cat "$scratch/killed.err")"

report
