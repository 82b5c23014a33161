#!/bin/bash
# hosts.sh OUTDIR PERFTOP FILE...: two guests at once, each of which records through a pipe, and one perftop here that
# reads both pipes while they are written: what it prints goes to OUTDIR/both, its groups by host to OUTDIR/groups, its
# screen with both to OUTDIR/screen, and what each guest has seen itself is in OUTDIR/web1 and OUTDIR/web2.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=$1 perftop=$2
pipes=$(mktemp -d)
# those that wait for a pipe that nobody opens must not be left
tmux_do() { tmux -L "perftop-hosts-$$" -f /dev/null "$@"; }
trap 'tmux_do kill-server; kill $(jobs -p) 2>/dev/null; rm -rf "$pipes"' EXIT
rm -rf "$out"
mkdir -p "$out"

guests=
for host in web1 web2; do
	for pipe in out rows sums screen; do
		mkfifo "$pipes/$host.$pipe"
	done
	tee "$pipes/$host.sums" "$pipes/$host.screen" <"$pipes/$host.out" >"$pipes/$host.rows" &
done
# their counters differ: in the second one more events have to take turns
"$here/guest.sh" -s 1 -c 8 -a host=web1 -w "$pipes/web1.out" "$here/scenarios/hosts.sh" "$out/web1" "${@:2}" &
guests+=" $!"
"$here/guest.sh" -s 1 -c 3 -a host=web2 -w "$pipes/web2.out" "$here/scenarios/hosts.sh" "$out/web2" "${@:2}" &
guests+=" $!"

# show NAME PIPE OPTION...
show() {
	"$perftop" --no-config --format json "${@:3}" -i "$pipes/web1.$2" -i "$pipes/web2.$2" \
		>"$out/$1" 2>"$out/$1.err" </dev/null
}
show both rows &
both=$!
show groups sums -V groups --group-by host &
groups=$!
tmux_do -u new-session -d -s t -x 120 -y 40 "$perftop" --no-config -V groups --group-by host \
	-i "$pipes/web1.screen" -i "$pipes/web2.screen"
# until it shows both, for the test has an end
while sleep 0.2 && tmux_do capture-pane -p -t t >"$out/screen.new"; do
	mv "$out/screen.new" "$out/screen"
	grep -q '^web1 .* web1$' "$out/screen" && grep -q '^web2 .* web2$' "$out/screen" && break
done &

status=0
for guest in $guests; do
	wait "$guest" || status=$?
done
[ $status = 0 ] || exit $status
wait $both || status=$?
wait $groups || status=$?
cat "$out"/*.err >&2
exit $status
