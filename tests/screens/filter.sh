#!/bin/bash
# filter.sh PERFTOP TOOLS: filters on the running screen and in batch output.
. "$(dirname "$0")/lib.sh"

# Escape at the list takes back a message first; so the filter is emptied where it is typed.
no_filter() {
	press '\' C-u Enter
	wait_gone 'filter( .left out.*)?:'
}

start "$TOOLS/spin" w250m40 0
start "$TOOLS/spin" other 0
terminal_open 140 40
terminal_run "$PERFTOP $NAMES -d 0.3"
wait_for 'w250m40'
wait_for ' other$'

# --- plain words narrow at every key, Escape gives back what was
ask '\' 'Filter' 'w250'
wait_gone ' other$'
wait_for ' w250m40$'
press Escape
wait_for ' other$'

# --- an expression; half of it is left out
ask '\' 'Filter' 'cpu% > 1 && command ~ "^(w250|x)'
wait_for 'filter .left out: the closing quote'
press '"'
wait_for 'filter: cpu%'
wait_gone ' other$'
wait_for ' w250m40$'
press Enter
wait_gone 'Filter'
wait_for ' w250m40$'
no_filter
wait_for ' other$'

# --- a wrong one is refused with its place; it can be mended
ask '\' 'Filter' 'cpuu% > 1' Enter
wait_for 'cpuu%: unknown column'
press Home Right Right Right Delete
press Enter
wait_gone 'Filter'
wait_for 'filter: cpu% > 1'
wait_for ' other$'
no_filter

# --- an event that is only compared is counted for it; CPUs are compared, too
run_command 'filter context-switches >= 0 && task = other'
wait_for ' other$'
wait_gone ' w250m40$'
press 2
wait_gone 'COMMAND'
press '\' C-u 'busy >= 0 && cpu = 0' Enter
wait_for '^ +0 '
wait_gone '^   1 '
leave

# --- the option, on the screen and without one
terminal_run "$PERFTOP $NAMES -d 0.3 -f 'task = other'"
wait_for ' other$'
wait_for 'filter: task = other'
is_shown 'w250m40' && fail "-f shows what it should not"
press q
wait_end
"$PERFTOP" $NAMES -b -n 1 -d 0.3 -f 'task = other || command ~ "^w250m40$"' >"$scratch/out"
grep -v '^#' "$scratch/out" | awk 'NR > 1 { print $NF }' | sort -u >"$scratch/names"
printf 'other\nw250m40\n' | cmp -s - "$scratch/names" || fail "-f: $(cat "$scratch/out")"

report
