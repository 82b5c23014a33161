# A machine without a unit: what needs none must work, what needs one is null with a reason.
# check_bare.c knows what must come out.

spin w250m40 0 &
first=$!
sleep 0.5
watch bare $batch -d 1
forkstorm 100 5 w150m80 >/out/storm
intervals 2
enough
run text perftop -b -n 1 -d 1
tmux -u -f /dev/null new-session -d -s t -x 132 -y 40 'perftop -d 1; echo "left $?" >/out/tui.left'
sleep 3
tmux capture-pane -p -t t >/out/tui.txt
tmux send-keys -t t q
sleep 1
tmux kill-server 2>/dev/null
kill $first
run check perftop check
exit 0
