# Recordings where counters follow a known law: what a replay tells is what was seen, live and with every
# kind of session; perf's recording of the same run gives the same tasks the same counts; perf reads
# ours. The unit has counters for perf and perftop at once. check_recording.c knows what must come out.

cd /out

# replay NAME KIND OPTION...: what NAME.data tells goes to NAME.KIND
replay() {
	recording=$1 kind=$2
	shift 2
	perftop -b --format json -i $recording.data "$@" >$recording.$kind 2>>$recording.err
	echo $? >>$recording.status
}
# session NAME VIEW-OPTIONS OPTION...: records while its JSON is written
session() {
	session=$1 view=$2
	shift 2
	$batch -d 0.5 -n 4 -w $session.data $view "$@" >$session.live 2>$session.err
	echo $? >$session.status
	echo $session $view >>/tmp/sessions
}
# replay_twice NAME VIEW-OPTIONS...
replay_twice() {
	session=$1
	shift
	replay $session replay "$@"
	replay $session again "$@"
	cmp $session.replay $session.again >>$session.err 2>&1
	echo $? >>$session.status
}

spin w250m40 0 0 rests &
first=$!
spin w033m120 0 0 rests &
second=$!
named $first w250m40
named $second w033m120
(while :; do forkstorm 20 5 w150m80; sleep 0.2; done >/dev/null) &
storm=$!
session system ""
session threads -H
session switches "--view switches"
session pid "-p $first,$second"
session packed "" -z
session pairs "--view pairs"
: >losses.live
session losses "" &
until [ -s losses.live ]; do sleep 0.2; done
lose >/dev/null
wait $!

# the same where a software event leads
tracepoint=$batch
echo 'umount /sys/kernel/tracing && exec "$@"' >/tmp/untraced
batch="unshare -m sh /tmp/untraced $batch"
session software ""
session software-switches "--view switches"
batch=$tracepoint

# somebody else takes counters of CPU 0 until that is seen
: >contended.live
session contended "" -n 600 &
crowd=$!
# contended PATTERN COUNT: until so many lines match, if the session does not end before.
contended() {
	while [ "$(grep -c -- "$1" contended.live)" -lt $2 ] && kill -0 $crowd 2>/dev/null; do
		sleep 0.2
	done
}
contended time 1
hog 0 14 &
hog=$!
contended 'shared with hog' 1
kill $hog
contended . $(($(wc -l <contended.live) + 2))
kill -TERM $(pidof perftop)
wait $crowd

# nobody, of an own process
echo 2 >/proc/sys/kernel/perf_event_paranoid
asuser 65534 spin w050m10 1 0 rests &
own=$!
mkdir -m 777 /out/nobody.d
cd /out/nobody.d
named $own w050m10
asuser 65534 $batch -d 1 -n 4 -w nobody.data -p $own >/out/nobody.live 2>/out/nobody.err
echo $? >/out/nobody.status
mv nobody.data /out
cd /out
rm -r /out/nobody.d
echo nobody >>/tmp/sessions
kill $own

# more events than counters: groups take turns
echo 4 >/sys/module/ratepmu/parameters/counters
session turns "" -e branches,bus-cycles,stalled-cycles-frontend,stalled-cycles-backend
echo 16 >/sys/module/ratepmu/parameters/counters
kill $first $second $storm

# --- the replays, when nobody else takes CPU time any more
while read -r session view; do
	replay_twice $session $view </dev/null
done </tmp/sessions

# --- perf and perftop beside each other
watched=beside
: >beside.out
$batch -d 1 -w beside.data >beside.out 2>beside.err &
watcher=$!
intervals 1
perf record -q -a -m 2048 -k CLOCK_MONOTONIC --switch-events \
	-e '{context-switches/period=1/,cycles,instructions,cache-misses}:S' -o perf.data -- \
	shapes /out/facts 3 >perf.err 2>&1
echo $? >perf.status
intervals 2
kill -TERM $watcher
wait $watcher
echo $? >beside.status
mv beside.out beside.live
replay beside replay
replay beside switches --view switches
replay perf replay
replay perf switches --view switches

# --- perf reads ours
reads() { # NAME SUBCOMMAND OPTION...
	name=perf-$1
	shift
	perf "$@" -i beside.data >$name.out 2>$name.err
	echo $? >$name.status
}
reads script script --show-switch-events --show-task-events --show-lost-events -F pid,tid,event
# how many there are of each task and kind
awk '{ n[$1 " " $2]++ } END { for (k in n) print k, n[k] }' perf-script.out | sort >perf-kinds.out
rm perf-script.out
reads report report --stdio -s pid,comm -F period,sample,pid,comm -t ';'
reads evlist evlist -v
reads stats report --stats
rm /out/*.data /out/*.again # what is read elsewhere is the text
exit 0
