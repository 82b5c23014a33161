#!/bin/bash
# ownlog.sh PERFTOP TOOLS CHECKER: somebody without privileges watches the switches of an own process.
# The kernel tells when it leaves and comes, and nothing of the others; the checker judges the
# lines. Where the kernel refuses even that, perftop says so.
set -u
PERFTOP=$(realpath "$1") TOOLS=$(realpath "$2") CHECKER=$(realpath "$3")
[ "$(id -u)" = 0 ] || { echo "not run: needs root, to become nobody"; exit 77; }
command -v setpriv >/dev/null || { echo "not run: setpriv is missing"; exit 77; }
scratch=$(mktemp -d)
workload=
finish() {
	[ -z "$workload" ] || kill -9 "$workload" 2>/dev/null
	rm -rf "$scratch"
}
trap finish EXIT
# where the build lies others may not be allowed to look
chmod 755 "$scratch"
cp "$PERFTOP" "$scratch/perftop"
cp "$TOOLS/shapes" "$scratch/shapes"
chmod 755 "$scratch/perftop" "$scratch/shapes"
as_nobody() { exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }

(as_nobody "$scratch/shapes" /dev/null 600) &
workload=$!
for _ in $(seq 900); do
	own=$(pgrep -P "$workload" -x sh-ping) && break
	sleep 0.1
done
(as_nobody timeout -s KILL 300 "$scratch/perftop" --no-config -b --view switches --format json \
	-d 0.5 -n 4 -p "$own") >"$scratch/own.out" 2>"$scratch/own.err"
status=$?
if [ $status = 1 ] && [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt 2 ]; then
	grep -q 'perf_event_paranoid' "$scratch/own.err" && exit 0
fi
if [ $status != 0 ] || [ -s "$scratch/own.err" ]; then
	echo "FAILED: status $status, standard error: $(head -c 1000 "$scratch/own.err")"
	exit 1
fi
head -n 3 "$scratch/own.out"
OWN_PID=$own GUEST_RESULTS=$scratch "$CHECKER"
