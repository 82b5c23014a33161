# What perftop adds to a context switch, in instructions: the guest's clock counts them (guest.sh -i).
# cost NAME SECONDS PERFTOP...: a ping-pong beside it; prints what that adds in all, of it in
# the kernel, and of it by perftop itself. That of the kernel is kept (NAME.kernel): check_cost.c compares it
# with what perftop says.

# With its helpers.
ran_ns() {
	for pid in $(pidof perftop); do
		cat /proc/$pid/schedstat
	done | awk '{ sum += $1 } END { printf "%.0f\n", sum }'
}
cost() {
	name=$1 seconds=$2
	shift 2
	watch cost_$name "$@"
	pingpong 0.2 0 threads >/dev/null
	before=$(ran_ns)
	with=$(pingpong $seconds 0 threads $how)
	after=$(ran_ns)
	enough
	awk -v name=$name -v alone=$alone -v with=$with -v own=$((after - before)) -v seconds=$seconds 'BEGIN {
		all = 5e8 / with - 5e8 / alone; own = own / (2 * with * seconds)
		printf "%-16s %8.0f %8.0f %8.0f\n", name, all, all - own, own
		printf "%.0f\n", all - own >"/out/cost_" name ".kernel"
		printf "%.0f\n", own >"/out/cost_" name ".own" }'
}
how=
pingpong 0.2 0 threads >/dev/null
alone=$(pingpong 0.4 0 threads)
printf '%-16s %8s %8s %8s   instructions per switch\n' '' added kernel own
cost tasks 1 $batch -d 1
cost light 0.4 $batch --light -d 0.4
cost history 1 $batch --view pairs -d 1 # with wake-ups; it is gone through at the end of each interval, so one is in it
cost functions 0.5 $batch --view functions -d 0.2
cost off_cpu 0.5 $batch --samples off-cpu -d 0.2
cost switches 0.3 $batch --view switches -d 1
# where no controller was ever handed down, a new cgroup lacks that of perf, too
echo +pids >/sys/fs/cgroup/cgroup.subtree_control
mkdir /sys/fs/cgroup/idle
cost outside 0.4 $batch -d 0.4 -G idle # the ping-pong is in another cgroup
# Whether a wake-up preempts depends on how long all else takes; as batch jobs both sleep each time.
how=batch
alone=$(pingpong 0.5 0 threads batch)
awk -v alone=$alone 'BEGIN { printf "%.0f\n", 5e8 / alone }' >/out/cost_alone
cost sleeps 1 $batch -d 1
cost wakeups 0.5 $batch -d 0.2 -s 'rqwait%'
cost states 1 $batch -d 1 -s lock_pct # with the same events
