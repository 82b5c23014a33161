/*
 * At 80 columns a set has about 48, beside those of the view of tasks around it; the last one of a
 * set may have no room there.
 */

#include "view/column_sets.h"

#include "base/list.h"

/* clang-format off */
static const char topdown_reading[] =
	"  slots       What a core can begin: 4 to 8 operations in each cycle. The first four columns share them, 100 % in all.\n"
	"  RETIRE %    Useful work. Above 50 % the program runs well: gain by doing less, or by vector instructions.\n"
	"  FE-BND %    No instructions came. Above 15 %: large or jumpy code. Next: :columns l1i_mpki,itlb_mpki\n"
	"  BADSPC %    Work on wrong paths, thrown away. Above 10 %: mispredicted branches. Next: :columns branches\n"
	"  BE-BND %    Waiting for data or for a unit. Above 30 %: compare it with MEM-BND %.\n"
	"  MEM-BND %   Of that, waiting for caches and memory. Next: :columns memory\n"
	"  difference  BE-BND % much above MEM-BND %: divisions, or instructions that wait for each other.\n"
	"  where       Begin with the largest of these, and with tasks of much CPU %; Enter, and Enter again, says in which function.\n"
	"  SMT         What the other thread of a core takes may be counted as BE-BND %; on Zen 4 and 5 it is missing from the 100 %.\n"
	"  IPC         Follows RETIRE %; the others say what keeps it low.\n";

static const char pressure_reading[] =
	"  THROT %     The CPU limit of the cgroup holds its tasks back. Above 0: raise it, or use fewer threads at once.\n"
	"  PSI CPU     Tasks wait for a CPU, also by that limit. Next: the view of pairs says which tasks run meanwhile.\n"
	"  PSI MEM     Tasks wait for memory. Above 0: a limit that is too low, or a machine with too little.\n"
	"  PSI IO      Tasks wait for storage. Next: the page of a task says where it sleeps.\n"
	"  STEAL %     In the view of CPUs: the host of this virtual machine has too little CPU for it.\n"
	"  –           The kernel does not say it of this cgroup: no such controller, or not mounted here.\n";

static const char states_reading[] =
	"  all         The columns add up to 100 % of the time that a thread was there; of a process or group they are the mean of its threads.\n"
	"  USR, SYS    Running: in the program, in the kernel. By the clock ticks of the kernel's accounts: of much less than a tick nothing is known, and what runs in step with them may be wrong.\n"
	"  RUNQ        Woken, and waiting for a CPU. PREEMPT: pushed out of one. Above 5 %: too few CPUs. Next: the view of pairs says which tasks run meanwhile.\n"
	"  LOCK        In futex(2), or for a lock of the kernel. Above 10 % of busy threads: look which one: pairs, locks, or the task's page.\n"
	"  DISK        In block I/O, or in state D until an interrupt. NET: in poll, select, epoll, accept or recv. SLEEP: a timer, a pipe, a child (vfork(2) too, in state D), and the rest. STOP: by a signal or a debugger.\n"
	"  UNKNOWN     No state is known: the thread was not seen asleep yet. It falls in the first seconds.\n"
	"  IRQ         Interrupts that hit the thread, soft ones too, whatever they are for. Next: :columns irq in the view of CPUs says which ones.\n";

static const char parallel_reading[] =
	"  LAT %       How much of the time a row is to blame for: while 4 threads of a process run, each has a quarter of it. Threads add up to their process.\n"
	"  process     The share of the interval in which any of its threads ran. Of several processes together it is known where all are taken as one.\n"
	"  PAR         How many CPUs the process used while the row ran. Near 1: this part is serial, and more CPUs do not help it.\n"
	"  where       Sort threads by LAT %: what has much of it with a PAR near 1 is what the others wait for. Next: its page has how long so many ran at once.\n"
	"  PWAIT %     Pushed out and waiting for a CPU: with more CPUs PAR would be higher.\n"
	"  all as one  :latency-of all shares the time among all tasks that are attached to, or of the machine: which processes of make -j are the serial part, and which groups.\n"
	"  CPU %       Divided by LAT % it is PAR. A thread of much CPU % and little LAT % is parallel: making it faster saves less time.\n";

static const struct column_set sets[] = {
	{"topdown", "retiring_pct,fe_bound_pct,bad_spec_pct,be_bound_pct,mem_bound_pct", "where the CPU's slots go: useful work, front end, wrong paths, back end, memory", topdown_reading},
	{"memory", "miss%,mpki,llc_mb_s,dtlb_mpki,fault/s,l1d_mpki", "cache misses, traffic with memory, TLB misses, page faults", ""},
	{"branches", "branch_miss_pct,br-mpki,branch_pct", "how many branches there are, and how many are mispredicted", ""},
	{"scheduling", "sw/s,pre/s,slice,rqwait%,wake,dwait%,migr/s", "context switches, and waits for a CPU", ""},
	{"states", "usr_pct,sys_pct,runq_pct,preempt_pct,lock_pct,disk_pct,net_pct,sleep_pct,unknown_pct,stop_pct,irq_pct", "where each thread's time goes, 100 % in all: running, waiting for a CPU, a lock, a disk, the network, asleep", states_reading},
	{"parallel", "lat_pct,par,pwait%", "how long each makes its process take, and how many CPUs that uses meanwhile: shows what is serial", parallel_reading},
	{"irq", "irq_pct,sys_pct,usr_pct,hardirq%,softirq%,hardirq/s,softirq/s,top-irq", "interrupts: of tasks those that hit them, of CPUs how many there are, how long they take, and which ones", ""},
	{"pressure", "throttled%,psi-cpu,psi-mem,psi-io,steal%,pwait%,dwait%", "CPU limits and pressure of cgroups; of CPUs what a hypervisor takes", pressure_reading},
};
/* clang-format on */

enum {
	SET_COUNT = sizeof(sets) / sizeof(sets[0]),
	NAME_MAX = 32
};

const struct column_set *column_sets(size_t *count)
{
	*count = SET_COUNT;
	return sets;
}

const struct column_set *column_set_find(const char *text)
{
	char name[NAME_MAX];

	if (!word_list_next(&text, name, sizeof(name)) || *text != '\0')
		return NULL;
	return named_find(sets, SET_COUNT, sizeof(sets[0]), name);
}

const struct column_set *column_set_next(const struct column_set *set)
{
	if (!set)
		return sets;
	return set + 1 < sets + SET_COUNT ? set + 1 : NULL;
}
