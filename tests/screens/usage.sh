#!/bin/bash
# usage.sh PERFTOP TOOLS: the command line: wrong usage gives one line that names the word at fault and
# status 2, what is missing gives one line and status 1, and nothing of it stands on standard output.
. "$(dirname "$0")/kit.sh"
out=$scratch/out err=$scratch/err

# refused STATUS WORD ARGUMENT...
refused() {
	local expected=$1 word=$2 what
	shift 2
	what="perftop $*"
	timeout -s KILL 90 "$PERFTOP" "$@" >"$out" 2>"$err" </dev/null
	local status=$?
	[ $status = "$expected" ] || fail "$what: status $status instead of $expected"
	[ ! -s "$out" ] || fail "$what: something on standard output"
	[ "$(grep -c '^perftop: ' "$err")" = 1 ] || fail "$what: not exactly one sentence"
	[ "$(wc -l <"$err")" -le 2 ] || fail "$what: more than a sentence and a remedy"
	head -n 1 "$err" | grep -qF -- "$word" || fail "$what: \"$word\" is not named"
}

# --- what perftop starts for itself is nobody else's
refused 2 symbol-helper --symbol-helper

# --- processes
for name in 'no process' 1x-of-none; do
	refused 1 "$name" -b -n 1 -p "$name"
done

# --- few descriptors: names and users are read, or one sentence says what is missing
(ulimit -n 16 && timeout -s KILL 90 "$PERFTOP" -b -n 1 -d 0.2 >"$out" 2>"$err" </dev/null)
cat "$out" "$err" | grep -q '16 file descriptors are too few' || fail "16 descriptors: not a word"
# --- too few for the CPUs: counted by task, or one sentence
for descriptors in 8 12 14; do
	(ulimit -n $descriptors && timeout -s KILL 90 "$PERFTOP" -b -n 1 -d 0.2 -p $$) >"$out" 2>"$err" </dev/null
	status=$?
	[ $status -le 1 ] || fail "$descriptors descriptors and -p: status $status"
	cat "$out" "$err" | grep -q "$descriptors file descriptors are too few" ||
		fail "$descriptors descriptors and -p: not a word"
done

# --- as few as one thread needs are enough for it
if [ "$(id -u)" = 0 ]; then
	own_copies "$PERFTOP"
	(ulimit -n 24 && as_nobody timeout -s KILL 90 bash -c "\"$scratch/perftop\" --no-config -b -n 1 -d 0.2 -p \$\$; exit \$?") >"$out" 2>"$err" </dev/null ||
		fail "24 descriptors: one thread is not counted"
fi

(ulimit -n 4 && timeout -s KILL 90 "$PERFTOP" -b -n 1 -d 0.2) >"$out" 2>"$err" </dev/null 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
status=$?
[ "$status" = 1 ] && [ ! -s "$out" ] || fail "4 descriptors: status $status: $(cat "$out")"
grep -q 'which CPUs are online: Too many open files' "$err" || fail "4 descriptors: $(cat "$err")"

# --- events: what is typed wrong is wrong usage, what is not here is missing
refused 2 cyclez -b -n 1 -e cyclez
grep -q 'perftop events WORD searches' "$err" || fail "cyclez: not a word on how to search"
refused 2 page-faults:q -b -n 1 -e page-faults:q
refused 2 'expected an expression' --fail-if '' -n 1
refused 2 '{page-faults' -b -n 1 -e '{page-faults'
refused 2 "(character 1 of '')" -b -n 1 -e ''
refused 2 "$(printf '%0250d' 0): unknown event (character 1)" -b -n 1 -e "$(printf '%0250d' 0)"
refused 1 nopmu -b -n 1 -e nopmu/event=1/
refused 1 /nosuchfile -b -n 1 -e uprobe:/nosuchfile:function

# --- columns of events with names as long as they may be
long=$scratch/$(printf '%0100d' 0)
mkdir "$long"
for length in 250 251 255; do
	file=$long/$(printf "%0$((length - ${#long} - 13))d" 0)
	[ -e /sys/bus/event_source/devices/uprobe ] || break
	cp "$PERFTOP" "$file" # a program with symbols
	timeout -s KILL 90 "$PERFTOP" -b -n 1 -d 0.2 -c "uprobe:$file:main" >"$out" 2>"$err" </dev/null
	status=$?
	[ $status = 0 ] || fail "an event of $length bytes as a column: status $status"
	rm "$file"
done

# --- what would have no effect, or match nothing
refused 2 'kind: a filter of the view cpus' -b -n 1 -V cpus -f 'kind = preempted'
refused 2 'ipc: switches are in time order' -b -n 1 -V switches -s ipc

# --- formulas
refused 2 'character 9' -b -n 1 -m 'x=1+(2*3'
refused 2 "character 7 of 'x=\"é\"+\$'" -b -n 1 -m 'x="é"+$'
refused 2 'means one event' -b -n 1 -m 'x="page-faults,minor-faults"'
refused 2 'is called page-faults' -b -n 1 -m 'x=" page-faults"'
refused 2 'is called page-faults:u' -b -n 1 -m 'x="{page-faults}:u"'

# --- filters
refused 2 "character 6 of 'ipc <'" -b -n 1 -f 'ipc <'
refused 2 "character 12 of" -b -n 1 -f 'pid = 1 && nosuchcolumn > 5'
refused 2 nosuchcolumn -f 'nosuchcolumn > 5'
refused 2 'user is a text' -b -n 1 --filter='user < 5'
refused 2 '5ms: pid is not a time' -b -n 1 -f 'pid = 5ms'
refused 2 'closing quote' -b -n 1 -f 'command = "a'
refused 2 'Unmatched' -b -n 1 -f 'command ~ "a("'
refused 1 nopmu -b -n 1 -f 'nopmu/event=1/ > 5'

# --- words from tables
refused 2 nosuchcolumn -b -n 1 -c pid,nosuchcolumn
# a filter that nothing could ever pass fails no run that checks something
data=$(dirname "$0")/../data
gunzip -c "$data/bare.data.gz" >"$scratch/bare.data"
refused 2 'ipc < 1: instructions: not counted' -b -i "$scratch/bare.data" --fail-if 'ipc < 1'
refused 2 'not counted' -b -i "$scratch/bare.data" --fail-if 'cycles != 3 || cpu% > 1'
refused 2 'rss: from /proc, which recordings do not have' -b -i "$scratch/bare.data" --fail-if 'rss > 1G'
refused 2 'host: there is one host' -b -i "$scratch/bare.data" --fail-if 'host = x || cpu% > 1000'
refused 2 'host: there is one host' -b -n 1 --fail-if 'host = x'
refused 2 'host: there is one host' -b -n 1 --trigger 'host = x'
# what only its records say is known at its end
for term in 'dwait% > 100' 'psi-cpu > 100' 'throttled% > 100' 'cgroup ~ shop' 'container ~ shop' \
	'lock_pct > 200' 'wake-p99 > 1000s'; do
	column=${term%% *}
	"$PERFTOP" --no-config -b -i "$scratch/bare.data" --fail-if "$term || cpu% > 1000" >"$out" 2>"$err" </dev/null
	[ $? = 2 ] || fail "--fail-if $column: not status 2"
	grep -q "^perftop: --fail-if .*: $column: \(not in this recording\|.*no wake-ups were recorded\)$" "$err" || fail "--fail-if $column: it is not named"
done
"$PERFTOP" --no-config -b -i "$scratch/bare.data" --fail-if 'pwait% > 1000 && lat_pct > 1000' >"$out" 2>"$err" </dev/null ||
	fail "--fail-if of what is in the recording: status $?"
refused 2 'memory: a set of columns cannot be part of a list' -b -n 1 -c pid,memory
refused 2 'topdown: no column sets in the view switches' -b -n 1 -V switches -c topdown
refused 2 nosuchcolumn -b -n 1 -s nosuchcolumn
refused 2 nosuchcolumn -b -n 1 -s -nosuchcolumn
refused 2 nosuchcolumn -b -n 1 -s +nosuchcolumn
refused 1 /nosuchdirectory -n 1 --format openmetrics -o /nosuchdirectory/x.prom
refused 2 --nosuchoption -b --nosuchoption
refused 2 99999 -b -n 1 -C 99999
# the same words without -b: wrong usage comes before the missing terminal
refused 2 nosuchcolumn -s nosuchcolumn
refused 2 nan -d nan
refused 1 abc -p abc

# --- what a word may not do to the terminal
refused 2 nosuch -b -s $'nosuch\033[31m\nline'
grep -q "$(printf '\033')" "$err" && fail "an escape sequence went through"

# --- not there
true &
gone=$!
wait $gone
refused 1 "$gone" -b -n 1 -p "$gone"
# one that is not in a recording is known at its end, when all has been printed
for pids in 4194303 94,4194303; do
	"$PERFTOP" --no-config --format trace -i "$scratch/bare.data" -p "$pids" >"$out" 2>"$err" </dev/null
	[ $? = 1 ] || fail "-p $pids: not status 1"
	[ "$(cat "$err")" = "perftop: $scratch/bare.data: pid 4194303: not in this recording" ] || fail "-p $pids: $(cat "$err")"
	[ "$(tail -n 1 "$out")" = "]" ] || fail "-p $pids: no end"
done
"$PERFTOP" --no-config --format openmetrics -i "$scratch/bare.data" -p 94,4194303 >"$out" 2>"$err" </dev/null
[ $? = 1 ] && [ "$(tail -n 1 "$out")" = "# EOF" ] || fail "what is written at the end is not: $(cat "$out" "$err")"
refused 1 "$gone" -p "$gone" -b --format json -n 1
for option in -o -w; do
	refused 1 /no/such/place/file -b -n 1 $option /no/such/place/file
done
refused 127 /no/such/program -b -n 1 -- /no/such/program
refused 126 / -b -n 1 -- /

# --- what is right stays quiet
accepted() {
	local what="perftop $*"
	timeout -s KILL 90 "$PERFTOP" "$@" >"$out" 2>"$err" </dev/null
	local status=$?
	[ $status = 0 ] || fail "$what: status $status"
	[ -s "$out" ] || fail "$what: nothing on standard output"
}
accepted --help
[ ! -s "$err" ] || fail "--help: something on standard error"
accepted --version
grep -q '^perftop [0-9]' "$out" || fail "--version: $(cat "$out")"
accepted check
# where /proc has only processes it says the same of the machine
of_machine() { grep -E '^(perftop|PMU +no) ' "$out"; }
told=$(of_machine)
if unshare -m sh -c 'mount -t proc -o subset=pid proc /proc' 2>/dev/null; then
	unshare -m sh -c 'mount -t proc -o subset=pid proc /proc && exec "$1" check' - "$PERFTOP" >"$out"
	[ "$(of_machine)" = "$told" ] || fail "with subset=pid: $(of_machine)"
fi
accepted -b -n 1 -d 0.2
accepted --format json -n 2 -d 0.2
[ "$(wc -l <"$out")" = 2 ] || fail "--format json implies -b and gives a line an interval"
accepted --format openmetrics -n 3 -d 0.2
[ "$(grep -c "^# EOF" "$out")" = 1 ] || fail "--format openmetrics writes the last of several intervals"
accepted --format openmetrics -n 1 -d 0.2 --top 3
[ "$(tail -n 1 "$out")" = "# EOF" ] || fail "--format openmetrics ends in # EOF"
[ "$(grep -c "^perftop_task_run_seconds_total" "$out")" -le 4 ] || fail "--top 3 gives three tasks and the rest"
gzip -dc "$(dirname "$0")/../data/turns.data.gz" >"$scratch/turns"
intervals=$("$PERFTOP" --no-config -i "$scratch/turns" --format json | grep -c '"scope"')
for filter in 'slice >= 0' 'how = preempted'; do
	log() { "$PERFTOP" --no-config -i "$scratch/turns" -V switches --format json -f "$filter" "$@"; }
	all=$(log | grep -c '"how"')
	log --top 3 >"$out"
	[ "$(grep -c '"how"' "$out")" = $((3 * intervals)) ] || fail "--top 3 of a log of $filter: $(grep -c '"how"' "$out") lines"
	left=$(sed -n 's/^{"left_out":\([0-9]*\)}$/\1/p' "$out" | paste -sd+)
	[ $((3 * intervals + left)) = "$all" ] || fail "--top 3 of a log of $filter: 3 * $intervals and $left are not $all"
done
timeout -s INT 2 "$PERFTOP" --no-config -V switches --format json -d 60 --top 2 >"$out" 2>"$err"
[ "$(grep -c '"how"' "$out")" = 2 ] || fail "--top 2 of a log that is interrupted: $(grep -c '"how"' "$out") lines"
"$PERFTOP" --no-config -i "$scratch/turns" --format trace --top 3 >"$out"
[ "$(grep -c '"pid":1073741824,.*"cat":"run"' "$out")" -le $((3 * intervals)) ] || fail "--top 3 of a trace: more slices"
"$PERFTOP" --no-config -i "$scratch/turns" --format folded >"$out" 2>"$err" || fail "folded: status $?"
grep -q ': no samples in this recording' "$err" || fail "stacks of a recording without: $(cat "$err")"
accepted -b -n 1 -d 0.2 -s -cpu%
accepted -b -n 1 -d 0.2 -s +pid
accepted -b -n1 -d.2 -c scheduling -e context-switches
grep -qE 'PID +CPU% .*SW/s .*WAKE .*SWITCHES/s +COMMAND' "$out" || fail "-c scheduling: $(head -n 5 "$out")"
accepted -b -n1 -d.2 -c default
grep -qE 'PID +USER +CPU%' "$out" || fail "-c default: $(head -n 5 "$out")"
accepted -b -n1 -d.2 -c pid,command
grep -qE 'PID +COMMAND' "$out" || fail "-c pid,command: $(head -n 5 "$out")"
accepted -b -n 1 -d 0.2 -V cpus
accepted -b -n 1 -d 0.2 -V switches -s when -f 'kind != idle'
accepted -b -n 1 -d 0.2 -p $$
accepted -b -n 1 -d 0.2 -p $$,1

# --- a command keeps its output and its status
timeout -s KILL 90 "$PERFTOP" -b -n 3 -d 0.3 -o "$scratch/report" -- \
	sh -c 'read -r line; echo "out $line"; echo said >&2; exit 37' >"$out" 2>"$err" <<<'typed'
status=$?
[ $status = 37 ] || fail "the command's status 37 became $status"
[ "$(cat "$out")" = "out typed" ] || fail "the command's output: $(cat "$out")"
[ "$(cat "$err")" = said ] || fail "the command's standard error"
[ -s "$scratch/report" ] || fail "-o beside a command is empty"
timeout -s KILL 90 "$PERFTOP" -b -d 0.3 -- sh -c 'kill -TERM $$' >"$out" 2>"$err" </dev/null
status=$?
[ $status = 143 ] || fail "a command that a signal ends: status $status instead of 143"
[ ! -s "$out" ] || fail "without -o the report belongs to standard error"
[ -s "$err" ] || fail "without -o the report is on standard error"

# --- pipes and full disks
: >"$err"
set -o pipefail
timeout -s KILL 90 "$PERFTOP" -b -d 0.1 -n 200 2>"$err" </dev/null | head -n 1 >"$out"
status=$?
[ $status = 0 ] || fail "a closed pipe: status $status"
[ ! -s "$err" ] || fail "a closed pipe is no error"
set +o pipefail
if [ -w /dev/full ]; then
	timeout -s KILL 90 "$PERFTOP" -b -n 2 -d 0.2 >/dev/full 2>"$err" </dev/null
	status=$?
	[ $status = 1 ] || fail "a full disk: status $status"
	[ "$(grep -c '^perftop: ' "$err")" = 1 ] || fail "a full disk: not one sentence"
fi

# --- which rows there are, and in which order
twin=t$$ alone=a$$
for name in $twin $twin $alone; do
	start "$TOOLS/spin" $name 0
done
accepted -b -n 1 -d 2 -s user,-pid \
	-f "ppid = $$ && type = user && (task = $twin || command ~ \"^a$$\$\")" -c pid,ppid,session,type,command
grep '^[^#]' "$out" | sed 1d | awk '{ print $1, $5 }' >"$scratch/pids"
[ "$(grep -cE "^ +[0-9]+ +$$ .* user +[ta]$$\$" "$out")" = 3 ] || fail "ppid and type: $(cat "$out")"
[ "$(cut -d ' ' -f 2 "$scratch/pids" | sort | tr '\n' ' ')" = "$alone $twin $twin " ] || fail "-f: $(cat "$out")"
sort -rn "$scratch/pids" | cmp -s - "$scratch/pids" || fail "-s user,-pid: $(cat "$out")"
accepted -b -n 1 -d 0.3 --group-by command
grep -Eq "^ +2 .* $twin\$" "$out" || fail "--group-by command: $(cat "$out")"
refused 2 nothing -b --group-by nothing
grep -q 'values of group-by: command|user|cgroup' "$err" || fail "--group-by nothing: $(cat "$err")"

report
