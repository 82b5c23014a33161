#!/bin/bash
# perfshares.sh PERFTOP TOOLS SHARES: recordings of perf record of a program of known shares, as perftop replays them and
# as perf report sees them.
#
# Needs perf (Debian: linux-perf), and the right to sample; not run otherwise. No unit of counters is needed.
. "$(dirname "$0")/kit.sh"
needs perf
SHARES=$(realpath "$3")
cd "$scratch" || exit 1
export HOME=$scratch # where perf keeps what it has recorded
err=$scratch/err

# ours FILE: "FUNCTION SHARE" of the most frequent ones, in hundredths of a percent of all samples
ours() {
	"$PERFTOP" -i "$1" -V functions --format json -d 100 2>"$err" </dev/null | tr '{' '\n' | awk -F, '
		/^"function":/ {
			name = $1
			gsub(/"function":|"/, "", name)
			for (i = 2; i <= NF; i++)
				if (sub(/^"self_weight":/, "", $i)) { of[name] += $i; all += $i; break }
		}
		END { for (name in of) printf("%s %d\n", name, 10000 * of[name] / all + 0.5) }' | sort
}
theirs() {
	perf report --no-children --stdio -g none -s sym -i "$1" 2>/dev/null </dev/null |
		awk '/%/ && !/^#/ { printf("%s %d\n", $3, 100 * $1 + 0.5) }' | sort
}
# The same of a recording of ours, which has more events, and more tasks.
theirs_of_ours() {
	perf report --no-children --stdio -g none -s comm,sym -i "$1" 2>/dev/null </dev/null | awk '
		/^# Samples/ { is_on = /cpu-clock|cycles/ }
		is_on && $2 == "known" && !/^#/ { of[$4] += $1; all += $1 }
		END { for (name in of) printf("%s %d\n", name, 10000 * of[name] / all + 0.5) }' | sort
}

# agree WHAT [TOLERANCE]: of each function of the program that perf names the share is the same, but for rounding
agree() {
	join ours theirs | awk -v most="${2:-2}" '
		/^shares_/ { n++; if ($2 - $3 > most || $3 - $2 > most) bad = bad $0 "\n" }
		END { printf("%s", bad); exit n < 3 || bad != "" }' >said ||
		fail "$1: $(cat said) of ours $(head -c 500 ours) and theirs $(head -c 500 theirs)"
}
compare() {
	ours data >ours
	theirs data >theirs
	agree "$1"
}

record() { # PERF'S OPTIONS...
	rm -f data
	perf record -q -o data "$@" -- timeout 1 "$SHARES" >record.out 2>&1
	[ -s data ] || not_run "perf record $*: $(head -n 1 record.out)"
	compare "perf record $*"
}
totals() { # of the functions that call others, in the text
	"$PERFTOP" -b -i data -V functions -d 100 -s total% 2>"$err" </dev/null >text
	awk '$5 == "main" && $2 > 97 { main = 1 } $5 == "shares_path_one" && $2 > 85 { one = 1 }
		END { exit !(main && one) }' text || fail "perf record $*: $(head -n 9 text)"
}

record -e cpu-clock:u
record -e cpu-clock:u -g
totals -g
record -e cpu-clock:u --call-graph dwarf,2048
totals --call-graph dwarf
record -e page-faults,cpu-clock:u
"$PERFTOP" -b -i data -V functions -c function 2>"$err" </dev/null | grep -q shares_hot ||
	fail "the first event that counts time is not the profile"
record -e cpu-clock:u -c 1000000 --buildid-mmap
record -e cpu-clock:u -z

# The bytes of a pipe.
perf record -q -o - -e cpu-clock:u -g -- timeout 1 "$SHARES" >data 2>record.out
compare "perf record -o -"

# Ours, as perf reads them: also what was before the first interval, and after the last. And stacks for flame graphs.
cp "$SHARES" known
start ./known
"$PERFTOP" -b -p "$started" -V functions -d 1 -n 4 -w data >/dev/null 2>"$err" </dev/null || fail "perftop -w: status $?"
kill "$started"
ours data >ours
theirs_of_ours data >theirs
agree "perftop -w" 500
perf script -i data --comms known -F comm,ip,sym 2>/dev/null | grep -q shares_path_one ||
	fail "perf script of ours: $(perf script -i data --comms known 2>&1 | head -n 5)"
"$PERFTOP" -i data --format folded >folded 2>"$err" </dev/null || fail "folded: status $?"
awk '/^known;(.*;)?main;shares_path_one;shares_hot [0-9]+$/ { hot = $NF } { all += $NF } END { exit !(hot > 0.5 * all) }' folded ||
	fail "folded: $(head -n 5 folded)"

# The same program elsewhere, and another one by its name.
cp "$SHARES" moved
perf record -q -o data -e cpu-clock:u -- timeout 1 ./moved >record.out 2>&1
cp "$PERFTOP" other
mv other moved
"$PERFTOP" -b -i data -V functions 2>"$err" </dev/null | grep -q shares_hot || fail "perf has kept a program that was replaced"
rm -r .debug
"$PERFTOP" -b -i data -V functions 2>"$err" </dev/null >text
grep -q '\[unknown\]' text && ! grep -q 'shares_hot' text || fail "a program that was replaced: $(head -n 6 text)"

report
