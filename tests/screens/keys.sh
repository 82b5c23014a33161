#!/bin/bash
# keys.sh PERFTOP TOOLS: what the keys of the first screens do.
. "$(dirname "$0")/lib.sh"

second_name=w050m$$ # nobody else has it
start "$TOOLS/spin" w250m40 0
first=$started
start "$TOOLS/spin" $second_name 1
second=$started
# all rows, however many others there are
terminal_open 140 150
terminal_run "$PERFTOP -d 0.3"
wait_for "$first[ *].*w250m40"
wait_for "$second[ *].*$second_name"

# --- attach and back
ask a '[Aa]ttach' 999999999 Enter
wait_for '999999999.*(no such process|not a process id|ends|gone)'
press Escape
wait_gone 'Attach'
ask a '[Aa]ttach' "$first" Enter
wait_gone $second_name
wait_for "$first[ *].*w250m40"
press A
wait_for "$second[ *].*$second_name"
ask a '[Aa]ttach' $second_name Enter
wait_gone "$first[ *].*w250m40"
wait_for "$second[ *].*$second_name"
# Esc takes back the message first, also one that came by itself, then the attachment
all_again() {
	press Escape
	sleep 0.3
	is_shown "$first[ *].*w250m40"
}
wait_until "Escape does not take back the attachment" all_again
ask a '[Aa]ttach' $second_name Enter
wait_gone "$first[ *].*w250m40"

# --- the beginning of a command: the one that it can be, or all of them
press : sor Enter
wait_for 'sor: could be sort, sort-left, sort-menu, sort-right'
press C-u rev Enter
wait_gone 'could be'
press R

# --- an attached process that ends is announced, and stays
kill "$second"
wait_for "$second.*(has )?(ended|exited|gone)"
sleep 1
wait_for "$second[×].*$second_name"
press A
wait_for "$first[ *].*w250m40"
start "$TOOLS/spin" $second_name 1
second=$started
wait_for "$second[ *].*$second_name"

# --- order
place() { screen | grep -nE "$1" | head -n 1 | cut -d: -f1; }
is_before() {
	local a b
	a=$(place "^ *$1[ *]") b=$(place "^ *$2[ *]")
	[ -n "$a" ] && [ -n "$b" ] && [ "$a" -lt "$b" ]
}
before() { wait_until "$1 does not come to stand before $2" is_before "$1" "$2"; }
# the kernel may have begun its numbers anew between the two
low=$((first < second ? first : second)) high=$((first < second ? second : first))
press N
before $low $high
press R
before $high $low
press R
before $low $high
for key in I M T S P; do
	press $key
	sleep 0.4
	is_shown '^Sort by:' && press Escape # without counters I and M offer what there is
	wait_for 'w250m40'
done
for key in '<' '>' '>' '<'; do
	press "$key"
	sleep 0.2
done
press P

# --- filter and search
press '\'
sleep 0.3
press w250 Enter
wait_gone $second_name
wait_for "$first[ *].*w250m40"
press '\'
sleep 0.3
press C-u
press Enter
wait_for $second_name
search_for w050
wait_for "$second[ *].*$second_name"
press /
wait_for '^Search:'
press zzzznobody Enter
wait_for 'zzzznobody|[Nn]o .*match|not found'
press Escape

# --- ^S is a key that does nothing, not the end of all output
# --- and what is said of it stays for four seconds, however short the intervals are
begin=$(date +%s%N)
press C-s
wait_for '\^S does nothing here'
wait_gone '\^S does nothing here'
[ $(($(date +%s%N) - begin)) -gt 3900000000 ] || fail "a message is taken away after $(($(date +%s%N) - begin)) ns"

# --- what is pasted is text in a prompt, in one line, and no keys elsewhere
tmux_do set-buffer 'q
w250'
tmux_do paste-buffer -p -t t
wait_for 'pasted text ignored'
tmux_do set-buffer 'w250
m40'
press '\'
wait_for '^Filter'
tmux_do paste-buffer -p -t t
wait_for '^Filter.*: w250 m40$'
press C-u Enter
wait_for $second_name

# --- the rest answers and leaves the screen alive
for key in H i c Up Down PageUp PageDown Home End Tab BTab 1 2 3 4 W b 5 6 o 1 Home H i c; do
	press $key
	sleep 0.15
done
wait_for "$first[ *].*w250m40"
press Z
wait_for '[Ff]rozen'
press Z
wait_gone '[Ff]rozen'
press d
sleep 0.3
press C-u
press 0.5 Enter
wait_for '0[.]5 ?s|500 ms'
run_command nosuchcommand
wait_for 'nosuchcommand.*unknown'
press Escape
wait_gone '^:'
run_command sort pid
before $low $high

for key in h ? F1; do
	press $key
	wait_for 'q back'
	wait_gone "$first[ *].*w250m40"
	press Escape
	wait_for "$first[ *].*w250m40"
done

leave

# --- what a key was answered goes with the next key, however long an interval is; what was said of the
# configuration does not
echo 'theme pink' >"$scratch/pink.conf"
terminal_run "$PERFTOP --config $scratch/pink.conf -d 900 -p $first"
wait_for "$first[ *].*w250m40"
wait_for 'pink: no such value'
press R
wait_for 'PID▼|CPU %▲'
is_shown 'pink: no such value' || fail "the first key takes away what the configuration's fault is"
press H
wait_for 'showing threads'
press P
wait_gone 'showing threads'
press C-s
wait_for '\^S does nothing here'
press P
wait_gone '\^S does nothing here'
run_command untag
wait_for 'no task is tagged'
press P
wait_gone 'no task is tagged'
leave
report
