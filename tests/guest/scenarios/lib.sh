# What scenarios are written with; guest.sh puts it before each of them. How long something takes is the
# emulator's affair: whoever waits, waits for what is to come.

# run NAME COMMAND...: keeps what it prints, what it says and how it ends.
run() {
	name=$1
	shift
	"$@" >/out/$name.out 2>/out/$name.err
	echo $? >/out/$name.status
}
# watch NAME COMMAND...: the same in the background, until enough; returns after the first interval.
watch() {
	watched=$1
	: >/out/$1.out
	run "$@" &
	watcher=$!
	intervals 1
}
# without_tracefs COMMAND...: so that a software event and switch records report the switches.
without_tracefs() { unshare -m sh -c 'umount /sys/kernel/tracing && exec "$@"' sh "$@"; }
# short_kallsyms: of the kernel's symbols there are the first ones only. To read all 100000 takes perftop, and perf,
# three seconds of an emulator's time at each start.
short_kallsyms() {
	head -n 2000 /proc/kallsyms >/tmp/kallsyms
	mount --bind /tmp/kallsyms /proc/kallsyms
}
# Until so many more intervals are written.
intervals() {
	told . $(($(wc -l </out/$watched.out) + $1))
}
# told PATTERN [COUNT]: until so many lines match.
told() {
	while [ "$(grep -c -- "$1" /out/$watched.out)" -lt ${2:-1} ] && kill -0 $watcher 2>/dev/null; do
		sleep 0.2
	done
}
enough() {
	kill -TERM $(pidof perftop)
	wait $watcher
}
# named PID NAME: until the process has given itself the name.
named() {
	while [ -d /proc/$1 ] && [ "$(cat /proc/$1/comm)" != "$2" ]; do
		sleep 0.1
	done
}
# charged NAME COMMAND...: runs it; what CPU time the kernel has charged it and its children with goes to
# NAME.charged, in us.
charged() {
	charged=$1
	shift
	mkdir -p /sys/fs/cgroup/$charged
	echo 0 >/sys/fs/cgroup/$charged/cgroup.procs
	"$@"
	echo 0 >/sys/fs/cgroup/cgroup.procs
	usage $charged >/out/$charged.charged
}
usage() { sed -n 's/^usage_usec //p' /sys/fs/cgroup/$1/cpu.stat; }

# --- perftop in a terminal
opens() { # WIDTH HEIGHT [OPTIONS]
	rm -f /out/tui.left
	tmux -u -f /dev/null new-session -d -s t -x $1 -y $2 "perftop -d 1 $3; echo left \$? >/out/tui.left"
}
types() { tmux send-keys -t t "$@"; }
# shows FILE PATTERN...: keeps the screen as soon as each matches a line, or as it is after a minute. The line
# of keys is drawn last.
shows() {
	file=$1
	shift
	for i in $(seq 200); do
		tmux capture-pane -p -t t >/out/$file
		is_shown 'F1 help\|Esc' "$@" && return
		sleep 0.3
	done
}
is_shown() {
	for pattern in "$@"; do
		grep -q -- "$pattern" /out/$file || return
	done
}
# gone PATTERN: until no line matches.
gone() {
	for i in $(seq 200); do
		tmux capture-pane -p -t t | grep -q -- "$1" || return
		sleep 0.3
	done
}
leaves() {
	types q
	for i in $(seq 200); do
		[ -s /out/tui.left ] && break
		sleep 0.3
	done
	tmux kill-server 2>/dev/null
}
batch='perftop -b --format json'
cd /tmp
mount -t cgroup2 none /sys/fs/cgroup
switches() { sed -n 's/^ctxt //p' /proc/stat; }
lose() { # more switches than the rings have room for, while the reader is stopped
	local pid=$(pidof perftop) goal=$(($(switches) + 40000))
	kill -STOP $pid
	while [ "$(switches)" -lt $goal ]; do pingpong 1 0 threads; done
	kill -CONT $pid
}
