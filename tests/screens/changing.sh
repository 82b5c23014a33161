#!/bin/bash
# changing.sh PERFTOP CHANGING: what a process is called, and what it is, also after changes that leave
# no record of the kernel's, beside ps and /proc.
#
# Needs root; not run otherwise.
. "$(dirname "$0")/kit.sh"
needs root
CHANGING=$TOOLS
change() { # MODE NAME...
	start "$CHANGING" "$@"
	changed=$started
}
watch() { # OPTION...
	: >"$scratch/out"
	"$PERFTOP" --no-config -b --format csv -c pid,ppid,session,user,time,command -d 0.2 "$@" \
		>"$scratch/out" 2>"$scratch/err" </dev/null &
	watcher=$!
}
end_watch() {
	kill -INT $watcher
	wait $watcher
}
# Until a line of a process says so; in the last of it, then.
await() { # PATTERN
	wait_until "no line $1" has_line "$1" || tail -n 5 "$scratch/out"
}
has_line() { grep -qE "$1" "$scratch/out" || has_ended $watcher; }
ps_of() { # PID COLUMN
	ps -o "$2=" -p "$1" | tr -d ' '
}

# --- a process has the name of its first thread, which sleeps, or has exited before the others
change threads sleeper
sleeper=$changed
change threads leaver left
leaver=$changed
err=$scratch/err
watch -f "pid = $sleeper || pid = $leaver" -w "$scratch/data"
is_called() { [ "$(grep -c ",$1,.*,$2\$" "$scratch/out")" -ge 2 ]; }
wait_until "$sleeper is not called sleeper" is_called "$sleeper" sleeper
wait_until "$leaver is not called leaver" is_called "$leaver" leaver
end_watch
"$PERFTOP" --no-config -b --format csv -c pid,command -i "$scratch/data" >"$scratch/again"
grep -q ",$sleeper,sleeper\$" "$scratch/again" || fail "recorded: $(grep "$sleeper" "$scratch/again")"
grep -q ",$leaver,leaver\$" "$scratch/again" || fail "recorded: $(grep "$leaver" "$scratch/again")"
grep -hE ",($sleeper|$leaver),.*worker" "$scratch/out" "$scratch/again" && fail "a thread's name"
kill -9 "$sleeper" "$leaver"

# --- a worker has another user and another session without having executed anything
change user worker 65534
watch -f 'command = "worker"'
await ",[0-9]+,$changed,.*,root,.*,worker\$"
worker=$(pgrep -P "$changed")
kill -USR1 "$worker"
await ",$worker,$changed,$worker,nobody,.*,worker\$"
end_watch
[ "$(ps_of "$worker" user) $(ps_of "$worker" sess)" = "nobody $worker" ] || fail "ps says otherwise"
watch -u nobody
await ",$worker,.*,nobody,"
end_watch
kill -9 "$worker" "$changed"

# --- an orphan has the parent that ps says it has
change orphan lonely
watch -f 'command = "lonely"'
await ",[0-9]+,$changed,.*,lonely\$"
child=$(pgrep -P "$changed")
kill -USR1 "$changed"
wait "$changed"
: >"$scratch/out"
await ",$child,$(ps_of "$child" ppid),.*,lonely\$"
[ "$(ps_of "$child" ppid)" != "$changed" ] || fail "it is no orphan"
end_watch
kill -9 "$child"

# --- a process whose second thread executes goes on with its time; by the machine's counters, and by
# those of its tasks
install -m 755 "$CHANGING" "$scratch/changing"
chmod 755 "$scratch"
for uid in 0 65534; do
	user=(setpriv --reuid=$uid --regid=$uid --clear-groups)
	start "${user[@]}" "$scratch/changing" exec before after
	executing=$started
	until grep -qx before "/proc/$executing/comm"; do sleep 0.1; done
	: >"$scratch/out"
	"${user[@]}" "$PERFTOP" --no-config -b --format csv -c pid,time,command -d 0.2 -p "$executing" \
		>"$scratch/out" 2>"$scratch/err" </dev/null &
	watcher=$!
	await ",$executing,.*,before\$"
	kill -USR1 "$executing"
	await ",$executing,.*,after\$"
	sleep 1
	end_watch
	times=$(awk -F, -v pid="$executing" '$2 == pid { print $3 }' "$scratch/out")
	sort -nc <<<"$times" 2>/dev/null || fail "user $uid: its time goes back: $(xargs <<<"$times")"
	kill -9 "$executing"
done

report
