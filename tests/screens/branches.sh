#!/bin/bash
# branches.sh PERFTOP PERF.DATA-MAKER
#
# Branches of a recording as of perf record -b are what was written (made_branches.c), in text and JSON; and, where perf
# is there, what perf script makes of it.
. "$(dirname "$0")/kit.sh"

recording=$scratch/branches.data
"$2" "$recording" || fail "made_branches made nothing"

sum_of() { # of lines "FROM TO HOW", by "FROM TO": times and mispredicted
	awk '{ key = $1 " " $2; times[key]++; missed[key] += $3 == "M" }
		END { for (key in times) print key, times[key], missed[key] }' | sort
}

expected='first goal 600 300
second goal 300 0
third goal 100 0'

"$PERFTOP" -i "$recording" --format json -V functions --calls branches >"$scratch/json" || fail "exit status $?"
seen=$(grep -o '"functions":.*' "$scratch/json" | tr '{' '\n' | sed -n \
	's/^"function":"\([^"]*\)".*"self_samples":\([0-9]*\),.*"from":"\([^"]*\)".*"mispredicted":\([0-9]*\),.*/\3 \1 \2 \4/p' | sort)
[ "$seen" = "$expected" ] || fail "branches in JSON: $seen"
grep -q '"type":"abort: conflict"' "$scratch/json" || fail "an abort without its reason"
[ "$(grep -o '"cycles":[0-9]*' "$scratch/json" | sort | tr '\n' ' ')" = '"cycles":12000 "cycles":2000 "cycles":6000 ' ] ||
	fail "cycles: $(grep -o '"cycles":[0-9]*' "$scratch/json")"

text=$("$PERFTOP" -i "$recording" -b -V functions --calls branches)
grep -qE '^ +300 +50\.0 +600 +60\.0 +20\.0 cond +- +first\+0x2 +goal' <<<"$text" || fail "the worst branch: $text"
[ "$(grep -cE 'goal' <<<"$text")" = 3 ] || fail "rows: $text"
[ "$("$PERFTOP" -i "$recording" -b -V functions --calls branches -f 'function = nowhere' | grep -c goal)" = 0 ] ||
	fail "a filter does not hold"

# Another run of the program has them at other addresses, and the same places in functions: as often.
"$2" "$scratch/again" || fail "made_branches made nothing again"
text=$("$PERFTOP" -i "$recording" --against "$scratch/again" -b -V functions --calls branches)
[ "$(grep -cE '^ +- +(0[.]0|-) +- +0[.]0 +0[.]0 .* (first|second|third)[+]0x2 +goal' <<<"$text")" = 3 ] ||
	fail "against another run: $text"

# The functions that they lead from have the mispredicted share of them.
text=$("$PERFTOP" -i "$recording" -b -V functions)
grep -qE '^ +60\.0 +60\.0 +60 +50\.0 +made_branches +first' <<<"$text" || fail "the mispredicted share of first(): $text"
grep -qE '^ +30\.0 +30\.0 +30 +0\.0 +made_branches +second' <<<"$text" || fail "the mispredicted share of second(): $text"
"$PERFTOP" -i "$recording" --format json -V functions | grep -q '"function":"first".*"branches":600,"mispredicted":300' ||
	fail "the branches in first() in JSON"

if command -v perf >/dev/null; then
	perfs=$(perf script -i "$recording" -F brstacksym 2>/dev/null | tr ' ' '\n' | grep / |
		sed 's/+0x[0-9a-f]*//g' | tr / ' ' | sum_of)
	[ "$perfs" = "$expected" ] || fail "perf script: $perfs"
	perfs=$(perf report -i "$recording" --branch-stack --stdio 2>/dev/null | awk '/%.*made_branches/ { print $5, $7, $1 }' | sort)
	[ "$perfs" = $'first goal 60.00%\nsecond goal 30.00%\nthird goal 10.00%' ] || fail "perf report: $perfs"
	perfs=$(perf report -i "$recording" --branch-stack --stdio --sort mispredict 2>/dev/null | awk '$2 == "Y" { print $1 }')
	[ "$perfs" = 30.00% ] || fail "perf report's mispredicted: $perfs"
fi
report
