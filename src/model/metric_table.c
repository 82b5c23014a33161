/*
 * What is built in. Names are identities: scripts read them in the JSON. Events are
 * named as perf(1) names them; where a machine does not have one, its metrics are unknown there.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "model/metric_set.h"

/* clang-format off */
static const struct metric_info table[] = {
	{
		.name = "cpu_pct", .title = "CPU %", .width = 6, .unit = "%",
		.formula = "100 * run_ns / interval_ns",
		.help = "Share of the interval spent running on a CPU; 100 is one CPU.",
		.good = "Near 100 for a thread that computes; low is normal for tasks that wait for work.",
		.direction = METRIC_LOAD, .steps = {10, 25, 50, 90},
	}, {
		.name = "ipc", .title = "IPC", .width = 4, .unit = "per cycle",
		.formula = "instructions / cycles",
		.help = "Instructions finished per CPU cycle.",
		.good = "Above 1.5 the CPU is kept busy; below 0.5 it mostly waits, often for memory.",
		.direction = METRIC_HIGH_IS_GOOD, .steps = {0.5, 1.0, 1.5, 2.5},
	}, {
		.name = "ghz", .title = "GHz", .width = 4, .unit = "GHz",
		.formula = "cycles / run_ns",
		.help = "Cycles per nanosecond on a CPU: the clock rate it really ran at.",
		.good = "Near the CPU's nominal or turbo rate.",
		.direction = METRIC_NEUTRAL, .steps = {1, 2, 3, 4},
	}, {
		.name = "miss_pct", .title = "MISS %", .width = 6, .unit = "%",
		.formula = "100 * cache-misses / cache-references",
		.help = "Share of the references to a cache that missed it; where it is known which cache is counted, the title names it.",
		.good = "Below 10 %; it matters only where MPKI is high too.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {5, 10, 25, 50},
	}, {
		.name = "mpki", .title = "MPKI", .width = 5, .unit = "per 1000 instructions",
		.formula = "1k * cache-misses / instructions",
		.help = "Cache misses per 1000 instructions; where it is known which cache is counted, the title names it.",
		.good = "Below 1 memory hardly matters; above 10 it sets the pace.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {1, 5, 10, 30},
	}, {
		.name = "branch_mpki", .title = "BR-MPKI", .width = 7, .unit = "per 1000 instructions",
		.formula = "1k * branch-misses / instructions",
		.help = "Mispredicted branches per 1000 instructions.",
		.good = "Below 1; above 10 prediction fails often.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {1, 3, 5, 10},
	}, {
		.name = "switches_s", .title = "SW/s", .width = 5, .unit = "/s",
		.formula = "switches / interval_s",
		.help = "Context switches per second.",
		.good = "Below a few thousand: each costs a few us of CPU time, plus cold caches.",
		.direction = METRIC_LOAD, .steps = {100, 1000, 10e3, 100e3},
	}, {
		.name = "preemptions_s", .title = "PRE/s", .width = 5, .unit = "/s",
		.formula = "preemptions / interval_s",
		.help = "Involuntary context switches per second.",
		.good = "Near 0; many mean that tasks compete for the CPU.",
		.direction = METRIC_LOAD, .steps = {10, 50, 250, 1000},
	}, {
		.name = "migrations_s", .title = "MIGR/s", .width = 6, .unit = "/s",
		.formula = "migrations / interval_s",
		.help = "Migrations to another CPU per second.",
		.good = "Near 0; each costs warm caches.",
		.direction = METRIC_LOAD, .steps = {5, 25, 100, 500},
	}, {
		.name = "faults_s", .title = "FAULT/s", .width = 7, .unit = "/s",
		.formula = "page-faults / interval_s",
		.help = "Page faults per second, those without disk access included.",
		.good = "Near 0 once a program has started.",
		.direction = METRIC_LOAD, .steps = {100, 1000, 10e3, 100e3},
	}, {
		.name = "slice_us", .title = "SLICE", .width = 6, .unit = "us",
		.formula = "run_ns / switches / 1k",
		.help = "Mean time on a CPU from one switch to the next; of a task: of the slices that ended in the interval.",
		.good = "Long slices keep caches warm; short ones are normal for tasks that respond quickly.",
		.direction = METRIC_NEUTRAL, .steps = {10, 100, 1000, 4000},
	}, {
		.name = "preempted_pct", .title = "PRE %", .width = 6, .unit = "%",
		.formula = "100 * preemptions / switches",
		.help = "Share of the context switches that were involuntary: preempted, or held back by the CPU limit of its cgroup.",
		.good = "Near 0; much of it means that tasks compete for the CPU.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {10, 25, 50, 75},
	}, {
		.name = "preempted_wait_pct", .title = "PWAIT %", .width = 7, .unit = "%",
		.formula = "100 * preempted_ns / interval_ns",
		.help = "Share of the time in which it was preempted but could have run; 100 is one thread. Unknown where more than a tenth of that may be the CPU limit of its cgroup (THROT %).",
		.good = "Near 0; high values mean that there are too few CPUs for the load.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {1, 5, 15, 40},
	}, {
		.name = "queued_pct", .title = "RQWAIT %", .width = 8, .unit = "%",
		.formula = "100 * queued_ns / interval_ns",
		.help = "Share of the time in which it was runnable and waited for a CPU: preempted, or woken and not yet running; 100 is one thread.",
		.good = "Near 0; high values mean that there are too few CPUs for the load.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {1, 5, 15, 40},
	}, {
		.name = "off_pct", .title = "OFF %", .width = 6, .unit = "%",
		.formula = "100 * off_ns / interval_ns",
		.help = "Share of the time in which it was off the CPUs voluntarily: asleep, waiting for something, or woken and not yet running; 100 is one thread.",
		.good = "High is normal for idle tasks; for busy ones it is lost time.",
		.direction = METRIC_NEUTRAL, .steps = {10, 50, 75, 90},
	}, {
		.name = "uninterruptible_pct", .title = "DWAIT %", .width = 7, .unit = "%",
		.formula = "100 * uninterruptible_ns / interval_ns",
		.help = "Share of the interval spent in uninterruptible sleep (state D), mostly waiting for a disk; 100 is one thread. Known where the tracepoint sched:sched_switch can be read.",
		.good = "Near 0; high values mean that it waits for storage, or for a lock in the kernel.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {1, 5, 15, 40},
	}, {
		.name = "usr_pct", .title = "USR", .width = 5, .unit = "%",
		.formula = "100 * user_ns / life_ns",
		.help = "Share of its time running in its program; of several threads their mean.",
		.good = "High for a program that computes.",
		.direction = METRIC_NEUTRAL, .steps = {1, 5, 15, 40},
	}, {
		.name = "sys_pct", .title = "SYS", .width = 5, .unit = "%",
		.formula = "100 * system_ns / life_ns",
		.help = "Share of its time running in the kernel; of several threads their mean.",
		.good = "Low; much of it means many or long system calls.",
		.direction = METRIC_NEUTRAL, .steps = {1, 5, 15, 40},
	}, {
		.name = "irq_pct", .title = "IRQ", .width = 5, .unit = "%",
		.formula = "100 * irq_ns / life_ns",
		.help = "Share of its time taken by interrupts that hit it, soft ones too; where they are not reported they are in USR and SYS; of several threads their mean.",
		.good = "Near 0.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {1, 5, 15, 40},
	}, {
		.name = "runq_pct", .title = "RUNQ", .width = 5, .unit = "%",
		.formula = "100 * runq_ns / life_ns",
		.help = "Share of its time woken and waiting for a CPU; of several threads their mean.",
		.good = "Near 0; high values mean that there are too few CPUs for the load.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {1, 5, 15, 40},
	}, {
		.name = "preempt_pct", .title = "PREEMPT", .width = 7, .unit = "%",
		.formula = "100 * pushed_ns / life_ns",
		.help = "Share of its time pushed out of a CPU and waiting for one, or held back by the CPU limit of its cgroup; of several threads their mean.",
		.good = "Near 0; high values mean that there are too few CPUs for the load.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {1, 5, 15, 40},
	}, {
		.name = "lock_pct", .title = "LOCK", .width = 5, .unit = "%",
		.formula = "100 * lock_ns / life_ns",
		.help = "Share of its time asleep in futex(2) or for a lock of the kernel; of several threads their mean.",
		.good = "Low for busy threads; threads of a pool that wait for work are here, too.",
		.direction = METRIC_NEUTRAL, .steps = {1, 5, 15, 40},
	}, {
		.name = "disk_pct", .title = "DISK", .width = 5, .unit = "%",
		.formula = "100 * disk_ns / life_ns",
		.help = "Share of its time asleep for block I/O, or in state D until an interrupt; of several threads their mean.",
		.good = "Near 0; high values mean that it waits for storage.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {1, 5, 15, 40},
	}, {
		.name = "net_pct", .title = "NET", .width = 5, .unit = "%",
		.formula = "100 * net_ns / life_ns",
		.help = "Share of its time asleep in poll, select, epoll, accept or recv; of several threads their mean.",
		.good = "High is normal for servers without work.",
		.direction = METRIC_NEUTRAL, .steps = {1, 5, 15, 40},
	}, {
		.name = "sleep_pct", .title = "SLEEP", .width = 5, .unit = "%",
		.formula = "100 * sleep_ns / life_ns",
		.help = "Share of its time asleep for a timer, a pipe, or anything else that is known; of several threads their mean.",
		.good = "High is normal for idle tasks.",
		.direction = METRIC_NEUTRAL, .steps = {1, 5, 15, 40},
	}, {
		.name = "stop_pct", .title = "STOP", .width = 5, .unit = "%",
		.formula = "100 * stop_ns / life_ns",
		.help = "Share of its time stopped by a signal or a debugger; of several threads their mean.",
		.good = "0.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {1, 5, 15, 40},
	}, {
		.name = "unknown_pct", .title = "UNKNOWN", .width = 7, .unit = "%",
		.formula = "100 * unsure_ns / life_ns",
		.help = "Share of its time in a state that is not known; of several threads their mean.",
		.good = "Near 0 after some seconds; it is in no other state's share.",
		.direction = METRIC_NEUTRAL, .steps = {1, 5, 15, 40},
	}, {
		.name = "lat_pct", .title = "LAT %", .width = 6, .unit = "%",
		.formula = "100 * latency_ns / interval_ns",
		.help = "Latency: the time that it ran, each moment divided by how many threads of its process ran; threads add up to their process: the share of the interval in which any of it ran. Of several processes it is known with latency-of all.",
		.good = "What takes the time of a process: reduce what has more of it than of CPU %, divided by the CPUs that the process could use.",
		.direction = METRIC_NEUTRAL, .steps = {1, 5, 15, 40},
	}, {
		.name = "par", .title = "PAR", .width = 5, .unit = "CPUs",
		.formula = "run_ns / latency_ns",
		.help = "Parallelism: how many CPUs its process (latency-of all: all tasks) used while it ran, the mean by latency: CPU % divided by LAT %. 1 is serial.",
		.good = "Near the number of CPUs for what must be done soon; near 1 the process waits for this thread.",
		.direction = METRIC_NEUTRAL, .steps = {1.5, 2, 4, 8},
	}, {
		.name = "smt_pct", .title = "SMT %", .width = 6, .unit = "%",
		.formula = "100 * smt_beside_ns / (smt_alone_ns + smt_beside_ns)",
		.help = "Share of its time on a CPU in which a sibling thread of the core (SMT) ran a task, too; by the context switches of both.",
		.good = "Near 0 for what must be fast: two busy threads share what one core can do.",
		.direction = METRIC_NEUTRAL, .steps = {10, 25, 50, 90},
	}, {
		.name = "ipc_1t", .title = "IPC-1T", .width = 6, .unit = "per cycle",
		.formula = "smt_alone_instructions / smt_alone_cycles",
		.help = "IPC while no sibling thread of the core (SMT) was busy: of the slices with at most a tenth of that.",
		.good = "As IPC; how much more than IPC-2T it is, is what a busy sibling costs.",
		.direction = METRIC_HIGH_IS_GOOD, .steps = {0.5, 1.0, 1.5, 2.5},
	}, {
		.name = "ipc_2t", .title = "IPC-2T", .width = 6, .unit = "per cycle",
		.formula = "smt_beside_instructions / smt_beside_cycles",
		.help = "IPC while a sibling thread of the core (SMT) was busy: of the slices with at least nine tenths of that.",
		.good = "Near IPC-1T; at half of it the two get no more done than one after the other.",
		.direction = METRIC_HIGH_IS_GOOD, .steps = {0.5, 1.0, 1.5, 2.5},
	}, {
		.name = "wakeup_us", .title = "WAKE", .width = 6, .unit = "us",
		.formula = "wakeup_ns / wakeups / 1k",
		.help = "Mean time between being woken and running.",
		.good = "Below 50 us; above 1 ms, clients notice.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {50, 200, 1000, 5000},
	}, {
		.name = "wakeups_s", .title = "WAKE/s", .width = 6, .unit = "/s",
		.formula = "wakeups / interval_s",
		.help = "Wake-ups per second, as far as they are recorded.",
		.good = "Low for idle tasks: each keeps a CPU from sleeping deeply.",
		.direction = METRIC_LOAD, .steps = {100, 1000, 10e3, 100e3},
	}, {
		.name = "voluntary_s", .title = "VOL/s", .width = 5, .unit = "/s",
		/* of a switch in which the interval ends, only the preemption may be known by then */
		.formula = "max(switches - preemptions, 0) / interval_s",
		.help = "Voluntary context switches per second.",
		.good = "Below a few thousand: each is a wait for something.",
		.direction = METRIC_LOAD, .steps = {100, 1000, 10e3, 100e3},
	}, {
		.name = "minor_faults_s", .title = "MIN-F/s", .width = 7, .unit = "/s",
		.formula = "minor-faults / interval_s",
		.help = "Page faults per second that needed no disk.",
		.good = "Near 0 once a program has started.",
		.direction = METRIC_LOAD, .steps = {100, 1000, 10e3, 100e3},
	}, {
		.name = "major_faults_s", .title = "MAJ-F/s", .width = 7, .unit = "/s",
		.formula = "major-faults / interval_s",
		.help = "Page faults per second that waited for the disk.",
		.good = "0; each costs as much as thousands of others.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {1, 10, 50, 200},
	}, {
		.name = "alignment_faults_s", .title = "ALIGN/s", .width = 7, .unit = "/s",
		.formula = "alignment-faults / interval_s",
		.help = "Unaligned accesses per second that the kernel had to handle.",
		.good = "0; on x86 there are none.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {1, 10, 100, 1000},
	}, {
		.name = "emulation_faults_s", .title = "EMUL/s", .width = 7, .unit = "/s",
		.formula = "emulation-faults / interval_s",
		.help = "Instructions per second that the kernel had to emulate.",
		.good = "0.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {1, 10, 100, 1000},
	}, {
		.name = "mips", .title = "MIPS", .width = 6, .unit = "10^6/s",
		.formula = "instructions / interval_s / 1M",
		.help = "Million instructions finished per second of the interval.",
		.good = "High for busy tasks; below 1000 a busy modern CPU mostly waits.",
		.direction = METRIC_NEUTRAL, .steps = {10, 100, 1000, 10e3},
	}, {
		.name = "cpi", .title = "CPI", .width = 5, .unit = "cycles",
		.formula = "cycles / instructions",
		.help = "CPU cycles per instruction: the inverse of IPC.",
		.good = "Below 0.7 the CPU is kept busy; above 2 it mostly waits.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {0.4, 0.7, 1, 2},
	}, {
		.name = "turbo_ratio", .title = "TURBO", .width = 5, .unit = "",
		.formula = "cycles / ref-cycles",
		.help = "Actual clock rate relative to the nominal one, if reference cycles count at the latter.",
		.good = "Above 1 the CPU runs in turbo; well below 1 it saves power or is too hot.",
		.direction = METRIC_NEUTRAL, .steps = {0.5, 0.9, 1.1, 1.5},
	}, {
		.name = "user_ipc", .title = "U-IPC", .width = 5, .unit = "per cycle",
		.formula = "instructions:u / cycles:u",
		.help = "Instructions per cycle of the program itself, without the kernel.",
		.good = "Above 1.5 the CPU is kept busy; below 0.5 it mostly waits, often for memory.",
		.direction = METRIC_HIGH_IS_GOOD, .steps = {0.5, 1.0, 1.5, 2.5},
	}, {
		.name = "kernel_ipc", .title = "K-IPC", .width = 5, .unit = "per cycle",
		.formula = "instructions:k / cycles:k",
		.help = "Instructions per cycle while in the kernel.",
		.good = "Often lower than that of programs.",
		.direction = METRIC_HIGH_IS_GOOD, .steps = {0.3, 0.6, 1.0, 1.5},
	}, {
		.name = "kernel_instr_pct", .title = "K-INS %", .width = 7, .unit = "%",
		.formula = "100 * instructions:k / instructions",
		.help = "Share of the instructions that were executed in the kernel.",
		.good = "Low for tasks that compute; system calls, faults and interrupts raise it.",
		.direction = METRIC_NEUTRAL, .steps = {5, 20, 50, 80},
	}, {
		.name = "kernel_cycle_pct", .title = "K-CYC %", .width = 7, .unit = "%",
		.formula = "100 * cycles:k / cycles",
		.help = "Share of the cycles that were spent in the kernel.",
		.good = "Low for tasks that compute; system calls, faults and interrupts raise it.",
		.direction = METRIC_NEUTRAL, .steps = {5, 20, 50, 80},
	}, {
		.name = "user_cycle_pct", .title = "U-CYC %", .width = 7, .unit = "%",
		.formula = "100 * cycles:u / cycles",
		.help = "Share of the cycles that were spent in the program itself.",
		.good = "High for tasks that compute.",
		.direction = METRIC_NEUTRAL, .steps = {20, 50, 80, 95},
	}, {
		.name = "misses_s", .title = "MISS/s", .width = 6, .unit = "/s",
		.formula = "cache-misses / interval_s",
		.help = "Cache misses per second.",
		.good = "Low; many misses slow down the tasks that share the cache, too.",
		.direction = METRIC_NEUTRAL, .steps = {1e5, 1e6, 1e7, 1e8},
	}, {
		.name = "branch_miss_pct", .title = "BR-MISS %", .width = 9, .unit = "%",
		.formula = "100 * branch-misses / branches",
		.help = "Share of the branches that were mispredicted.",
		.good = "Below 1 %; above 5 % prediction fails often.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {0.5, 1, 3, 5},
	}, {
		.name = "branch_pct", .title = "BR %", .width = 6, .unit = "%",
		.formula = "100 * branches / instructions",
		.help = "Share of the instructions that are branches.",
		.good = "About 20 % for most programs, less for loops over arrays.",
		.direction = METRIC_NEUTRAL, .steps = {5, 10, 20, 30},
	}, {
		.name = "stall_fe_pct", .title = "FE-ST %", .width = 7, .unit = "%",
		.formula = "100 * stalled-cycles-frontend / cycles",
		.help = "Share of the cycles in which no instruction could be fetched or decoded.",
		.good = "Below 10 %; much of it comes with large or jumpy code.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {5, 10, 20, 40},
	}, {
		.name = "stall_be_pct", .title = "BE-ST %", .width = 7, .unit = "%",
		.formula = "100 * stalled-cycles-backend / cycles",
		.help = "Share of the cycles in which decoded instructions waited for memory or for units.",
		.good = "Below 20 %; much of it mostly means waiting for memory.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {10, 20, 40, 60},
	}, {
		.name = "l1d_miss_pct", .title = "L1D-LM %", .width = 8, .unit = "%",
		.formula = "100 * L1-dcache-load-misses / L1-dcache-loads",
		.help = "Share of the loads that missed the first-level data cache.",
		.good = "Below 3 %.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {1, 3, 10, 20},
	}, {
		.name = "l1d_mpki", .title = "L1D-LMPKI", .width = 9, .unit = "per 1000 instructions",
		.formula = "1k * L1-dcache-load-misses / instructions",
		.help = "Loads that missed the first-level data cache, per 1000 instructions.",
		.good = "Below 10; the next levels say what they cost.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {5, 10, 30, 60},
	}, {
		.name = "l1i_miss_pct", .title = "L1I-M %", .width = 7, .unit = "%",
		.formula = "100 * L1-icache-load-misses / L1-icache-loads",
		.help = "Share of the fetches that missed the first-level instruction cache.",
		.good = "Below 1 %.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {0.5, 1, 3, 10},
	}, {
		.name = "l1i_mpki", .title = "L1I-MPKI", .width = 8, .unit = "per 1000 instructions",
		.formula = "1k * L1-icache-load-misses / instructions",
		.help = "Fetches that missed the first-level instruction cache, per 1000 instructions.",
		.good = "Below 5; more comes with large or jumpy code.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {1, 5, 10, 30},
	}, {
		.name = "llc_miss_pct", .title = "LLC-LM %", .width = 8, .unit = "%",
		.formula = "100 * LLC-load-misses / LLC-loads",
		.help = "Share of the loads from the last-level cache that missed it; where loads have no event of their own, of all requests to it.",
		.good = "Below 10 %; it matters only where the misses are many.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {5, 10, 25, 50},
	}, {
		.name = "llc_mpki", .title = "LLC-LMPKI", .width = 9, .unit = "per 1000 instructions",
		.formula = "1k * LLC-load-misses / instructions",
		.help = "Loads that missed the last-level cache, per 1000 instructions; where loads have no event of their own, all requests.",
		.good = "Below 1 memory hardly matters; above 10 it sets the pace.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {1, 3, 10, 30},
	}, {
		.name = "llc_refs_pki", .title = "RPKI", .width = 5, .unit = "per 1000 instructions",
		.formula = "1k * cache-references / instructions",
		.help = "References to a cache per 1000 instructions; where it is known which cache is counted, the title names it.",
		.good = "Below 10.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {5, 10, 30, 60},
	}, {
		.name = "llc_mb_s", .title = "MISS-MB/s", .width = 9, .unit = "MB/s",
		.formula = "64 * cache-misses / interval_s / 1M",
		.help = "An estimate of what came from behind the cache, mostly memory: 64 bytes for each miss, without what is written back; where it is known what is counted, the title names it.",
		.good = "Far below what the memory can deliver, some 10 000 to 25 000 MB/s of a channel.",
		.direction = METRIC_NEUTRAL, .steps = {100, 1000, 5e3, 20e3},
	}, {
		.name = "dtlb_miss_pct", .title = "DTLB-M %", .width = 8, .unit = "%",
		.formula = "100 * dTLB-load-misses / dTLB-loads",
		.help = "Loads whose page the TLB for data did not know, for each 100 loads; where they are counted, walks through the page tables.",
		.good = "Below 1 %; huge pages help.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {0.1, 0.5, 1, 5},
	}, {
		.name = "dtlb_mpki", .title = "DTLB-MPKI", .width = 9, .unit = "per 1000 instructions",
		.formula = "1k * dTLB-load-misses / instructions",
		.help = "Loads whose page the TLB for data did not know, per 1000 instructions; where they are counted, walks through the page tables.",
		.good = "Below 1; huge pages help.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {0.5, 1, 3, 10},
	}, {
		.name = "itlb_miss_pct", .title = "ITLB-M %", .width = 8, .unit = "%",
		.formula = "100 * iTLB-load-misses / iTLB-loads",
		.help = "Share of the fetches looked up in the instruction TLB that were not in it.",
		.good = "Low; on some CPUs only lookups after a first miss are counted as loads, and it may be over 100.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {1, 5, 20, 50},
	}, {
		.name = "itlb_mpki", .title = "ITLB-MPKI", .width = 9, .unit = "per 1000 instructions",
		.formula = "1k * iTLB-load-misses / instructions",
		.help = "Fetches whose address was not in the instruction TLB, per 1000 instructions.",
		.good = "Below 0.5; huge pages for code help.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {0.1, 0.5, 1, 3},
	}, {
		.name = "node_miss_pct", .title = "NODE-M %", .width = 8, .unit = "%",
		.formula = "100 * node-load-misses / node-loads",
		.help = "Share of what was read from memory that came from another node.",
		.good = "Near 0; pin tasks and their memory to one node.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {1, 5, 20, 50},
	}, {
		.name = "retiring_pct", .title = "RETIRE %", .width = 8, .unit = "%",
		.formula = "100 * slots-retiring / slots-all",
		.help = "Top-down, level 1: share of the pipeline slots that did useful work.",
		.good = "Above 50 %; even then vector instructions may do more with each.",
		.direction = METRIC_HIGH_IS_GOOD, .steps = {15, 30, 50, 70},
	}, {
		.name = "bad_spec_pct", .title = "BADSPC %", .width = 8, .unit = "%",
		.formula = "100 * slots-bad-spec / slots-all",
		.help = "Top-down, level 1: share of the pipeline slots wasted on wrong paths.",
		.good = "Below 5 %; mispredicted branches are the usual reason.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {2, 5, 10, 20},
	}, {
		.name = "fe_bound_pct", .title = "FE-BND %", .width = 8, .unit = "%",
		.formula = "100 * slots-fe-bound / slots-all",
		.help = "Top-down, level 1: share of the pipeline slots left empty because no instructions came.",
		.good = "Below 10 %; much of it comes with large or jumpy code.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {5, 10, 20, 40},
	}, {
		.name = "be_bound_pct", .title = "BE-BND %", .width = 8, .unit = "%",
		.formula = "100 * slots-be-bound / slots-all",
		.help = "Top-down, level 1: share of the pipeline slots that waited for memory or for units.",
		.good = "Below 20 %; much of it mostly means waiting for memory.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {10, 20, 40, 60},
	}, {
		.name = "mem_bound_pct", .title = "MEM-BND %", .width = 9, .unit = "%",
		.formula = "100 * slots-mem-bound / slots-all",
		.help = "Top-down, level 2: share of the pipeline slots that waited for memory; where the CPU counts no such slots, of the cycles that stood still because of a load.",
		.good = "Below 10 %; MPKI says whether it is memory itself or a cache.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {5, 10, 30, 50},
	},
};

/*
 * By presets, events which a processor has where it counts them (src/event/presets.def): what is
 * nearest to memory for what the generic events are not sure to be.
 */
static const struct metric_choice choices[] = {
	{"miss_pct",      "100 * cache-llc-misses / cache-llc-references"},
	{"miss_pct",      "100 * cache-l2-misses / cache-l2-references"},
	{"mpki",          "1k * cache-llc-misses / instructions"},
	{"mpki",          "1k * cache-l2-misses / instructions"},
	{"misses_s",      "cache-llc-misses / interval_s"},
	{"misses_s",      "cache-l2-misses / interval_s"},
	{"llc_miss_pct",  "100 * cache-llc-misses / cache-llc-references"},
	{"llc_mpki",      "1k * cache-llc-misses / instructions"},
	{"llc_refs_pki",  "1k * cache-llc-references / instructions"},
	{"llc_mb_s",      "64 * mem-fills / interval_s / 1M"},
	{"llc_mb_s",      "64 * cache-llc-misses / interval_s / 1M"},
	{"dtlb_miss_pct", "100 * tlb-walks / data-loads"},
	{"dtlb_mpki",     "1k * tlb-walks / instructions"},
	{"node_miss_pct", "100 * mem-fills-far / mem-fills"},
	/*
	 * Top-down without the PERF_METRICS of Intel, which need a group of their own and cannot be
	 * read at each switch. Where slots-all is not counted (Intel's E cores) the four are all.
	 */
	{"retiring_pct",  "100 * slots-retiring / slots-all"},
	{"retiring_pct",  "100 * slots-retiring / (slots-retiring + slots-bad-spec + slots-fe-bound + slots-be-bound)"},
	{"retiring_pct",  "100 * ops-retired / ops-issued * (1 - (slots-fe-bound + slots-be-bound) / slots-all)"},
	{"retiring_pct",  "100 * ops-retired / ops-issued * (1 - (slots-fe-raw - cycles + slots-be-bound) / slots-all)"},
	{"bad_spec_pct",  "100 * slots-bad-spec / slots-all"},
	{"bad_spec_pct",  "100 * slots-bad-spec / (slots-retiring + slots-bad-spec + slots-fe-bound + slots-be-bound)"},
	{"bad_spec_pct",  "100 * max(slots-issued + slots-recovery - slots-retiring, 0) / slots-all"},
	{"bad_spec_pct",  "100 * max(slots-issued - slots-retiring, 0) / slots-all"},
	{"bad_spec_pct",  "100 * (1 - ops-retired / ops-issued) * (1 - (slots-fe-bound + slots-be-bound) / slots-all)"},
	{"bad_spec_pct",  "100 * (1 - ops-retired / ops-issued) * (1 - (slots-fe-raw - cycles + slots-be-bound) / slots-all)"},
	{"bad_spec_pct",  "100 * max(slots-all - slots-retiring - slots-fe-bound - slots-be-bound, 0) / slots-all"},
	{"fe_bound_pct",  "100 * slots-fe-bound / slots-all"},
	{"fe_bound_pct",  "100 * slots-fe-bound / (slots-retiring + slots-bad-spec + slots-fe-bound + slots-be-bound)"},
	{"fe_bound_pct",  "100 * max(slots-fe-raw - cycles, 0) / slots-all"},
	{"be_bound_pct",  "100 * slots-be-bound / slots-all"},
	{"be_bound_pct",  "100 * slots-be-bound / (slots-retiring + slots-bad-spec + slots-fe-bound + slots-be-bound)"},
	{"be_bound_pct",  "100 * max(slots-all - slots-issued - slots-recovery - slots-fe-bound, 0) / slots-all"},
	{"mem_bound_pct", "100 * slots-mem-bound / slots-all"},
	{"mem_bound_pct", "100 * slots-be-bound / slots-all * stalls-mem / stalls-all"},
	{"mem_bound_pct", "100 * stalls-mem / cycles"},
};
/* clang-format on */

const struct metric_choice *metric_choices(size_t *count)
{
	*count = sizeof(choices) / sizeof(choices[0]);
	return choices;
}

const struct metric_info *metric_table(size_t *count)
{
	*count = sizeof(table) / sizeof(table[0]);
	return table;
}

/* Of how many of its steps it is not below. */
static int count_steps(const struct metric_info *info, double value)
{
	int step = 0;

	while (step < METRIC_STEPS - 1 && value >= info->steps[step])
		step++;
	return step;
}

int metric_load(const struct metric_info *info, double value)
{
	const int step = count_steps(info, value);

	return info->direction == METRIC_LOAD && step > 0 ? step - 1 : 0;
}

int metric_goodness(const struct metric_info *info, double value)
{
	const int step = count_steps(info, value);

	if (isnan(value) || info->direction == METRIC_NEUTRAL || info->direction == METRIC_LOAD ||
	    info->steps[METRIC_STEPS - 2] <= info->steps[0])
		return -1;
	return info->direction == METRIC_HIGH_IS_GOOD ? step : METRIC_STEPS - 1 - step;
}

int metric_goodness_shown(const struct metric_info *info, double value, const char *text)
{
	const size_t length = strspn(text, "-0123456789.");
	const char *unit = text + length + strspn(text + length, " ");
	char number[32];
	double shown;

	if (length >= sizeof(number) || (*unit != '\0' && strcmp(unit, "%") != 0))
		return metric_goodness(info, value);
	memcpy(number, text, length);
	number[length] = '\0';
	return metric_goodness(info, units_parse_double(number, -DBL_MAX, DBL_MAX, &shown) ? shown
											   : value);
}
