#!/bin/bash
# noterminal.sh PERFTOP: where there is no screen to be had, a sentence that names --batch, status
# 2, and nothing else.
. "$(dirname "$0")/lib.sh"

judge() { # WHAT STATUS OUT ERR
	[ "$2" = 2 ] || fail "$1: status $2"
	[ ! -s "$3" ] || fail "$1: something on standard output: $(head -c 200 "$3" | cat -v)"
	[ "$(grep -c '^perftop: ' "$4")" = 1 ] || fail "$1: not one sentence: $(cat -v "$4")"
	[ "$(wc -l <"$4")" -le 2 ] || fail "$1: more than a sentence and a remedy: $(cat -v "$4")"
	grep -q -- --batch "$4" || fail "$1: --batch is not named: $(cat -v "$4")"
	grep -q "$(printf '\033')" "$4" && fail "$1: control characters"
}
out=$scratch/out err=$scratch/err

TERM=xterm setsid "$PERFTOP" >"$out" 2>"$err" </dev/null
judge "no terminal at all" $? "$out" "$err"

in_terminal() { # WHAT COMMAND
	: >"$out"
	terminal_open 80 24
	terminal_run "$2"
	wait_end || return
	judge "$1" "$status" "$out" "$err"
	check_terminal
}
in_terminal "output to a file" "$PERFTOP >$out 2>$err"
in_terminal "output to a pipe" "set -o pipefail; $PERFTOP 2>$err | cat >$out"
in_terminal "TERM unset" "env -u TERM $PERFTOP 2>$err"
in_terminal "TERM empty" "env TERM= $PERFTOP 2>$err"
in_terminal "TERM=dumb" "env TERM=dumb $PERFTOP 2>$err"
in_terminal "TERM unknown" "env TERM=no-such-terminal $PERFTOP 2>$err"
report
