#!/bin/bash
# chains.sh PERFTOP TOOLS CHAINS: callers in a program without frame pointers, by its stacks, live and recorded, as perf
# record --call-graph dwarf finds them, and not by frame pointers; what is said where they are unknown.
#
# Needs perf (Debian: linux-perf), the right to sample, and a machine whose stacks are unwound; not run otherwise.
. "$(dirname "$0")/kit.sh"
needs perf
CHAINS=$(realpath "$3")
cd "$scratch" || exit 1
export HOME=$scratch
case $(uname -m) in x86_64 | aarch64) ;; *) not_run "stacks of $(uname -m) are not unwound" ;; esac

# total FUNCTION FILE: in tenths of a percent of all samples that have a caller
total() {
	tr '{' '\n' <"$2" | awk -v name="\"function\":\"$1\"" -v FS=, '
		function weight(    i) {
			for (i = 1; i <= NF; i++)
				if (index($i, "\"total_weight\":") == 1) return substr($i, 16) + 0
			return 0
		}
		$1 == "\"function\":\"main\"" { all += weight() }
		$1 == name { found += weight() }
		END { printf("%d", (all > 0 ? 1000 * found / all + 0.5 : -1)) }'
}
is_about() { # WHAT FOUND EXPECTED
	[ "$2" -ge $(($3 - 60)) ] && [ "$2" -le $(($3 + 60)) ] || fail "$1: $2 of 1000, not $3"
}
samples() { tr '{,' '\n\n' <"$1" | awk -F: '$1 == "\"self_samples\"" { sum += $2 } END { print sum + 0 }'; }
has_samples() { [ "$(samples "$1")" -ge 1000 ]; }
watch() { # FILE OPTIONS...
	"$PERFTOP" -p "$pid" -V functions -d 1 "${@:2}" >"$1" 2>err </dev/null &
	local watcher=$!
	wait_until "samples in $1" has_samples "$1"
	kill -INT "$watcher"
	wait "$watcher"
}

start "$CHAINS"
pid=$started
perf record -q -o theirs -e cpu-clock:u --call-graph dwarf -F 199 -p "$pid" -- sleep 5 >out 2>&1
[ -s theirs ] || not_run "perf record: $(head -n 1 out)"
"$PERFTOP" -i theirs -V functions --format json -d 100 >replayed 2>err </dev/null
perf_thrice=$(perf report --children --stdio -g none -s sym -i theirs 2>/dev/null </dev/null |
	awk '$4 == "thrice" { print int(10 * $1 + 0.5) }')
is_about "perf: thrice" "${perf_thrice:-0}" 750
is_about "perf's recording: thrice" "$(total thrice replayed)" "$perf_thrice"

watch dwarf --call-graph dwarf --format json -w data
is_about "dwarf: thrice" "$(total thrice dwarf)" "$perf_thrice"
is_about "dwarf: once" "$(total once dwarf)" $((1000 - perf_thrice))
"$PERFTOP" -i data -V functions --format json >replayed 2>err </dev/null
is_about "a replay of ours: thrice" "$(total thrice replayed)" "$perf_thrice"
grep -q '"sampling":"[a-z-]*, 199 Hz, dwarf' replayed || fail "nothing says dwarf: $(head -c 500 replayed)"

watch fp --call-graph fp --format json
grep -q '"function":"leaf"' fp || fail "fp: no leaf: $(head -c 500 fp)"
! grep -q '"function":"thrice"' fp || fail "frame pointers have callers: the program has some"
"$PERFTOP" -b -p "$pid" -V functions -d 1 -n 2 >text 2>err </dev/null
[ "$(grep -c '^# callers unknown: .*(no frame pointers: --call-graph dwarf)' text)" -eq 2 ] ||
	fail "not once an interval: $(head -n 12 text)"

# what no processor records is not left out without a word
if ! compgen -G '/sys/bus/event_source/devices/*/caps/branches' >/dev/null; then
	"$PERFTOP" -b -p "$pid" -V functions --call-graph lbr -d 0.2 -n 1 >text 2>err </dev/null
	grep -q '^perftop: --call-graph lbr: .*: callers by frame pointers$' err || fail "lbr: $(cat err)"
fi

# perf's recordings without them: frame pointers are not to blame
perf record -q -o none -e cpu-clock:u -p "$pid" -- sleep 1 >out 2>&1
"$PERFTOP" -b -i none -V functions -d 100 2>err </dev/null | grep -q '(recorded without --call-graph)' ||
	fail "recorded without calls: $("$PERFTOP" -b -i none -V functions 2>&1 </dev/null | head -n 6)"

# what an interpreter does not name
if type python3 >/dev/null 2>&1; then
	start python3 -c 'while True: sum(range(1000))'
	"$PERFTOP" -b -p "$started" -V functions -d 1 -n 3 >text 2>err </dev/null
	grep -q '^# .*no names of Python functions: python -X perf' text || fail "no hint: $(head -n 12 text)"
fi
