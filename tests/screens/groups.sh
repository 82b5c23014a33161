#!/bin/bash
# groups.sh PERFTOP TOOLS: tasks summed by what they have in common, into a group and back.
. "$(dirname "$0")/lib.sh"

# names that nobody else has
flock=flock$$ alone=alone$$
start "$TOOLS/spin" $flock 0
start "$TOOLS/spin" $flock 0
start "$TOOLS/spin" $alone 0
terminal_open 140 90
terminal_run "$PERFTOP $NAMES -d 0.3"
wait_for " $alone\$"

# --- the fourth tab: both processes of a name are one row, and the machine is whole
press 4
wait_for '[[]4 groups: by command[]]'
wait_for "^ +2 .* $flock\$"
wait_for "^ +1 .* $alone\$"
wait_for '^ +– .* idle$'
wait_for '^ +– .* unaccounted'

# --- Enter shows the members under a filter that is seen; Escape goes back
press / "$flock" Enter
press Enter
wait_for '[[]1 tasks[]].*filter: command = "'$flock'"'
wait_gone " $alone\$"
wait_for " $flock\$"
press Escape
press Escape
wait_for '[[]4 groups: by command[]]'
wait_gone 'filter:'
wait_for " $alone\$"

# --- by goes through the groupings, and takes names
press b
wait_for 'by user'
run_command group-by type
wait_for 'by type'
wait_for ' user$'
run_command group-by parent
wait_for 'by parent'
wait_for " groups.sh $$\$"
run_command group-by colour
wait_for 'colour: no such value'
press Escape
press Escape

# --- columns and filters know what groups are made of
press 1
run_command columns pid,ppid,session,type,command
wait_for 'PPID SESSION TYPE'
run_command "filter ppid = $$ && type = user"
wait_for "^ +[0-9]+ +$$ .* user +$flock"
press q

# --- batch
"$PERFTOP" $NAMES -b --group-by command -d 0.3 -n 1 > "$scratch/out" || fail "batch"
grep -Eq "^ +2 .* $flock\$" "$scratch/out" || fail "no $flock in $(cat "$scratch/out")"
"$PERFTOP" $NAMES -b --group-by nothing 2> "$scratch/out" && fail "nothing is taken"
grep -q '^values of group-by: command|user|cgroup' "$scratch/out" || fail "$(cat "$scratch/out")"

report
