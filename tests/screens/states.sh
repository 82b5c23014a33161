#!/bin/bash
# states.sh PERFTOP TOOLS STATES: the states of threads that measure themselves how long they are in one, beside two busy
# tasks: each share within a point of theirs, all of them 100 %, and waits for a CPU those of schedstat. A recording
# says the same, and a row that passes the filter of --fail-if is the end.
. "$(dirname "$0")/kit.sh"
needs root
with_tracefs "$0" "$@"
STATES=$(realpath "$3")
err=$scratch/err
columns=tid,command,usr_pct,sys_pct,irq_pct,runq_pct,preempt_pct,lock_pct,disk_pct,net_pct,sleep_pct,stop_pct,unknown_pct
show() { head -c 3000 "$scratch/differences"; }

start "$TOOLS/spin" busy
start "$TOOLS/spin" busy
start "$STATES" "$scratch/own"
states=$started
wait_lines "$scratch/own" 80 "$states"
pids=$states,$(pgrep -P "$states" | paste -sd,)

# How much is unknown of a thread beyond the seconds in which it becomes known for what it sleeps.
is_known() {
	awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		{ name = $column["command"] }
		name ~ /^st-/ && name != "st-other" && ++rows[name] > 12 { unknown[name] += $column["unknown_pct"]; count[name]++ }
		END { for (name in count) if (unknown[name] > count[name]) { print name, unknown[name] / count[name]; exit 1 } }' \
		"$scratch/csv" >"$scratch/unknown"
}
# What other tests do at the same time may be more than can be read, and have them sleep for what they never did before;
# then what they were in is not known, and said so.
for run in 1 2 3; do
	head -1 /proc/stat >"$scratch/before"
	"$PERFTOP" --no-config -b --format csv -H -p "$pids" -d 1 -n 24 -c $columns -w "$scratch/data" >"$scratch/csv" \
		2>"$err" </dev/null || fail "status $?"
	head -1 /proc/stat >"$scratch/after"
	"$PERFTOP" --no-config --format json -i "$scratch/data" 2>"$err" </dev/null | grep -q '"lost":{"records":[1-9]' || { is_known && break; }
	echo "run $run: records were lost, or unknown: $(cat "$scratch/unknown" 2>/dev/null)"
done
"$PERFTOP" --no-config --format csv -H -i "$scratch/data" -c $columns >"$scratch/again" 2>"$err" </dev/null ||
	fail "replay: status $?"

# Seconds that a hypervisor took, of whichever thread: that has them neither in its state nor in what it ran, while
# perftop has them in what ran.
stolen=$(paste -d' ' "$scratch/before" "$scratch/after" | awk -v ticks="$(getconf CLK_TCK)" '{
	print ($(NF / 2 + 9) - $9) / ticks
}')

# Seconds of it are not looked at, in which it becomes known for what they sleep: when a look falls into such a sleep,
# which on a busy machine takes longer, half of the run at most.
cat >"$scratch/compare" <<'AWK'
FILENAME ~ /own$/ {
	split($0, f, " ")
	if (f[1] == at[f[2], lines[f[2]]])
		next
	n = ++lines[f[2]]
	at[f[2], n] = f[1]
	for (i = 3; i <= 6; i++)
		number[f[2], n, i] = f[i]
	next
}
FNR == 1 {
	for (i = 1; i <= NF; i++)
		column[$i] = i
	next
}
{
	name = $column["command"]
	if (name !~ /^st-/ || name == "st-other")
		next
	sum = 0
	for (c in column)
		if (c ~ /_pct$/)
			sum += $column[c]
	if (sum < 99.9 || sum > 100.1)
		print name " at " $1 ": " sum " % in all"
	rows[name]++
	if (rows[name] <= 4 || (rows[name] <= 12 && $column["unknown_pct"] > 1)) {
		from[name] = $1
		delete to[name]
		for (c in column)
			delete seen[name, c]
		next
	}
	span = $1 - to_of(name)
	to[name] = $1
	for (c in column)
		if (c ~ /_pct$/)
			seen[name, c] += $column[c] * span
}
function to_of(name) { return name in to ? to[name] : from[name] }
# What the thread had measured by then.
function own(name, i, time,    n, share) {
	for (n = 2; n < lines[name] && at[name, n] < time; n++)
		;
	share = (time - at[name, n - 1]) / (at[name, n] - at[name, n - 1])
	return number[name, n - 1, i] + share * (number[name, n, i] - number[name, n - 1, i])
}
# What is not known is in no share, and interrupts, which a program takes for its own time, have one. A file that is
# synchronised waits for locks of the file system, too, where others write beside it.
function compare(name, c, i,    span, is, was, more, taken) {
	span = to[name] - from[name]
	is = seen[name, c] / span
	more = (seen[name, "unknown_pct"] + seen[name, "irq_pct"]) / span + (c == "disk_pct" ? seen[name, "lock_pct"] / span : 0)
	taken = 100 * stolen / span
	was = (own(name, i, to[name]) - own(name, i, from[name])) / span / 1e7
	if (is < was - 1 - more - taken || is > was + 1 + taken)
		print name ": " c " is " is ", not " was " of" all_of(name, span) ", stolen " stolen
}
function all_of(name, span,    c, text) {
	for (c in column)
		if (c ~ /_pct$/)
			text = text " " c " " seen[name, c] / span
	return text
}
END {
	compare("st-user", "usr_pct", 4)
	compare("st-kernel", "sys_pct", 5)
	compare("st-lock", "lock_pct", 3)
	compare("st-disk", "disk_pct", 3)
	compare("st-epoll", "net_pct", 3)
	compare("st-stop", "stop_pct", 3)
	for (name in rows) {
		seen[name, "wait"] = seen[name, "runq_pct"] + seen[name, "preempt_pct"]
		compare(name, "wait", 6)
		if (seen[name, "unknown_pct"] > 1 * (to[name] - from[name]))
			print name ": unknown " seen[name, "unknown_pct"] / (to[name] - from[name])
		found++
	}
	if (found != 8)
		print found " threads, not 8"
}
AWK
awk -F, -v stolen="$stolen" -f "$scratch/compare" "$scratch/own" "$scratch/csv" >"$scratch/differences"
[ ! -s "$scratch/differences" ] || fail "live"
awk -F, -v stolen="$stolen" -f "$scratch/compare" "$scratch/own" "$scratch/again" >"$scratch/differences"
[ ! -s "$scratch/differences" ] || fail "replay"

# The rows of the others are not looked for.
"$PERFTOP" --no-config -b -H -p "$pids" -d 0.5 -n 100 -c tid,command,lock_pct -s lock_pct --top 2 \
	--fail-if 'lock_pct > 5 && command ~ "^st-lock"' >"$scratch/rows" 2>"$err" </dev/null
[ $? = 3 ] || fail "--fail-if: not status 3"
grep -q '^perftop: --fail-if .*TID [0-9]*, LOCK [0-9.]*, COMMAND st-lock' "$err" || fail "--fail-if: the row is not named"
[ "$(grep -c '^ *[0-9]* st-' "$scratch/rows")" -le $((2 * $(grep -c TID "$scratch/rows"))) ] || fail "--top: more rows"
"$PERFTOP" --no-config -b -p "$pids" -d 0.2 -n 1 --fail-if 'cpu% > 100000' >"$scratch/rows" 2>"$err" </dev/null ||
	fail "--fail-if: status $? where no row passes"

# A task that never runs has states all the same.
start "$TOOLS/spin" busy
kill -STOP "$started"
"$PERFTOP" --no-config -b -d 0.5 -n 100 --fail-if "pid = $started && stop_pct > 99" >"$scratch/rows" 2>"$err" </dev/null
[ $? = 3 ] || fail "--fail-if of a stopped task: not status 3"

# What it sleeps for itself it cannot look at, but knows.
"$PERFTOP" --no-config -b -d 0.5 -n 8 --format csv -f 'command = perftop' -c pid,net_pct,unknown_pct \
	>"$scratch/rows" 2>"$err" </dev/null &
own=$!
wait "$own" || fail "its own row: status $?"
awk -F, -v own="$own" 'FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
	$column["pid"] == own && $column["net_pct"] > 5 && $column["unknown_pct"] < 20 { known = 1 }
	END { exit !known }' "$scratch/rows" >"$scratch/differences" || fail "its own row: $(tail -n 3 "$scratch/rows")"

# Of a recording it is known by its end whether it has them: that is said once, and of one that has them nothing.
"$PERFTOP" --no-config -b -p $$ -d 0.2 -n 2 -w "$scratch/without" >/dev/null 2>"$err" </dev/null || fail "recording: status $?"
for data in without data; do
	"$PERFTOP" --no-config -b -n 3 -c states -i "$scratch/$data" 2>&1 >/dev/null </dev/null | grep states
done >"$scratch/said"
[ "$(cat "$scratch/said")" = "perftop: the states of threads are unknown: no wake-ups were recorded" ] ||
	fail "of recordings: $(cat "$scratch/said")"

# What is missing is said beside JSON, too.
unshare -m sh -c 'umount -l /sys/kernel/debug 2>/dev/null; umount -l /sys/kernel/tracing; exec "$@"' - \
	"$PERFTOP" --no-config -b --format json -d 0.2 -n 1 -c states 2>&1 >/dev/null </dev/null |
	grep -q '^perftop: the states of threads are unknown: .*(.*sched:sched_waking: tracepoints cannot be read' ||
	fail "without tracefs the missing tracepoint is not named"
report
