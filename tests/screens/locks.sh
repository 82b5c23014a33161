#!/bin/bash
# locks.sh PERFTOP TOOLS LOCKS: of eight mutexes the contended one is found by its symbol, with the task that has it and
# with the lock for which that waits itself, and not the others; as often as the task that waits for it sleeps, which
# is for nothing else. On the screen it takes three keys, and on the page of the task none.
. "$(dirname "$0")/lib.sh"
needs root python3
with_tracefs "$0" "$@"
LOCKS=$(realpath "$3")
err=$scratch/err

# It goes on until a byte comes: others have the pipe open, too.
run_locks() {
	rm -f "$scratch/go"
	mkfifo "$scratch/go"
	"$LOCKS" "$1" <"$scratch/go" >"$scratch/own" &
	locks=$!
	exec 9>"$scratch/go"
}
end_locks() {
	echo >&9
	exec 9>&-
	wait "$locks"
}

cat >"$scratch/look" <<'PYTHON'
import json, sys

def lines(name):
    return [json.loads(line) for line in open(name) if '"interval_s"' in line]

# Those of intervals in which it was known already where the tasks sleep on a futex.
def pairs_of(name):
    found = {}
    for line in lines(name)[2:]:
        for pair in line["pairs"]:
            key = (pair["lock"]["name"], pair["waiter"]["command"], pair["holder"]["command"])
            behind = [each["lock"]["name"] + " " + each["holder"]["command"] for each in pair["holder_waited_for"]]
            sums = found.setdefault(key, [0, 0, set()])
            sums[0] += pair["times"]
            sums[1] += pair["lost_ns"]
            sums[2] |= set(behind)
    return found

live, again, tasks, own, mode = sys.argv[1:]
contended = "[heap]" if mode == "heap" else "lock_5"
for name in live, again:
    found = pairs_of(name)
    most = max(found, key=lambda key: found[key][1], default=None)
    wanted = (contended, "lk-waiter", "lk-holder")
    # the waiter has it, too: for long where it then waits for a CPU
    if wanted not in found or most[0] != contended and mode != "chain":
        print(name, "has no", wanted, "or most is held in", most)
    # at the end the first thread waits for the ends of the others, which is a futex, too
    others = {key[0] for key in found if key[1] != "locks"} - ({"lock_5", "lock_2"} if mode == "chain" else {contended})
    if others:
        print(name, "has", others)
    if mode == "chain" and "lock_2 lk-behind" not in found.get(wanted, [0, 0, ()])[2]:
        print(name, "behind it is", found.get(wanted))

# It slept so often, and waited each time. A wait is counted where it ends, and what has not been put in order when an
# interval ends is in the next one: where these begin there may be a few more or less. They end when all has ended.
waits = sum(sums[0] for key, sums in pairs_of(again).items() if key[1] == "lk-waiter")
sleeps = sum(task["switches"] - task["preempted"] for line in lines(tasks)[2:] for task in line["tasks"]
             if task["command"] == "lk-waiter")
if abs(waits - sleeps) > 2 or waits == 0:
    print(waits, "waits and", sleeps, "sleeps")
own_waits = int(open(own).read().split()[0])
waits = sum(sums[0] for key, sums in pairs_of(live).items() if key[1] == "lk-waiter")
if waits > own_waits:
    print(waits, "waits, of", own_waits, "in all")
PYTHON
replay() {
	"$PERFTOP" --no-config -i "$scratch/data" --format json "${@:2}" >"$1" 2>"$err" </dev/null || fail "replay: status $?"
}
for mode in one chain heap; do
	run_locks $mode
	"$PERFTOP" --no-config -p "$locks" --pairs locks --format json -d 1 -w "$scratch/data" >"$scratch/live" \
		2>"$err" </dev/null &
	perftop=$!
	wait_lines "$scratch/live" 6 "$perftop" || head -c 300 "/proc/$locks/stat" "/proc/$locks/status"
	end_locks
	wait "$perftop" || fail "$mode: status $?"
	replay "$scratch/again" --pairs locks
	replay "$scratch/tasks" -H
	python3 "$scratch/look" "$scratch/live" "$scratch/again" "$scratch/tasks" "$scratch/own" $mode \
		>"$scratch/differences" 2>&1
	[ ! -s "$scratch/differences" ] || fail "$mode: $(head -c 2000 "$scratch/differences")"
	rm -f "$scratch/data"
done

# --- two that wait for each other, which had begun before: known while the waits go on, live and in a replay; none of
# them does for ever if one would give up some time
for mode in deadlock timeout; do
	run_locks $mode
	"$PERFTOP" --no-config -p "$locks" --pairs locks --format json -d 1 -n 2 -w "$scratch/data" >"$scratch/live" \
		2>"$err" </dev/null || fail "$mode: status $?"
	replay "$scratch/again" --pairs locks
	for name in live again; do
		python3 - "$scratch/$name" $mode >"$scratch/differences" 2>&1 <<'PYTHON'
import json, sys

line = [json.loads(line) for line in open(sys.argv[1]) if '"interval_s"' in line][1]
is_deadlock = sys.argv[2] == "deadlock"
found = {(pair["waiter"]["command"], pair["lock"]["name"], pair["holder"]["command"]): pair for pair in line["pairs"]}
wanted = {("lk-second", "lock_3", "lk-first"): is_deadlock, ("lk-behind", "lock_3", "lk-first"): False}
if is_deadlock:
    wanted["lk-first", "lock_6", "lk-second"] = True
if {key: pair["deadlock"] for key, pair in found.items()} != wanted:
    print(found)
for pair in found.values():
    if pair["now_ns"] < line["interval_s"] * 1e9 or pair["times"] != 0:
        print(pair)
if ("2 threads of locks wait for each other's locks, a deadlock" in (line["verdict"] or "")) != is_deadlock:
    print(line["verdict"])
PYTHON
		[ ! -s "$scratch/differences" ] || fail "$mode, $name: $(head -c 2000 "$scratch/differences")"
	done
	end_locks
	rm -f "$scratch/data"
done

# --- in a terminal
run_locks chain
terminal_open 160 40
terminal_run "$PERFTOP $NAMES -p $locks"
wait_for '\[1 tasks'
press 5 t t
wait_for '^lock_5 +lk-waiter [0-9]+ +lk-holder [0-9]+ .* 0x[0-9a-f]+ lock_2: lk-behind [0-9]+'
wait_for '^lock_2 +lk-holder [0-9]+ +lk-behind [0-9]+ '
screen | grep -E '^lock_[013467]' && fail "others are there, too"
press Enter
wait_for 'waits for locks, the last'
wait_for '^ +lock_5 +lk-waiter [0-9]+ +lk-holder [0-9]+ .* lock_2: lk-behind [0-9]+'
press q
leave
end_locks

run_locks deadlock
terminal_run "$PERFTOP $NAMES -p $locks"
press 5 t t
wait_for '^lock_6 +lk-first [0-9]+ +lk-second [0-9]+ .* deadlock; lock_3: lk-first'
wait_for '^lock_3 +lk-second [0-9]+ +lk-first [0-9]+ .* deadlock; lock_6: lk-second'
run_command 'filter waiter ~ lk-first' # which row is the first one may change
wait_gone '^lock_3 '
press Enter
wait_for 'waits for locks'
wait_for '^ +lock_6 +lk-first .* deadlock; lock_3: lk-first'
press q
leave
end_locks
report
