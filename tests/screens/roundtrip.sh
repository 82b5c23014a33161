#!/bin/bash
# roundtrip.sh PERFTOP TOOLS CHECKER: what a recording tells is what was seen. Sessions of many kinds are
# recorded while they write their JSON, over a workload of known shapes; the replay must write the
# same, and the same bytes whenever it is asked.
#
# Needs root; not run otherwise.
. "$(dirname "$0")/kit.sh"
needs root
CHECKER=$(realpath "$3")
export LC_ALL=C.UTF-8
own_copies "$PERFTOP" "$TOOLS"/shapes
chmod 777 "$scratch"
# Each in a group of its own, with what it has started, and with a weight that leaves room for what watches it and for
# the tests beside.
start_group() {
	start setsid sh -c 'echo 10 >/proc/self/autogroup; exec "$@"' - "$@"
	groups="${groups:-} -$started"
}
at_end() {
	kill -9 -- $groups 2>/dev/null
	[ -z "${ROUNDTRIP_KEEP:-}" ] || cp -r "$scratch" "$ROUNDTRIP_KEEP"
}
json="--no-config -b --format json"

# A storm of tasks that live for a millisecond, spinners that push each other out, a pair that blocks
# all the time, one that moves, one that yields; a name that is meant to do harm.
start_group "$TOOLS/shapes" /dev/null 600
start_group "$TOOLS/spin" $'two\nlines\033[31m' - 600
start_group bash -c 'while :; do "$1" 40 5 w150m80; sleep 0.2; done' - "$TOOLS/forkstorm"
until pgrep -x sh-beside >/dev/null; do sleep 0.1; done
sleep 0.5

ended() { # NAME STATUS WANTED
	[ "$2" = "$3" ] || fail "$1: status $2: $(head -c 500 "$scratch/$1.err")"
	[ ! -s "$scratch/$1.err" ] || fail "$1: standard error: $(head -c 500 "$scratch/$1.err")"
}

# replay NAME KIND OPTION...: what the recording NAME tells goes to NAME.KIND.
replay() {
	local name=$1 kind=$2
	shift 2
	# shellcheck disable=SC2086
	"$PERFTOP" $json -i "$scratch/$name.data" "$@" >"$scratch/$name.$kind" \
		2>"$scratch/$name.err" </dev/null
	ended "$name" $? 0
}

# both NAME VIEW-OPTION...: after the recording; twice the same bytes.
both() {
	local name=$1
	shift
	names="${names:-} $name"
	replay "$name" replay "$@"
	replay "$name" again "$@"
	cmp "$scratch/$name.replay" "$scratch/$name.again" || fail "$name: not the same bytes twice"
}

intervals=8
[ -z "${PERFTOP_TEST_SHORT:-}" ] || intervals=4

# session NAME VIEW-OPTIONS OTHER-OPTION...: records, while others do.
declare -A views=() sessions=()
session() {
	local name=$1 view=$2
	shift 2
	# shellcheck disable=SC2086
	"$PERFTOP" $json -d 0.5 -n $intervals -w "$scratch/$name.data" $view "$@" \
		>"$scratch/$name.live" 2>"$scratch/$name.err" </dev/null &
	sessions[$name]=$!
	views[$name]=$view
}

# Waits for those that record, and replays them while the load is stopped: beside a session that would be one, too.
replay_all() {
	local name
	for name in "$@"; do
		wait "${sessions[$name]}"
		ended "$name" $? 0
	done
	kill -STOP -- $groups 2>/dev/null # of those that are still there
	for name in "$@"; do
		# shellcheck disable=SC2086
		both "$name" ${views[$name]}
	done
	kill -CONT -- $groups 2>/dev/null
}

session system ""
session threads -H
session switches "--view switches"
replay_all system threads switches
session pairs "--view pairs"
session histogram "--view histogram"
session sorted "-s pid -f sw/s>0"
session packed "" -z
replay_all pairs histogram sorted packed
session events "" -e context-switches,page-faults,cpu-clock,msr/tsc/
session turns "" -e '{context-switches,page-faults},{msr/tsc/,cpu-clock}'
session cpu "" -C 0
session states "-H -c states"
replay_all events turns cpu states

# other views of the first recording
replay system threads -H
replay system switches --view switches

# some processes, by root and by nobody
start_group setpriv --reuid 65534 --regid 65534 --clear-groups "$scratch/shapes" /dev/null 600
has_three() {
	own=$(pgrep -d, -P "$started" -x 'sh-sleeper|sh-mover|sh-spin-a' 2>/dev/null)
	[[ $own = *,*,* ]]
}
wait_until "the workload does not start" has_three
session pid "" -p "$own"
replay_all pid
if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ]; then
	# shellcheck disable=SC2086
	setpriv --reuid 65534 --regid 65534 --clear-groups "$scratch/perftop" $json -d 0.5 -n $intervals \
		-w "$scratch/nobody.data" -p "$own" >"$scratch/nobody.live" 2>"$scratch/nobody.err"
	ended nobody $? 0
	both nobody
fi

# a command from its start to its end; an end by a signal, in the middle of an interval
# shellcheck disable=SC2086
"$PERFTOP" $json -d 0.5 -w "$scratch/command.data" -o "$scratch/command.live" -- \
	"$TOOLS/spin" w250m40 - 2.2 >/dev/null 2>"$scratch/command.err"
ended command $? 0
both command
# shellcheck disable=SC2086
"$PERFTOP" $json -d 0.7 -w "$scratch/killed.data" >"$scratch/killed.live" 2>"$scratch/killed.err" &
watcher=$!
wait_lines "$scratch/killed.live" 4 $watcher
sleep 0.4
kill -TERM $watcher
wait $watcher
ended killed $? 0
both killed

# through a pipe, at once
# shellcheck disable=SC2086
"$PERFTOP" $json -d 0.5 -n $intervals -w - -o "$scratch/piped.live" 2>"$scratch/piped.err" |
	"$PERFTOP" $json -i - >"$scratch/piped.replay" 2>"$scratch/piped.err2"
ended piped "${PIPESTATUS[0]}" 0
[ ! -s "$scratch/piped.err2" ] || fail "piped: standard error: $(cat "$scratch/piped.err2")"
names="$names piped"
kill -STOP -- $groups 2>/dev/null

# other formats are as steady
for format in text csv openmetrics; do
	for time in 1 2; do
		"$PERFTOP" --no-config -b --format $format -i "$scratch/system.data" \
			>"$scratch/$format.$time" 2>&1 </dev/null || fail "$format: status $?"
	done
	[ -s "$scratch/$format.1" ] || fail "$format: nothing"
	cmp "$scratch/$format.1" "$scratch/$format.2" || fail "$format: not the same bytes twice"
done

# users are those of the machine that was recorded: one that knows nobody shows the same
users="$PERFTOP --no-config -b -c pid,user,command -i $scratch/killed.data"
$users >"$scratch/users.here" 2>"$scratch/users.err" </dev/null || fail "users: status $?"
grep -q ' nobody ' "$scratch/users.here" || fail "users: nobody is not among them"
if unshare -m true 2>/dev/null; then
	unshare -um bash -c 'hostname elsewhere; mount --bind /dev/null /etc/passwd; exec $1' - "$users" \
		>"$scratch/users.elsewhere" 2>>"$scratch/users.err" </dev/null || fail "users elsewhere: status $?"
	cmp "$scratch/users.here" "$scratch/users.elsewhere" || fail "users: not the same elsewhere"
else # a chroot: what is mounted on one of its files would be seen outside
	echo "users elsewhere: not run, the root is no mount point"
fi
[ ! -s "$scratch/users.err" ] || fail "users: standard error: $(cat "$scratch/users.err")"

# a process that is not in it is an error
"$PERFTOP" --no-config -b -i "$scratch/system.data" -p 4194303 >/dev/null 2>"$scratch/nobody.err2" </dev/null
status=$?
[ "$status" = 1 ] || fail "-p of nobody: status $status"
grep -q 'system.data: pid 4194303: not in this recording' "$scratch/nobody.err2" ||
	fail "-p of nobody says $(cat "$scratch/nobody.err2")"

ls -l "$scratch"/*.data
# shellcheck disable=SC2086
GUEST_RESULTS=$scratch "$CHECKER" $names || failures=$((failures + 1))
report
