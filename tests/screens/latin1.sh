#!/bin/bash
# latin1.sh PERFTOP TOOLS: in a locale of ISO-8859-1 nothing is written but ASCII, on any view, page and
# menu, whatever tasks are called; what is typed beyond ASCII is taken for what it means there.
. "$(dirname "$0")/lib.sh"
needs localedef
localedef -c -i en_US -f ISO-8859-1 "$scratch/en_US.ISO-8859-1" 2>/dev/null
[ -d "$scratch/en_US.ISO-8859-1" ] || not_run "the locale cannot be made"
# glibc's newlocale() does not free the path that LOCPATH names: no leak of ours
echo 'leak:argz_add_sep' >"$scratch/leaks"
latin1="LOCPATH=$scratch LC_ALL=en_US.ISO-8859-1 LSAN_OPTIONS=suppressions=$scratch/leaks:print_suppressions=0 ASAN_OPTIONS=fast_unwind_on_malloc=0"
[ "$(env $latin1 locale charmap)" = ISO-8859-1 ] || not_run "the locale cannot be used"

start "$TOOLS/spin" 'größe' - 0 rests
utf8=$started
start "$TOOLS/spin" $'gr\xf6\xdfe' - 0 rests
bytes=$started
start "$TOOLS/spin" '日本語テスト' - 0 rests
wide=$started

terminal_open 110 40
tmux_do pipe-pane -o -t t "cat >$scratch/written"
terminal_run "env $latin1 $PERFTOP --no-config -d 0.5 -p $utf8,$bytes,$wide"
for pid in $utf8 $bytes $wide; do
	wait_for "^ *$pid[ *]root .* [ -~]+$"
done
for keys in 2 3 4 5 6 7 1 t Enter q F1 q F2 q F6 Escape k Escape H e Escape; do
	press "$keys"
	sleep 0.8
done
# --- a filter of what is typed there; others are called otherwise
ask '\' '^Filter' C-u
press -H 67 72 f6
press Enter
wait_gone "^ *($wide|$bytes)[ *]"
wait_for "^ *$utf8[ *]root"
leave
LC_ALL=C grep -qaP '[\x80-\xff]' "$scratch/written" &&
	fail "beyond ASCII: $(LC_ALL=C grep -aoP '.{0,20}[\x80-\xff]+' "$scratch/written" | head -n 3 | cat -v)"

# --- batch output, too, on a terminal
env $latin1 "$PERFTOP" --no-config -b -n 1 -d 0.5 -p "$utf8,$bytes,$wide" >"$scratch/batch"
grep -qE "^ *$utf8 " "$scratch/batch" || fail "batch: $utf8 is missing"
LC_ALL=C grep -qaP '[\x80-\xff]' "$scratch/batch" && fail "batch: beyond ASCII: $(cat -v "$scratch/batch")"
report
