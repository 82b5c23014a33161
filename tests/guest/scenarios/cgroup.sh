# A cgroup counted by itself, beside the whole machine: a task that shares the CPU with one outside, and one in a cgroup
# below. Then two cgroups. check_cgroup.c knows what must come out.

# where no controller was ever handed down, a new cgroup lacks that of perf, too
echo +pids >/sys/fs/cgroup/cgroup.subtree_control
inside=/sys/fs/cgroup/inside
beside=/sys/fs/cgroup/beside
mkdir $inside $inside/below $beside
# born_in CGROUP COMMAND...: all of its life. What a task ran since the last tick is charged to the cgroup it moves to, so
# it sleeps before.
born_in() { sh -c 'sleep 0.1; echo 0 >$0/cgroup.procs; "$@"; true' "$@"; }

spin w033m120 0 &
outside=$!
named $outside w033m120
# it runs seldom: what a reading takes itself is counted for one task here and for another one there
renice -n 19 -p $outside >/dev/null
watch cgroup $batch -d 0.5 -G inside
cgroup=$watcher
watch machine $batch -d 0.5
born_in $inside spin w250m40 0 1.5 >/dev/null
born_in $inside/below spin w175m40 0 1 >/dev/null
intervals 2
watched=cgroup
intervals 2
usage inside >/out/cgroup.charged
enough
wait $cgroup

# two together, of which tasks follow each other on the CPU
before=$(usage inside)
watch both $batch -d 0.5 -G inside,beside
both=$watcher
watch machine_of_both $batch -d 0.5
born_in $beside sh -c 'renice -n 10 -p $$ >/dev/null; exec spin w300m40 0 1.5' >/dev/null &
born=$!
born_in $inside spin w250m40 0 1.5 >/dev/null
wait $born
intervals 2
watched=both
intervals 2
echo $(($(usage inside) + $(usage beside) - before)) >/out/both.charged
enough
wait $both
exit 0
