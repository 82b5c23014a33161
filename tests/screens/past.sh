#!/bin/bash
# past.sh PERFTOP TOOLS CHECKER: what was before a row is saved when it comes: --trigger in a batch run, record-past on the
# screen. Each event has one file, which says what was printed, to the last digit, and which perf reads.
. "$(dirname "$0")/lib.sh"
[ "$(id -u)" != 0 ] || with_tracefs "$0" "$@"
CHECKER=$(realpath "$3")
export TZ=UTC TMPDIR=$scratch/tmp
mkdir "$TMPDIR"
cd "$scratch" || exit 1

# The same in each interval of the recording.
same_as_printed() { # RECORDING OPTIONS...
	"$PERFTOP" --no-config -b --format json -i "$@" >past.replay 2>replay.err </dev/null || fail "$1: $(cat replay.err)"
	grep -o '^{"time":[^,]*,' past.replay | grep -F -f - printed.json >past.live
	[ "$(wc -l <past.live)" -ge 4 ] && [ "$(wc -l <past.live)" = "$(wc -l <past.replay)" ] ||
		fail "$1: $(wc -l <past.replay) intervals, $(wc -l <past.live) of them were printed"
	GUEST_RESULTS=$scratch "$CHECKER" past >check.out 2>&1 || fail "$1 says something else: $(tail -n 20 check.out)"
}
burst() { "$TOOLS/spin" burst 1 1 >/dev/null; }

# --- two events, two files, and no third one; what tasks sleep for was learned before the recordings begin
mkfifo idle
bash -c 'exec 7<>idle; while :; do read -rt 0.005 -u 7; done' &
sleeper=$!
"$PERFTOP" --no-config -b -d 0.5 --format json -c states --keep 2,2 --trigger 'command = burst' >printed.json 2>said </dev/null &
watcher=$!
saved() { [ "$(grep -c 'saved perftop-' said)" -ge "$1" ]; }
wait_lines printed.json 6 $watcher
for event in 1 2 3; do
	burst
	[ $event = 3 ] && wait_lines printed.json $(($(wc -l <printed.json) + 8)) $watcher
	wait_until "event $event is not saved" saved $((event < 2 ? 1 : 2))
	wait_lines printed.json $(($(wc -l <printed.json) + 2)) $watcher
done
[ "$(grep -c 'the last file: nothing is kept any more' said)" = 1 ] || fail "the last file is not said once: $(cat said)"
[ -z "$(find "$TMPDIR" -type f)" ] || fail "kept for nothing: $(find "$TMPDIR" -type f)"
kill $watcher $sleeper
wait $watcher
[ "$(find . -maxdepth 1 -name 'perftop-*.data' | wc -l)" = 2 ] || fail "files: $(ls)"
[ "$(grep -c 'COMMAND .*burst.*: command = burst' said)" = 2 ] || fail "events: $(cat said)"
[ -z "$(ls "$TMPDIR")" ] || fail "left behind: $(ls "$TMPDIR")"
for file in perftop-*.data; do
	same_as_printed "$file" -c states
	grep -q '"command": *"burst"' past.replay || fail "$file: the burst is not in it"
	if command -v perf >/dev/null; then
		perf script -i "$file" >/dev/null 2>perf.err || fail "perf: $(cat perf.err)"
		! [ -s perf.err ] || grep -q '"lost":{"records":[1-9]' past.replay ||
			fail "perf warns of $file: $(cat perf.err)"
	fi
done

# --- nothing is kept without being asked for; a file that is there stays
terminal_open 120 30
terminal_run "$PERFTOP $NAMES -d 0.5 --keep 5"
wait_for '^ +PID USER '
goes_on 3
run_command record-past shown.data
wait_for 'saved shown.data'
goes_on 2
run_command record-past shown.data
wait_for 'shown.data: File exists'
press Escape
leave
[ -z "$(ls "$TMPDIR")" ] || fail "left behind: $(ls "$TMPDIR")"
"$PERFTOP" --no-config -b --format json -i shown.data >replay.json 2>replay.err </dev/null
[ "$(wc -l <replay.json)" -ge 3 ] || fail "the past has $(wc -l <replay.json) intervals: $(cat replay.err)"
terminal_run "$PERFTOP $NAMES -d 0.5"
wait_for '^ +PID USER '
run_command record-past other.data
wait_for 'nothing is kept of the past; --keep'
press Escape
leave
[ ! -e other.data ] || fail "it is there all the same"

# --- what is to be written by itself is not taken out of it
terminal_run "$PERFTOP $NAMES -d 0.5 --keep 60 --trigger 'command = burst'"
wait_for '^ +PID USER '
goes_on 2
burst
wait_for 'COMMAND .*burst.*: command = burst'
run_command record-past other.data
wait_for 'perftop-.*data is being waited for'
press Escape
leave
[ ! -e other.data ] || fail "it is there all the same"
[ "$(find . -maxdepth 1 -name 'perftop-*.data' | wc -l)" = 3 ] || fail "it is not written at the end: $(ls)"

# --- no room for it, no rights, no sense
refused() { # WORDS OPTIONS...
	local words=$1
	shift
	"$PERFTOP" --no-config -b -n 1 "$@" >out 2>&1 </dev/null && fail "accepted: $*"
	grep -q "$words" out || fail "$*: $(cat out)"
}
refused 'not SECONDS' --keep 0
refused 'not SECONDS' --keep 5,
refused 'nothing saves the past' --keep 5
refused 'unknown column' --trigger 'nosuch > 1'
"$PERFTOP" check | grep -q '^PMU  *no' && refused 'ipc < 1: .*not counted' --trigger 'ipc < 1'
refused 'lock_pct > 5: lock_pct: .*CPUs' -C 0 --trigger 'lock_pct > 5'
refused 'do not belong to an interval' -V switches --trigger 'slice > 1ms'
refused 'the past already' -i shown.data --keep 5
TMPDIR=$scratch/nosuch refused 'cannot be kept there' --keep 5 --trigger 'command = burst'

# --- a file of another perftop, of the same second, stays, and this one's is written beside it
mkdir taken
for ((i = 0; i < 300; i++)); do
	echo other >"taken/perftop-$(printf '%(%Y%m%d-%H%M%S)T' $((EPOCHSECONDS + i))).data"
done
rm -f out said
cd taken || exit 1
"$PERFTOP" --no-config -b -d 0.2 --keep 1,1 --trigger 'command = burst' >../out 2>../said </dev/null &
watcher=$!
cd ..
wait_lines out 6 $watcher
burst
wait_until "nothing is saved beside another file" grep -q 'saved perftop-.*-2.data, the last file' said
kill $watcher
wait $watcher || fail "beside another file: $(cat said)"
grep -L '^other$' taken/* | grep -qx 'taken/perftop-[0-9]*-[0-9]*-2.data' || fail "beside another file: $(ls taken)"
[ "$(grep -l '^other$' taken/* | wc -l)" = 300 ] || fail "a file of another is written over"

# --- the folder is gone: said, and what is kept goes on in turn
rm -f out said # what was there before is not taken for this
mkdir gone
cd gone || exit 1
"$PERFTOP" --no-config -b -d 0.2 --keep 1 --trigger 'command = burst' >../out 2>../said </dev/null &
watcher=$!
cd ..
wait_lines out 6 $watcher
rmdir gone
held=$(find "$TMPDIR" -type f)
[ -n "$held" ] || fail "nothing is kept"
burst
wait_until "that the folder is gone is not said" grep -q 'data: No such file' said
let_go() { ! find $held 2>/dev/null | grep -q .; }
wait_until "what was to be saved is kept for ever: $held" let_go
kill $watcher
wait $watcher && fail "it ends well: $(cat said)"

# --- the disk is full: said once, and nothing half is left
at_end() {
	tmux_do kill-server 2>/dev/null
	umount -l "$scratch/small" 2>/dev/null
}
mkdir small
if mount -t tmpfs -o size=64m perftop-small small 2>/dev/null; then # another file system
	rm -f printed.json said
	cd small || exit 1
	"$PERFTOP" --no-config -b -d 0.5 --format json --keep 2,1 --trigger 'command = burst' >../printed.json 2>../said </dev/null &
	watcher=$!
	cd ..
	wait_lines printed.json 6 $watcher
	burst
	wait_until "it is not copied" grep -q 'perftop: saved perftop-' said
	kill $watcher
	wait $watcher
	grep -q 'copying to perftop-.*, the last file' said || fail "said: $(cat said)"
	for file in small/*; do
		same_as_printed "$file"
	done
	[ -z "$(ls "$TMPDIR")" ] || fail "left behind: $(ls "$TMPDIR")"
	umount -l small
fi
if mount -t tmpfs -o size=16k perftop-small small 2>/dev/null; then
	rm -f out said
	cd small || exit 1
	"$PERFTOP" --no-config -b -d 0.2 --keep 1 --trigger 'command = burst' >../out 2>../said </dev/null &
	watcher=$!
	cd ..
	wait_lines out 6 $watcher
	burst
	wait_until "that the disk is full is not said" grep -q 'data: No space left on device' said
	kill $watcher
	wait $watcher
	[ "$(grep -c 'No space' said)" = 1 ] || fail "said: $(cat said)"
	[ -z "$(ls small)" ] || fail "left behind: $(ls -l small)"
fi

# --- what perf keeps in rings that overwrite, and writes at a signal, is a recording with all its switches; of the first
# and the last ones of a CPU there may be only a half, as its rings do not stop at once
write_rings() {
	burst
	kill -USR2 $watcher
	for rings in rings.data.[0-9]*; do
		perf script -i "$rings" -F comm 2>/dev/null | grep -qw burst && return
		rm -f "$rings"
	done
	return 1
}
if command -v perf >/dev/null && command -v python3 >/dev/null && [ "$(id -u)" = 0 ]; then
	perf record -q -a -m 4M --overwrite --tail-synthesize --switch-output=signal --switch-events \
		-e '{sched:sched_switch,page-faults}:S' -o rings.data >record.out 2>&1 </dev/null &
	watcher=$!
	wait_until "perf does not record: $(cat record.out)" test -e rings.data
	wait_until "perf writes no burst" write_rings
	kill $watcher
	wait $watcher
	perf script -i "$rings" --show-switch-events -F tid,event 2>/dev/null | grep -v '^ *0 ' | grep -c ' OUT ' >theirs
	"$PERFTOP" --no-config -b --format json -i "$rings" >replay.json 2>replay.err </dev/null
	python3 - >differ 2>&1 <<'PYTHON'
import json

theirs = int(open("theirs").read())
lines = [json.loads(line) for line in open("replay.json")]
cpus = [cpu for line in lines for cpu in line["cpus"]]
ours = sum(cpu["switches"] - cpu["idle"]["switches"] for cpu in cpus)
halves = 2 * len(lines[0]["cpus"])
if theirs == 0 or abs(ours - theirs) > halves + theirs / 50:
    print(ours, "switches of tasks, perf has", theirs)
if sum(cpu["unattributed"]["switches"] for cpu in cpus) > halves + theirs / 50:
    print("of unknown tasks:", [cpu["unattributed"] for cpu in cpus])
if not any(task["command"] == "burst" for line in lines for task in line["tasks"]):
    print("no burst")
PYTHON
	[ ! -s differ ] || fail "$rings: $(cat differ replay.err)"
fi

report
