#!/bin/sh
# compare_parallel.sh SLICES CSV STOLEN [process]: what CSV says of latency and parallelism, of each thread or of all of them as
# a process, beside the slices that the program (parallel.c) saw itself: prints what differs. Within a point, in percent
# of the time, are the latency and the CPU time, which is the latency times the parallelism. What the kernel says that
# the program ran beyond its slices at the time, in system calls and where a slice begins and ends, may be there, too,
# and the STOLEN seconds of a hypervisor: a thread that is switched to or from then has them between two of its slices,
# while its CPU was its own, and the kernel has them in no CPU time.
#
# The first interval only says when the next one begins.
awk '{ printf "%.6f 1 %s\n%.6f -1 %s %s %.6f\n", $2, $1, $3, $1, $4, $3 - $2 }' "$1" | sort -n >"$1.ends"
awk -F, -v stolen="$3" -v is_process="${4:+1}" '
FNR == 1 && FILENAME !~ /ends$/ {
	for (i = 1; i <= NF; i++)
		column[$i] = i
	next
}
FILENAME !~ /ends$/ {
	if ($1 != time) {
		span = time ? $1 - time : 0
		time = $1
		if (!from)
			from = time
	}
	name = is_process ? "all" : $column["command"]
	latency[name] += $column["lat_pct"] / 100 * span
	run[name] += $column["lat_pct"] / 100 * $column["par"] * span
	next
}
function upto(now,    begin, end, n, name) {
	begin = last > from ? last : from
	end = now < time ? now : time
	last = now
	if (end <= begin || running == 0)
		return
	own_run["all"] += (end - begin) * running
	own_latency["all"] += end - begin
	for (name in runs)
		if (runs[name]) {
			own_run[name] += end - begin
			own_latency[name] += (end - begin) / running
		}
}
{
	split($0, f, " ")
	if (f[2] < 0 && f[1] > from && f[1] <= time) {
		cpu[f[3]] += f[4]
		cpu["all"] += f[4]
		seen[f[3]] += f[5]
		seen["all"] += f[5]
	}
	upto(f[1])
	running += f[2]
	runs[f[3]] += f[2]
}
END {
	all = time - from
	taken = 100 * stolen / all
	for (name in own_run) {
		if ((is_process == 1) != (name == "all"))
			continue
		found++
		is = 100 * latency[name] / all
		was = 100 * own_latency[name] / all
		unseen = cpu[name] / seen[name] - 1
		unseen = unseen > 0 ? unseen : 0
		if (is < was - 1 || is > was * (1 + unseen) + 1 + taken)
			print name ": latency is " is ", not " was ", " unseen " unseen"
		is = 100 * run[name] / all
		was = 100 * own_run[name] / all
		if (is < was - 1 || is > was * (1 + unseen) + 1 + taken)
			print name ": latency times parallelism is " is ", not " was
	}
	if (found != (is_process ? 1 : 4) || all < 3)
		print found " rows in " all " s"
}
' "$2" "$1.ends"
