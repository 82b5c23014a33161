#!/bin/bash
# byevent.sh PERFTOP TOOLS OCCURS: functions by events, of a program in which each event occurs a known number of times;
# live, recorded, in each form of the view, and beside perf.
#
# All that the program does has room in the rings, so that how fast they are read makes no difference. What other tasks
# do at the same events has not: a run of which it says that samples were lost is made again.
. "$(dirname "$0")/kit.sh"
with_tracefs "$0" "$@"
needs root
OCCURS=$(realpath "$3")
address=$("$OCCURS" address)
err=$scratch/err
show() { head -c 3000 "$scratch/out"; }

# weight FILE FUNCTION KEY: the sum of the run
weight() {
	tr '{' '\n' <"$1" | awk -F, -v name="\"function\":\"$2\"" -v key="\"$3\":" '
		$1 == name { for (i = 1; i <= NF; i++) if (index($i, key) == 1) sum += substr($i, length(key) + 1) }
		END { print sum + 0 }'
}
# all FILE KEY
all() { tr '{,' '\n\n' <"$1" | awk -F: -v key="\"$2\"" '$1 == key { sum += $2 } END { print sum + 0 }'; }
# is WHAT FOUND EXPECTED
is() { [ "$2" = "$3" ] || fail "$1: $2, not $3"; }

run_once() { # EVENT OPTIONS...
	"$PERFTOP" --by "$1" "${@:2}" -V functions --format json -o "$scratch/out" -- "$OCCURS" >"$err" 2>&1 </dev/null ||
		return 0
	[ "$(all "$scratch/out" lost)" = 0 ]
}
# watch EVENT OPTIONS...: $scratch/out has a run of the program that lost nothing
watch() {
	wait_until "$1: no run without losses" run_once "$@"
	! grep -q '^perftop:' "$err" || fail "$1: $(cat "$err")"
}

replay() { "$PERFTOP" -i "$scratch/data" "$@" >"$scratch/out" 2>"$err" </dev/null || fail "replay $*: $(cat "$err")"; }
writes() { # WHAT FILE
	is "$1: six" "$(weight "$2" occurs_six self_weight)" 600
	is "$1: three" "$(weight "$2" occurs_three self_weight)" 300
	is "$1: one" "$(weight "$2" occurs_one self_weight)" 100
	is "$1: turn" "$(weight "$2" occurs_turn total_weight)" 1000
	is "$1: main" "$(weight "$2" main total_weight)" 1000
	is "$1: samples" "$(weight "$2" occurs_six self_samples)" 600
}
# Who writes a variable. There are virtual machines whose breakpoints never fire.
who_writes() {
	watch "mem:$address/4:w" -w "$scratch/data"
	writes live "$scratch/out"
	grep -q "\"sampling\":\"mem:$address/4:w, each\"" "$scratch/out" || fail "no name: $(head -c 300 "$scratch/out")"
	replay -V functions --format json
	writes replay "$scratch/out"
	replay --calls callees --format json
	sed -i 's/"depth":[0-9]*,//g' "$scratch/out"
	writes callees "$scratch/out"
	replay -V functions -f 'function = occurs_three' --format json
	is "filter: three" "$(weight "$scratch/out" occurs_three self_weight)" 300
	is "filter: others" "$(weight "$scratch/out" occurs_six self_weight)" 0
	replay --calls objects --format csv
	grep -q ',occurs$' "$scratch/out" || fail "no object: $(cat "$scratch/out")"
	replay --calls lines --format json
	grep -q '"function":"occurs_one"' "$scratch/out" || fail "no lines: $(head -c 500 "$scratch/out")"
	replay --calls threads --format csv
	grep -qE '^[^,]*,100\.0*,1000,|^[^,]*,[0-9.]*,100[0-9],' "$scratch/out" || fail "threads: $(cat "$scratch/out")"
	replay --format folded
	grep -q 'main;occurs_turn;occurs_six 600$' "$scratch/out" || fail "folded: $(cat "$scratch/out")"
	! "$PERFTOP" -i "$scratch/data" -V functions --format csv 2>&1 </dev/null | head -n 1 | grep -q mapping ||
		fail "writes have a mapping"
}
has_breakpoints=yes
"$PERFTOP" -b -n 1 -d 0.2 -e "mem:$address/4:w" -- true 2>&1 </dev/null | grep -q 'does not count it' && has_breakpoints=
if [ "$has_breakpoints" ]; then
	who_writes
else
	echo "breakpoints never fire here: writes are not compared"
fi

# New memory, each page once; the counters of the run count the same. Where it is.
maps() { # WHAT FUNCTION MAPPING FAULTS: most of the function's faults are in it, so many, or all
	local own=$(weight "$scratch/out" "$2" self_weight)
	is "$1: $2" "$(tr '{' '\n' <"$scratch/out" | sed -n "s/^\"function\":\"$2\".*\"mapping\":\"\([^\"]*\)\",\"mapping_weight\":\([0-9]*\),.*/\1 \2/p")" \
		"$3 ${4:-$own}"
}
mappings() {
	maps "$1" occurs_touch '[anon]' 200
	maps "$1" occurs_deep '[stack]'
	maps "$1" occurs_file occurs
}
watch page-faults/period=1/ -w "$scratch/faults"
mappings live
# Linux 6 reports the heap of a new process as other memory: it is read while that runs.
has_heap() {
	"$PERFTOP" --by page-faults/period=1/ -V functions --format json -o "$scratch/out" -- "$OCCURS" stays >"$err" 2>&1 </dev/null
	grep -q '"function":"occurs_both"[^}]*"mapping":"\[heap\]","mapping_weight":30' "$scratch/out"
}
is both "$(weight "$scratch/out" occurs_both self_weight)" 50
"$PERFTOP" -i "$scratch/faults" -V functions --format json >"$scratch/out" 2>"$err" </dev/null
mappings replay
"$PERFTOP" -i "$scratch/faults" -V functions --format csv 2>"$err" </dev/null | grep -q ',200,\[anon\],100,occurs,occurs_touch$' ||
	fail "no columns: $("$PERFTOP" -i "$scratch/faults" -V functions --format csv 2>&1 </dev/null | head -n 5)"
wait_until "the heap is not known" has_heap
watch page-faults/period=1/
is faults "$(weight "$scratch/out" occurs_touch self_weight)" 200
counted=$(grep '^{"summary"' "$scratch/out" | grep -o '"page-faults":[0-9]*' | head -n 1)
is "all faults" "$(all <(grep -v '^{"summary"' "$scratch/out") self_weight)" "${counted#*:}"

# System calls, sleeps, and a function.
watch syscalls:sys_enter_futex
is futex "$(weight "$scratch/out" occurs_futex total_weight)" 150
watch 'sched:sched_switch/prev_state == 1/'
is sleeps "$(weight "$scratch/out" occurs_sleep total_weight)" 50
watch "uprobe:$OCCURS:occurs_one"
is uprobe "$(weight "$scratch/out" occurs_one self_weight)" 100

# One of seven, on each CPU on which it ran.
watch "uprobe:$OCCURS:occurs_turn/period=7/"
samples=$(weight "$scratch/out" occurs_turn self_samples)
is "represented" "$(weight "$scratch/out" occurs_turn self_weight)" $((7 * samples))
[ "$samples" -le 14 ] && [ $((7 * samples + 6 * $(nproc --all))) -ge 94 ] || fail "one of seven: $samples of 100"

# While no view needs samples none are taken. In a virtual machine a CPU has one event more until it has been idle, which
# on a busy machine may take its time.
events_open() { # OPTIONS...: how many a run has
	local pid i
	: >"$scratch/out"
	"$PERFTOP" -b --format json -d 0.2 "$@" >"$scratch/out" 2>"$err" </dev/null &
	pid=$!
	wait_until "no interval: $*" test -s "$scratch/out"
	for i in $(seq 5); do
		ls -l /proc/$pid/fd | grep -c 'perf_event'
		sleep 0.2
	done | sort -n | head -n 1
	{ kill $pid; wait $pid; } 2>/dev/null
}
as_usual() {
	usual=$(events_open)
	[ "$(events_open --by page-faults)" = "$usual" ]
}
wait_until "by page faults there are more events open than the usual" as_usual
by_functions=$(events_open --by page-faults -V functions)
[ "$by_functions" -gt "$usual" ] || fail "functions by page faults: $by_functions events, and $usual without"

# What may not be, and why.
refused() { # EVENT WORDS
	"$PERFTOP" -b --by "$1" -V functions -n 1 >"$scratch/out" 2>&1 </dev/null
	[ $? = 2 ] && grep -q "$2" "$scratch/out" || fail "$1: $(cat "$scratch/out")"
}
refused no-such-event 'no-such-event: unknown event'
refused page-faults,cycles 'functions are shown by one event'
refused page-faults:pp 'only hardware events can be precise'
"$PERFTOP" -i "$scratch/faults" --by page-faults -b >"$scratch/out" 2>&1 </dev/null &&
	fail "--by of a recording: $(head -c 300 "$scratch/out")"

# perf counts the same.
if command -v perf >/dev/null; then
	cd "$scratch" || exit 1
	export HOME=$scratch
	beside() { # EVENT FUNCTION EXPECTED
		perf record -q -o perf.data -e "$1" -c 1 -g -- "$OCCURS" >perf.out 2>&1 || return 0
		perf report --no-children --stdio -g none -n -s sym -i perf.data >perf.out 2>&1 </dev/null
		is "perf: $1" "$(awk -v name="$2" '$NF == name { print $2 }' perf.out)" "$3"
		"$PERFTOP" -i perf.data -V functions --format json >"$scratch/out" 2>"$err" </dev/null
		is "perf's recording: $1" "$(weight "$scratch/out" "$2" self_weight)" "$3"
	}
	[ -z "$has_breakpoints" ] || beside "mem:$address/4:w" occurs_six 600
	beside page-faults occurs_touch 200
	if perf record -q -o perf.data -d -e page-faults -c 1 -g -- "$OCCURS" >perf.out 2>&1; then
		"$PERFTOP" -i perf.data -V functions --format json >"$scratch/out" 2>"$err" </dev/null
		mappings "perf's recording"
	fi
fi
report
