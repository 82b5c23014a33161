#!/bin/bash
# readme.sh SOURCE: README.md shows every picture of screenshots/, and no other.
set -u
cd "$1" || exit 1
shown=$(grep -oE '\]\(screenshots/[^)]*\)' README.md | grep -oE '[a-z0-9-]+\.png' | sort)
there=$(find screenshots -name '*.png' -printf '%f\n' | sort)
[ -n "$shown" ] || { echo "FAILED: README.md shows no pictures"; exit 1; }
diff -u --label README.md --label screenshots/ <(echo "$shown") <(echo "$there")
