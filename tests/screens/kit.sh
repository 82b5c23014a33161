# What the tests here share. Sourced with the program as $1 and perhaps the folder of the tools as $2.
#
#	needs root|TOOL...                what there must be for the test to be run
#	with_tracefs "$0" "$@"            where there is no tracefs, begins the script anew where there is one
#	start COMMAND...                  a background program that ends with the test; its pid is in $started
#	stop PID...                       ends such programs before that, so that what needs none has the CPUs
#	as_nobody COMMAND...              takes the place of the shell
#	own_copies FILE...                of programs, in $scratch, which those may use who may not look into the build
#	wait_until WHAT COMMAND...        until the command succeeds, or fails
#	wait_lines FILE COUNT PID         until the file has so many lines; fails when the process ends before
#	has_ended PID
#	fail WHAT...
#	report                            the test's last line
#
# Whoever waits has patience, for a machine that is slow or busy; after a failure less of it.
#
# $scratch is a folder that goes with the test. What a test has to clean up itself is in at_end(), and what it has to
# show after a failure in show(); the file $err, if there is one, is shown anyway.
set -u

PERFTOP=$(realpath "$1")
TOOLS=${2:+$(realpath "$2")}
scratch=$(mktemp -d)
failures=0
PATIENCE_S=120

at_end() { :; }
show() { :; }

finish() {
	local child
	at_end
	# of one that has ended the pid may be another process's by now
	for child in $(jobs -rp); do
		kill -9 "$child" 2>/dev/null
		wait "$child" 2>/dev/null
	done
	rm -rf "$scratch"
}
trap finish EXIT

not_run() {
	echo "not run: $*"
	exit 77
}

needs() {
	local need
	for need; do
		if [ "$need" = root ]; then
			[ "$(id -u)" = 0 ] || not_run "needs root"
		else
			command -v "$need" >/dev/null || not_run "$need is missing"
		fi
	done
}

# In a namespace of mounts of its own. Where the root is no mount point, as in a chroot, its propagation cannot be
# changed; that of /sys can.
with_tracefs() {
	local propagation=private
	[ -z "${TRACEFS_INSIDE:-}" ] && [ ! -e /sys/kernel/tracing/events ] || return 0
	rm -rf "$scratch"
	unshare -m true 2>/dev/null || propagation=unchanged
	TRACEFS_INSIDE=1 exec unshare -m --propagation $propagation bash -c \
		'mount --make-rprivate /sys && mount -t tracefs nodev /sys/kernel/tracing ||
			{ echo "not run: no tracefs"; exit 77; }; exec "$@"' - "$@"
}

start() {
	"$@" >/dev/null 2>&1 &
	started=$!
}
stop() { # PID...
	kill "$@"
	wait "$@" 2>/dev/null
}

as_nobody() { exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }

own_copies() {
	chmod 755 "$scratch"
	install -m 755 "$@" "$scratch"
}

fail() {
	echo "FAILED: $*"
	[ ! -s "${err:-}" ] || head -c 2000 "$err" | sed 's/^/    stderr: /'
	show
	failures=$((failures + 1))
	PATIENCE_S=10
	return 1
}

report() {
	[ $failures = 0 ] && exit 0
	echo "$failures failed"
	exit 1
}

wait_until() {
	local end=$((SECONDS + PATIENCE_S)) what=$1
	shift
	until "$@"; do
		[ $SECONDS -le $end ] || { fail "$what"; return 1; }
		sleep 0.1
	done
}

has_ended() { ! kill -0 "$1" 2>/dev/null; }
has_lines() { [ -e "$1" ] && [ "$(wc -l <"$1")" -ge "$2" ]; }
has_lines_or_ended() { has_lines "$1" "$2" || has_ended "$3"; }
wait_lines() {
	wait_until "$1 does not grow to $2 lines" has_lines_or_ended "$@" || return
	has_lines "$1" "$2" || fail "$1 has not grown to $2 lines, and the program has ended"
}
