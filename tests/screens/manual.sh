#!/bin/bash
# manual.sh PERFTOP PAGES COMPLETIONS: man formats the page without a warning, and bash and fish complete
# with what perftop proposes. PAGES and COMPLETIONS are the folders of perftop.1 and completion.bash.
#
# Needs groff, zsh and fish (Debian: groff-base zsh fish); not run otherwise. Where there is mandoc, it has
# nothing to complain of either.
. "$(dirname "$0")/kit.sh"
needs groff zsh fish
PATH=$(dirname "$PERFTOP"):$PATH
completions=$(realpath "$3")
cd "$TOOLS" || exit 1
home=$scratch

warnings=$(groff -man -Tutf8 -Kutf8 -ww -rLL=80n perftop.1 2>&1 >/dev/null)
[ -z "$warnings" ] || fail "groff: $warnings"
if command -v mandoc >/dev/null; then
	mandoc -T lint perftop.1 >"$home/lint" || fail "mandoc: $(head -n 3 "$home/lint")"
fi
groff -man -Tutf8 -Kutf8 -rLL=80n perftop.1 | sed 's/.\x08//g; s/\x1b\[[0-9;]*m//g' >"$home/page.txt"
for words in "perftop - a top for" "--sort COLUMN" "Instructions finished per CPU cycle" "EXIT STATUS"; do
	grep -qF -- "$words" "$home/page.txt" || fail "the page does not say: $words"
done
awk 'length($0) > 100' "$home/page.txt" | grep -q . && fail "too wide: $(awk 'length($0) > 100' "$home/page.txt" | head -n 1)"

in_bash() {
	bash --norc -c '. "$0"; COMP_LINE=$*; COMP_POINT=${#COMP_LINE}; _perftop
		printf "%s\n" "${COMPREPLY[@]}"' "$completions/completion.bash" "$@"
}
in_fish() {
	HOME=$home fish --no-config -c "source $completions/completion.fish"'; complete -C (string join -- " " $argv)' -- "$@" |
		cut -f 1
}
zsh -n "$completions/completion.zsh" || fail "zsh cannot read it"
fish --no-execute "$completions/completion.fish" || fail "fish cannot read it"

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
