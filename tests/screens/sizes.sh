#!/bin/bash
# sizes.sh PERFTOP TOOLS: every size from 1x1 to 500x200, one after the other and in storms, in the
# views, pages and menus and with a prompt open. The program lives on and fits into what it is given;
# where that is too little it says so.
. "$(dirname "$0")/lib.sh"

name=w250m$$ # nobody else has it: the search must find this one, which does not end meanwhile
start "$TOOLS/spin" $name
echo 'idle on' >>"$scratch/names.conf" # it stays in the list, and the cursor with it, if it does not get a CPU
terminal_open 80 24
terminal_run "$PERFTOP $NAMES -d 0.2"
wait_for $name
pid=$(program_pid)

alive() {
	kill -0 "$pid" 2>/dev/null || { fail "the program has gone: $1"; report; }
}
for size in '1 1' '2 1' '1 2' '3 3' '10 2' '19 3' '20 3' '21 4' '40 10' '79 23' '80 24' '81 25' \
	'500 3' '3 200' '500 200' '500 1' '1 200' '132 40' '200 60'; do
	set -- $size
	resize "$1" "$2"
	sleep 0.3
	alive "$1x$2"
done
for key in 3 4 5 6 7 Left Z h Escape a 2 1; do
	press $key
	for size in '1 1' '500 200' '7 5' '30 8' '100 30'; do
		set -- $size
		resize "$1" "$2"
	done
	sleep 0.2
	alive "after $key"
done
# What is opened, and what is then on the screen at each size that a view must fit into.
menus=(
	'F6:Sort by'
	'F2:Setup'
	'e:Search:'
	'Enter:[0-9] of [1-9]'
	'k:Send to' # the last one: nobody is sent what is meant for the next
)
press Escape
sleep 0.7
press 1
wait_for $name
search_for $name
for menu in "${menus[@]}"; do
	press "${menu%%:*}"
	for size in '300 100' '132 43' '80 24' '40 10' '20 5'; do
		set -- $size
		resize "$1" "$2"
		wait_for "${menu#*:}"
	done
	resize 19 5
	wait_for '^perftop: terminal t'
	resize 80 24
	wait_for "${menu#*:}"
	press Escape
	wait_gone "${menu#*:}" # or what is pressed next would be read as Alt with it
done
for ((i = 0; i < 300; i++)); do
	resize $((RANDOM % 500 + 1)) $((RANDOM % 200 + 1))
done
alive storm
resize 100 30
press 1
wait_for $name
# Signals without a new size
for ((i = 0; i < 200; i++)); do
	kill -WINCH "$pid"
done
alive signals
wait_for $name
leave
report
