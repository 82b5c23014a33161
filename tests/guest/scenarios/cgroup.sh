# A cgroup counted by itself, beside the whole machine: a task that shares the CPU with one outside, and one in a cgroup
# below. check_cgroup.c knows what must come out.

# where no controller was ever handed down, a new cgroup lacks that of perf, too
echo +pids >/sys/fs/cgroup/cgroup.subtree_control
inside=/sys/fs/cgroup/inside
mkdir $inside $inside/below
# born_in CGROUP COMMAND...: all of its life
born_in() { sh -c 'echo 0 >$0/cgroup.procs; "$@"; true' "$@"; }

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
exit 0
