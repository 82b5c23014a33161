#!/bin/bash
# batch.sh PERFTOP TOOLS CHECKER: the batch output of this machine, under load and with tasks
# whose names are meant to do harm. The checker judges the JSON; here the text is looked at.
. "$(dirname "$0")/kit.sh"
CHECKER=$(realpath "$3")

names=($'\033[31mred' $'two\nlines' $'tab\there' 'quote"back\' $'\xff\xfe\x80bad' $'\xc3' '日本語テスト'
	$'e\u0301\u0302\u0303x' $'\u202egnp.exe' $'bell\a\b\b' ' ' ')(' 'a,b;c' $'\x7f\x9b31m')
for name in "${names[@]}"; do
	start "$TOOLS/spin" "$name" - 600
done
start "$TOOLS/pingpong" 4 0
start "$TOOLS/forkstorm" 200 5 w150m80

"$PERFTOP" --format json -d 0.5 -n 6 >"$scratch/host.out" 2>"$scratch/err" </dev/null || fail "status $?"
[ ! -s "$scratch/err" ] || fail "standard error: $(cat -v "$scratch/err")"
GUEST_RESULTS=$scratch "$CHECKER" || fail "JSON"

control=$(printf '[\001-\011\013-\037\177]')
LC_ALL=C grep -q "$control" "$scratch/host.out" && fail "control characters in the JSON"

for locale in C.UTF-8 C; do
	LC_ALL=$locale "$PERFTOP" -b -d 0.5 -n 2 >"$scratch/text" 2>"$scratch/err" </dev/null ||
		fail "text: status $?"
	LC_ALL=C grep -q "$control" "$scratch/text" && fail "$locale: control characters in the text"
	LC_ALL=C.UTF-8 grep -qaxv '.*' "$scratch/text" && fail "$locale: the text is not UTF-8"
	# The title names the columns; every row below has as many words in front of the command.
	awk '$1 == "PID" { columns = NF; next }
	     columns && /^ *[0-9]+ / && NF < columns - 1 { print "short row: " $0; bad = 1 }
	     END { exit bad || !columns }' "$scratch/text" || fail "$locale: rows and titles differ"
done
LC_ALL=C grep -q $'\x9b' <(iconv -f UTF-8 -t LATIN1 "$scratch/text" 2>/dev/null) &&
	fail "a one-byte control sequence introducer in the text"

# --- a run of processes ends with the last of them, which is reported as ended once
last=
: >"$scratch/last"
for lines in 3 1; do
	start sh -c "until [ \"\$(wc -l <$scratch/last)\" -ge $lines ]; do sleep 0.1; done"
	first=$last last=$started
done
timeout 60 "$PERFTOP" --format json -d 0.3 -p "$first,$last" >"$scratch/last" 2>"$scratch/err" </dev/null || fail "-p: status $?"
[ ! -s "$scratch/err" ] || fail "-p: standard error: $(cat "$scratch/err")"
[ "$(grep -o '"pid":[0-9]*,[^{]*"state":"exited"' "$scratch/last" | grep -o '^"pid":[0-9]*' | sort)" = \
	"$(printf '"pid":%s\n' "$first" "$last" | sort)" ] || fail "-p $first,$last: $(cat "$scratch/last")"

# --- of the configuration only what is counted is taken: what scripts read is the same for every user
printf '%s\n' 'columns pid' 'sort pid' 'filter nothing' 'threads on' 'view cpus' 'delay 600' 'user root' \
	'in tasks event cpu-migrations' 'event minor-faults' 'metric twice = 2 * page-faults' 'fly away' >"$scratch/conf"
timeout 60 "$PERFTOP" -b -n 1 --config "$scratch/conf" >"$scratch/text" 2>"$scratch/err" </dev/null || fail "conf: status $?"
[ "$(cat "$scratch/err")" = "perftop: $scratch/conf:11: fly: unknown command" ] || fail "conf: $(cat "$scratch/err")"
title=$(grep -E '^ *PID +USER .* MINOR-FAULTS/s +TWICE +COMMAND$' "$scratch/text") || fail "conf: $(cat "$scratch/text")"
[[ $title != *MIGRATIONS* ]] || fail "conf: $title"
grep -qE '^ *[0-9]+ ' "$scratch/text" || fail "conf: no rows: $(cat "$scratch/text")"

# --- what --fail-if compares is read in each format, though no column has it
if [ -s /proc/self/cgroup ]; then
	timeout 60 "$PERFTOP" --format csv -c pid,command -d 0.3 -n 9 --fail-if 'cgroup ~ /' >"$scratch/text" 2>"$scratch/err" </dev/null
	status=$?
	[ $status = 3 ] || fail "--fail-if of a cgroup in CSV: status $status: $(cat "$scratch/err")"
fi
# of a function a value of its task is compared, and is not said as the function's
timeout 60 "$PERFTOP" -b -V functions -d 0.3 -n 9 --fail-if 'slice_us > 0' >"$scratch/text" 2>"$scratch/err" </dev/null
status=$?
[ $status = 3 ] || fail "--fail-if of functions: status $status: $(cat "$scratch/err")"
! grep -q 'SLICE' "$scratch/err" || fail "--fail-if of functions: $(cat "$scratch/err")"

# costs EVENTS BUDGET LINES [OPTION...]: with this configuration all default events are counted or a few, and
# the budget is that
costs() {
	printf "$3" >"$scratch/perftop.conf"
	"$PERFTOP" --format json -d 0.1 -n 1 --config "$scratch/perftop.conf" "${@:4}" >"$scratch/costs" \
		2>"$scratch/err" </dev/null || fail "$3 ${*:4}: status $?"
	events=few
	grep -q '"cache-references"' "$scratch/costs" && events=all
	budget=$(sed -n 's/.*"budget_pct":\([^,]*\).*/\1/p' "$scratch/costs")
	[ "$events $budget" = "$1 $2" ] || fail "$3 ${*:4}: $events events, budget $budget"
}
costs all null 'light off\n'
costs few 2.0 'budget 2%%\nlight on\n'
costs few 3.0 'budget 2%%\nlight off\n' --light --budget 3
costs all null 'light maybe\nlight off\n'
grep -q ':1: maybe: no such value' "$scratch/err" || fail "$(cat "$scratch/err")"

report
