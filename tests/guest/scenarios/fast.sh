# Half a million switches a second on the only CPU, perftop beside them, and its views opened one after the other.
# check_fast.c knows what must come out.

opens 120 30 '-d 0.1'
shows fast-before.txt COMMAND
yields 520000 0.4 >/out/fast.yields &
for view in 1 3 7 8; do
	types $view
	sleep 0.1
	tmux capture-pane -p -t t >/out/fast-$view.txt
done
wait $!
# the kernel says what was lost with the next record, and an interval later it is on the screen
sleep 0.3
types 6
types : 'window all' Enter
types : 'filter prev ~ yields' Enter
shows fast-lengths.txt 'all of the history' 'yields'
leaves
exit 0
