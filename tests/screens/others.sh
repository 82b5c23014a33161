#!/bin/bash
# others.sh PERFTOP TOOLS: somebody without privileges sees the tasks of others too, as /proc has
# them, marked as such, and what only a counter knows is unknown.
#
# Needs root, to become nobody, and a kernel that lets nobody count only own tasks; not run otherwise.
. "$(dirname "$0")/kit.sh"
needs root setpriv
[ "$(cat /proc/sys/kernel/perf_event_paranoid)" = 2 ] || not_run "perf_event_paranoid is not 2"
err=$scratch/err
own_copies "$PERFTOP" "$TOOLS/spin"

start "$TOOLS/spin" w250m40 - 300
spinner=$started
(while :; do /bin/true; done) &
forker=$!
(as_nobody "$scratch/spin" w050m120 - 300) &
own=$!

# --- what is told comes to what /proc says
(as_nobody timeout --foreground -s KILL 300 "$scratch/perftop" --no-config -b --format csv -d 0.5 \
	-c pid,source,user,cpu%,sw/s,pre/s,fault/s,ipc,migr/s \
	-f "pid = $spinner || pid = $forker || pid = $own" >"$scratch/out" 2>"$scratch/err") &
watcher=$!
lines() { grep -c ",$forker,proc," "$scratch/out"; }
has_told() { [ "$(lines)" -ge "$1" ] || has_ended $watcher; }
intervals() { wait_until "perftop does not go on" has_told $(($(lines) + $1)); }
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
is_gone() { ! tail -n 4 "$scratch/out" | grep -q ",$forker,"; }
wait_until "who has ended is still there: $(tail -n 4 "$scratch/out")" is_gone
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
report
