/*
 * Attributes of perf_event_open(2), all made from one template.
 *
 * Invariant: every attribute made here under the same features has the same clock,
 * sample_id_all and identity fields, so that any of them may share a group and a ring, and one
 * decode_format reads them all.
 */

#include "kernel/attr.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <time.h>

#include <linux/perf_event.h>

#include "base/text.h"
#include "kernel/sys.h"

static_assert((int)EVENT_TYPE_HARDWARE == (int)PERF_TYPE_HARDWARE &&
		      (int)EVENT_TYPE_SOFTWARE == (int)PERF_TYPE_SOFTWARE &&
		      (int)EVENT_TYPE_TRACEPOINT == (int)PERF_TYPE_TRACEPOINT &&
		      (int)EVENT_TYPE_CACHE == (int)PERF_TYPE_HW_CACHE &&
		      (int)EVENT_TYPE_RAW == (int)PERF_TYPE_RAW &&
		      (int)EVENT_TYPE_BREAKPOINT == (int)PERF_TYPE_BREAKPOINT &&
		      (int)EVENT_HW_CPU_CYCLES == (int)PERF_COUNT_HW_CPU_CYCLES &&
		      (int)EVENT_HW_BRANCH_INSTRUCTIONS == (int)PERF_COUNT_HW_BRANCH_INSTRUCTIONS &&
		      (int)EVENT_SW_CPU_CLOCK == (int)PERF_COUNT_SW_CPU_CLOCK &&
		      (int)EVENT_SW_TASK_CLOCK == (int)PERF_COUNT_SW_TASK_CLOCK &&
		      (int)EVENT_SW_CONTEXT_SWITCHES == (int)PERF_COUNT_SW_CONTEXT_SWITCHES &&
		      (int)EVENT_SW_DUMMY == (int)PERF_COUNT_SW_DUMMY &&
		      (int)EVENT_SW_BPF_OUTPUT == (int)PERF_COUNT_SW_BPF_OUTPUT,
	      "as in the kernel's header");

/* The template: task, time and, unless it is one CPU's, CPU are in every record. */
static void init_template(struct perf_event_attr *attr, const struct attr_features *features,
			  uint32_t type, uint64_t config)
{
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	attr->type = type;
	attr->config = config;
	attr->sample_type = attr_sample_type() & ~(uint64_t)PERF_SAMPLE_READ;
	attr->read_format = attr_read_format(features);
	attr->sample_id_all = 1;
	if (features->clockid) {
		attr->use_clockid = 1;
		attr->clockid = CLOCK_MONOTONIC;
	}
}

uint64_t attr_read_format(const struct attr_features *features)
{
	uint64_t format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED |
			  PERF_FORMAT_TOTAL_TIME_RUNNING;

	return features->format_lost ? format | PERF_FORMAT_LOST : format;
}

/*
 * Only switch leaders write samples, and only these have a reading: the fields that other
 * records carry in their trailer are the same with and without PERF_SAMPLE_READ.
 */
uint64_t attr_sample_type(void)
{
	return PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
	       PERF_SAMPLE_READ;
}

struct decode_format attr_decode_format(const struct attr_features *features)
{
	return (struct decode_format){
		.sample_type = attr_sample_type(),
		.read_format = attr_read_format(features),
		.sample_id_all = true,
	};
}

struct decode_format attr_cpu_format(const struct attr_features *features)
{
	struct decode_format format = attr_decode_format(features);

	format.sample_type &= ~(uint64_t)PERF_SAMPLE_CPU;
	return format;
}

void attr_set_cpu(struct perf_event_attr *attr, int cpu)
{
	if (cpu >= 0)
		attr->sample_type &= ~(uint64_t)PERF_SAMPLE_CPU;
}

struct decode_format attr_tracepoint_format(void)
{
	return (struct decode_format){
		.sample_type = (attr_sample_type() & ~(uint64_t)PERF_SAMPLE_CPU) | PERF_SAMPLE_RAW,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
		.sample_id_all = true,
	};
}

void attr_init_member(struct perf_event_attr *attr, const struct event_spec *spec,
		      const struct attr_features *features)
{
	init_template(attr, features, spec->type, spec->config);
	/* of a breakpoint these two are its address and its length */
	attr->config1 = *spec->target != '\0' ? (uintptr_t)spec->target : spec->config1;
	attr->config2 = spec->config2;
	attr->bp_type = spec->bp_type;
	attr->precise_ip = spec->precise & 3u;
	attr->exclude_user = spec->exclude_user;
	attr->exclude_kernel = spec->exclude_kernel;
	attr->exclude_hv = spec->exclude_hv;
	attr->exclude_host = spec->exclude_host;
	attr->exclude_guest = spec->exclude_guest;
	attr->exclude_idle = spec->exclude_idle;
}

void attr_init_inherited(struct perf_event_attr *attr, const struct event_spec *spec,
			 const struct attr_features *features, bool with_children)
{
	attr_init_member(attr, spec, features);
	attr->read_format = 0;
	attr->disabled = 1;
	attr->inherit = 1;
	attr->inherit_thread = !with_children;
}

bool attr_is_inheritable(const struct event_spec *spec)
{
	if (spec->type == PERF_TYPE_TRACEPOINT)
		return spec->name[strcspn(spec->name, ":/")] == ':' &&
		       !text_begins(spec->name, "sched:");
	return spec->type == PERF_TYPE_SOFTWARE && !attr_ignores_modes(spec);
}

bool attr_needs_kernel(const struct event_spec *spec)
{
	if (spec->exclude_kernel || spec->exclude_user)
		return !spec->exclude_kernel;
	if (spec->type == PERF_TYPE_SOFTWARE) {
		return spec->config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
		       spec->config == PERF_COUNT_SW_CPU_MIGRATIONS ||
		       spec->config == PERF_COUNT_SW_CGROUP_SWITCHES;
	}
	return spec->type == PERF_TYPE_TRACEPOINT || strcmp(spec->pmu, "msr") == 0;
}

bool attr_ignores_modes(const struct event_spec *spec)
{
	return spec->type == PERF_TYPE_SOFTWARE && spec->is_clock &&
	       (spec->exclude_user || spec->exclude_kernel || spec->exclude_hv);
}

void attr_init_switch_leader(struct perf_event_attr *attr, const struct attr_features *features)
{
	init_template(attr, features, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES);
	attr->sample_type = attr_sample_type();
	attr->sample_period = 1;
	attr->disabled = 1;
}

void attr_init_tracepoint_leader(struct perf_event_attr *attr, const struct attr_features *features,
				 uint64_t tracepoint)
{
	const struct decode_format format = attr_tracepoint_format();

	init_template(attr, features, PERF_TYPE_TRACEPOINT, tracepoint);
	attr->sample_type = format.sample_type;
	attr->read_format = format.read_format;
	attr->sample_period = 1;
	attr->disabled = 1;
}

/*
 * A dummy may lead hardware members: the kernel moves such a group to the PMU of its hardware
 * (tried on Linux 6.1), and alone among software it works as well (6.18).
 */
void attr_init_task_leader(struct perf_event_attr *attr, const struct attr_features *features,
			   bool exclude_kernel)
{
	init_template(attr, features, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
	attr->exclude_kernel = exclude_kernel;
	attr->disabled = 1;
}

void attr_init_timeline(struct perf_event_attr *attr, const struct attr_features *features,
			bool exclude_kernel)
{
	init_template(attr, features, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
	attr->exclude_kernel = exclude_kernel;
	attr->context_switch = features->switch_records;
	attr->comm = 1;
	attr->comm_exec = features->comm_exec;
	attr->task = 1;
	attr->cgroup = features->cgroup;
	/* By default the kernel would wake the reader only when half of the ring is full. */
	attr_set_wakeup(attr, 1);
}

void attr_init_sampler(struct perf_event_attr *attr, const struct event_spec *spec,
		       const struct attr_features *features, bool with_cgroup)
{
	attr_init_member(attr, spec, features);
	attr->sample_type |= PERF_SAMPLE_RAW | (with_cgroup ? PERF_SAMPLE_CGROUP : 0);
	attr->read_format = 0;
	attr->sample_period = 1;
}

/* By the kernel's numbers (asm/perf_regs.h). */
#if defined(__x86_64__)
static const uint64_t SITE_REGISTERS = 1 << 5 | 1 << 8; /* di, ip */
#elif defined(__aarch64__)
static const uint64_t SITE_REGISTERS = 1 | UINT64_C(1) << 32; /* x0, pc */
#else
static const uint64_t SITE_REGISTERS = 0;
#endif

bool attr_knows_sites(void)
{
	return SITE_REGISTERS != 0;
}

void attr_add_site(struct perf_event_attr *attr)
{
	if (!attr_knows_sites())
		return;
	attr->sample_type |= PERF_SAMPLE_REGS_USER;
	attr->sample_regs_user = SITE_REGISTERS;
}

void attr_init_glance(struct perf_event_attr *attr, const struct attr_features *features)
{
	static const struct event_spec clock = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
	};

	attr_init_sampler(attr, &clock, features, false);
	attr->disabled = 1;
}

/*
 * The sample precedes the record of the switch. PERF_SAMPLE_PERIOD would make one for each switch.
 */
struct decode_format attr_off_cpu_format(void)
{
	return (struct decode_format){
		.sample_type = (attr_sample_type() & ~(uint64_t)PERF_SAMPLE_READ) | PERF_SAMPLE_IP |
			       PERF_SAMPLE_CALLCHAIN,
		.sample_id_all = true,
	};
}

static void init_off_cpu(struct perf_event_attr *attr, const struct profiler_request *request,
			 const struct attr_features *features)
{
	init_template(attr, features, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES);
	attr->sample_type = attr_off_cpu_format().sample_type;
	attr->read_format = 0;
	attr->sample_period = 1;
	attr->context_switch = 1;
	attr_set_wakeup(attr, request->wakeup_bytes);
}

struct decode_format attr_traced_format(void)
{
	return (struct decode_format){
		.sample_type = attr_sample_type() | PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN |
			       PERF_SAMPLE_RAW,
		.sample_id_all = true,
	};
}

static void init_traced(struct perf_event_attr *attr, const struct profiler_request *request,
			const struct attr_features *features)
{
	init_template(attr, features, PERF_TYPE_TRACEPOINT, request->tracepoint);
	attr->sample_type = attr_traced_format().sample_type;
	attr->read_format = attr_traced_format().read_format;
	attr->sample_period = 1;
	attr->sample_max_stack = request->max_stack;
	attr_set_wakeup(attr, request->wakeup_bytes);
}

uint64_t attr_sample_period(const struct event_spec *spec)
{
	const bool is_each = spec->type == PERF_TYPE_TRACEPOINT ||
			     spec->type == PERF_TYPE_BREAKPOINT || *spec->target != '\0';

	if (spec->freq > 0 || spec->period > 0)
		return spec->period;
	return is_each ? 1 : 0;
}

bool attr_has_address(uint32_t type, uint64_t config)
{
	return type == PERF_TYPE_SOFTWARE &&
	       (config == PERF_COUNT_SW_PAGE_FAULTS || config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
		config == PERF_COUNT_SW_PAGE_FAULTS_MAJ ||
		config == PERF_COUNT_SW_ALIGNMENT_FAULTS);
}

/*
 * Events that need no counter and have PERF_SAMPLE_PERIOD are sampled each time, whatever their
 * period is: without it a sample represents the period. Clocks have timers.
 */
struct decode_format attr_event_format(const struct attr_features *features,
				       const struct event_spec *spec, bool by_lbr)
{
	struct decode_format format = attr_profiler_format(features, false, by_lbr);

	if (spec->class == EVENT_CLASS_SOFTWARE && attr_sample_period(spec) > 1)
		format.sample_type &= ~(uint64_t)PERF_SAMPLE_PERIOD;
	if (attr_has_address(spec->type, spec->config))
		format.sample_type |= PERF_SAMPLE_ADDR;
	return format;
}

/* The kernel may be left out of it where that is all that may be watched. */
static void init_by_event(struct perf_event_attr *attr, const struct profiler_request *request,
			  const struct attr_features *features)
{
	const uint64_t period = attr_sample_period(request->spec);

	attr_init_member(attr, request->spec, features);
	attr->freq = period == 0;
	attr->sample_period = period > 0 ? period : request->hz; /* a union with sample_freq */
	attr->disabled = request->spec->filter[0] != '\0';       /* until it is set */
	if (request->spec->is_most_precise)
		attr->precise_ip = 3;
}

/*
 * A PMU counts nothing while its CPU sleeps, and some refuse exclude_idle (arm64); only the clock
 * goes on during idle.
 */
static void init_by_time(struct perf_event_attr *attr, const struct profiler_request *request,
			 const struct attr_features *features)
{
	if (request->is_hardware)
		init_template(attr, features, PERF_TYPE_HARDWARE,
			      (uint64_t)request->pmu << 32 | PERF_COUNT_HW_CPU_CYCLES);
	else
		init_template(attr, features, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	attr->freq = 1;
	attr->sample_freq = request->hz;
	attr->exclude_idle = !request->is_hardware;
	attr->exclude_guest = request->is_hardware;
}

void attr_init_profiler(struct perf_event_attr *attr, const struct profiler_request *request,
			const struct attr_features *features)
{
	struct decode_format format =
		request->spec ? attr_event_format(features, request->spec, request->by_lbr)
			      : attr_profiler_format(features, request->group, request->by_lbr);

	if (request->is_off_cpu) {
		init_off_cpu(attr, request, features);
		return;
	}
	if (request->tracepoint > 0) {
		init_traced(attr, request, features);
		return;
	}
	if (request->spec)
		init_by_event(attr, request, features);
	else
		init_by_time(attr, request, features);
	if (request->stack_bytes > 0)
		attr_add_stack(&format);
	if (request->branch_type != 0)
		attr_add_branches(&format, request->branch_type);
	if (request->has_access)
		attr_set_access(&format);
	attr->sample_type = format.sample_type;
	attr->read_format = format.read_format;
	attr->branch_sample_type = format.branch_sample_type;
	attr->sample_regs_user = format.user_regs;
	attr->sample_stack_user = request->stack_bytes;
	attr->exclude_callchain_user = request->stack_bytes > 0;
	attr->sample_max_stack = request->max_stack;
	if (request->exclude_kernel)
		attr->exclude_kernel = 1;
	attr->exclude_callchain_kernel = request->exclude_kernel;
	attr->mmap = 1;
	attr->mmap2 = 1;
	attr->mmap_data =
		request->spec && attr_has_address(request->spec->type, request->spec->config);
	attr->ksymbol = features->ksymbol;
	attr->comm = 1;
	attr->comm_exec = features->comm_exec;
	attr->task = 1;
	attr_set_wakeup(attr, request->wakeup_bytes);
}

struct decode_format attr_profiler_format(const struct attr_features *features, bool has_group,
					  bool by_lbr)
{
	const uint64_t reading = has_group ? 0 : PERF_SAMPLE_READ;

	return (struct decode_format){
		.sample_type = (attr_sample_type() & ~reading) | PERF_SAMPLE_IP |
			       PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN |
			       (by_lbr ? PERF_SAMPLE_BRANCH_STACK : 0),
		.read_format = has_group ? attr_read_format(features) : 0,
		.branch_sample_type =
			by_lbr ? PERF_SAMPLE_BRANCH_CALL_STACK | PERF_SAMPLE_BRANCH_USER |
					 PERF_SAMPLE_BRANCH_NO_FLAGS | PERF_SAMPLE_BRANCH_NO_CYCLES
			       : 0,
		.sample_id_all = true,
	};
}

/* Those that unwinding begins with (symbol/unwind.c), by the kernel's numbers; of other machines
 * none: the event is refused. */
void attr_add_stack(struct decode_format *format)
{
	format->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
#if defined(__x86_64__)
	format->user_regs = 0xff01ff; /* ax to ip, r8 to r15 */
#elif defined(__aarch64__)
	format->user_regs = 0x1ffffffff;                      /* x0 to x30, sp, pc */
#endif
}

void attr_add_branches(struct decode_format *format, uint64_t branch_type)
{
	format->sample_type |= PERF_SAMPLE_BRANCH_STACK;
	format->branch_sample_type = branch_type;
}

/* Where an access is, is enough. */
void attr_set_access(struct decode_format *format)
{
	format->sample_type &= ~(uint64_t)PERF_SAMPLE_CALLCHAIN;
	format->sample_type |= PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_WEIGHT;
}

void attr_limit_timeline(struct perf_event_attr *attr, bool switches, bool names, bool tasks)
{
	if (!switches)
		attr->context_switch = 0;
	if (!names)
		attr->comm = attr->comm_exec = 0;
	if (tasks)
		return;
	attr->task = 0;
	attr->cgroup = 0;
}

void attr_set_wakeup(struct perf_event_attr *attr, uint32_t wakeup_bytes)
{
	attr->watermark = 1;
	attr->wakeup_watermark = wakeup_bytes;
}

/*
 * Whether the kernel knows what `attr` asks for. Any refusal but "invalid" and "too big" has
 * to do with rights and limits, not with age, and will be met again by the real events.
 */
static bool kernel_knows(struct perf_event_attr *attr)
{
	int fd = sys_perf_event_open(attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd >= 0) {
		sys_close(fd);
		return true;
	}
	return fd != -EINVAL && fd != -E2BIG;
}

void attr_probe_features(struct attr_features *features)
{
	static const struct attr_features nothing = {0};
	struct perf_event_attr base;

	init_template(&base, &nothing, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
	base.exclude_kernel = 1; /* allowed to everybody */

	struct perf_event_attr lost = base, switches = base, exec = base, clock = base,
			       ksymbol = base, cgroup = base;

	lost.read_format |= PERF_FORMAT_LOST;
	switches.context_switch = 1;
	exec.comm = 1;
	exec.comm_exec = 1;
	clock.use_clockid = 1;
	clock.clockid = CLOCK_MONOTONIC;
	ksymbol.ksymbol = 1;
	cgroup.cgroup = 1;
	cgroup.sample_type |= PERF_SAMPLE_CGROUP;

	features->format_lost = kernel_knows(&lost);
	features->switch_records = kernel_knows(&switches);
	features->comm_exec = kernel_knows(&exec);
	features->clockid = kernel_knows(&clock);
	features->ksymbol = kernel_knows(&ksymbol);
	features->cgroup = kernel_knows(&cgroup);
}
