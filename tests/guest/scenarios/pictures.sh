# Screens for the README: a machine with hardware counters and a few programs of different nature.
# tmux keeps them with their colours; tests/screens/pictures.sh makes pictures of them.

spin w250m8 0 &
spin w031m48 1 &
spin w092m15 - &
(while :; do forkstorm 20 5 w120m3; done >/dev/null) &
sleep 1
export LANG=C.UTF-8 TERM=xterm-256color

# shoot NAME KEY...: starts $program, types the keys, keeps the screen.
program='perftop -d 2'
shoot() {
	name=$1
	shift
	tmux -u -f /dev/null new-session -d -s p -x 132 -y 30 "$program"
	tmux set -g status off
	sleep 9
	for key in "$@"; do
		tmux send-keys -t p "$key"
		sleep 3
	done
	tmux capture-pane -e -p -t p >/out/$name.ansi
	tmux kill-server
	sleep 1
}

shoot tasks M
shoot cpus 2
shoot attach a w0
shoot help F1
shoot events e cache
shoot switches 3
shoot groups 4
shoot pairs 5
shoot histogram 6
shoot timeline 7 '[' '['
shoot tree t i
shoot setup F2 Tab
shoot page P Enter
shoot metric : 'metric stall% = 100 * stalled-cycles-backend / cycles; unit %; good low' Enter
perftop -b -d 0.5 -n 40 -w /tmp/seen.data >/dev/null
program='perftop -i /tmp/seen.data'
shoot replay Space g 60% Enter M
exit 0
