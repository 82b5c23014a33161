# The screens of screenshots/demo.gif: programs that people know on a machine of four CPUs with hardware counters, whose
# rates are made up. Each screen with its colours, and below it which key was pressed and what for, of which
# tests/screens/demo.sh makes the picture. The emulator's CPUs are some thirty times slower than real ones, so an
# interval takes long, for perftop to be a small part of it, and the film is faster than it was. Each program rests as
# a part of the time that it took, so that the CPUs are not full however slow they are.

echo -n cc1=w120m3r12,xz=w060m22r48,zstd=w190m6r20,sqlite3=w140m5r15,perl=w210m1r8 >/sys/module/ratepmu/parameters/known
i=0
while [ $i -lt 20 ]; do
	echo "int f$i(int *a, int n) { int s = $i; for (int i = 0; i < n; i++) s += a[i] * a[n - i] % (s | 1); return s; }"
	i=$((i + 1))
done >/tmp/source.c
head -c 500000 /bin/cc1 >/tmp/data
# again SHARE COMMAND...: runs it for ever, in so many percent of the time
again() {
	share=$1
	shift
	while :; do
		read begin rest </proc/uptime
		"$@" >/dev/null 2>&1
		read end rest </proc/uptime
		usleep $(((${end%.*}${end#*.} - ${begin%.*}${begin#*.} + 1) * 10000 * (100 - share) / share))
	done &
}
# By their paths: the shell has an xz of its own.
again 35 /bin/cc1 -quiet -O2 /tmp/source.c -o /dev/null
mkfifo /tmp/xz
LD_LIBRARY_PATH=/bin /bin/xz -6 -c </tmp/xz >/dev/null &
exec 3>/tmp/xz
feed() { cat /tmp/data >&3; }
again 45 feed
again 20 /bin/zstd -5 -c /tmp/data
again 12 /bin/sqlite3 :memory: 'with recursive c(x) as (select 1 union all select x + 1 from c limit 20000) select sum(x % 7) from c'
again 12 /bin/perl -e 'my %words; for my $i (1 .. 20000) { $words{$i}++ if "word $i" =~ /[3-6]+$/ }'
sleep 1
renice -n -15 $$ # so that names are found soon and no frame is late

export LANG=C.UTF-8 TERM=xterm-256color
mkdir /out/frames
tmux -u -f /dev/null new-session -d -s p -x 100 -y 30 'perftop -d 8 --call-graph dwarf'
tmux set -g status off
number=1000
screen() { tmux capture-pane -e -N -p -t p; }
# show FRAMES CAPTION: what is there, for so many frames
show() {
	screen >/tmp/screen
	i=0
	while [ $((i += 1)) -le $1 ]; do
		{
			cat /tmp/screen
			printf '\033[0;30;46m %-98s \033[0m\n' "$2"
		} >/out/frames/$((number += 1)).ansi
	done
}
# changed: waits until the screen is another one and stays as it is
changed() {
	old=$(cat /tmp/screen)
	until new=$(screen) && [ "$new" != "$old" ] && sleep 1.5 && [ "$(screen)" = "$new" ]; do
		sleep 1
	done
}
# press CAPTION KEY...: each with what it shows
press() {
	caption=$1
	shift
	show 1 "$caption"
	for key; do
		tmux send-keys -t p "$key"
		changed
		show 2 "$caption"
	done
	show 3 "$caption"
}
until tmux capture-pane -p -t p | grep -q COMMAND; do
	sleep 0.5
done
# The names of functions take some seconds of this slow machine, and are kept.
tmux send-keys -t p 8
until tmux capture-pane -p -t p | grep -q lzma_; do
	sleep 0.5
done
tmux send-keys -t p 1
until tmux capture-pane -p -t p | grep -q 'busy  *[3-6][0-9] %'; do
	sleep 1
done
for i in 1 2 3; do
	show 2 '$ perftop --call-graph dwarf'
	changed
done
press 'M   sorts by cache misses: who wastes the machine?' M
press 'a xz Enter   attaches to a task' a x z Enter
press 'Enter   its page: what it does, why it sleeps' Enter
sleep 8
press 'Enter   its functions' Enter
press 'Enter   the code of the hottest: which instruction' Enter
press 'q G   flame graph of its functions' q G
# until most callers are found, for a while
tries=0
until tmux capture-pane -p -t p | grep -q block_encode || [ $((tries += 1)) -gt 20 ]; do
	sleep 2
done
show 4 'q G   flame graph of its functions'
press 'Z   holds the screen still: the past is kept, arrows go back' Z Left Left
tmux kill-server
