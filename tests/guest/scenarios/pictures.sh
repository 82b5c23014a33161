# Screens for the gallery: programs that people know, of several users and in containers, on a machine with hardware
# counters, whose rates are made up; on one without, a recording alone, bare.data. tmux keeps the screens with their
# colours; tests/screens/pictures.sh makes pictures of them, and of the recording, seen.data.

cat >>/etc/passwd <<'PASSWD'
www:x:33:33::/:/bin/sh
data:x:110:110::/:/bin/sh
ben:x:1000:1000::/:/bin/sh
PASSWD
known=/sys/module/ratepmu/parameters/known
[ ! -w $known ] || echo -n nginx=w150m8r30,cc1=w120m3r12,xz=w060m22r48,zstd=w190m6r20,sqlite3=w140m5r15,perl=w210m1r8 >$known
mkdir -p /sys/fs/cgroup
mount -t cgroup2 none /sys/fs/cgroup

# within CGROUP COMMAND...: runs it there
within() {
	mkdir -p /sys/fs/cgroup/$1
	sh -c "echo 0 >/sys/fs/cgroup/$1/cgroup.procs; shift; exec \"\$@\"" - "$@" &
}
i=0
while [ $i -lt 400 ]; do
	echo "int f$i(int *a, int n) { int s = $i; for (int i = 0; i < n; i++) s += a[i] * a[n - i] % (s | 1); return s; }"
	i=$((i + 1))
done >/tmp/large.c
head -n 3 /tmp/large.c >/tmp/small.c
head -c 24000000 /bin/cc1 >/tmp/data
head -c 100000 /bin/cc1 >/tmp/page

first=system.slice/docker-3f1c0a9d5be74c2b8a6e13f09d27c4b5a8e6f7012c3d4e5f60718293a4b5c6d7.scope
second=system.slice/docker-b82e6f4471d0958c3a2b1c0d9e8f7a6b5c4d3e2f1a0b9c8d7e6f5a4b3c2d1e0f.scope
again='while :; do "$@"; sleep ${pause:-0}; done >/dev/null 2>&1'
# By their paths: the shell has an xz of its own.
within $first asuser 33 /bin/perl -e 'my %words; while (1) { for my $i (1 .. 1000) { $words{$i}++ if "word $i" =~ /[3-6]+$/ } }'
within $second asuser 110 /bin/sqlite3 :memory: \
	'with recursive c(x) as (select 1 union all select x + 1 from c) select sum(x % 7) from c'
sqlite=$! # what is to get the signal
within $second asuser 110 sh -c "$again" sh env LD_LIBRARY_PATH=/bin /bin/xz -6 -c /tmp/data
cat >/tmp/nginx.conf <<'CONF'
daemon off;
pid /tmp/nginx.pid;
error_log /dev/null;
events { }
http {
	access_log off;
	client_body_temp_path /tmp/nginx;
	proxy_temp_path /tmp/nginx;
	fastcgi_temp_path /tmp/nginx;
	uwsgi_temp_path /tmp/nginx;
	scgi_temp_path /tmp/nginx;
	server { listen 127.0.0.1:80; root /tmp; gzip on; gzip_comp_level 9; gzip_types *; }
}
CONF
mkdir -p /var/lib/nginx /var/log/nginx
echo 'nogroup:x:65534:' >>/etc/group
ip link set lo up
within $first nginx -e /dev/null -c /tmp/nginx.conf
within user.slice asuser 1000 env pause=0.1 sh -c "$again" sh wget -q -O /dev/null --header 'Accept-Encoding: gzip' http://127.0.0.1/page
within user.slice asuser 1000 env pause=0.05 sh -c "$again" sh /bin/zstd -19 -c /tmp/page
within user.slice asuser 1000 sh -c "$again" sh /bin/cc1 -quiet -O2 /tmp/large.c -o /dev/null
within user.slice asuser 1000 sh -c "$again" sh /bin/cc1 -quiet /tmp/small.c -o /dev/null
sleep 1
[ -w $known ] || { perftop -b -d 0.5 -n 20 -w /out/bare.data >/dev/null; exit 0; }
export LANG=C.UTF-8 TERM=xterm-256color

# shoot NAME KEY...: starts $program, types the keys, keeps the screen. "..." waits, $wait waits longer before the keys.
program='perftop -d 2'
shoot() {
	name=$1
	shift
	tmux -u -f /dev/null new-session -d -s p -x 132 -y ${lines:-30} "$program"
	tmux set -g status off
	shown COMMAND
	sleep ${wait:-5}
	for key in "$@"; do
		case $key in
		...) sleep 2 ;;
		shown=*) shown "${key#*=}" ;;
		*) tmux send-keys -t p "$key" ;;
		esac
		sleep 0.7
	done
	sleep 2.5
	tmux capture-pane -e -N -p -t p >/out/$name.ansi
	tmux kill-server
}
# shown WORD: until it is on the screen
shown() {
	until tmux capture-pane -p -t p | grep -q "$1"; do
		sleep 0.3
	done
}

# Half a minute of it, to be replayed elsewhere.
perftop -b -d 0.5 -n 70 -w /out/seen.data -e cgroup-switches --group-by container >/dev/null
renice -n -15 $$ # so that no screen is late
wait=12 shoot tasks M K
wait=12 lines=16 shoot cpus 2
lines=24 shoot attach a x z
shoot help F1
shoot events e cache
wait=8 shoot switches 3 ...
lines=24 shoot groups 4
lines=16 shoot containers 4 : 'group-by container' Enter ...
wait=8 lines=24 shoot pairs 5
wait=8 lines=24 shoot histogram 6
wait=8 lines=18 shoot timeline 7 '[' '['
shoot tree K i t
shoot functions M ... Enter Enter shown=lzma_ ... ...
shoot code M ... Enter Enter shown=lzma_ ... Enter ... ...
shoot flame M ... Enter Enter shown=lzma_ G ... ...
shoot setup F2 Tab
wait=8 lines=16 shoot filter P '\' 'ipc < 1.5 && user = www' Enter
lines=24 shoot sort F6
lines=24 shoot signal P / $sqlite Enter F9
lines=24 shoot metric : 'metric stall% = 100 * stalled-cycles-backend / cycles; unit %; good low' Enter ... ...
exit 0
