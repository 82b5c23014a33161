# Processors that the emulator says it is, with their codes (ratepmu.c): a task that misses L2 490 times more often than
# it asks memory, and one that streams; of L2 the former misses the larger share, too. check_presets.c knows what must come
# out.
spin w100m49r50d10 0 &
inside=$!
spin w100m2d4000e500 0 &
streams=$!
named $inside w100m49r50d10
named $streams w100m2d4000e500

run check perftop check
run sorted $batch -d 1 -n 1 -s miss%
run refused $batch -d 1 -n 1 -e r8000
run topdown $batch -d 1 -n 1 --columns topdown

# --- the same by the key
opens 150 30
shows tui-tasks.txt w100m49r50d10 w100m2d4000e500
types M
shows tui-misses.txt 'LLC-MISS%▼' w100m49r50d10 w100m2d4000e500
leaves

# each event per ns of run time: scaled, and known by the law
presets="cache-llc-misses cache-llc-references mem-fills mem-fills-far cache-l2-misses cache-l2-references tlb-walks data-loads"
set --
i=0
for event in $presets; do
	i=$((i + 1))
	set -- "$@" -e $event -m "per_ns_$i = $event / run_ns"
done
# as many as there are counters, and more
run fit $batch -d 1 -n 1 -c cpu% "$@"
run turns $batch -d 3 -n 1 "$@"

# --- once through the sets of columns that there are here, each for an interval, and back to the first columns. What
# is looked for is not in the rows of those who look.
named_set() { tmux capture-pane -p -t t | sed -n 's/^columns \([a-z]*\): .*/\1/p; s/^default columns.*/default/p'; }
opens 150 30 '-w /tmp/sets.data'
shows sets.txt w100m49r50d10
while [ "$set" != default ]; do
	types f
	last=$set
	for i in $(seq 200); do
		set=$(named_set)
		[ -n "$set" ] && [ "$set" != "$last" ] && break
		sleep 0.3
	done
	[ $i -lt 200 ] || exit 1
	sleep 2
done
leaves
run sets $batch -i /tmp/sets.data

# codes of the processor refused: the generic events instead, which are of L2 on a Zen
echo z >/sys/module/ratepmu/parameters/absent
run refusing-check perftop check
run refusing $batch -d 1 -n 1 -s miss%
echo >/sys/module/ratepmu/parameters/absent

# hardly any
echo 2 >/sys/module/ratepmu/parameters/counters
run two-check perftop check
run two $batch -d 3 -n 1 -s miss%
kill $inside $streams
exit 0
