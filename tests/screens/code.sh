#!/bin/bash
# code.sh PERFTOP TOOLS SHARES SOURCE: from the row of a task to its hottest line, live and in a recording.
. "$(dirname "$0")/lib.sh"
SHARES=$(realpath "$3")
SOURCE=$(realpath "$4")
cd "$scratch" || exit 1

# The lines that shares_hot spends its time in, to three and a half points.
line=$(grep -n 'WORK(45);' "$SOURCE" | cut -d: -f1)

has_the_lines() {
	wait_for 'SHARE % +SAMPLES +LINE +SOURCE'
	wait_for "^ +7[2-8][.][0-9] +[0-9]+ +$line +WORK[(]45[)];"
	wait_for "^ +2[2-8][.][0-9] +[0-9]+ +$((line + 1)) +WORK[(]15[)];"
	press a
	wait_for 'SHARE % +SAMPLES +ADDRESS +INSTRUCTION'
	wait_for "^ +$line +WORK[(]45[)];"
	wait_for '^ +[0-9]+[.][0-9] +[0-9]+ +[0-9a-f]+ [ >] +[a-z]+'
	press Tab
	wait_for 'SHARE % +SAMPLES +LINE +SOURCE'
}

start "$SHARES"
terminal_open 160 40
terminal_run "$PERFTOP -p $started -w $scratch/data"
wait_for "^ *$started .* shares"
press Enter
wait_for 'Enter functions'
press Enter
wait_for 'of shares [0-9]+'
wait_for '^ +[0-9.]+ +[0-9.]+ .* shares +shares_hot'
search_for shares_hot
press Enter
has_the_lines
wait_for '^self .* ([5-9][0-9]{2}|[0-9]{4,}) samples'
press q
wait_for '^ +[0-9.]+ +[0-9.]+ .* shares +shares_hot'
press Escape
wait_for 'Enter functions'
press q
wait_gone 'Enter functions'
leave
"$PERFTOP" --no-config -b -p "$started" -V functions -d 1 -n 3 -w "$scratch/old" >/dev/null 2>&1 || fail "no recording: $?"
stop "$started"

terminal_run "$PERFTOP -i $scratch/data -V functions"
wait_for '^ +[0-9.]+ +[0-9.]+ .* shares +shares_hot'
search_for shares_hot
press Enter
has_the_lines
press BSpace
wait_for '^ +[0-9.]+ +[0-9.]+ .* shares +shares_hot'
leave

# What was sampled changed amid it, and so its longest part is what it is compared with.
"$PERFTOP" --no-config -b -V functions -i "$scratch/data" --against "$scratch/data" 2>err >/dev/null </dev/null || fail "$?: $(cat err)"
grep -q 'it is not one interval; its longest part is compared$' err || fail "not said: $(cat err)"

# Lines of the recording that this one is compared with are looked up there: they have the same shares.
terminal_run "$PERFTOP -i $scratch/data --against $scratch/old -V functions"
wait_for ' shares +shares_hot'
press b b b
# The more is in the kernel the further down it is, and the rows move while lines become known.
finds_line() {
	search_for "shares.c:$line"
	is_shown "^ +[+-]?[12]?[0-9][.][0-9] .* shares.c:$line +shares_hot"
}
wait_until "the line is not found" finds_line
leave

# A command that ends within the first interval has its functions.
terminal_run "$PERFTOP -d 2 -V functions -- sh -c 'i=0; while [ \$i -lt 100000 ]; do i=\$((i + 1)); done'"
wait_for 'sh has ended'
wait_for '^[1-9][0-9]* samples'
leave

report
