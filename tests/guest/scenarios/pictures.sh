# Screens for the README: a machine with hardware counters and programs of different nature, some of which
# change in time, of several users and in containers. tmux keeps the screens with their colours;
# tests/screens/pictures.sh makes pictures of them, and of the recording, seen.data.

cat >>/etc/passwd <<'PASSWD'
www:x:33:33::/:/bin/sh
postgres:x:110:110::/:/bin/sh
ben:x:1000:1000::/:/bin/sh
PASSWD
mkdir -p /sys/fs/cgroup
mount -t cgroup2 none /sys/fs/cgroup

# within CGROUP COMMAND...: runs it there
within() {
	mkdir -p /sys/fs/cgroup/$1
	sh -c "echo 0 >/sys/fs/cgroup/$1/cgroup.procs; shift; exec \"\$@\"" - "$@" &
}
# phases NAME...: works under one name after the other; the counters follow the name
cat >/bin/phases <<'PHASES'
#!/bin/sh
while :; do
	for name in "$@"; do
		echo -n $name >/proc/self/comm
		turn=0
		while [ $turn -lt 60000 ]; do turn=$((turn + 1)); done
	done
done
PHASES
# bursts NAME: works a little, sleeps a little
cat >/bin/bursts <<'BURSTS'
#!/bin/sh
while :; do
	spin $1 - 0.02 >/dev/null
	sleep 0.05
done
BURSTS
chmod +x /bin/phases /bin/bursts

first=system.slice/docker-3f1c0a9d5be74c2b8a6e13f09d27c4b5a8e6f7012c3d4e5f60718293a4b5c6d7.scope
second=system.slice/docker-b82e6f4471d0958c3a2b1c0d9e8f7a6b5c4d3e2f1a0b9c8d7e6f5a4b3c2d1e0f.scope
within $first asuser 33 spin w031m48r61 1
within $second asuser 110 spin w250m8r3 0
within $second asuser 110 phases w140m14r22 w105m20r31 w060m33r44 w105m20r31
phases=$! # who is to get the signal
within user.slice asuser 1000 bursts w310m1r2
within user.slice sh -c 'while :; do asuser 1000 forkstorm 20 5 w120m3r9; done >/dev/null'
sleep 1
export LANG=C.UTF-8 TERM=xterm-256color

# shoot NAME KEY...: starts $program, types the keys, keeps the screen. "..." waits.
program='perftop -d 2'
shoot() {
	name=$1
	shift
	tmux -u -f /dev/null new-session -d -s p -x 132 -y ${lines:-30} "$program"
	tmux set -g status off
	sleep ${wait:-12}
	for key in "$@"; do
		[ "$key" = ... ] || tmux send-keys -t p "$key"
		sleep 3
	done
	tmux capture-pane -e -N -p -t p >/out/$name.ansi
	tmux kill-server
	sleep 1
}

# A minute of it, to be replayed elsewhere.
perftop -b -d 0.5 -n 120 -w /out/seen.data -e cgroup-switches --group-by container >/dev/null
wait=30 shoot tasks M K
wait=24 lines=16 shoot cpus 2
lines=24 shoot attach a w0
shoot help F1
shoot events e cache
wait=20 shoot switches 3 ... ...
lines=24 shoot groups 4
lines=16 shoot containers 4 : 'group-by container' Enter ... ...
lines=24 shoot pairs 5
lines=24 shoot histogram 6
wait=20 lines=18 shoot timeline 7 '[' '['
shoot tree K i t
shoot setup F2 Tab
wait=24 lines=16 shoot filter P '\' 'ipc < 1.5 && user = postgres' Enter
lines=24 shoot sort F6
lines=24 shoot signal P / $phases Enter F9
lines=24 shoot metric : 'metric stall% = 100 * stalled-cycles-backend / cycles; unit %; good low' Enter ... ... ...
exit 0
