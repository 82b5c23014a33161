#!/bin/bash
# hostile.sh PERFTOP HOSTILE: recordings of a few megabytes that would take the stack, the memory or the
# day: they are read within 2 GiB of address space (as far as that can be limited) and a stack of 1 MiB, and what is
# left out of them is said.
. "$(dirname "$0")/kit.sh"
HOSTILE=$TOOLS
LIMIT_KIB=2097152
# Not with the address sanitizer, which takes terabytes.
{ (ulimit -v $LIMIT_KIB && "$PERFTOP" --version) || LIMIT_KIB=unlimited; } >/dev/null 2>&1
limited() {
	(ulimit -v $LIMIT_KIB -s 1024 && exec "$@")
}
read_it() { # NAME
	limited "$PERFTOP" --no-config -b --format csv -c pid,command -i "$scratch/$1" \
		>"$scratch/out" 2>"$scratch/err" </dev/null
	status=$?
	[ $status -le 1 ] || fail "$1: status $status: $(head -c 500 "$scratch/err")"
}

"$HOSTILE" generations 60000 "$scratch/generations" || fail "generations cannot be made"
read_it generations
[ $status = 0 ] || fail "generations: $(cat "$scratch/err")"

"$HOSTILE" attributes 70000 >"$scratch/attributes" || fail "attributes cannot be made"
read_it attributes
grep -q 'more than 65536 events, .* left out' "$scratch/err" || fail "attributes: $(cat "$scratch/err")"

"$HOSTILE" tracepoints 60000 >"$scratch/tracepoints" || fail "tracepoints cannot be made"
read_it tracepoints

"$HOSTILE" wide 9000 "$scratch/wide" || fail "wide cannot be made"
read_it wide
grep -q 'read no further: .* need more than' "$scratch/err" || fail "wide: $(cat "$scratch/err")"
# what was read until then is there
[ "$(wc -l <"$scratch/out")" -gt 1000 ] || fail "wide: nothing is shown"
"$HOSTILE" wide 100 "$scratch/real" || fail "a real one cannot be made"
read_it real
[ "$(wc -l <"$scratch/out")" -gt 100 ] || fail "a real one: $(cat "$scratch/err")"

gzip -dc "$(dirname "$0")/../data/turns.data.gz" | LC_ALL=C sed 's/"scope"/"skope"/' >"$scratch/damaged"
read_it damaged
grep -q '1 record of perftop that cannot be understood left out' "$scratch/err" ||
	fail "damaged: $(cat "$scratch/err")"

# --- what another version wrote is refused
gzip -dc "$(dirname "$0")/../data/turns.data.gz" | LC_ALL=C sed 's/"version":3/"version":2/' >"$scratch/older"
"$PERFTOP" --no-config -b -i "$scratch/older" >"$scratch/out" 2>"$scratch/err" </dev/null && fail "older: it is read"
grep -q 'another version of perftop wrote it' "$scratch/err" || fail "older: $(cat "$scratch/err")"
report
