// SPDX-License-Identifier: GPL-2.0
/*
 * A performance monitoring unit whose counters follow a known law, for a test guest.
 *
 * The unit registers as the kernel's "cpu" PMU. What it counts depends on nothing but the time a
 * task spends on the CPU and the task's name, so that a test knows the right answer beforehand:
 *
 *	w250m40      2.50 instructions per cycle, 40 cache misses per 1000 instructions,
 *	             20 % of the cache references miss
 *	w250m40r35   the same with 35 % of the references missing
 *	w100m49d10   lines from memory besides: 10 for each 100000 instructions,
 *	w100m2d40e5  and 5 from another node's
 *	other names  1.00, 10, 20 %, none
 *
 * Raw codes are those of laws[] by their number, and what AMD's Zen 3 and Intel's Ice Lake servers count by theirs.
 * The cache misses of a name are L2's; so are the generic events, but those of a processor by Intel (family 6), which are of the
 * last level: what comes from memory. 5 slots of each cycle are filled by the instructions, lost by the front end
 * (1), waited away by the back end (2) or wasted by wrong paths (the rest).
 *
 * A cycle is a nanosecond of a task that is not the idle task. All laws are whole numbers of
 * events per millisecond; fractions of an event are carried over, never dropped.
 *
 * The clock is the kernel's own for perf events. A counter that is started, stopped or read counts
 * from or to the moment at which the kernel has stopped the time for that, so that its count is
 * that of the time which the kernel says it was running, and those of a group are of one and the same
 * instant, however long the emulator pauses on the way; a sample, which a timer takes, is of its own
 * moment. The first reading in a switch is the leaver's end; from then on the clock stands still until the next one
 * runs.
 *
 * All counters of a CPU are charged together, to the task whose time has passed, at every start, stop,
 * read, switch and change of a name, the latter two by tracepoints that fire while the old
 * state still holds.
 *
 * There are as many counters per CPU as `counters` says; more events have to take turns.
 * `absent` names generic events (by their letter in the table) that this unit cannot count.
 * `known` gives programs rates by their own names.
 *
 * Samples are taken only with the branches before them, by a timer: those of the process that
 * `branches` names, in turn: each edge as often as it says. Of other processes there are none. With `interrupts` those
 * without branches are taken, too, each when the event has reached its period, or up to a tick later.
 * All may be changed through /sys/module/ratepmu/parameters while nobody counts.
 *
 * A second unit samples accesses to memory, by a timer, as AMD's ibs_op, and has its name. Of four samples of a task
 * that is called sharer0 or sharer8 three are stores to that offset of one line, after 10 cycles from the L1, and one
 * is a load of the other's, after 90 from the L3 of what another core has modified. Others access nothing.
 */
#include <asm/irq_regs.h>
#include <linux/bitmap.h>
#include <linux/hrtimer.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#define SLOTS_MAX 32
#define NS_PER_MS 1000000ull

static unsigned int counters = 8;
module_param(counters, uint, 0644);
MODULE_PARM_DESC(counters, "counters of each CPU");

static char *absent = "";
module_param(absent, charp, 0644);
MODULE_PARM_DESC(absent, "letters of the events that are not there");

static char *known = "";
module_param(known, charp, 0644);
MODULE_PARM_DESC(known, "rates of programs that keep their names: cc1=w120m3,xz=w060m22r48");

static bool interrupts;
module_param(interrupts, bool, 0644);
MODULE_PARM_DESC(interrupts, "events take samples at their period");

static char *branches = "";
module_param(branches, charp, 0644);
MODULE_PARM_DESC(branches, "PID and edges \"FROM TO TIMES MISPREDICTED TYPE\", each behind a comma");

/* What an event is proportional to. */
enum basis {
	BASIS_CYCLES, BASIS_INSTRUCTIONS, BASIS_MISSES, BASIS_REFERENCES,
	BASIS_FAR, BASIS_MEMORY, BASIS_LLC,	/* lines from another node's memory, any memory, or L3 besides */
	BASIS_FILLS,				/* lines by where they came from: umasks of Zen */
	BASES
};

struct law {
	char letter;
	enum basis basis;
	u32 numerator, denominator;
	u64 config, config1;	/* of the processors that have the event */
};

/* Raw event codes are indices into the first part of this table. */
static const struct law laws[] = {
	{ 'c', BASIS_CYCLES, 1, 1 },
	{ 'i', BASIS_INSTRUCTIONS, 1, 1 },
	{ 'r', BASIS_REFERENCES, 1, 1 },
	{ 'm', BASIS_MISSES, 1, 1 },
	{ 'b', BASIS_INSTRUCTIONS, 1, 5 },	/* branches */
	{ 'p', BASIS_INSTRUCTIONS, 1, 250 },	/* branch misses */
	{ 'u', BASIS_CYCLES, 1, 10 },		/* bus cycles */
	{ 'f', BASIS_CYCLES, 1, 5 },		/* stalls of the front end */
	{ 's', BASIS_CYCLES, 1, 4 },		/* stalls of the back end */
	{ 'C', BASIS_CYCLES, 1, 1 },		/* reference cycles */
	{ 'l', BASIS_INSTRUCTIONS, 1, 4 },	/* L1 data loads */
	{ 'd', BASIS_MISSES, 2, 1 },		/* L1 data misses */
	/* Zen 3 */
	{ 'z', BASIS_FILLS, 1, 1, 0x44 },	/* umask: fills_per_ms() */
	{ 'z', BASIS_REFERENCES, 1, 1, 0xf960 },
	{ 'z', BASIS_MISSES, 1, 1, 0x0964 },
	{ 'z', BASIS_MISSES, 1, 8, 0xf045 },	/* TLB walks */
	{ 'z', BASIS_INSTRUCTIONS, 1, 4, 0x0129 },	/* loads */
	/* Ice Lake server */
	{ 'n', BASIS_LLC, 1, 1, 0x4f2e },
	{ 'n', BASIS_MEMORY, 1, 1, 0x412e },
	{ 'n', BASIS_MEMORY, 1, 1, 0x01b7, 0x73c000477 },
	{ 'n', BASIS_FAR, 1, 1, 0x01b7, 0x730000477 },
	{ 'n', BASIS_REFERENCES, 1, 1, 0xff24 },
	{ 'n', BASIS_MISSES, 1, 1, 0x3f24 },
	{ 'n', BASIS_MISSES, 1, 8, 0x0e08 },
	{ 'n', BASIS_INSTRUCTIONS, 1, 4, 0x81d0 },
	{ 'n', BASIS_CYCLES, 5, 1, 0x01a4 },	/* slots */
	{ 'n', BASIS_INSTRUCTIONS, 1, 1, 0x02c2 },
	{ 'n', BASIS_CYCLES, 1, 1, 0x019c },
	{ 'n', BASIS_CYCLES, 2, 1, 0x02a4 },
	{ 'n', BASIS_CYCLES, 1, 4, 0x140014a3 },	/* stalls for a load */
	{ 'n', BASIS_CYCLES, 5, 1, 0x0400 },	/* slots, leader of the metrics */
	{ 'n', BASIS_INSTRUCTIONS, 1, 1, 0x8000 },	/* topdown-retiring, one of these */
};

enum { CONFIG_SLOTS = 0x0400, CONFIG_METRIC = 0x8000, CODE_FILLS = 0x44, RAW_INDICES = 12 };
enum { LAW_GENERIC = 10, LAW_L1D_READ = 10, LAW_L1D_MISS = 11, LAW_LLC_READ = 2, LAW_LLC_MISS = 3 };

struct slots {
	struct perf_event *event[SLOTS_MAX];
	const struct task_struct *task;	/* whose time passes here, or begins; never followed */
	u64 charged_ns;			/* up to this moment */
	bool is_over;			/* of who leaves in a switch: it has been charged to its end */
	bool in_timer;			/* where samples are taken: of now, for which the kernel stops no time */
	struct hrtimer reached;		/* fires where the next event that is sampled has reached its period */
};
static DEFINE_PER_CPU(struct slots, slots);

static struct pmu rate_pmu;

/* ---- the law ---- */

/* Events per millisecond of each basis for whoever runs here. */
struct speed {
	u64 per_ms[BASES];
};

/* What says how fast it is: its name, or what `known` has for that. */
static const char *rates_of(const char *name)
{
	const size_t length = strlen(name);
	const char *at = known;

	while (*at) {
		if (!strncmp(at, name, length) && at[length] == '=')
			return at + length + 1;
		at = strchrnul(at, ',');
		at += *at == ',';
	}
	return name;
}

static struct speed speed_of(const struct task_struct *task)
{
	unsigned int ipc = 100, mpki = 10, miss_pct = 20, near = 0, far = 0;
	const char *rates, *lines;
	struct speed speed = { };
	u64 misses;

	if (is_idle_task(task))
		return speed;
	rates = rates_of(task->comm);
	if (sscanf(rates, "w%um%ur%u", &ipc, &mpki, &miss_pct) < 2) {
		ipc = 100;
		mpki = 10;
	} else {
		lines = strpbrk(rates, "d,");
		if (lines && *lines == 'd')
			sscanf(lines, "d%ue%u", &near, &far);
	}
	if (!miss_pct)
		miss_pct = 20;
	misses = (u64)ipc * mpki * 10;
	speed.per_ms[BASIS_CYCLES] = NS_PER_MS;
	speed.per_ms[BASIS_INSTRUCTIONS] = (u64)ipc * 10000;
	speed.per_ms[BASIS_MISSES] = misses;
	speed.per_ms[BASIS_REFERENCES] = misses * 100 / miss_pct;
	if (near + far > 0) {
		speed.per_ms[BASIS_FAR] = (u64)ipc * far / 10;
		speed.per_ms[BASIS_MEMORY] = (u64)ipc * (near + far) / 10;
	}
	speed.per_ms[BASIS_LLC] = misses + speed.per_ms[BASIS_MEMORY];
	return speed;
}

/* Zen's umasks: own L2 0x01, this L3 0x02, memory of this node 0x08 and another's 0x40. */
static u64 fills_per_ms(const struct speed *speed, unsigned long umask)
{
	const u64 *per_ms = speed->per_ms;
	u64 sum = 0;

	if (umask & 0x01)
		sum += per_ms[BASIS_REFERENCES];
	if (umask & 0x02)
		sum += per_ms[BASIS_MISSES];
	if (umask & 0x08)
		sum += per_ms[BASIS_MEMORY] - per_ms[BASIS_FAR];
	if (umask & 0x40)
		sum += per_ms[BASIS_FAR];
	return sum;
}

/* hw.config: the law; hw.event_base: its umask. hw.config_base: the fraction that is carried. */
static void charge(struct perf_event *event, const struct speed *speed, u64 ns)
{
	const struct law *law = &laws[event->hw.config];
	u64 unit = NS_PER_MS * law->denominator;
	u64 per_ms = law->basis == BASIS_FILLS ? fills_per_ms(speed, event->hw.event_base)
					       : speed->per_ms[law->basis];
	u64 amount = per_ms * law->numerator * ns + event->hw.config_base;

	event->hw.config_base = amount % unit;
	local64_add(amount / unit, &event->count);
}

static unsigned int slot_count(void)
{
	return clamp(counters, 1u, (unsigned int)SLOTS_MAX);
}

/* The moment up to which the kernel has added up the time of the event's context. */
static u64 moment_of(const struct perf_event *event)
{
	return event->ctx->timestamp;
}

/* Charges all counters here with what the running task has done since the last time, up to a moment. */
static void charge_all(u64 now_ns)
{
	struct slots *here = this_cpu_ptr(&slots);
	struct speed speed;
	unsigned int i;

	if (!here->task || (here->task != current && here->is_over) || now_ns <= here->charged_ns)
		return;
	speed = speed_of(current);
	for (i = 0; i < slot_count(); i++)
		if (here->event[i] && !(here->event[i]->hw.state & PERF_HES_STOPPED))
			charge(here->event[i], &speed, now_ns - here->charged_ns);
	here->charged_ns = now_ns;
}

/* ---- samples with branches ---- */

enum { STACK_BRANCHES = 16, EDGE_TURNS = 64 };

/* Of an event. */
struct sampled {
	struct perf_event *event;
	struct hrtimer timer;
	u64 period_ns;
	unsigned int turn;	/* of its edges */
};

struct edge {
	unsigned long from, to;
	unsigned int times, mispredicted, type;	/* PERF_BR_* */
};

struct branch_stack {
	struct perf_branch_stack stack;
	struct perf_branch_entry entries[STACK_BRANCHES];
};
static DEFINE_PER_CPU(struct branch_stack, stacks);

/* The one whose turn it is, when all have had theirs the first one again. */
static bool edge_of(unsigned int turn, struct edge *edge, bool *mispredicted)
{
	const char *at = strchr(branches, ',');
	unsigned int sum = 0;

	for (; at; at = strchr(at + 1, ',')) {
		if (sscanf(at, ",%lx %lx %u %u %u", &edge->from, &edge->to, &edge->times,
			   &edge->mispredicted, &edge->type) != 5)
			return false;
		sum += edge->times;
	}
	turn = sum > 0 ? turn % sum : 0;
	for (at = strchr(branches, ','); at; at = strchr(at + 1, ',')) {
		sscanf(at, ",%lx %lx %u %u %u", &edge->from, &edge->to, &edge->times,
		       &edge->mispredicted, &edge->type);
		*mispredicted = turn < edge->mispredicted;
		if (turn < edge->times)
			return true;
		turn -= edge->times;
	}
	return false;
}

static bool is_asked_for(u64 wanted, unsigned int type)
{
	switch (type) {
	case PERF_BR_COND:
		wanted &= PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_COND;
		break;
	case PERF_BR_CALL:
		wanted &= PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_ANY_CALL |
			  PERF_SAMPLE_BRANCH_CALL;
		break;
	case PERF_BR_RET:
		wanted &= PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_ANY_RETURN;
		break;
	default:
		wanted &= PERF_SAMPLE_BRANCH_ANY;
	}
	return wanted;
}

static struct perf_branch_stack *fill_branches(struct sampled *sampled)
{
	const u64 wanted = sampled->event->attr.branch_sample_type;
	struct perf_branch_stack *stack = &this_cpu_ptr(&stacks)->stack;
	bool mispredicted;
	struct edge edge;
	unsigned int i;
	int pid;

	stack->nr = 0;
	stack->hw_idx = -1;
	if (sscanf(branches, "%d", &pid) != 1 || pid != current->tgid)
		return stack;
	for (i = 0; i < EDGE_TURNS && stack->nr < STACK_BRANCHES; i++) {
		struct perf_branch_entry *entry = &stack->entries[stack->nr];

		if (!edge_of(sampled->turn++, &edge, &mispredicted) ||
		    !is_asked_for(wanted, edge.type))
			continue;
		memset(entry, 0, sizeof(*entry));
		entry->from = edge.from;
		entry->to = edge.to;
		entry->mispred = mispredicted;
		entry->predicted = !mispredicted;
		entry->cycles = 20;
		if (wanted & PERF_SAMPLE_BRANCH_TYPE_SAVE)
			entry->type = edge.type;
		stack->nr++;
	}
	return stack;
}

static void rate_read(struct perf_event *event);

/* As the kernel's own clocks sample; perf_event_overflow() is not there for modules. */
static enum hrtimer_restart on_sample(struct hrtimer *timer)
{
	struct sampled *sampled = container_of(timer, struct sampled, timer);
	struct perf_event *event = sampled->event;
	struct pt_regs *regs = get_irq_regs();
	struct perf_sample_data data;

	if (event->state != PERF_EVENT_STATE_ACTIVE)
		return HRTIMER_NORESTART;
	rate_read(event);
	if (regs && !is_idle_task(current) &&
	    !(user_mode(regs) ? event->attr.exclude_user : event->attr.exclude_kernel)) {
		perf_sample_data_init(&data, 0, sampled->period_ns);
		data.br_stack = fill_branches(sampled);
		data.sample_flags |= PERF_SAMPLE_BRANCH_STACK;
		event->overflow_handler(event, &data, regs);
	}
	hrtimer_forward_now(timer, ns_to_ktime(sampled->period_ns));
	return HRTIMER_RESTART;
}

static void free_sampled(struct perf_event *event)
{
	kfree(event->pmu_private);
}

/* A cycle is a ns, so that a frequency is a period. */
static int init_sampled(struct perf_event *event)
{
	const u64 unknown = PERF_SAMPLE_BRANCH_CALL_STACK | PERF_SAMPLE_BRANCH_ABORT_TX |
			    PERF_SAMPLE_BRANCH_IN_TX;
	struct sampled *sampled;

	if (!has_branch_stack(event))
		return 0;
	if (event->attr.branch_sample_type & unknown)
		return -EOPNOTSUPP;
	sampled = kzalloc(sizeof(*sampled), GFP_KERNEL);
	if (!sampled)
		return -ENOMEM;
	if (event->attr.freq)
		event->attr.sample_period = NSEC_PER_SEC / event->attr.sample_freq;
	event->attr.freq = 0;
	event->hw.sample_period = event->hw.last_period = event->attr.sample_period;
	sampled->event = event;
	sampled->period_ns = max_t(u64, event->attr.sample_period, 100000);
	hrtimer_init(&sampled->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	sampled->timer.function = on_sample;
	event->pmu_private = sampled;
	event->destroy = free_sampled;
	return 0;
}

static void start_sampled(struct perf_event *event)
{
	struct sampled *sampled = event->pmu_private;

	if (sampled)
		hrtimer_start(&sampled->timer, ns_to_ktime(sampled->period_ns),
			      HRTIMER_MODE_REL_PINNED_HARD);
}

static void stop_sampled(struct perf_event *event)
{
	struct sampled *sampled = event->pmu_private;

	if (sampled)
		hrtimer_cancel(&sampled->timer);
}

/* ---- samples at a period ---- */

enum { SOON_NS = 10000 };

static bool has_period(struct perf_event *event)
{
	return event && is_sampling_event(event) && !has_branch_stack(event) &&
	       !(event->hw.state & PERF_HES_STOPPED);
}

/* Of the event, since its last sample. */
static u64 counted(struct perf_event *event)
{
	return local64_read(&event->count) - local64_read(&event->hw.prev_count);
}

/* Until the event has reached its period, if the task runs on; 0: never. */
static u64 reaching_ns(struct perf_event *event, const struct speed *speed)
{
	const struct law *law = &laws[event->hw.config];
	u64 rate = speed->per_ms[law->basis] * law->numerator, left = 0;

	if (!rate)
		return 0;
	if (event->hw.sample_period > counted(event))
		left = event->hw.sample_period - counted(event);
	return max_t(u64, left * NS_PER_MS * law->denominator / rate, SOON_NS);
}

static u64 next_reaching_ns(const struct slots *here)
{
	struct speed speed = speed_of(current);
	u64 first = 0, ns;
	unsigned int i;

	for (i = 0; i < slot_count(); i++) {
		ns = has_period(here->event[i]) ? reaching_ns(here->event[i], &speed) : 0;
		if (ns && (!first || ns < first))
			first = ns;
	}
	return first;
}

/* Whoever runs from now on has another speed: it is looked at soon. */
static void expect_samples(struct slots *here)
{
	unsigned int i;

	for (i = 0; i < slot_count(); i++)
		if (has_period(here->event[i])) {
			hrtimer_start(&here->reached, ns_to_ktime(SOON_NS), HRTIMER_MODE_REL_PINNED_HARD);
			return;
		}
}

static void take_samples(struct perf_event *event, struct pt_regs *regs)
{
	struct perf_sample_data data;

	while (counted(event) >= event->hw.sample_period) {
		local64_add(event->hw.sample_period, &event->hw.prev_count);
		perf_sample_data_init(&data, 0, event->hw.sample_period);
		event->overflow_handler(event, &data, regs);
	}
}

/* Meanwhile nothing is counted. */
static enum hrtimer_restart on_reached(struct hrtimer *timer)
{
	struct slots *here = this_cpu_ptr(&slots);
	struct pt_regs *regs = get_irq_regs();
	unsigned int i;
	u64 ns;

	charge_all(local_clock());
	for (i = 0; i < slot_count() && regs; i++)
		if (has_period(here->event[i]))
			take_samples(here->event[i], regs);
	here->charged_ns = local_clock();
	ns = next_reaching_ns(here);
	if (!ns)
		return HRTIMER_NORESTART;
	hrtimer_forward_now(timer, ns_to_ktime(ns));
	return HRTIMER_RESTART;
}

/* ---- the unit ---- */

static void rate_start(struct perf_event *event, int flags)
{
	charge_all(moment_of(event));
	event->hw.state = 0;
	start_sampled(event);
	perf_event_update_userpage(event);
	expect_samples(this_cpu_ptr(&slots));
}

static void rate_stop(struct perf_event *event, int flags)
{
	const struct slots *here = this_cpu_ptr(&slots);
	struct speed speed;

	if (event->hw.state & PERF_HES_STOPPED)
		return;
	stop_sampled(event);
	charge_all(moment_of(event));
	/* a task takes its counters with it: the kernel's time for them goes on into the switch */
	if (here->task != current && moment_of(event) > here->charged_ns) {
		speed = speed_of(current);
		charge(event, &speed, moment_of(event) - here->charged_ns);
	}
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
}

static void rate_read(struct perf_event *event)
{
	struct slots *here = this_cpu_ptr(&slots);

	if (event->hw.state & PERF_HES_STOPPED)
		return;
	if (here->task == current) {
		charge_all(here->in_timer ? local_clock() : moment_of(event));
	} else {
		charge_all(local_clock());
		here->is_over = true;
	}
}

static int rate_add(struct perf_event *event, int flags)
{
	struct slots *here = this_cpu_ptr(&slots);
	unsigned int i;

	for (i = 0; i < slot_count() && here->event[i]; i++)
		;
	if (i == slot_count())
		return -EAGAIN;
	here->event[i] = event;
	event->hw.idx = i;
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (flags & PERF_EF_START)
		rate_start(event, PERF_EF_RELOAD);
	return 0;
}

static void rate_del(struct perf_event *event, int flags)
{
	rate_stop(event, PERF_EF_UPDATE);
	this_cpu_ptr(&slots)->event[event->hw.idx] = NULL;
	perf_event_update_userpage(event);
}

static int law_of_code(u64 config, u64 config1)
{
	unsigned int i;

	if (config < RAW_INDICES)
		return (int)config;
	if ((config & ~0xff00ull) == CODE_FILLS)
		config = CODE_FILLS;
	for (i = RAW_INDICES; i < ARRAY_SIZE(laws); i++)
		if (laws[i].config == config && laws[i].config1 == config1)
			return (int)i;
	return -EINVAL;
}

static int law_of(const struct perf_event_attr *attr)
{
	u64 cache = attr->config & 0xff, op = attr->config >> 8 & 0xff, miss = attr->config >> 16;
	u64 config = attr->config;

	switch (attr->type) {
	case PERF_TYPE_HARDWARE:
		/* of Intel's these are the last level's */
		if (boot_cpu_data.x86_vendor == X86_VENDOR_INTEL && boot_cpu_data.x86 == 6 &&
		    (config == PERF_COUNT_HW_CACHE_REFERENCES || config == PERF_COUNT_HW_CACHE_MISSES))
			return law_of_code(config == PERF_COUNT_HW_CACHE_MISSES ? 0x412e : 0x4f2e, 0);
		return config < LAW_GENERIC ? (int)config : -ENOENT;
	case PERF_TYPE_HW_CACHE:
		if (op != PERF_COUNT_HW_CACHE_OP_READ)
			return -ENOENT;
		if (cache == PERF_COUNT_HW_CACHE_L1D)
			return miss ? LAW_L1D_MISS : LAW_L1D_READ;
		if (cache == PERF_COUNT_HW_CACHE_LL)
			return miss ? LAW_LLC_MISS : LAW_LLC_READ;
		return -ENOENT;
	case PERF_TYPE_RAW:
		return law_of_code(config, attr->config1);
	}
	return -ENOENT;
}

/* A group that no CPU can ever hold is refused when its last member comes, as real units do. */
static bool group_fits(struct perf_event *event)
{
	struct perf_event *leader = event->group_leader, *sibling;
	unsigned int need = 1;

	if (leader == event)
		return true;
	need += leader->pmu == &rate_pmu;
	for_each_sibling_event(sibling, leader)
		need += sibling->pmu == &rate_pmu;
	return need <= slot_count();
}

/* As Intel's: the metrics count beside slots that lead their group and take no samples. */
static bool leader_fits(const struct perf_event *event)
{
	const struct perf_event *leader = event->group_leader;

	return event->attr.type != PERF_TYPE_RAW || event->attr.config != CONFIG_METRIC ||
	       (leader != event && leader->pmu == &rate_pmu &&
		leader->attr.type == PERF_TYPE_RAW && leader->attr.config == CONFIG_SLOTS);
}

static int rate_event_init(struct perf_event *event)
{
	int law = law_of(&event->attr);

	if (law < 0)
		return law;
	if (strchr(absent, laws[law].letter))
		return -ENOENT;
	if (is_sampling_event(event) != has_branch_stack(event) &&
	    (has_branch_stack(event) || !interrupts || event->attr.freq))
		return -EOPNOTSUPP;
	if (!group_fits(event) || !leader_fits(event))
		return -EINVAL;
	event->hw.config = law;
	event->hw.event_base = event->attr.config >> 8 & 0xff;
	event->hw.config_base = 0;
	return init_sampled(event);
}

PMU_FORMAT_ATTR(event, "config:0-7,32-35");
PMU_FORMAT_ATTR(umask, "config:8-15");
PMU_FORMAT_ATTR(cmask, "config:24-31");
PMU_FORMAT_ATTR(offcore_rsp, "config1:0-63");
static struct attribute *format_attributes[] = {
	&format_attr_event.attr,
	&format_attr_umask.attr,
	&format_attr_cmask.attr,
	&format_attr_offcore_rsp.attr,
	NULL,
};
static const struct attribute_group format_group = {
	.name = "format",
	.attrs = format_attributes,
};

PMU_EVENT_ATTR_STRING(cpu-cycles, cycles_attr, "event=0x00");
PMU_EVENT_ATTR_STRING(instructions, instructions_attr, "event=0x01");
PMU_EVENT_ATTR_STRING(cache-misses, misses_attr, "event=0x03");
static struct attribute *event_attributes[] = {
	&cycles_attr.attr.attr,
	&instructions_attr.attr.attr,
	&misses_attr.attr.attr,
	NULL,
};
static const struct attribute_group event_group = {
	.name = "events",
	.attrs = event_attributes,
};
static const struct attribute_group *attribute_groups[] = { &format_group, &event_group, NULL };

static struct pmu rate_pmu = {
	.module = THIS_MODULE,
	.task_ctx_nr = perf_hw_context,
	.attr_groups = attribute_groups,
	.event_init = rate_event_init,
	.add = rate_add,
	.del = rate_del,
	.start = rate_start,
	.stop = rate_stop,
	.read = rate_read,
};

/* ---- accesses to memory ---- */

enum { ACCESS_TURNS = 4, ACCESS_PERIOD_LEAST_NS = 100000 };
static const u64 access_line = 0x7f1000000040;

struct access_sampler {
	struct perf_event *event;
	struct hrtimer timer;
	u64 period_ns;
	unsigned int turns[2];	/* of each of the two */
};

static void fill_access(struct access_sampler *sampler, struct perf_sample_data *data)
{
	union perf_mem_data_src src = { .mem_op = PERF_MEM_OP_NA, .mem_lvl = PERF_MEM_LVL_NA };
	unsigned int offset;
	u64 addr = 0, weight = 0;

	if (sscanf(current->comm, "sharer%u", &offset) == 1 && (offset == 0 || offset == 8)) {
		if (sampler->turns[offset > 0]++ % ACCESS_TURNS != 0) {
			src.mem_op = PERF_MEM_OP_STORE;
			src.mem_lvl = PERF_MEM_LVL_L1 | PERF_MEM_LVL_HIT;
			addr = access_line + offset;
			weight = 10;
		} else {
			src.mem_op = PERF_MEM_OP_LOAD;
			src.mem_lvl = PERF_MEM_LVL_L3 | PERF_MEM_LVL_HIT;
			src.mem_snoop = PERF_MEM_SNOOP_HITM;
			addr = access_line + (8 - offset);
			weight = 90;
		}
	}
	perf_sample_data_init(data, addr, sampler->period_ns);
	data->data_src = src;
	data->weight.full = weight;
	data->sample_flags |= PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_WEIGHT;
}

/* As the kernel's own clocks sample; perf_event_overflow() is not there for modules. */
static enum hrtimer_restart on_access(struct hrtimer *timer)
{
	struct access_sampler *sampler = container_of(timer, struct access_sampler, timer);
	struct perf_event *event = sampler->event;
	struct pt_regs *regs = get_irq_regs();
	struct perf_sample_data data;

	if (event->state != PERF_EVENT_STATE_ACTIVE)
		return HRTIMER_NORESTART;
	if (regs && !is_idle_task(current)) {
		fill_access(sampler, &data);
		event->overflow_handler(event, &data, regs);
	}
	hrtimer_forward_now(timer, ns_to_ktime(sampler->period_ns));
	return HRTIMER_RESTART;
}

static void access_start(struct perf_event *event, int flags)
{
	struct access_sampler *sampler = event->pmu_private;

	hrtimer_start(&sampler->timer, ns_to_ktime(sampler->period_ns), HRTIMER_MODE_REL_PINNED_HARD);
}

static void access_stop(struct perf_event *event, int flags)
{
	struct access_sampler *sampler = event->pmu_private;

	hrtimer_cancel(&sampler->timer);
}

static int access_add(struct perf_event *event, int flags)
{
	if (flags & PERF_EF_START)
		access_start(event, flags);
	return 0;
}

static void access_read(struct perf_event *event)
{
}

static void access_free(struct perf_event *event)
{
	kfree(event->pmu_private);
}

static struct pmu access_pmu;

/* A frequency is a period of the timer. */
static int access_event_init(struct perf_event *event)
{
	struct access_sampler *sampler;

	if (event->attr.type != access_pmu.type)
		return -ENOENT;
	if (!is_sampling_event(event) || event->cpu < 0)
		return -EINVAL;
	sampler = kzalloc(sizeof(*sampler), GFP_KERNEL);
	if (!sampler)
		return -ENOMEM;
	if (event->attr.freq)
		event->attr.sample_period = NSEC_PER_SEC / event->attr.sample_freq;
	event->attr.freq = 0;
	event->hw.sample_period = event->hw.last_period = event->attr.sample_period;
	sampler->event = event;
	sampler->period_ns = max_t(u64, event->attr.sample_period, ACCESS_PERIOD_LEAST_NS);
	hrtimer_init(&sampler->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	sampler->timer.function = on_access;
	event->pmu_private = sampler;
	event->destroy = access_free;
	return 0;
}

PMU_FORMAT_ATTR(cnt_ctl, "config:19");
static struct attribute *access_format_attributes[] = { &format_attr_cnt_ctl.attr, NULL };
static const struct attribute_group access_format_group = {
	.name = "format",
	.attrs = access_format_attributes,
};
static const struct attribute_group *access_attribute_groups[] = { &access_format_group, NULL };

static struct pmu access_pmu = {
	.module = THIS_MODULE,
	.task_ctx_nr = perf_invalid_context,
	.attr_groups = access_attribute_groups,
	.event_init = access_event_init,
	.add = access_add,
	.del = access_stop,
	.start = access_start,
	.stop = access_stop,
	.read = access_read,
};

/* ---- what changes the law ---- */

static void on_switch(void *data, bool preempt, struct task_struct *from, struct task_struct *to,
		      unsigned int state)
{
	struct slots *here = this_cpu_ptr(&slots);
	const u64 now_ns = local_clock();

	charge_all(now_ns);
	here->task = to;
	here->charged_ns = now_ns;
	here->is_over = false;
	expect_samples(here);
}

static void on_rename(void *data, struct task_struct *task, const char *name)
{
	unsigned long flags;

	if (task != current)
		return;
	local_irq_save(flags);
	charge_all(local_clock());
	expect_samples(this_cpu_ptr(&slots));
	local_irq_restore(flags);
}

static void on_timer(void *data, struct hrtimer *timer, ktime_t *now)
{
	this_cpu_ptr(&slots)->in_timer = true;
}

static void on_timer_over(void *data, struct hrtimer *timer)
{
	this_cpu_ptr(&slots)->in_timer = false;
}

static struct {
	const char *name;
	void *probe;
	struct tracepoint *point;
} watched[] = {
	{ "sched_switch", on_switch, NULL },
	{ "task_rename", on_rename, NULL },
	{ "hrtimer_expire_entry", on_timer, NULL },
	{ "hrtimer_expire_exit", on_timer_over, NULL },
};

static void find_point(struct tracepoint *point, void *data)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(watched); i++)
		if (!strcmp(point->name, watched[i].name))
			watched[i].point = point;
}

static void unwatch(unsigned int count)
{
	while (count--)
		tracepoint_probe_unregister(watched[count].point, watched[count].probe, NULL);
	tracepoint_synchronize_unregister();
}

static int watch(void)
{
	unsigned int i;
	int error = 0;

	for_each_kernel_tracepoint(find_point, NULL);
	for (i = 0; i < ARRAY_SIZE(watched) && !error; i++)
		error = watched[i].point ? tracepoint_probe_register(watched[i].point,
								     watched[i].probe, NULL)
					 : -ENOENT;
	if (error)
		unwatch(i - 1);
	return error;
}

static int __init ratepmu_init(void)
{
	int error, cpu;

	for_each_possible_cpu(cpu) {
		hrtimer_init(&per_cpu(slots, cpu).reached, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
		per_cpu(slots, cpu).reached.function = on_reached;
	}
	error = watch();
	if (error)
		return error;
	error = perf_pmu_register(&rate_pmu, "cpu", PERF_TYPE_RAW);
	if (error)
		goto out_watch;
	error = perf_pmu_register(&access_pmu, "ibs_op", -1);
	if (!error)
		return 0;
	perf_pmu_unregister(&rate_pmu);
out_watch:
	unwatch(ARRAY_SIZE(watched));
	return error;
}

static void __exit ratepmu_exit(void)
{
	int cpu;

	perf_pmu_unregister(&access_pmu);
	perf_pmu_unregister(&rate_pmu);
	unwatch(ARRAY_SIZE(watched));
	for_each_possible_cpu(cpu)
		hrtimer_cancel(&per_cpu(slots, cpu).reached);
}

module_init(ratepmu_init);
module_exit(ratepmu_exit);
MODULE_DESCRIPTION("counters with known rates, for tests");
MODULE_LICENSE("GPL");
