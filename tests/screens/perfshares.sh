#!/bin/bash
# perfshares.sh PERFTOP TOOLS SHARES: recordings of perf record of a program of known shares, as perftop replays them and
# as perf report sees them.
#
# Needs perf (Debian: linux-perf), and the right to sample; not run otherwise. No unit of counters is needed.
. "$(dirname "$0")/kit.sh"
needs perf
SHARES=$(realpath "$3")
cd "$scratch" || exit 1
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

# agree WHAT FILE: of each function of the program that perf names the share is the same, but for rounding
agree() {
	ours "$2" >ours
	theirs "$2" >theirs
	join ours theirs | awk '/^shares_/ { n++; if ($2 - $3 > 2 || $3 - $2 > 2) bad = bad $0 "\n" }
		END { printf("%s", bad); exit n < 3 || bad != "" }' >said ||
		fail "perf record $1: $(cat said) of ours $(head -c 500 ours) and theirs $(head -c 500 theirs)"
}

record() { # PERF'S OPTIONS...
	rm -f data
	perf record -q -o data "$@" -- timeout 1 "$SHARES" >record.out 2>&1
	[ -s data ] || not_run "perf record $*: $(head -n 1 record.out)"
	agree "$*" data
}
totals() { # of the functions that call others, in the text
	"$PERFTOP" -b -i data -V functions -d 100 -s total% 2>"$err" </dev/null >text
	awk '$5 == "main" && $2 > 97 { main = 1 } $5 == "shares_path_one" && $2 > 85 { one = 1 }
		END { exit !(main && one) }' text || fail "perf record $*: $(head -n 9 text)"
}

record -e cpu-clock:u
record -e cpu-clock:u -g
totals -g
record -e page-faults,cpu-clock:u
"$PERFTOP" -b -i data -V functions -c function 2>"$err" </dev/null | grep -q shares_hot ||
	fail "the first event that counts time is not the profile"
record -e cpu-clock:u -c 1000000 --buildid-mmap
record -e cpu-clock:u -z

# The bytes of a pipe.
perf record -q -o - -e cpu-clock:u -g -- timeout 1 "$SHARES" >data 2>record.out
agree "-o -" data

# The same program elsewhere, and another one by its name.
cp "$SHARES" moved
perf record -q -o data -e cpu-clock:u -- timeout 1 ./moved >record.out 2>&1
cp "$PERFTOP" other
mv other moved
"$PERFTOP" -b -i data -V functions 2>"$err" </dev/null >text
grep -q '\[unknown\]' text && ! grep -q 'shares_hot' text || fail "a program that was replaced: $(head -n 6 text)"

report
