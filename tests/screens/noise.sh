#!/bin/bash
# noise.sh PERFTOP DATA: whatever is typed, the screen stays, and q ends it; memory and descriptors stay
# what they were. Thousands of random bytes go into a live screen and into a replay; then keys, again and
# again, beside a recording.
#
# Not among the bytes: what ends or stops it, and what acts upon other processes (k, x, r, B). As root it runs
# as a user without processes.
. "$(dirname "$0")/lib.sh"
DATA=$TOOLS
export LC_ALL=C.UTF-8 LANG=C.UTF-8 TERM=xterm
needs script tmux
chmod 777 "$scratch"
cd "$scratch" || exit 1
stranger=
[ "$(id -u)" != 0 ] || stranger='setpriv --reuid=64999 --regid=64999 --clear-groups'

# noise SEED BYTES
noise() {
	LC_ALL=C awk -v seed="$1" -v count="$2" 'BEGIN {
		srand(seed)
		for (i = 0; i < count; i++)
			printf "%c", int(rand() * 256)
	}' | tr -d 'qQkxrB\003\004\023\032\034'
}
# leaves: what takes it out of any menu or prompt, and ends it
leaves() {
	for _ in $(seq 40); do
		printf '\033'
		sleep 0.3
		printf '\033'
		sleep 0.3
		printf 'q'
		[ ! -e "$scratch/status" ] || break
	done 2>/dev/null
}
# in_terminal ARGUMENT...: types what comes on standard input; leaves its status in the file status. While it
# runs its pid is in the file pid.
in_terminal() {
	rm -f status pid
	cat >run <<RUN
stty rows 24 cols 80
echo \$\$ >pid
exec $stranger $PERFTOP --no-config $*
RUN
	(timeout -s KILL 300 script -qec "sh $scratch/run" typescript >/dev/null 2>&1; echo $? >status)
}
# resident KB of memory, and descriptors, of what runs there
resident() { sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$(cat pid)/status" 2>/dev/null; }
# Its descriptors while it slept: in between it has files of /proc open.
count_asleep() {
	local slices state count
	slices=$(cut -d ' ' -f 3 "/proc/$(cat pid)/schedstat")
	state=$(sed -n 's/^State:.//p' "/proc/$(cat pid)/status")
	count=$(find "/proc/$(cat pid)/fd" -mindepth 1 | wc -l)
	[ "${state::1}" = S ] && [ "$(cut -d ' ' -f 3 "/proc/$(cat pid)/schedstat")" = "$slices" ] && echo "$count" >>counts
}

run_noise() { # NAME SEED ARGUMENT...
	local name=$1 seed=$2
	shift 2
	{
		sleep 2
		noise "$seed" 20000
		sleep 1
		resident >resident
		leaves
	} | in_terminal "$@"
	[ "$(cat status)" = 0 ] || fail "$name: status $(cat status): $(tail -c 300 typescript | tr -d '\033')"
	grep -aqE 'Sanitizer|runtime error' typescript && fail "$name: $(grep -aE -m 1 'Sanitizer|runtime' typescript)"
	# with a sanitizer memory is another matter
	grep -aq __asan_init "$PERFTOP" || [ "$(cat resident)" -lt 200000 ] || fail "$name: $(cat resident) KB"
	echo "$name: $(cat resident) KB"
}
gunzip -c "$DATA/guest.data.gz" >guest.data
chmod 644 guest.data
run_noise 'a live screen' 1 -d 0.1
run_noise 'a replay' 2 -i "$scratch/guest.data"

# --- keys beside a recording: each round opens and closes all views, the help, a search, a page. What is opened is
# waited for, and so is its end: what a busy machine makes of quick keys is not asked here. The page is that of
# the program itself, which is there in each round, under a name that is in no command line but its own.
cp "$PERFTOP" noisy
# A shell is between it and tmux, which continues what it sees stopped, as a leak check does with it at its end.
rm -f pid
echo "$stranger sh -c 'echo \$\$ >pid; exec ./noisy --no-config -d 0.1 -w $scratch/keys.data'; :" >run
terminal_open 80 24 "exec sh $scratch/run"
wait_for 'F1 help'
# What names functions are other processes, which stay: they are tasks of this user, too, and have descriptors. A page
# that is shown for long enough begins them.
names() { [ -n "$(cat "/proc/$(cat pid)/task/$(cat pid)/children")" ] || is_shown 'no samples'; }
press 8
wait_until "no function is named" names
for _ in $(seq 6); do
	press 1 2 3 4 5 6 7 1 t t H H i i l l '<' '>' Escape
	ask F1 'Help: Enter opens' Escape
	wait_gone 'Help: Enter opens'
	ask / '^Search:' a Escape
	wait_gone '^Search:'
	ask Z '^frozen' Z
	wait_gone '^frozen'
	search_for noisy
	ask Enter '^noisy.*\(q: back\)' Escape
	wait_gone '\(q: back\)'
	press 5 W b
	wait_for '^pairs by'
	message_gone
	press 1
	run_command delay 600
	wait_until "it does not come to rest" count_asleep
	run_command delay 0.1
done
press q
wait_until "q does not end it" has_ended "$(cat pid)"
[ "$(sed -n 3p counts)" = "$(tail -n 1 counts)" ] || fail "descriptors: $(tr '\n' ' ' <counts)"
echo "descriptors: $(tr '\n' ' ' <counts)"
[ -s keys.data ] || fail "nothing was recorded"

report
