#!/bin/bash
# endings.sh PERFTOP: how batch runs and answers end: whatever their output goes to, by whichever
# signal, with which status, and with what on standard error.
. "$(dirname "$0")/kit.sh"
err=$scratch/err
declare -A alive=() # pids of what was started and has not been waited for
at_end() { kill -9 "${!alive[@]}" 2>/dev/null; }

# ended PID [SECONDS]: waits for it; its status goes to $status
ended() {
	local tries=$((${2:-90} * 10))
	while [ -d "/proc/$1" ] && ! grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null; do
		if [ $((tries--)) -le 0 ]; then
			kill -9 "$1"
			wait "$1" 2>/dev/null
			status=none
			unset "alive[$1]"
			return 1
		fi
		sleep 0.1
	done
	wait "$1" 2>/dev/null
	status=$?
	unset "alive[$1]"
}

until_true() { # until the command succeeds, 90 s at most
	for ((i = 0; i < 900; i++)); do
		"$@" 2>/dev/null && return 0
		sleep 0.1
	done
	return 1
}

# A pipe that is full and has a reader that does not read: descriptor 9.
full_pipe() {
	rm -f "$scratch/pipe"
	mkfifo "$scratch/pipe"
	exec 9<>"$scratch/pipe"
	dd if=/dev/zero of="$scratch/pipe" bs=4096 count=16 oflag=nonblock 2>/dev/null
}
waits_for_room() { grep -Eq 'pipe_write|poll_schedule' "/proc/$1/wchan"; }
# Where the kernel does not say what a process waits for, ten seconds will do.
until_blocked() {
	for ((i = 0; i < 100; i++)); do
		waits_for_room "$1" 2>/dev/null && return
		sleep 0.1
	done
}
# A signal that is sent again before it was taken is one signal.
has_taken() { # PID SIGNAL
	(((0x$(sed -n 's/^ShdPnd:.//p' "/proc/$1/status") >> ($(kill -l "$2") - 1) & 1) == 0))
}

# --- a reader that does not read does not keep it from ending
for signal in INT TERM HUP QUIT; do
	: >"$err"
	full_pipe
	"$PERFTOP" -b -d 0.1 >&9 2>"$err" </dev/null 9>&- &
	pid=$!
	alive[$pid]=1
	until_blocked "$pid"
	kill -$signal "$pid"
	ended "$pid" || fail "a full pipe: SIG$signal does not end it"
	[ "$status" = 0 ] || fail "a full pipe, SIG$signal: status $status"
	[ ! -s "$err" ] || fail "a full pipe, SIG$signal: something on standard error"
	[ $((0$(sed -n 's/^flags:.//p' /proc/$$/fdinfo/9) & 04000)) = 0 ] ||
		fail "the pipe that is shared does not block any more"
done

# --- the same where the pipe is a file that was asked for, and with a command that ends
full_pipe
"$PERFTOP" -b -d 0.1 -o "$scratch/pipe" -- sleep 100 2>"$err" </dev/null 9>&- &
pid=$!
alive[$pid]=1
until_blocked "$pid"
kill -TERM "$pid"
ended "$pid" || fail "-o a full pipe: SIGTERM does not end it"
[ "$status" = 143 ] || fail "-o a full pipe: status $status instead of the command's 143"

# --- a reader that comes late gets everything
full_pipe
"$PERFTOP" --format json -d 0.1 -n 3 >&9 2>"$err" </dev/null 9>&- &
pid=$!
alive[$pid]=1
until_blocked "$pid"
exec 8<"$scratch/pipe" 9>&-
timeout 90 tr -d '\0' <&8 >"$scratch/late"
exec 8<&-
ended "$pid" || fail "a late reader: it does not end"
[ "$status" = 0 ] || fail "a late reader: status $status"
[ "$(grep -c '^{.*}$' "$scratch/late")" = 3 ] ||
	fail "a late reader: $(wc -lc <"$scratch/late") lines and bytes"

# --- a signal that is sent twice, as by timeout(1), ends it once
for ((round = 0; round < 20; round++)); do
	"$PERFTOP" --no-config -b -d 0.1 -o "$scratch/report" 2>"$err" </dev/null &
	pid=$!
	alive[$pid]=1
	until_true test -s "$scratch/report"
	for ((again = 0; again < 50; again++)); do kill -TERM "$pid" 2>/dev/null; done
	ended "$pid" || fail "SIGTERM again and again does not end it"
	[ "$status" = 0 ] || fail "SIGTERM again and again: status $status"
	rm -f "$scratch/report"
done

# --- what a log has not told yet is told at its end, be it before the first interval's
"$PERFTOP" --no-config -b --view switches --format json -d 600 -o "$scratch/log" 2>"$err" </dev/null &
pid=$!
alive[$pid]=1
until_true grep -q perf_event "/proc/$pid/maps" || fail "a log's end: it counts nothing"
sleep 1
for ((i = 0; i < 50; i++)); do /bin/true; done
kill -TERM "$pid"
ended "$pid" || fail "a log's end: SIGTERM does not end it"
[ "$status" = 0 ] || fail "a log's end: status $status"
[ "$(grep -c '^{"time_ns":.*}$' "$scratch/log")" -gt 10 ] ||
	fail "a log's end: $(wc -lc <"$scratch/log") lines and bytes"
[ -z "$(grep -v '^{.*}$' "$scratch/log")" ] || fail "a log's end: a line that is none"

# --- a replay ends by a signal, too: one that has waited for it ends it after its first interval
timeout -s KILL 90 "$PERFTOP" -b -d 0.2 -n 10 -w "$scratch/recording" -o "$scratch/report" 2>"$err" </dev/null ||
	fail "a recording: status $?"
for view in tasks switches; do
	timeout -s KILL 90 "$PERFTOP" --no-config --view $view --format json -n 1 -i "$scratch/recording" \
		>"$scratch/first" 2>"$err" </dev/null || fail "a replay of $view: status $?"
	timeout -s KILL 90 env --block-signal=TERM sh -c 'kill -TERM $$; exec "$@"' - \
		"$PERFTOP" --no-config --view $view --format json -i "$scratch/recording" \
		>"$scratch/ended" 2>"$err" </dev/null || fail "a replay of $view, SIGTERM: status $?"
	[ -s "$scratch/first" ] && cmp -s "$scratch/first" "$scratch/ended" ||
		fail "a replay of $view, SIGTERM: $(wc -l <"$scratch/ended") lines instead of $(wc -l <"$scratch/first")"
done

# --- who reads little at a time is not waited for either: for a thousand lines it would be 40 s
timeout -s KILL 90 "$PERFTOP" -b -w "$scratch/recording" -o "$scratch/report" -- \
	sh -c 'i=0; while [ $i -lt 1500 ]; do /bin/true; i=$((i + 1)); done' 2>"$err" </dev/null ||
	fail "a recording of many switches: status $?"
full_pipe
"$PERFTOP" --no-config --view switches --format json -i "$scratch/recording" >&9 2>"$err" </dev/null 9>&- &
pid=$!
alive[$pid]=1
until_blocked "$pid"
exec 8<"$scratch/pipe" 9>&-
while [ -d "/proc/$pid" ]; do
	head -c 4096 >/dev/null
	sleep 0.7
done <&8 &
reader=$!
alive[$reader]=1
kill -TERM "$pid"
ended "$pid" 20 || fail "a slow reader: SIGTERM does not end it"
[ "$status" = 0 ] || fail "a slow reader: status $status"
ended "$reader"
exec 8<&-

# --- a command that ends while its report waits is reported to its end
full_pipe
"$PERFTOP" --format json -d 0.1 -- sh -c 'sleep 3; exit 5' 2>&9 </dev/null 9>&- &
pid=$!
alive[$pid]=1
until_blocked "$pid"
is_alone() { ! pgrep -P "$1" >/dev/null; }
until_true is_alone "$pid" || fail "a command's late reader: the command does not end"
sleep 0.5
[ -d "/proc/$pid" ] || fail "a command's late reader: it has not waited"
exec 8<"$scratch/pipe" 9>&-
timeout 90 tr -d '\0' <&8 >"$scratch/late"
exec 8<&-
ended "$pid" || fail "a command's late reader: it does not end"
[ "$status" = 5 ] || fail "a command's late reader: status $status"
if [ "$(grep -c '^{.*}$' "$scratch/late")" != "$(wc -l <"$scratch/late")" ] ||
	[ "$(wc -l <"$scratch/late")" -lt 2 ]; then
	fail "a command's late reader: $(wc -lc <"$scratch/late") lines and bytes"
fi

# --- the same where a log's lines wait: its end does not wait for the interval's
rm -f "$scratch/pipe"
mkfifo "$scratch/pipe"
"$PERFTOP" --view switches --format json -d 20 -o "$scratch/pipe" -- sh -c "
	until [ -e $scratch/go ]; do sleep 0.1; done
	i=0
	while [ \$i -lt 1000 ]; do /bin/true; i=\$((i + 1)); done
	exit 5" 2>"$err" </dev/null &
pid=$!
alive[$pid]=1
exec 8<"$scratch/pipe"
read -r line <&8
timeout 1 cat <&8 >/dev/null
touch "$scratch/go"
until_true is_alone "$pid" || fail "a log's late reader: the command does not end"
timeout 12 cat <&8 >"$scratch/late"
ended "$pid" 2 || fail "a log's late reader: it waits for the interval's end"
exec 8<&-
[ "$status" = 5 ] || fail "a log's late reader: status $status"

# --- what waits for a reader, and for a command that does not hear: the second signal
full_pipe
"$PERFTOP" -b -d 0.1 -- sleep 100 2>&9 </dev/null 9>&- &
pid=$!
alive[$pid]=1
until_blocked "$pid"
kill -INT "$pid"
until_true has_taken "$pid" INT
sleep 0.5
[ -d "/proc/$pid" ] || fail "a full pipe and a command: the first SIGINT is the command's"
command=$(pgrep -P "$pid")
alive[$command]=1
kill -INT "$pid"
ended "$pid" || fail "a full pipe and a command: the second SIGINT does not end it"
[ "$status" = 130 ] || fail "a full pipe and a command, second SIGINT: status $status"
kill -9 "$command"
unset "alive[$command]"

# --- a command that does not want to end: the second signal leaves it alone
for second in INT TERM HUP; do
	rm -f "$scratch/pid"
	"$PERFTOP" -b -d 0.2 -o "$scratch/report" -- \
		sh -c "trap '' TERM INT HUP; echo \$\$ >$scratch/pid; while :; do sleep 1; done" \
		2>"$err" </dev/null &
	pid=$!
	alive[$pid]=1
	until_true test -s "$scratch/pid" || fail "the command does not start"
	command=$(cat "$scratch/pid")
	alive[$command]=1
	kill -TERM "$pid"
	until_true has_taken "$pid" TERM
	sleep 0.5
	kill -0 "$pid" 2>/dev/null || fail "the first signal does not wait for the command"
	kill -$second "$pid"
	ended "$pid" || fail "the second signal (SIG$second) does not end it"
	[ "$status" = $((128 + $(kill -l $second))) ] || fail "the second signal: status $status"
	kill -0 "$command" 2>/dev/null || fail "the second signal ends the command"
	kill -9 "$command"
	unset "alive[$command]"
	[ ! -s "$err" ] || fail "the second signal: something on standard error"
done

# --- with nothing left to print the first signal still is the command's
"$PERFTOP" -b -d 0.1 -n 1 -o "$scratch/report" -- sleep 100 2>"$err" </dev/null &
pid=$!
alive[$pid]=1
sleep 1
kill -TERM "$pid"
ended "$pid" || fail "after the last interval SIGTERM does not end it"
[ "$status" = 143 ] || fail "after the last interval: status $status"

# --- a log of so many intervals gets no lines beyond them, however it ends
rm -f "$scratch"/{pid,log}
"$PERFTOP" --view switches --format json -d 1 -n 1 -o "$scratch/log" -- \
	sh -c "trap '' TERM; echo \$\$ >$scratch/pid; while :; do sleep 0.1; done" 2>"$err" </dev/null &
pid=$!
alive[$pid]=1
until_true test -s "$scratch/pid" || fail "a log's last interval: the command does not start"
command=$(cat "$scratch/pid")
alive[$command]=1
until_true test -s "$scratch/log" || fail "a log's last interval: no lines"
sleep 1
lines=$(wc -l <"$scratch/log")
kill -TERM "$pid"
until_true has_taken "$pid" TERM
sleep 0.5
kill -TERM "$pid"
ended "$pid" || fail "a log's last interval: the second signal does not end it"
[ "$status" = 143 ] || fail "a log's last interval: status $status"
[ "$(wc -l <"$scratch/log")" = "$lines" ] ||
	fail "a log's last interval: $(wc -l <"$scratch/log") lines instead of $lines"
kill -9 "$command"
unset "alive[$command]"

# --- the command's signals are those we were given
for given in '' PIPE; do
	(
		[ -n "$given" ] && trap '' $given
		exec "$PERFTOP" -b -d 0.2 -o "$scratch/report" -- grep '^Sig[BI]' /proc/self/status \
			>"$scratch/command" 2>"$err" </dev/null
	)
	(
		[ -n "$given" ] && trap '' $given
		exec grep '^Sig[BI]' /proc/self/status >"$scratch/alone"
	)
	diff "$scratch/alone" "$scratch/command" || fail "ignored: '$given': the command's signals"
done

# --- standard files that are closed
echo untouched >"$scratch/file"
for closed in '>&-' '<&- >&-' '<&- >&- 2>/dev/null'; do
	: >"$err"
	eval "timeout -s KILL 90 \"\$PERFTOP\" -b -n 1 -d 0.2 2>\"\$err\" $closed"
	status=$?
	[ $status = 1 ] || fail "$closed: status $status"
	case $closed in *2*) continue ;; esac
	[ "$(cat "$err")" = "perftop: standard output: Bad file descriptor" ] || fail "$closed: $(cat "$err")"
done
timeout -s KILL 90 "$PERFTOP" -b -n 1 -d 0.2 -o "$scratch/report" 2>"$err" <&- >&- ||
	fail "-o needs no standard output"
head -n 5 "$scratch/report" | grep -q perftop || fail "-o with standard output closed: $(head -n 3 "$scratch/report")"
timeout -s KILL 90 "$PERFTOP" -b -n 1 -d 0.2 <&- 2>&- >"$scratch/out" || fail "without standard error: status $?"
[ -s "$scratch/out" ] || fail "without standard error: nothing on standard output"
timeout -s KILL 90 "$PERFTOP" -b -d 0.2 -o "$scratch/report" -- \
	sh -c 'test ! -e /proc/$$/fd/1' 2>"$err" </dev/null >&- ||
	fail "what is closed is open for the command"
for answer in --help --version check; do
	timeout -s KILL 90 "$PERFTOP" $answer 2>"$err" >&-
	status=$?
	[ $status = 1 ] || fail "$answer, closed: status $status"
	[ "$(cat "$err")" = "perftop: standard output: Bad file descriptor" ] || fail "$answer, closed"
done

# --- the totals of a command, and of a pid, are the end of the output
"$PERFTOP" -b -d 0.2 -o "$scratch/report" -- sh -c 'for i in 1 2 3 4 5; do sleep 0.1; done; exit 4' 2>"$err" </dev/null
status=$?
[ $status = 4 ] || fail "totals: status $status"
awk '/^# totals of sh -c .* and its children, 6 processes, exit status 4$/ { head = NR }
	head && / context switches$/ { switches = $2 } head && / page-faults$/ { faults = $2 }
	head && / s$/ { elapsed = $2 } { last = $0 }
	END { exit !(head && switches >= 10 && faults > 100 && elapsed >= 0.5 && last ~ /^#/) }' "$scratch/report" ||
	fail "totals of a command: $(cat "$scratch/report")"
"$PERFTOP" --format json -d 0.2 -o "$scratch/report" -- sh -c 'sleep 0.3' 2>"$err" </dev/null || fail "totals: status $?"
tail -n 1 "$scratch/report" | grep -q '^{"summary":{"of":"sh -c sleep 0.3","elapsed_s":[0-9][0-9.]*,.*"exit_status":0,' ||
	fail "totals in JSON: $(tail -n 1 "$scratch/report")"
[ "$(grep -c '"summary"' "$scratch/report")" = 1 ] || fail "more than one summary"
"$PERFTOP" -b -d 0.2 -n 2 -p $$ -o "$scratch/report" 2>"$err" </dev/null || fail "totals of a pid: status $?"
grep -q "^# totals of pid $$, 1 process$" "$scratch/report" || fail "totals of a pid: $(tail -n 20 "$scratch/report")"
"$PERFTOP" -b -d 0.2 -n 1 -o "$scratch/report" 2>"$err" </dev/null || fail "no totals: status $?"
grep -q totals "$scratch/report" && fail "there are totals of the machine"

# --- children that are alike are one row of the text; what programs read has each of them
alike='for i in 1 2 3 4 5; do (exit 0); done; :'
"$PERFTOP" -b -d 60 -o "$scratch/report" -- bash -c "$alike" 2>"$err" </dev/null || fail "children: status $?"
grep -q '^ *- (exited) .* bash x5$' "$scratch/report" || fail "children are not summed: $(cat "$scratch/report")"
[ "$(grep '^[^#]' "$scratch/report" | grep -vc ' unaccounted')" = 3 ] || fail "children have rows of their own: $(cat "$scratch/report")"
"$PERFTOP" --format csv -d 60 -o "$scratch/report" -- bash -c "$alike" 2>"$err" </dev/null || fail "children: status $?"
[ "$(grep -c bash "$scratch/report")" -ge 6 ] || fail "children are missing in CSV: $(cat "$scratch/report")"

# --- what has ended and waits for its parent is not waited for; bash would wait for it, sleep does not
bash -c '(until grep -q sleep /proc/$$/comm; do :; done) & echo $!; exec sleep 300' >"$scratch/zombie" 2>/dev/null &
parent=$!
alive[$parent]=1
is_zombie() { grep -q '^State:.Z' "/proc/$(cat "$scratch/zombie")/status"; }
until_true is_zombie || fail "there is no zombie"
timeout -s KILL 90 "$PERFTOP" -b -d 0.2 -p "$(cat "$scratch/zombie")" >/dev/null 2>"$err" </dev/null
status=$?
[ $status -le 1 ] || fail "a zombie is waited for: status $status"
kill -9 $parent
ended $parent

# --- answers: full disks and closed pipes
for answer in --help --version check; do
	if [ -w /dev/full ]; then
		timeout -s KILL 90 "$PERFTOP" $answer >/dev/full 2>"$err" </dev/null
		status=$?
		[ $status = 1 ] || fail "$answer, a full disk: status $status"
		[ "$(cat "$err")" = "perftop: standard output: No space left on device" ] ||
			fail "$answer, a full disk: not that one sentence"
	fi
	rm -f "$scratch/pipe"
	mkfifo "$scratch/pipe"
	exec 9<>"$scratch/pipe" 8>"$scratch/pipe" 9>&-
	timeout -s KILL 90 "$PERFTOP" $answer >&8 2>"$err" </dev/null
	status=$?
	exec 8>&-
	[ $status = 0 ] || fail "$answer, a closed pipe: status $status"
	[ ! -s "$err" ] || fail "$answer, a closed pipe is no error"
done

report
