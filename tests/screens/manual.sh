#!/bin/bash
# manual.sh PERFTOP PAGES: man formats the page without a warning, and bash, zsh and fish complete with
# what perftop knows. PAGES is the folder of perftop.1, perftop.bash, perftop.zsh and perftop.fish.
#
# Needs groff, zsh and fish (Debian: groff-base zsh fish); not run otherwise.
. "$(dirname "$0")/kit.sh"
needs groff zsh fish
PATH=$(dirname "$PERFTOP"):$PATH
cd "$TOOLS" || exit 1
home=$scratch

warnings=$(groff -man -Tutf8 -Kutf8 -ww -rLL=80n perftop.1 2>&1 >/dev/null)
[ -z "$warnings" ] || fail "groff: $warnings"
groff -man -Tutf8 -Kutf8 -rLL=80n perftop.1 | sed 's/.\x08//g; s/\x1b\[[0-9;]*m//g' >"$home/page.txt"
for words in "perftop - a top for" "--sort COLUMN" "Instructions finished per CPU cycle" "EXIT STATUS"; do
	grep -qF -- "$words" "$home/page.txt" || fail "the page does not say: $words"
done
awk 'length($0) > 100' "$home/page.txt" | grep -q . && fail "too wide: $(awk 'length($0) > 100' "$home/page.txt" | head -n 1)"

in_bash() {
	bash --norc -c '. ./perftop.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _perftop
		printf "%s\n" "${COMPREPLY[@]}"' _ "$@"
}
in_fish() {
	HOME=$home fish --no-config -c 'source perftop.fish; complete -C (string join -- " " $argv)' -- "$@" |
		cut -f 1
}
zsh -n perftop.zsh || fail "zsh cannot read it"
fish --no-execute perftop.fish || fail "fish cannot read it"

# completes EXPECTED WORD...: what the last word is completed to
completes() {
	local expected=$1 shell
	shift
	for shell in in_bash in_fish; do
		$shell "$@" | grep -qxF -- "$expected" ||
			fail "$shell: $*: $($shell "$@" | head -n 5 | tr '\n' ' '), not $expected"
	done
}
completes --format perftop --form
completes switches perftop -V sw
completes pid,miss% perftop -c pid,miss
completes page-faults perftop -e page-fa
completes check perftop chec
completes root perftop -u roo
in_bash perftop --no-config -- tru | grep -qx true || fail "bash: no command behind --"

report
