#!/bin/bash
# readme.sh SOURCE: the gallery shows every picture of screenshots/, and README.md none that is not there; what they
# and the guide link to is there, and the files that the map names, under src/, ui/, tests/ or the top.
set -u
cd "$1" || exit 1
failures=0
fail() { echo "FAILED: $*"; failures=1; }
shown=$(grep -oE '\]\([^)]*\.png\)' screenshots/README.md | grep -oE '[a-z0-9-]+\.png' | sort)
there=$(find screenshots -name '*.png' -printf '%f\n' | sort)
[ -n "$shown" ] || fail "the gallery shows no pictures"
diff -u --label gallery --label screenshots/ <(echo "$shown") <(echo "$there") || fail "these differ"
for page in README.md src/README.md tests/README.md screenshots/README.md src/manual/guide.md; do
	[ -s "$page" ] || { fail "$page is missing"; continue; }
	for link in $(grep -oE '\]\([^)#]*\)' "$page" | tr -d ']()' | grep -v '^http'); do
		[ -e "$(dirname "$page")/$link" ] || fail "$page: there is no $link"
	done
done
for file in $(grep -oE '`[a-z_]+/[a-z_]+\.(c|h|def|sh)`' src/README.md | tr -d '`'); do
	[ -e "src/$file" ] || [ -e "ui/$file" ] || [ -e "tests/$file" ] || [ -e "$file" ] || fail "src/README.md: there is no $file"
done
exit $failures
