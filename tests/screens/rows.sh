#!/bin/bash
# rows.sh PERFTOP TOOLS: working with rows: tree, tags, following, what is hidden, the menu of
# columns, stacked filters, search.
. "$(dirname "$0")/lib.sh"

# A shell that is idle over two that spin, and one that spins alone; names that nobody else has.
family=f$$ left=l$$ right=r$$ alone=a$$
cat >"$scratch/$family" <<FAMILY
#!/bin/bash
"$TOOLS/spin" $left 0 &
"$TOOLS/spin" $right 0 &
wait
FAMILY
chmod +x "$scratch/$family"
start "$scratch/$family"
parent=$started
start "$TOOLS/spin" "$alone" 0
wait_until "the family is not there" child_of "$parent" -f "$right"
left_pid=$(pgrep -P "$parent" -f "$left")
right_pid=$(pgrep -P "$parent" -f "$right")
children="$children $left_pid $right_pid"
ours="command ~ \"^[flra]$$\""

terminal_open 140 40
terminal_run "$PERFTOP $NAMES -d 0.3 -f '$ours'"
wait_for " $left\$"
wait_for " $alone\$"

# --- the tree: the idle parent is there, and its children hang on it
press t
wait_for "^ *$parent .* $family\$"
wait_for "^ *$left_pid .*[├└]─ $left\$"
wait_for "^ *$right_pid .*[├└]─ $right\$"
has_children() { [ "$(screen | grep -A2 "^ *$parent " | grep -c '[├└]─ ')" = 2 ]; }
wait_until "the children stand elsewhere" has_children
wait_for '^\[1 tasks: tree\]'

# --- folded it has their sums, and says how many
search_for "$family"
press -- -
wait_for "^ *$parent .*\[\+2\] $family\$"
wait_gone " $left\$"
has_sums() { screen | awk -v pid="$parent" '$1 == pid { there = $3 > 0 } END { exit !there }'; }
wait_until "the folded row has no sums" has_sums
press =
wait_for " $left\$"
press '*'
wait_for "\[\+2\] $family\$"
press '*'
wait_for " $left\$"
press F5
wait_gone '[├└]─'

# --- tags: marked, counted, a filter; they stay when rows are sorted
search_for "$left"
press Space
wait_for "^(» *[0-9]+|[0-9]+»).* $left\$"
wait_for 'tagged: 1'
press N
wait_for "^(» *[0-9]+|[0-9]+»).* $left\$"
ask '&' '^Filter these' tagged Enter
wait_gone " $alone\$"
wait_for 'filter: command.* · tagged'
wait_for " $left\$"
press U
wait_for 'no task is tagged'
wait_gone " $left\$"
press Escape
press Escape
wait_for " $alone\$"
press t
wait_for '[├└]─'
search_for "$family"
press C
wait_for '3 tasks tagged'
wait_for "^(» *[0-9]+|[0-9]+»).* $right\$"
press U t
wait_for 'no task is tagged|flat list'
press P

# --- filters one upon the other, taken off one by one
ask '&' '^Filter these' 'command !~ "^a"' Enter
wait_for 'filter: command.* · command !~ "\^a"'
wait_gone " $alone\$"
message_gone
press Escape
wait_gone ' · command'
wait_for " $alone\$"

# --- search back and forth, and back to where it began
press Home
search_for "$$"
press n p n p
press /
wait_for '^Search:'
press zzz
wait_for '^Search: zzz'
press Escape
wait_gone '^Search:'

# --- follow: it is shown while it does not run, and a movement ends it
search_for "$right"
press F
wait_for "following $right"
kill -STOP "$right_pid"
sleep 1.5
wait_for "^ *$right_pid .* $right\$"
kill -CONT "$right_pid"
press Up
wait_gone "  following $right"

# --- the menu of columns
press F6
wait_for '^Sort by:'
wait_for '^. CPU %  .*Share of'
press user
wait_gone '^. CPU %  .*Share of'
press Enter
wait_for 'USER *▲'
press .
wait_for '^Sort by:'
press End Up Escape
wait_gone '^Sort by:'
run_command sort user,-pid
is_by_pid() { screen | grep -A1 'USER *▲' | grep -q " $right\$"; }
wait_until "those of a user are not by pid" is_by_pid

# --- kernel threads, and those that have ended
press K
wait_for 'no kernel threads'
press E
wait_for 'no exited'
press K E
wait_gone '  no exited  '

# --- frozen: Space goes on, Ins tags, the tree comes and goes
press Z
wait_for '  frozen  '
press IC
wait_for 'tagged: 1'
press t
wait_for '[├└]─ '
press t
wait_gone '[├└]─ '
press F6
wait_for '^Sort by:'
press Home Enter
wait_gone '^Sort by:'
press U Space
wait_gone '  frozen  '

# --- what is refused is said with what would change that
press IC
wait_for 'tagged: 1'
ask '\' '^Filter' C-u 'pid = 0' Enter
wait_for 'filter: pid = 0'
press k
wait_for 'none of the tagged tasks is shown; :untag takes the tags away'

leave

# --- the order of two columns in batch output
"$PERFTOP" $NAMES -b -n 1 -d 2 -f "$ours" -s user,-pid -c pid,user,command >"$scratch/out" ||
	fail "-s user,-pid: $(cat "$scratch/out")"
grep -E " [lra]$$\$" "$scratch/out" | awk '{ print $1 }' >"$scratch/pids"
[ "$(wc -l <"$scratch/pids")" = 3 ] || fail "rows are missing: $(cat "$scratch/out")"
sort -rn "$scratch/pids" | cmp -s - "$scratch/pids" || fail "-s user,-pid: $(cat "$scratch/out")"

report
