# The screens of screenshots/demo.gif: programs that people know on a machine with hardware counters, whose rates
# are made up. Twice a second one with its colours, of which tests/screens/demo.sh makes the picture. An
# instruction takes a ns there (guest.sh -i): how fast this machine is makes no difference.

echo -n cc1=w120m3r12,xz=w060m22r48,zstd=w190m6r20,sqlite3=w140m5r15,perl=w210m1r8 >/sys/module/ratepmu/parameters/known
i=0
while [ $i -lt 400 ]; do
	echo "int f$i(int *a, int n) { int s = $i; for (int i = 0; i < n; i++) s += a[i] * a[n - i] % (s | 1); return s; }"
	i=$((i + 1))
done >/tmp/source.c
head -c 24000000 /bin/cc1 >/tmp/data
# By their paths: the shell has an xz of its own.
while :; do /bin/cc1 -quiet -O2 /tmp/source.c -o /dev/null; done >/dev/null 2>&1 &
while :; do LD_LIBRARY_PATH=/bin /bin/xz -6 -c /tmp/data; done >/dev/null 2>&1 &
/bin/zstd -19 -c /tmp/data >/dev/null &
/bin/sqlite3 :memory: 'with recursive c(x) as (select 1 union all select x + 1 from c) select sum(x % 7) from c' &
/bin/perl -e 'my %words; while (1) { for my $i (1 .. 1000) { $words{$i}++ if "word $i" =~ /[3-6]+$/ } }' &
sleep 1
renice -n -15 $$ # so that names are found soon and no frame is late

export LANG=C.UTF-8 TERM=xterm-256color
mkdir /out/frames
tmux -u -f /dev/null new-session -d -s p -x 100 -y 30 'perftop -d 1'
tmux set -g status off
film() {
	i=1000
	while tmux capture-pane -e -N -p -t p >/out/frames/$i.ansi 2>/dev/null; do
		i=$((i + 1))
		sleep 0.45
	done
}
# hold SECONDS KEY...: shows what is there so long, then types
hold() {
	sleep $1
	shift
	for key; do
		tmux send-keys -t p "$key"
		sleep 0.4
	done
}
until tmux capture-pane -p -t p | grep -q COMMAND; do
	sleep 0.5
done
# The names of functions take some seconds of this slow machine, and are kept.
hold 2 8
until tmux capture-pane -p -t p | grep -q lzma_; do
	sleep 0.5
done
hold 2 1
sleep 2
film &
hold 2.5 M
hold 2 a x z Enter
hold 1 Enter
hold 2.5 Enter
hold 4 3
hold 2 Z Up Up
hold 1.5 q
wait $!
rm -f /out/frames/$i.ansi
