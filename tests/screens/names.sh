#!/bin/bash
# names.sh PERFTOP TOOLS: tasks whose names are meant to do harm stand in the list like all others:
# a line each, in their columns, and nothing else on the screen moves.
. "$(dirname "$0")/lib.sh"

names=($'\033[2J\033[H' $'two\nlines' $'tab\there' $'\r\r\rback' $'\xff\xfe\x80bad' '日本語テスト'
	$'e\u0301\u0302\u0303x' $'\u202egnp.exe' $'\b\b\b\b\b' $'\033]0;title\a' $'\u200b\u200b')
pids=
for name in "${names[@]}"; do
	start "$TOOLS/spin" "$name"
	pids="$pids $started"
done
terminal_open 100 40
terminal_run "$PERFTOP -d 0.5"
all_are_shown() {
	local pid
	screen >"$scratch/look"
	screen | cmp -s - "$scratch/look" || return # half drawn
	for pid in $pids; do
		grep -qE "^ *$pid[ *]" "$scratch/look" || return
	done
}
wait_until "not all are on the screen" all_are_shown
for pid in $pids; do
	[ "$(grep -cE "^ *$pid[ *]" "$scratch/look")" = 1 ] || fail "$pid has not one line"
	# In front of the name every row looks the same: the pid ends where its title does, then who.
	grep -qE "^ {0,6}$pid[ *]root +[0-9.]+ " "$scratch/look" || fail "$pid: columns have moved"
done
title=$(grep -E 'PID.*COMMAND' "$scratch/look")
before=${title%%COMMAND*}
for pid in $pids; do
	row=$(grep -E "^ *$pid[ *]" "$scratch/look")
	[ "${row:${#before}-1:1}" = ' ' ] || fail "$pid: its command does not begin under its title"
done
head -n 1 "$scratch/look" | grep -q 'whole machine\|own tasks' || fail "the first line was overwritten"
tail -n 1 "$scratch/look" | grep -q help || fail "the last line was overwritten"
[ "$(tmux_do display-message -p -t t '#{pane_title}')" != title ] || fail "the window's title was set"
leave
report
