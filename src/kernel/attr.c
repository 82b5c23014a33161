/*
 * Attributes of perf_event_open(2), all made from one template, and the names of events.
 *
 * Invariant: every attribute made here under the same features has the same clock,
 * sample_id_all and identity fields, so that any of them may share a group and a ring, and one
 * decode_format reads them all.
 */

#include "kernel/attr.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

/* In this order: libpfm4 brings definitions of its own where it does not find the kernel's. */
/* clang-format off */
#include <linux/perf_event.h>
#include <perfmon/pfmlib_perf_event.h>
/* clang-format on */

#include "base/error.h"
#include "kernel/sys.h"

/* The template: who, when and where are in every record. */
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
 * Only the switch leader writes samples, and only these have a reading: the fields that other
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

void attr_init_member(struct perf_event_attr *attr, const struct event_spec *spec,
		      const struct attr_features *features)
{
	init_template(attr, features, spec->type, spec->config);
	attr->config1 = spec->config1;
	attr->config2 = spec->config2;
	attr->exclude_user = spec->exclude_user;
	attr->exclude_kernel = spec->exclude_kernel;
	attr->exclude_hv = spec->exclude_hv;
}

void attr_init_switch_leader(struct perf_event_attr *attr, const struct attr_features *features)
{
	init_template(attr, features, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES);
	attr->sample_type = attr_sample_type();
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
	/* Without a size the kernel would wake the reader only when half of the ring is full. */
	attr_set_wakeup(attr, 1);
}

void attr_limit_timeline(struct perf_event_attr *attr, bool switches, bool tasks)
{
	if (!switches) {
		attr->context_switch = 0;
	}
	if (tasks) {
		return;
	}
	attr->comm = 0;
	attr->comm_exec = 0;
	attr->task = 0;
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
static bool is_known(struct perf_event_attr *attr)
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
			       backward = base;

	lost.read_format |= PERF_FORMAT_LOST;
	switches.context_switch = 1;
	exec.comm = 1;
	exec.comm_exec = 1;
	clock.use_clockid = 1;
	clock.clockid = CLOCK_MONOTONIC;
	backward.write_backward = 1;

	features->format_lost = is_known(&lost);
	features->switch_records = is_known(&switches);
	features->comm_exec = is_known(&exec);
	features->clockid = is_known(&clock);
	features->write_backward = is_known(&backward);
}

struct known_event {
	const char *name;
	uint32_t type;
	uint64_t config;
};

/* The kernel's generic events under the names that perf gives them. */
static const struct known_event KNOWN_EVENTS[] = {
	/* clang-format off */
	{"cycles",                  PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
	{"cpu-cycles",              PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
	{"instructions",            PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
	{"cache-references",        PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
	{"cache-misses",            PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
	{"branches",                PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
	{"branch-instructions",     PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
	{"branch-misses",           PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
	{"bus-cycles",              PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES},
	{"stalled-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
	{"idle-cycles-frontend",    PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
	{"stalled-cycles-backend",  PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
	{"idle-cycles-backend",     PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
	{"ref-cycles",              PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES},
	{"cpu-clock",               PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
	{"task-clock",              PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
	{"page-faults",             PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
	{"faults",                  PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
	{"context-switches",        PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
	{"cs",                      PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
	{"cpu-migrations",          PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
	{"migrations",              PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
	{"minor-faults",            PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN},
	{"major-faults",            PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ},
	{"alignment-faults",        PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS},
	{"emulation-faults",        PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS},
	{"cgroup-switches",         PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CGROUP_SWITCHES},
	{"bpf-output",              PERF_TYPE_SOFTWARE, PERF_COUNT_SW_BPF_OUTPUT},
	{"dummy",                   PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY},
	/* clang-format on */
};

static const struct known_event *find_known(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(KNOWN_EVENTS) / sizeof(KNOWN_EVENTS[0]); i++) {
		const struct known_event *event = &KNOWN_EVENTS[i];

		if (strlen(event->name) == length && strncasecmp(event->name, name, length) == 0) {
			return event;
		}
	}
	return NULL;
}

/* ":u", ":k", ":h" and their combinations count only there; "" counts everywhere. */
static bool parse_modes(const char *text, struct event_spec *spec)
{
	if (*text == '\0') {
		return true;
	}
	if (*text != ':' || text[1] == '\0' || text[1 + strspn(text + 1, "ukh")] != '\0') {
		return false;
	}
	spec->exclude_user = strchr(text, 'u') == NULL;
	spec->exclude_kernel = strchr(text, 'k') == NULL;
	spec->exclude_hv = strchr(text, 'h') == NULL;
	return true;
}

static bool needs_counter(uint32_t type)
{
	return type != PERF_TYPE_SOFTWARE && type != PERF_TYPE_TRACEPOINT &&
	       type != PERF_TYPE_BREAKPOINT;
}

static bool find_generic(const char *name, struct event_spec *spec)
{
	size_t length = strcspn(name, ":");
	const struct known_event *event = find_known(name, length);

	if (event == NULL || !parse_modes(name + length, spec)) {
		return false;
	}
	spec->type = event->type;
	spec->config = event->config;
	return true;
}

/* Names of this CPU's own events, as its vendor calls them: libpfm4 has the tables. */
static bool find_pfm(const char *name, struct event_spec *spec)
{
	struct perf_event_attr attr = {.size = sizeof(attr)};
	pfm_perf_encode_arg_t encode = {.attr = &attr, .size = sizeof(encode)};

	if (pfm_initialize() != PFM_SUCCESS ||
	    pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &encode) !=
		    PFM_SUCCESS) {
		return false;
	}
	spec->type = attr.type;
	spec->config = attr.config;
	spec->config1 = attr.config1;
	spec->config2 = attr.config2;
	spec->exclude_user = attr.exclude_user;
	spec->exclude_kernel = attr.exclude_kernel;
	spec->exclude_hv = attr.exclude_hv;
	return true;
}

bool event_spec_find(const char *name, struct event_spec *spec, struct error *error)
{
	struct event_spec found = {0};

	if (strlen(name) >= sizeof(found.name) ||
	    (!find_generic(name, &found) && !find_pfm(name, &found))) {
		return error_set(error, ERROR_PERF_UNSUPPORTED, name, NULL);
	}
	snprintf(found.name, sizeof(found.name), "%s", name);
	found.is_hardware = needs_counter(found.type);
	*spec = found;
	return true;
}
