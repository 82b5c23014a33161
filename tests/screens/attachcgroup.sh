#!/bin/bash
# attachcgroup.sh PERFTOP TOOLS: a cgroup that is attached to while the whole machine is watched is counted alone, as
# -G does: no switch outside is read. The machine is counted again when it is left, or removed.
#
# Needs root and cgroups of version 2 with the controller perf_event, to make some in them; not run otherwise.
. "$(dirname "$0")/lib.sh"
with_tracefs "$0" "$@"
needs root
mount=/sys/fs/cgroup
[ -e $mount/cgroup.controllers ] || mount=/sys/fs/cgroup/unified
inside=in$$ second=tw$$ outside=out$$
path="/perftop-attach-$$" spaced="/perftop attach $$"
at_end() {
	tmux_do kill-server 2>/dev/null
	kill -9 $(cat "$mount$path/cgroup.procs" "$mount$spaced/cgroup.procs" 2>/dev/null) 2>/dev/null
	for try in $(seq 50); do
		rmdir "$mount$path" "$mount$spaced" 2>/dev/null
		[ -e "$mount$path" ] || [ -e "$mount$spaced" ] || break
		sleep 0.1
	done
}
mkdir "$mount$path" "$mount$spaced" 2>/dev/null || not_run "no cgroup can be made here"
"$PERFTOP" --no-config -b -n 1 -d 0.1 -G "$path" >/dev/null 2>&1 </dev/null || not_run "no cgroup can be counted"
for name in $inside $second $outside; do
	install -m 755 "$TOOLS/pingpong" "$scratch/$name"
done
# in_cgroup PATH NAME
in_cgroup() {
	sh -c 'echo $$ >"$0/cgroup.procs" && exec "$1" 900' "$mount$1" "$scratch/$2" >/dev/null 2>&1 &
}
counters() { ls -l "/proc/$(program_pid)/fd" | grep -c 'anon_inode:\[perf_event\]'; }
has_counters() { [ "$(counters)" = "$1" ]; }
# The number goes to $all when it is the same for a second and a half.
are_settled() {
	local i
	all=$(counters)
	for i in 1 2 3 4 5 6; do
		sleep 0.25
		has_counters "$all" || return 1
	done
}
is_of() { wait_for "^(perftop +)?$1 "; }
escapes() {
	press Escape
	is_shown '^(perftop +)?whole machine '
}

in_cgroup "$path" $inside
in_cgroup "$spaced" $second
start "$scratch/$outside" 900
terminal_open 140 40
terminal_run "$PERFTOP $NAMES -d 0.3 -f 'command ~ $$'"
is_of 'whole machine'
wait_for "$inside"
wait_for "$outside"
wait_until "the number of counters does not settle" are_settled

# --- counted alone: while nothing runs in it there are no switches, though there are outside
run_command "attach $path"
is_of "cgroup $path"
wait_for "^$path counted alone, from here on; A: the whole machine"
wait_for "$inside"
wait_gone "$outside"
is_not_shown "$second" || fail "$second is not in the cgroup"
kill -STOP $(cat "$mount$path/cgroup.procs")
wait_for 'switches +0/s'
goes_on 2
is_shown 'switches +0/s' || fail "switches outside are read"
kill -CONT $(cat "$mount$path/cgroup.procs")
run_command "attach $path"
wait_for 'switches +[1-9]'

# --- others instead, a process in it, and one that is not
run_command "attach $spaced,$path"
is_of "cgroup $spaced, $path"
wait_for "$second"
wait_for "$inside"
is_not_shown "$outside" || fail "$outside is in none of them"
run_command "attach $inside"
wait_for "attached: ([0-9]+ processes, )?$inside"
wait_gone "$second"
is_of "cgroup $spaced, $path"
run_command "attach $outside"
is_of 'whole machine'
wait_for "attached: ([0-9]+ processes, )?$outside"
press A
wait_for "$inside"
wait_for "$second"
wait_until "not as many counters as at first: $(counters), not $all" has_counters "$all"

# --- back and forth in one go; Escape leaves it, too, behind message and filter
press ":attach $path" Enter ":attach $spaced" Enter A ":attach $spaced" Enter
is_of "cgroup $spaced"
wait_for "$second"
wait_gone "$outside"
wait_until "Escape does not leave the cgroup" escapes
wait_until "not as many counters as at first: $(counters), not $all" has_counters "$all"

# --- functions, on the CPU and off it
press 8
wait_for '\[8 functions'
run_command samples both
run_command "attach $path"
is_of "cgroup $path"
wait_for ' anon_pipe_(read|write)| pipe_(read|write)'
press A
is_of 'whole machine'
run_command samples on-cpu
press 1
run_command "filter command ~ $$"
wait_for "$outside"

# --- rows only where what is counted may not change
run_command "record $scratch/data"
wait_for "$scratch/data"
run_command "attach $path"
wait_for "^attached to $path, to its rows only: a recording is being written"
wait_gone "$outside"
is_of 'whole machine'
press A
run_command record
press Z
wait_for 'frozen'
run_command "attach $path"
wait_for "^attached to $path, to its rows only: the screen is frozen"
is_of 'whole machine'
press Z A
wait_for "$outside"
run_command "attach $path"
is_of "cgroup $path"
press Z
wait_for 'frozen'
press A
wait_for '^the screen is frozen, and what is counted stays as it is'
is_of "cgroup $path"
press Z
run_command "attach /nosuch$$"
wait_for "/nosuch$$: no such cgroup or container"
press Escape
wait_gone 'no such cgroup'
is_of "cgroup $path"

# --- removed
kill -9 $(cat "$mount$path/cgroup.procs")
wait_until "the cgroup stays" rmdir "$mount$path" 2>/dev/null
wait_for "^$path: the cgroup has been removed; the whole machine is counted again"
is_of 'whole machine'
wait_for "$outside"
leave
report
