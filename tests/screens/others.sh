#!/bin/bash
# others.sh PERFTOP TOOLS: somebody without privileges sees the tasks of others too, as /proc has
# them, marked as such, and what only a counter knows is unknown.
#
# Needs root, to become nobody, and a kernel that lets nobody count only own tasks; not run otherwise.
set -u
[ "$(id -u)" = 0 ] || { echo "not run: needs root, to become nobody"; exit 77; }
command -v setpriv >/dev/null || { echo "not run: setpriv is missing"; exit 77; }
[ "$(cat /proc/sys/kernel/perf_event_paranoid)" = 2 ] || { echo "not run: perf_event_paranoid is not 2"; exit 77; }
PERFTOP=$(realpath "$1") TOOLS=$(realpath "$2")
scratch=$(mktemp -d)
children=
finish() {
	for child in $children; do kill "$child" 2>/dev/null; done
	wait
	rm -rf "$scratch"
}
trap finish EXIT
failures=0
fail() {
	echo "FAILED: $*"
	failures=$((failures + 1))
}
# where the build lies others may not be allowed to look
chmod 755 "$scratch"
cp "$PERFTOP" "$scratch/perftop"
cp "$TOOLS/spin" "$scratch/spin"
chmod 755 "$scratch/perftop" "$scratch/spin"
as_nobody() { exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }

"$TOOLS/spin" w250m40 - 300 &
spinner=$!
(while :; do /bin/true; done) &
forker=$!
(as_nobody "$scratch/spin" w050m120 - 300) &
own=$!
children="$spinner $forker $own"

# --- what is told comes to what /proc says
(as_nobody timeout -s KILL 300 "$scratch/perftop" --no-config -b --format csv -d 0.5 \
	-c pid,source,user,cpu%,sw/s,pre/s,fault/s,ipc,migr/s \
	-f "pid = $spinner || pid = $forker || pid = $own" >"$scratch/out" 2>"$scratch/err") &
watcher=$!
children="$children $watcher"
lines() { grep -c ",$forker,proc," "$scratch/out"; }
intervals() {
	local goal=$(($(lines) + $1))
	until [ "$(lines)" -ge $goal ]; do
		kill -0 $watcher 2>/dev/null || { fail "perftop ended: $(cat "$scratch/err")"; return; }
		sleep 0.1
	done
}
# CPU time in ns, switches, preemptions, faults
account() {
	local fields
	read -ra fields <<<"$(sed 's/.*) //' "/proc/$1/stat")"
	echo "$(cut -d ' ' -f 1 "/proc/$1/schedstat")" \
		"$(awk '/ctxt_switches/ { sum += $2; last = $2 } END { print sum, last }' "/proc/$1/status")" \
		$((fields[7] + fields[9]))
}
# The same as told between two lines of the output: rates times the intervals between lines.
told() {
	awk -F , -v pid="$1" -v from="$begin" -v to="$end" 'NR > from && NR <= to && $2 == pid && before {
		s = $1 - before; cpu += $5 * s * 1e7; sw += $6 * s; pre += $7 * s; faults += $8 * s }
		$2 == pid { before = $1 }
		END { printf "%.0f %.0f %.0f %.0f\n", cpu, sw, pre, faults }' "$scratch/out"
}
# Half and double leave room for a machine that is slow to say when a line has come.
compare() {
	local name=$1 truth=$2 told=$3
	echo "$name: $told of $truth"
	[ $((truth > 20 && (2 * told < truth || told > 2 * truth))) = 0 ] || fail "$name: told $told, /proc says $truth"
}
intervals 3
begin=$(wc -l <"$scratch/out")
read -r cpu1 sw1 pre1 faults1 <<<"$(account $forker)"
read -r spun1 _ _ _ <<<"$(account $spinner)"
intervals 12
end=$(wc -l <"$scratch/out")
read -r cpu2 sw2 pre2 faults2 <<<"$(account $forker)"
read -r spun2 _ _ _ <<<"$(account $spinner)"
read -r cpu sw pre faults <<<"$(told $forker)"
read -r spun _ _ _ <<<"$(told $spinner)"
[ $((faults2 - faults1)) -gt 20 ] || fail "the workload has no faults: $faults1, $faults2"
compare "CPU time of the one that forks" $((cpu2 - cpu1)) "$cpu"
compare "its switches" $((sw2 - sw1)) "$sw"
compare "its preemptions" $((pre2 - pre1)) "$pre"
compare "its page faults" $((faults2 - faults1)) "$faults"
compare "CPU time of the one that spins" $((spun2 - spun1)) "$spun"

# --- one that ends is gone
kill $forker
wait $forker 2>/dev/null
gone() { tail -n 4 "$scratch/out" | grep -c ",$forker,"; }
for _ in $(seq 300); do
	[ "$(gone)" = 0 ] && break
	sleep 0.1
done
[ "$(gone)" = 0 ] || fail "who has ended is still there: $(tail -n 4 "$scratch/out")"
kill $watcher

# --- whose they are, where it is from, and what is not known
grep -qE "^[^,]*,$spinner,proc,root,[^,]+,[^,]+,[^,]+,[^,]+,,\$" "$scratch/out" || fail "no line of the spinner: $(tail -n 3 "$scratch/out")"
grep -qE "^[^,]*,$own,counters,nobody,[^,]+,[^,]+,[^,]+,[^,]+,[^,]*,[0-9.e-]+\$" "$scratch/out" || fail "no line of the own one"

# --- JSON: counts are null, and it says from where; the own one has none of that
(as_nobody timeout -s KILL 300 "$scratch/perftop" --no-config --format json -d 0.5 -n 3 >"$scratch/json" 2>"$scratch/err")
tail -n 1 "$scratch/json" | grep -qE "\"pid\":$spinner,\"tid\":$spinner,\"command\":\"w250m40\",\"state\":\"alive\",\"from\":\"proc\",\"run_ns\":[0-9]+,\"switches\":[0-9]+,\"preempted\":[0-9]+,\"migrations\":null,\"counts\":[{]([^}]*:null,?)+[}]" ||
	fail "JSON: $(tail -n 1 "$scratch/json" | grep -o "\"pid\":$spinner,.\{300\}")"
tail -n 1 "$scratch/json" | grep -q "\"pid\":$own,\"tid\":$own,\"command\":\"w050m120\",\"state\":\"alive\",\"run_ns\"" ||
	fail "JSON: the own one is not counted"

# --- text: marked, and the head says what the mark means
(as_nobody timeout -s KILL 300 "$scratch/perftop" --no-config -b -d 0.5 -n 3 >"$scratch/text" 2>"$scratch/err")
grep -q 'own tasks; others from /proc (~)' "$scratch/text" || fail "the head does not say it"
grep -qE "^ *$spinner root +[0-9.]+~ " "$scratch/text" || fail "it is not marked: $(grep " $spinner " "$scratch/text")"
grep -qE "^ *$own nobody +[0-9.]+ " "$scratch/text" || fail "the own one is marked"
[ $failures = 0 ] || exit 1
