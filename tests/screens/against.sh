#!/bin/bash
# against.sh PERFTOP TOOLS SHARES GROWN SOURCE DATA: a recording against another one, of a program of which one function
# has grown from 60 to 80 % of its time: the others have the same work in less of it.
#
# Needs perf (Debian: linux-perf), and the right to sample; not run otherwise. No unit of counters is needed.
. "$(dirname "$0")/kit.sh"
needs perf
SHARES=$(realpath "$3") GROWN=$(realpath "$4") SOURCE=$(realpath "$5") DATA=$(realpath "$6")
cd "$scratch" || exit 1
export HOME=$scratch # where perf keeps what it has recorded

record() { # FILE PROGRAM: for 3 s of CPU time, however long they take
	perf record -q -g -e cpu-clock -F 997 -o "$1" -- \
		bash -c 'ulimit -c 0 -St 3; exec "$0"' "$2" >record.out 2>&1
	[ -s "$1" ] || not_run "perf record: $(head -n 1 record.out)"
}
record old "$SHARES"
record new "$GROWN"

gzip -cd "$DATA/perf-pipe.data.gz" >pipe
gzip -cd "$DATA/bare.data.gz" >bare

shares() { # FILE...: "FUNCTION SELF%" in CSV's digits
	"$PERFTOP" --no-config --format csv -V functions -c self%,function -d 100 -i "$@" 2>err </dev/null |
		awk -F, '/shares_/ { print $3, $2 }' | sort
}
shares old >was
shares new >is
shares new --against old >more
join is was | join - more | awk '
	{ n++; if ($4 - ($2 - $3) > 1e-6 || ($2 - $3) - $4 > 1e-6) bad = bad $0 "\n" }
	END { printf("%s", bad); exit n < 3 || bad != "" }' >said || fail "not now less then: $(cat said is was more err)"
near() { # FUNCTION POINTS
	awk -v name="$1" -v points="$2" '$1 == name && $2 > points - 5 && $2 < points + 5 { good = 1 }
		END { exit !good }' more || fail "$1 is not $2 points: $(cat more)"
}
near shares_hot 20
near shares_warm -15
near shares_cool -5

# --- with their signs, the largest first
"$PERFTOP" --no-config -b -V functions -c self%,function -i new --against old 2>err </dev/null >text
awk '/shares_hot/ && $1 ~ /^\+/ { hot = NR } /shares_warm/ && $1 ~ /^-/ { warm = NR } /shares_cool/ && $1 ~ /^-/ { cool = NR }
	END { exit !(hot && hot < cool && cool < warm) }' text || fail "signs and order: $(cat text)"
"$PERFTOP" --no-config --format json -V functions -c self%,function -i new --against old 2>err </dev/null >json
grep -q '"difference":{"self%":-[0-9.]*,"function":"shares_warm"}' json || fail "JSON: $(head -c 2000 json)"

# --- and so by the way to a function, of which the number is another one there
"$PERFTOP" --no-config -b -V functions --calls flame -c total%,self%,function -i new --against old 2>err </dev/null >text
awk '/ shares_hot$/ && $1 > 15 && $1 < 25 && $2 > 15 && $2 < 25 { hot = 1 } / main$/ && $1 > -2 && $1 < 2 && $2 == 0 { main = 1 }
	END { exit !(hot && main) }' text || fail "flame: $(cat text)"

# --- in trees of callers, too, where what only the old one has is at the top
"$PERFTOP" --no-config -b -V functions --calls callers -c self%,total%,function -i new --against old 2>err </dev/null >text
awk '/ shares_hot$/ && $1 > 15 && $1 < 25 { hot = 1 } / shares_warm$/ && $1 < -10 { warm = 1 } /─ main$/ { below = 1 }
	END { exit !(hot && warm && below) }' text || fail "callers: $(cat text)"

# --- by lines, of which some are new; a thread of the same name has all of the time in both
"$PERFTOP" --no-config -b -V functions --calls lines -c self%,line,function -i new --against old 2>err </dev/null >text
line=$(grep -n 'WORK(45);' "$SOURCE" | cut -d: -f1)
awk -v old="shares.c:$line" -v new="shares.c:$((line + 3))" '$2 == old { less = $1 > -27 && $1 < -17 }
	$2 == new { more = $1 > 45 && $1 < 55 } END { exit !(less && more) }' text || fail "lines: $(cat text)"
"$PERFTOP" --no-config -b -V functions --calls threads -c self%,command -i new --against old 2>err </dev/null >text
awk '$2 == "shares" { n++; same = $1 > -5 && $1 < 5 } END { exit n != 1 || !same }' text || fail "threads: $(cat text)"

# --- a recording of chosen processes against one of others: these have other numbers
gzip -cd "$DATA/functions.data.gz" >of-92
gzip -cd "$DATA/perf-profile.data.gz" >of-all
"$PERFTOP" --no-config -b -V functions -c self%,object -i of-92 --against of-all 2>err </dev/null >text
awk '$1 < -90 && $2 == "spin" { spin = 1 } $1 > 90 && $2 == "functions" { functions = 1 }
	END { exit !(spin && functions) }' text || fail "of chosen processes: $(cat text)"

# --- what is longer has more of some things: they are not compared
"$PERFTOP" --no-config --format csv -V functions -c samples,self%,function -i new --against old 2>err </dev/null |
	awk -F, '/shares_hot/ { n++; if ($2 != "" || $3 !~ /[0-9]/) bad = bad $0 "\n" }
		END { printf("%s", bad); exit n != 1 || bad != "" }' >said || fail "samples: $(cat said err)"

# --- each stack has both weights, those of each recording alone
"$PERFTOP" --no-config --format folded -i old 2>err </dev/null >was
"$PERFTOP" --no-config --format folded -i new 2>err </dev/null >is
"$PERFTOP" --no-config --format folded -i new --against old 2>err </dev/null >both
sed -E 's/ ([0-9]+) [0-9]+$/ \1/' both | grep -v ' 0$' | diff was - >said || fail "folded, the old one: $(cat said)"
sed -E 's/ [0-9]+ ([0-9]+)$/ \1/' both | grep -v ' 0$' | diff is - >said || fail "folded, the new one: $(cat said)"
grep -q 'shares_hot [1-9][0-9]* [1-9]' both || fail "folded: $(cat both)"

# --- what cannot be compared is refused in words
refused() { # WORDS OPTION...
	"$PERFTOP" --no-config "${@:2}" >out 2>err </dev/null && fail "${*:2}: taken"
	grep -q "$1" err || fail "${*:2}: $(cat err)"
}
refused 'is one recording' --against old
refused 'is one recording' -i new -i old --against old -b
refused 'has to be a file' -i new --against <(cat pipe) -b
refused 'pprof has no differences' -i new --against old --format pprof
refused 'view switches: its rows do not belong to an interval' -i new --against old -b -V switches
refused 'groups are numbers' -i new --against old -b -V groups --group-by parent
gzip -cd "$DATA/accesses.data.gz" >accesses
refused 'no names by which' -i accesses --against accesses -b -V memory
refused 'nothing was sampled' -i new --against bare -b -V functions
refused 'nothing was sampled' -i new --against bare --format folded
gzip -cd "$DATA/faults.data.gz" >faults
refused 'not by the same event: page-faults' -i new --against faults --format folded
refused 'not by the same event: cpu-clock' -i faults --against old --format folded
refused 'there-is-none: No such file' -i new --against there-is-none -b

report
