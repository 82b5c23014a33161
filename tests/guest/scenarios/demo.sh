# The screens of screenshots/demo.gif: programs that people know on a machine with hardware counters, whose rates
# are made up. Twice a second one with its colours, and below it which key was pressed and what for, of which
# tests/screens/demo.sh makes the picture. An instruction takes a ns there (guest.sh -i, which knows one CPU only): how fast
# this machine is makes no difference. Each program rests between two runs, so that the CPU is not full.

echo -n cc1=w120m3r12,xz=w060m22r48,zstd=w190m6r20,sqlite3=w140m5r15,perl=w210m1r8 >/sys/module/ratepmu/parameters/known
i=0
while [ $i -lt 200 ]; do
	echo "int f$i(int *a, int n) { int s = $i; for (int i = 0; i < n; i++) s += a[i] * a[n - i] % (s | 1); return s; }"
	i=$((i + 1))
done >/tmp/source.c
head -c 1000000 /bin/cc1 >/tmp/data
# again REST COMMAND...: runs it for ever, with a rest of so many seconds
again() {
	rest=$1
	shift
	while :; do
		"$@"
		sleep $rest
	done >/dev/null 2>&1 &
}
# By their paths: the shell has an xz of its own.
again 1 /bin/cc1 -quiet -O2 /tmp/source.c -o /dev/null
while :; do
	cat /tmp/data
	sleep 0.6
done | LD_LIBRARY_PATH=/bin /bin/xz -6 -c >/dev/null &
again 0.7 /bin/zstd -5 -c /tmp/data
again 3 /bin/sqlite3 :memory: 'with recursive c(x) as (select 1 union all select x + 1 from c limit 150000) select sum(x % 7) from c'
again 2.5 /bin/perl -e 'my %words; for my $i (1 .. 150000) { $words{$i}++ if "word $i" =~ /[3-6]+$/ }'
sleep 1
renice -n -15 $$ # so that names are found soon and no frame is late

export LANG=C.UTF-8 TERM=xterm-256color
mkdir /out/frames
tmux -u -f /dev/null new-session -d -s p -x 100 -y 30 'perftop -d 1 --call-graph dwarf'
tmux set -g status off
film() {
	i=1000
	while tmux capture-pane -e -N -p -t p >/tmp/screen 2>/dev/null; do
		{
			cat /tmp/screen
			printf '\033[0;30;46m %-98s \033[0m\n' "$(cat /tmp/caption)"
		} >/out/frames/$i.ansi
		i=$((i + 1))
		sleep 0.45
	done
}
# hold SECONDS CAPTION KEY...: shows what is there so long, then types, and says what for
hold() {
	sleep $1
	echo "$2" >/tmp/caption
	shift 2
	for key; do
		tmux send-keys -t p "$key"
		sleep 0.4
	done
}
until tmux capture-pane -p -t p | grep -q COMMAND; do
	sleep 0.5
done
# The names of functions take some seconds of this slow machine, and are kept.
hold 2 '' 8
until tmux capture-pane -p -t p | grep -q lzma_; do
	sleep 0.5
done
hold 2 '' 1
echo '$ perftop --call-graph dwarf' >/tmp/caption
sleep 2
film &
hold 2.5 'M   sorts by cache misses: who wastes the machine?' M
hold 2 'a xz Enter   attaches to a task' a x z Enter
hold 1.5 'Enter   its page: what it does, why it sleeps' Enter
hold 3.5 'Enter   its functions' Enter
hold 3 'Enter   the code of the hottest: which instruction' Enter
hold 3.5 'q G   flame graph of its functions' q G
hold 3.5 'Z   holds the screen still: the past is kept, arrows go back' Z Left Left
sleep 2
tmux kill-server
wait $!
rm -f /out/frames/$i.ansi
