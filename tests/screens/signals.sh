#!/bin/bash
# signals.sh PERFTOP TOOLS: whatever ends or stops the program, the terminal is as it was; and a
# terminal that goes away takes the program along.
. "$(dirname "$0")/lib.sh"

start "$TOOLS/spin" w250m40 - 0 rests
open() {
	terminal_open 100 30
	terminal_run "$PERFTOP -d 0.3"
	wait_for w250m40
	pid=$(program_pid)
}

for signal in INT TERM HUP QUIT; do
	open
	for _ in $(seq 20); do kill -$signal "$pid" 2>/dev/null; done
	wait_end || continue
	[ "$status" = 0 ] || fail "SIG$signal: status $status"
	check_terminal
done

# --- what ends any other program, too, though nothing was asked of it
for signal in USR1 USR2 ALRM XCPU PROF VTALRM IO RTMIN RTMAX; do
	open
	kill -$signal "$pid"
	wait_end || continue
	[ "$status" = $((128 + $(kill -l $signal))) ] || fail "SIG$signal: status $status"
	check_terminal
done

open
press C-c
wait_end && check_terminal

# --- a command that does not hear is waited for, until the signal comes again
cat >"$scratch/deaf" <<DEAF
trap '' TERM
echo \$\$ >$scratch/deaf.new
mv $scratch/deaf.new $scratch/deaf.pid
while :; do sleep 0.1; done
DEAF
terminal_open 100 30
terminal_run "$PERFTOP -d 0.3 -- bash $scratch/deaf"
wait_until "the command does not start" test -s "$scratch/deaf.pid"
wait_until "no screen" flag_is alternate_on 1
pid=$(program_pid)
kill -TERM "$pid"
wait_until "the alternate screen was not left" flag_is alternate_on 0
sleep 1
[ ! -s "$scratch/status" ] || fail "the command is not waited for"
kill -TERM "$pid"
wait_end && check_terminal
[ "$status" = 143 ] || fail "SIGTERM, twice: status $status"
kill -9 "$(cat "$scratch/deaf.pid")"

# --- a command that ends leaves its last interval on the screen, then its output and the totals in the terminal
terminal_open 100 30
terminal_run "$PERFTOP --no-config -d 0.3 -- sh -c 'echo this was said; sleep 1; exit 3'"
wait_for 'counting sh and its children'
wait_for 'sh has ended with status 3'
wait_for '[0-9]×root .* sh$'
press q
wait_end
[ "$status" = 3 ] || fail "a command's status became $status"
screen | grep -q '^this was said$' || fail "the command's output is not printed"
screen | grep -q '^totals of sh -c .*processes, exit status 3$' || fail "there are no totals"
screen | grep -qE '^ +[0-9]+ context switches$' || fail "the totals have no switches"

# --- stopped and continued, by key and by signal
for how in key signal; do
	terminal_open 100 30
	press "$PERFTOP -d 0.3" Enter
	wait_for w250m40
	stty_before=$(tmux_do display-message -p -t t '#{alternate_on}')
	[ "$stty_before" = 1 ] || fail "the program does not use the alternate screen"
	if [ $how = key ]; then
		press C-z
	else
		kill -TSTP "$(program_pid)"
	fi
	wait_for 'Stopped'
	[ "$(tmux_do display-message -p -t t '#{alternate_on}')" = 0 ] ||
		fail "$how: stopped, but the alternate screen was not left"
	press "stty -a | grep -c ' icanon'" Enter
	wait_for '^1$'
	press fg Enter
	wait_for 'PID.*COMMAND'
	wait_for w250m40
	press q
	# what is typed while it ends is lost
	wait_until "q does not end it" is_over
	press 'echo left $?' Enter
	wait_for '^left 0'
done

# --- an empty standard input is no terminal
terminal_open 100 30
terminal_run "$PERFTOP -d 0.3 </dev/null 2>$scratch/err"
wait_end
[ "$status" = 2 ] || fail "standard input at its end: status $status"
grep -q -- --batch "$scratch/err" || fail "standard input at its end: --batch is not named"

# --- the terminal goes away
open
tmux_do kill-server
wait_until "the terminal has gone and the program lives" has_ended "$pid" || kill -9 "$pid"

# --- the same while a command runs, which hears of it, too: one that goes on is not waited for
for hears in 'exec sleep 100' "trap '' HUP; sleep 100"; do
	rm -rf "$scratch/tmp"
	mkdir "$scratch/tmp"
	terminal_open 100 30 "exec env TMPDIR=$scratch/tmp $PERFTOP -d 0.3 --keep 2 -- sh -c \"$hears\""
	wait_for 'counting sh and its children'
	pid=$(tmux_do display-message -p -t t '#{pane_pid}')
	wait_until "there is no command" eval 'command=$(pgrep -P "$pid" "sh|sleep")'
	tmux_do kill-server
	wait_until "a command, and the terminal has gone: the program lives" has_ended "$pid" || kill -9 "$pid"
	case $hears in
	exec*)
		wait_until "the command was not sent the hangup" has_ended "$command"
		[ -z "$(ls "$scratch/tmp")" ] || fail "left behind: $(ls "$scratch/tmp")"
		;;
	*)
		kill -0 "$command" || fail "a command that ignores the hangup has ended"
		[ -z "$(find "$scratch/tmp" -mindepth 1 -type d)" ] || fail "left behind: $(ls "$scratch/tmp")"
		;;
	esac
	has_ended "$command" || kill -9 "$command"
done

# --- the terminal's other end is closed, and the signal that tells it is ignored
terminal_open 100 30 "trap '' HUP; exec $PERFTOP -d 0.3"
wait_for w250m40
pid=$(tmux_do display-message -p -t t '#{pane_pid}')
tmux_do kill-server
wait_until "end of input without a signal: the program lives on" has_ended "$pid" || kill -9 "$pid"
report
