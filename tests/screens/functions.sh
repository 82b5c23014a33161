#!/bin/bash
# functions.sh PERFTOP TOOLS SHARES LIBRARY SLEEPS: programs of known shares on the CPU and off it, live and recorded,
# with rights and without.
. "$(dirname "$0")/kit.sh"
SHARES=$(realpath "$3") LIBRARY=$(realpath "$4") SLEEPS=$(realpath "$5")
SAMPLES=4000 # of the same turns over and over, each of many samples

# share FILE FUNCTION self|total: in tenths of a percent of all samples in the file's lines; of self without what the
# kernel does meanwhile, which is more on a busy machine
share() {
	tr '{' '\n' <"$1" | awk -v name="\"function\":\"$2\"" -v of="\"$3_weight\":" -v FS=, '
		function weight(key,    i) {
			for (i = 1; i <= NF; i++)
				if (index($i, key) == 1) return substr($i, length(key) + 1) + 0
			return 0
		}
		/^"function":/ && !(of ~ /self/ && /"object":"\[kernel\]"/) { all += weight("\"self_weight\":") }
		$1 == name { found += weight(of) }
		END { printf("%d", (all > 0 ? 1000 * found / all + 0.5 : -1)) }'
}
samples() { tr '{,' '\n\n' <"$1" | awk -F: '$1 == "\"self_samples\"" { sum += $2 } END { print sum + 0 }'; }
has_samples() { [ "$(samples "$1")" -ge $SAMPLES ]; }
# It is not gone through again before there is an interval more.
has_more_samples() { # FILE
	local before=$lines
	lines=$(wc -l <"$1")
	[ "$lines" != "$before" ] && has_samples "$1"
}

# is_about WHAT FOUND EXPECTED: to two and a half points
is_about() {
	[ "$2" -ge $(($3 - 25)) ] && [ "$2" -le $(($3 + 25)) ] || fail "$1: $2 of 1000, not $3"
}
# has_shares WHAT FILE COOL: which is known by that name
has_shares() {
	is_about "$1: hot" "$(share "$2" 'shares::hot(int const&)' self)" 600
	is_about "$1: warm" "$(share "$2" shares::warm self)" 300
	is_about "$1: cool" "$(share "$2" "$3" self)" 100
	is_about "$1: path one" "$(share "$2" shares_path_one total)" 900
	is_about "$1: path two" "$(share "$2" shares_path_two total)" 100
	is_about "$1: main" "$(share "$2" main total)" 1000
	for object in hidden_shares libhidden_library.so '\[JIT\] [0-9]*'; do
		grep -q "\"object\":\"$object\"" "$2" || fail "$1: no object $object"
	done
	has_samples "$2" || fail "$1: $(samples "$2") samples"
}
# watch FILE COMMAND...: until there are samples enough
watch() {
	"${@:2}" >"$1" 2>"$scratch/err" </dev/null &
	local pid=$! lines=0
	wait_until "samples in $1" has_more_samples "$1"
	kill -INT "$pid"
	wait "$pid"
	[ ! -s "$scratch/err" ] || fail "$*: $(cat -v "$scratch/err")"
}

start_shares() {
	start "$@"
	maps="$maps /tmp/perf-$started.map"
}
maps=
at_end() { rm -f $maps; }

start_shares "$SHARES"
watch "$scratch/live" "$PERFTOP" -p "$started" -V functions --format json -d 1 -w "$scratch/data"
"$PERFTOP" -p "$started" --calls lines --format json -n 1 >"$scratch/lines.live" 2>"$scratch/err" </dev/null
grep -q '/hidden_shares.h","line":[0-9]*,"function":"shares_turn"' "$scratch/lines.live" ||
	fail "lines, live: $(head -c 2000 "$scratch/lines.live")"
stop "$started"
has_shares live "$scratch/live" shares_cool

"$PERFTOP" -i "$scratch/data" -V functions --format json >"$scratch/replay" 2>"$scratch/err" </dev/null ||
	fail "replay: status $?"
has_shares replay "$scratch/replay" '[unknown]'

# line_of FILE TEXT: as the rows of lines have it
line_of() { echo "$1:$(grep -nF "	$2" "$(dirname "$0")/$1" | cut -d: -f1)"; }
# What was inlined is in the line that has it, as well.
"$PERFTOP" -i "$scratch/data" --calls lines --format json 2>"$scratch/err" </dev/null |
	sed -E 's/"file":null,"line":0,//g; s/"file":"[^"]*\/([^"/]*)","line":([0-9]*),"function":"/"function":"\1:\2 /g' >"$scratch/lines"
while read -r weight expected file function text; do
	is_about "line of $function" "$(share "$scratch/lines" "$(line_of "$file" "$text") ${function/_/ }" "$weight")" "$expected"
done <<-'END'
	total 600 hidden_library.c shares::hot(int_const&) shares_turn(number, 60);
	total 300 hidden_shares.c shares::warm shares_turn(&number, 30);
	total 900 hidden_shares.c main shares_path_one();
	total 100 hidden_shares.c main shares_path_two(cool);
END
# What was inlined is below the function that has its code, and has the samples.
"$PERFTOP" -i "$scratch/data" --format folded >"$scratch/folded" 2>"$scratch/err" </dev/null || fail "folded: status $?"
while read -r expected stack; do
	is_about "folded: $stack" "$(awk -v stack=";$stack;shares_turn (inlined)" '
		{ all += $NF } index($0, stack) { found += $NF } END { printf("%d", 1000 * found / all + 0.5) }' "$scratch/folded")" "$expected"
done <<-'END'
	600 main;shares_path_one;hidden_library;shares::hot(int const&)
	300 main;shares_path_one;shares::warm
END
"$PERFTOP" -i "$scratch/data" --calls callees --format json 2>"$scratch/err" </dev/null | sed "s/\"depth\":[0-9]*,//g" >"$scratch/tree"
is_about "callees: inlined" "$(share "$scratch/tree" shares_turn self)" 900
grep -q '"function":"shares_turn","object":"hidden_shares","inlined":true,' "$scratch/tree" || fail "callees: not inlined"
# Each sample was on one CPU.
for cpu in '= 0' '!= 0'; do
	"$PERFTOP" -i "$scratch/data" -f "cpu $cpu && object ~ ." --format json -V functions >>"$scratch/cpus" 2>&1 </dev/null
done
"$PERFTOP" -i "$scratch/data" -f "object ~ ." --format json -V functions >"$scratch/all" 2>&1 </dev/null
[ "$(samples "$scratch/cpus")" = "$(samples "$scratch/all")" ] ||
	fail "$(samples "$scratch/cpus") samples on CPUs, not $(samples "$scratch/all")"
"$PERFTOP" -i "$scratch/data" --calls callees --format csv >"$scratch/calls" 2>"$scratch/err" </dev/null ||
	fail "calls: status $?"
head -n 1 "$scratch/calls" | grep -q '^time,depth,total%,' || fail "calls have no depth: $(head -n 1 "$scratch/calls")"
awk -F, '$NF == "shares_path_one" { depth = $2 } $NF == "hidden_library" && $2 == depth + 1 { found = 1 } END { exit !found }' "$scratch/calls" || fail 'the library is not below its caller'
"$PERFTOP" -i "$scratch/data" -b -V functions -s total% >"$scratch/text" 2>&1 </dev/null || fail "text: status $?"
grep -qE 'SELF% +TOTAL% +SAMPLES( +IPC +MPKI)? +OBJECT +FUNCTION' "$scratch/text" || fail "text: $(head -3 "$scratch/text")"
grep -qE '^ *0\.[0-9] +(100|99)\.[0-9] .* hidden_shares +main$' "$scratch/text" || fail "text: $(head -8 "$scratch/text")"

"$PERFTOP" -b -V functions --format openmetrics -n 1 >"$scratch/out" 2>&1 </dev/null
[ $? = 2 ] && grep -q 'functions: not in the format openmetrics' "$scratch/out" || fail "$(cat "$scratch/out")"

# Off the CPU all of the time counts, so that fewer samples are enough; but a delay on a busy machine is made up for
# only in what follows.
has_sleeps() {
	is_about "$1: nanosleep" "$(share "$2" sleeps_in_nanosleep total)" 600
	is_about "$1: pipe" "$(share "$2" sleeps_in_pipe total)" 300
	is_about "$1: futex" "$(share "$2" sleeps_in_futex total)" 100
	has_samples "$2" || fail "$1: $(samples "$2") samples"
}
# It is woken by its child, which writes into a pipe, and by timers; each time that it slept.
is_woken() {
	local pipe timer all function
	pipe=$(share "$2" sleeps_wake_by_pipe total)
	timer=$(share "$2" hrtimer_wakeup total)
	all=$((pipe + timer))
	[ "$pipe" -ge 50 ] && [ "$timer" -ge 50 ] && [ "$all" -ge 950 ] || fail "$1: $pipe of 1000 by the child, $timer by a timer"
	grep -q '"function":"[a-z_]*pipe_write"' "$2" || fail "$1: no write into a pipe"
	for function in try_to_wake_up sleeps_in_{nanosleep,pipe,futex}; do
		[ "$(share "$2" $function total)" -le 20 ] || fail "$1: the scheduler, or its own calls: $function"
	done
}
wakers() {
	SAMPLES=300
	watch "$scratch/wakers" "$PERFTOP" -p "$sleeps" --samples wakers --format json -d 1 -w "$scratch/wakers.data"
	is_woken wakers "$scratch/wakers"
	"$PERFTOP" -i "$scratch/wakers.data" --samples wakers --format json >"$scratch/wakers.replay" 2>"$scratch/err" </dev/null ||
		fail "wakers, replay: status $?"
	is_woken "wakers, replay" "$scratch/wakers.replay"
}
off_cpu() {
	local SAMPLES=1000 sleeps kind
	cp "$SLEEPS" "$scratch/sleeps"
	start "$scratch/sleeps"
	sleeps=$started
	watch "$scratch/off" "$PERFTOP" -p "$sleeps" --samples off-cpu --format json -d 1 -w "$scratch/off.data"
	has_sleeps "off the CPU" "$scratch/off"
	"$PERFTOP" -i "$scratch/off.data" --samples off-cpu --format json >"$scratch/off.replay" 2>"$scratch/err" </dev/null ||
		fail "off the CPU, replay: status $?"
	has_sleeps "off the CPU, replay" "$scratch/off.replay"
	for kind in blocked preempted; do
		"$PERFTOP" -i "$scratch/off.data" --samples $kind --format json >"$scratch/$kind" 2>"$scratch/err" </dev/null ||
			fail "$kind: status $?"
	done
	[ "$(samples "$scratch/off.replay")" = $(($(samples "$scratch/blocked") + $(samples "$scratch/preempted"))) ] ||
		fail "off the CPU they are blocked, or wait for it"
	grep -q '"function":"sleeps_in_nanosleep"' "$scratch/blocked" || fail "blocked: no nanosleep"
	if [ "$(nproc --all)" -gt 1 ]; then
		"$PERFTOP" -C 0 -V functions --samples off-cpu --format json -n 1 >"$scratch/part" 2>"$scratch/err" </dev/null
		grep -q '"off_cpu":"not sampled: tasks also run on CPUs that are not watched' "$scratch/part" ||
			fail "off one of several CPUs: $(head -c 600 "$scratch/part")"
	fi
	may_trace && wakers
	[ "$(id -u)" != 0 ] || rm "$scratch/sleeps" # whoever may not look at what is mapped knows no names then
	watch "$scratch/both" "$PERFTOP" --samples both --format json -d 1
	grep -q '"function":"sleeps_in_pipe"' "$scratch/both" || fail "the whole machine: not off the CPU"
	[ -e "$scratch/sleeps" ] || grep -q '"object":"sleeps (deleted)"' "$scratch/both" || fail 'the file was deleted'
	stop "$sleeps"
}
may_trace() { [ "$(id -u)" = 0 ] && [ -r /sys/kernel/tracing/events/sched/sched_waking/id ]; }
may_see_kernel() { [ "$(id -u)" = 0 ] || [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -lt 2 ]; }
may_see_kernel && off_cpu

# Without rights one's own are sampled.
if [ "$(id -u)" = 0 ]; then
	own_copies "$PERFTOP" "$SHARES" "$LIBRARY" "$LIBRARY.debug"
	start_shares setpriv --reuid 65534 --regid 65534 --clear-groups "$scratch/hidden_shares"
	watch "$scratch/own" env HOME=/nonexistent setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$scratch/perftop" -p "$started" -V functions --format json -d 1
	has_shares "as nobody" "$scratch/own" shares_cool
	if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -ge 2 ]; then
		env HOME=/nonexistent setpriv --reuid 65534 --regid 65534 --clear-groups "$scratch/perftop" -p "$started" \
			--samples off-cpu --format json -n 1 >"$scratch/own.off" 2>&1 </dev/null
		grep -q '"off_cpu":"not sampled: .*perf_event_paranoid' "$scratch/own.off" ||
			fail "as nobody, off the CPU: $(head -c 600 "$scratch/own.off")"
		env HOME=/nonexistent setpriv --reuid 65534 --regid 65534 --clear-groups "$scratch/perftop" -p "$started" \
			--samples wakers --format json -n 1 >"$scratch/own.wakers" 2>&1 </dev/null
		grep -q '"wakers":"not sampled: ' "$scratch/own.wakers" ||
			fail "as nobody, wakers: $(head -c 600 "$scratch/own.wakers")"
	fi
	stop "$started"
fi

# In a container all that names are found by is where only its processes see it; its pid there is 1.
in_container() {
	mount -t tmpfs none "$1" && cd "$1" && mkdir -p tmp old opt usr/lib/debug/opt || return
	cp "$SHARES" "$LIBRARY" opt
	cp "$LIBRARY.debug" usr/lib/debug/opt
	ldd "$SHARES" | grep -oE '/[^ ]*/(libc|ld)[^ ]*' | xargs -I{} cp -L --parents {} .
	pivot_root . old && LD_LIBRARY_PATH=/opt exec /opt/hidden_shares
}
if [ "$(id -u)" = 0 ] && unshare -m -p true; then
	export SHARES LIBRARY
	export -f in_container
	mkdir "$scratch/root"
	start unshare -m -p -f --kill-child bash -c 'in_container "$1"' - "$scratch/root"
	wait_until "the container's map" eval 'inside=$(pgrep -P $started) && [ -s "/proc/$inside/root/tmp/perf-1.map" ]'
	watch "$scratch/inside" "$PERFTOP" -p "$inside" -V functions --format json -d 1
	has_shares "in a container" "$scratch/inside" shares_cool
fi

report
