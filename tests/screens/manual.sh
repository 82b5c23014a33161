#!/bin/bash
# manual.sh PERFTOP PAGES: man formats the page in the folder PAGES without a warning.
#
# Needs groff (Debian: groff-base); not run otherwise. Where there is mandoc, it has
# nothing to complain of either.
. "$(dirname "$0")/kit.sh"
needs groff
cd "$TOOLS" || exit 1

warnings=$(groff -man -Tutf8 -Kutf8 -ww -rLL=80n perftop.1 2>&1 >/dev/null)
[ -z "$warnings" ] || fail "groff: $warnings"
if command -v mandoc >/dev/null; then
	mandoc -T lint perftop.1 >"$scratch/lint" || fail "mandoc: $(head -n 3 "$scratch/lint")"
fi
groff -man -Tutf8 -Kutf8 -rLL=80n perftop.1 | sed 's/.\x08//g; s/\x1b\[[0-9;]*m//g' >"$scratch/page.txt"
for words in "perftop - a top for" "--sort COLUMN" "Instructions finished per CPU cycle" "EXIT STATUS"; do
	grep -qF -- "$words" "$scratch/page.txt" || fail "the page does not say: $words"
done
awk 'length($0) > 100' "$scratch/page.txt" | grep -q . && fail "too wide: $(awk 'length($0) > 100' "$scratch/page.txt" | head -n 1)"

report
