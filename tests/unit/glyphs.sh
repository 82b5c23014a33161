#!/bin/bash
# glyphs.sh SOURCE: whatever the program draws with besides ASCII is in the table of ui/term/screen.c, which says what
# a screen of ASCII shows.
set -u
cd "$1" || exit 1
export LC_ALL=C.UTF-8
drawn=$(find src ui -name '*.c' -exec cat {} + | grep -oP '"[^"]*[^\x00-\x7F][^"]*"' | grep -oP '[^\x00-\x7F]' | sort -u)
[ "$(wc -l <<<"$drawn")" -gt 20 ] || { echo "FAILED: hardly anything is drawn: the search is wrong"; exit 1; }
failures=0
for glyph in $drawn; do
	code=$(printf '0x%04x' "'$glyph")
	grep -q "^	{$code, " ui/term/screen.c && continue
	echo "FAILED: $glyph ($code) is not in ui/term/screen.c, but in $(grep -rl --include='*.c' "\"[^\"]*$glyph" src ui | tr '\n' ' ')"
	failures=$((failures + 1))
done
[ $failures = 0 ]
