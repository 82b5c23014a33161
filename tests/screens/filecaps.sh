#!/bin/bash
# filecaps.sh PERFTOP TOOLS SHARES RECORDING: a program whose file has the capabilities that the guide gives it shows
# nobody the whole machine. What nobody names is opened as nobody's, though: files that are seen only below
# /proc/PID/root of a process of root stay so. SHARES runs there, RECORDING is a compressed one.
. "$(dirname "$0")/kit.sh"
needs root setcap setpriv unshare script tic infocmp
SHARES=$3
RECORDING=$4
out=$scratch/out err=$scratch/err hidden=$scratch/hidden home=$scratch/home
own_copies "$PERFTOP"
cp "$scratch/perftop" "$scratch/plain"
setcap cap_perfmon,cap_sys_ptrace=ep "$scratch/perftop" || not_run "setcap fails"

nobody() { # PROGRAM ARGUMENT...
	(as_nobody env HOME="$home" timeout -s KILL 120 "$@") >"$out" 2>"$err" </dev/null
}
nobody "$scratch/perftop" check
grep -qE '^CAP_PERFMON +(ok|part) +held' "$out" || not_run "capabilities of files have no effect here"

# --- a process of root that sees files which others do not
mkdir -m 777 "$hidden"
fill() {
	mount -t tmpfs -o mode=777 none "$hidden" && cp "$SHARES" /bin/true "$hidden" &&
		zcat "$RECORDING" >"$hidden/recording" && echo 'command-lines off' >"$hidden/config" &&
		touch "$scratch/filled" && exec "$hidden/$(basename "$SHARES")" 10 600
}
export SHARES RECORDING hidden scratch
export -f fill
start unshare -m --propagation private bash -c fill
tenant=$started
wait_until "no process with files of its own" test -e "$scratch/filled"
root=/proc/$tenant/root$hidden

# --- it is what it is for anybody
refused() { # ARGUMENT...
	nobody "$scratch/plain" --no-config -d 0.2 -n 1 "$@"
	local status=$? words
	words=$(cat "$err")
	nobody "$scratch/perftop" --no-config -d 0.2 -n 1 "$@"
	[ $? = $status ] || fail "$*: the status is not $status, as without capabilities"
	[ "$(cat "$err")" = "$words" ] || fail "$*: not as without capabilities: $words"
	grep -q 'Permission denied' "$err" || fail "$*: not refused"
}
refused -b --config "$root/config"
refused -b -i "$root/recording"
refused -b -o "$root/out"
refused -b -w "$root/written"
refused -b -e "uprobe:$root/$(basename "$SHARES"):main"
refused -b -- "$root/true"
nobody "$scratch/perftop" -b -n 1 -d 0.2 -o /dev/null -- grep Cap /proc/self/status
grep -E 'Cap(Inh|Prm|Eff|Amb)' "$out" | grep -qv '0000000000000000$' && fail "a command has capabilities: $(cat "$out")"

# --- what reads a recording has none to lose
mkfifo "$scratch/recording"
exec 9<>"$scratch/recording"
(as_nobody "$scratch/perftop" --no-config -b -i -) <"$scratch/recording" >/dev/null 2>&1 9<&- &
has_none() { [ "$(cat "/proc/$1/comm")" = perftop ] && grep -qE '^CapPrm:[[:space:]]0+$' "/proc/$1/status"; }
wait_until "a replay keeps capabilities" has_none $!
exec 9<&-

# --- libraries are not led by the environment
LIBPFM_DEBUG=1 nobody "$scratch/plain" events nothing
grep -q pfmlib "$err" || fail "LIBPFM_DEBUG says nothing at all"
LIBPFM_DEBUG=1 nobody "$scratch/perftop" events nothing
grep -q pfmlib "$err" && fail "libpfm4 is led by LIBPFM_DEBUG"
infocmp xterm | sed 's/^xterm[^,]*,/mine,/' >"$scratch/mine"
mkdir -p "$scratch/terminfo" "$home/.terminfo"
tic -o "$scratch/terminfo" "$scratch/mine"
tic -o "$home/.terminfo" "$scratch/mine"
chmod -R a+rX "$home" "$scratch/terminfo"
in_terminal() { # VARIABLE... PROGRAM
	: >"$err"
	(as_nobody timeout -s KILL 120 script -qec "env TERM=mine $*" /dev/null) >"$out" 2>&1 < <(sleep 2; echo q; sleep 2)
}
for led in "HOME=$home" "HOME=/nonexistent TERMINFO=$scratch/terminfo" "HOME=/nonexistent TERMINFO_DIRS=$scratch/terminfo"; do
	in_terminal $led "$scratch/plain" --no-config
	grep -q "perftop: .*mine" "$out" && fail "$led: not found at all"
	in_terminal $led "$scratch/perftop" --no-config
	grep -q "perftop: .*mine" "$out" || fail "$led: the description was read"
done

# --- what the capabilities are for
nobody "$scratch/perftop" --no-config --format json -n 1 -d 0.5
grep -q '"scope":"system"' "$out" || fail "not the whole machine"
has_names() {
	nobody "$scratch/perftop" --no-config -p "$tenant" -V functions --format json -n 1 -d 1
	grep -q '"function":"shares_hot"' "$out"
}
wait_until "functions of a process of root have no names" has_names
is_seen() {
	(unshare -m --propagation private bash -c 'mount -t proc -o hidepid=2 proc /proc && exec "$@"' - \
		setpriv --reuid 65534 --regid 65534 --clear-groups env HOME="$home" "$scratch/$1" --no-config \
		--format csv -c pid,user -n 1 -d 0.5) >"$out" 2>"$err" </dev/null
	grep -q ",$tenant,root\$" "$out"
}
is_seen plain && fail "hidepid hides nothing"
is_seen perftop || fail "with hidepid a task of root is not seen: $(head -n 3 "$out")"
report
