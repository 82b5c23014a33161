#!/bin/bash
# settings.sh PERFTOP TOOLS: completion and history at the prompt, keys bound anew, the set-up page,
# the configuration file that is written, and whatever may stand in its place.
. "$(dirname "$0")/lib.sh"

export XDG_CONFIG_HOME=$scratch/config
file=$XDG_CONFIG_HOME/perftop/perftop.conf

# A file that is there before the start.
conf() {
	mkdir -p "$(dirname "$file")"
	cat >"$file"
}

terminal_open 100 30

# --- Tab completes names, shows what there is, goes on; Up brings back
terminal_run "$PERFTOP -d 0.3"
wait_for 'COMMAND'
press :
wait_for '^:'
press 'thr' Tab
wait_for '^:threads$'
press C-u 'sort-' Tab
wait_for 'sort-left .*column to the left'
press Tab Tab Tab
wait_for '^:sort-right$'
press C-u 'view p' Tab Enter
wait_for '\[5 pairs\]'
press :
wait_for '^:'
press Up
wait_for '^:view pairs$'
press C-u 'view tasks' Enter
wait_for '\[1 tasks\]'
press '\' 'comma' Tab
wait_for ': command$'
press C-u Enter

# --- keys of one's own, also two in a row: in the help and at work
run_command bind a view cpus
press a
wait_for '\[2 cpus\]'
run_command unbind g
run_command bind gt next-view
run_command bind gg first
press g
wait_for 'gt next-view .*gg first'
press t
wait_for '\[3 switches\]'
wait_gone 'gt next-view'
press g x
wait_for 'gx does nothing here'
run_command help next-view
wait_for 'keys +Tab, gt'
press q
press 1
wait_for '\[1 tasks\]'

# --- nothing is written without being told; then what differs, and only that
[ -e "$file" ] && fail "written without being told"
run_command save
wait_for 'saved to .*perftop.conf'
printf '%s\n' 'bind a view cpus' 'unbind g' 'bind gt next-view' 'bind gg first' 'delay 0.3' | cmp -s - <(sed 1d "$file") ||
	fail "the file: $(cat "$file")"
leave

# --- it holds at the next start
terminal_run "$PERFTOP"
wait_for 'COMMAND'
press a
wait_for '\[2 cpus\]'
leave

# --- comments and what is unknown stay; an unknown line is told with its number
conf <<'CONF'
# mine
bind a view cpus
fly away
# last
CONF
terminal_run "$PERFTOP -d 0.3"
wait_for 'perftop.conf:3: fly: unknown command'
wait_for 'COMMAND'

# --- the set-up page: add, move, remove, another width; F10 writes
press F2
wait_for '^Setup .*\[tasks\]'
wait_for 'pid: Process id'
press Tab
wait_for 'tid: Thread id'
press Enter
wait_for 'not saved'
press Tab
wait_for '^tid '
press F8
wait_for 'tid: Thread id'
press + +
wait_for '^tid +TID +9'
press F10
wait_for 'saved to'
wait_for 'USER +TID'
cat >"$scratch/wanted" <<'CONF'
# mine
bind a view cpus
fly away
# last
CONF
head -n 4 "$file" | cmp -s - "$scratch/wanted" || fail "the file: $(cat "$file")"
grep -q '^width tid 9$' "$file" || fail "no width: $(cat "$file")"
grep -q '^in tasks columns pid,user,tid,' "$file" || fail "no columns: $(cat "$file")"
ls -A "$(dirname "$file")" | cmp -s - <(echo perftop.conf) || fail "something is left beside it"

# --- it fits small screens, and comes back from them
resize 20 5
press F2
wait_for '^Setup'
wait_for '^pid'
resize 80 24
wait_for 'available: '
wait_for 'F10 save, back'
press Escape
wait_for 'COMMAND'
leave

# --- whatever is there instead of a file: one sentence, and it starts
resize 200 24
starts_with() {
	terminal_run "$PERFTOP -d 0.3"
	wait_for "$1"
	wait_for 'COMMAND'
	leave
	"$PERFTOP" -b -n 1 -d 0.1 >"$scratch/out" 2>"$scratch/err" || fail "batch: $1"
	[ -s "$scratch/out" ] || fail "batch: nothing is printed: $1"
	[ "$(wc -l <"$scratch/err")" = 1 ] || fail "batch: $1: $(head -n 5 "$scratch/err")"
	grep -qE "$1" "$scratch/err" || fail "batch: $1: $(cat "$scratch/err")"
}
rm "$file"
mkdir "$file"
starts_with 'perftop.conf: Is a directory'
rmdir "$file"
ln -s /dev/zero "$file"
starts_with 'perftop.conf: a pipe or a device, not read'
rm "$file"
mkfifo "$file"
exec 8<>"$file"
starts_with 'perftop.conf: a pipe or a device, not read'
exec 8>&-
rm "$file"
head -c 10000000 /dev/zero | tr '\0' 'x' >"$file"
starts_with 'perftop.conf: File too large'
head -c 10000 /dev/urandom >"$file"
starts_with 'perftop.conf: not a text file'
head -c 20000 /dev/urandom | tr -d '\0' | tr ' ' '\n' >"$file"
starts_with 'perftop.conf:[0-9]+: .*unknown command.* \([0-9]+ lines are wrong\)'
rm "$file"

# --- no home at all: it starts, and says at saving why that does not work
terminal_run "env XDG_CONFIG_HOME=/proc/nowhere $PERFTOP -d 0.3"
wait_for 'COMMAND'
run_command save
wait_for 'not written: '
press Escape
wait_gone '^:'
leave
terminal_run "env -u XDG_CONFIG_HOME -u HOME $PERFTOP -d 0.3"
wait_for 'COMMAND'
run_command save
wait_for 'no directory for the configuration'
press Escape
wait_gone '^:'
leave

report
