#!/bin/bash
# fair.sh PERFTOP TOOLS: without the right to a real-time priority, beside two tasks that wake each other all the
# time. The kernel's fair scheduler may let nobody else run on their CPU for minutes (src/session/urgency.h): whoever
# goes there at the start has no screen so long. Everybody else is kept on another CPU.
. "$(dirname "$0")/lib.sh"
taskset -cp 1 $$ >/dev/null 2>&1 || not_run "needs two CPUs"
# Whoever opens a tracepoint waits for RCU, which goes on when the kernel's thread for it runs: not on that CPU, where
# that would wait, too.
rcu=$(pgrep -x 'rcu_preempt|rcu_sched')
rcu_cpus=$(taskset -cp "${rcu:-0}" 2>/dev/null | sed 's/.*: //')
at_end() {
	tmux_do kill-server 2>/dev/null
	taskset -cp "$rcu_cpus" "$rcu" >/dev/null 2>&1
}
taskset -cp 1 "$rcu" >/dev/null 2>&1
start "$TOOLS/pingpong" 600 0

fair=
[ "$(id -u)" != 0 ] || fair='setpriv --inh-caps=-sys_nice --bounding-set=-sys_nice'
terminal_open 160 30
for round in 1 2 3 4; do
	terminal_run "$fair $PERFTOP $NAMES -d 0.2"
	wait_for 'pingpong' || fail "start $round has no screen"
	is_not_shown '[(]RT[)]' || fail "it has a real-time priority"
	press 3
	wait_for '\[3 switches\]'
	leave
done
report
