/* Sampling: which events are open, what their rings become, and what is said where there are none.
 */

#include <errno.h>

#include <linux/perf_event.h>
#include <sys/epoll.h>

#include "base/error.h"
#include "kernel/attr.h"
#include "kernel/group.h"
#include "kernel/host.h"
#include "kernel/ring.h"
#include "model/session.h"
#include "source/sampling.h"

#include "encode_kit.h"
#include "unit.h"

enum {
	TARGETS = 3,
	FIRST_FD = 1000,
	FDS_MAX = 32,
	PAGE = 4096,
	SWITCH_RECORD_NS = 700,
	OFF_CPU_NS = 5000
};

/* An event and its ring. */
struct fake {
	bool is_open, has_ring;
	struct profiler_request request;
	uint64_t period; /* 0: never set */
	struct perf_event_mmap_page *head;
	unsigned char memory[65 * PAGE] __attribute__((aligned(PAGE)));
};

static struct fake fakes[FDS_MAX];
static size_t fake_count;
static int no_cycles, no_clock, no_lbr, no_branches, no_stack, no_map,
	no_epoll; /* errno; 0: granted */
static int refused_cpu;
static int no_period;       /* -errno */
static int no_leader;       /* errno */
static int no_join;         /* errno of an event that is to join a group */
static uint64_t running_ns; /* of groups, since the last look */
static uint64_t enabled_ns;
static bool ends_interval;
static double sample_ns; /* that one takes */
static bool is_late;     /* that is not measured yet */
static size_t timed_count;
static int here;                      /* the CPU where we run */
static struct profiler_request timed; /* at last */
static uint32_t max_hz, max_stack;
static bool has_tracefs;
static struct host host;
static struct session session;
static struct sampling sampling;
static const struct attr_features features = {.clockid = true, .comm_exec = true};

int __wrap_profiler_open(const struct profiler_request *request, const struct attr_features *known);
bool __wrap_ring_map(struct ring *ring, int fd, size_t data_bytes, size_t page_bytes,
		     int *errno_value);
int __wrap_access_leader_open(const struct profiler_request *request,
			      const struct event_spec *leader, const struct attr_features *known);
int __wrap_profiler_set_period(int fd, uint64_t period);
int __wrap_sys_close(int fd);
int __wrap_epoll_ctl(int epoll_fd, int what, int fd, struct epoll_event *event);
uint32_t __wrap_host_read_max_sample_rate(const char *root);
void __wrap_sample_time_begin(struct sample_time *measured, const struct profiler_request *request,
			      const struct attr_features *known, size_t page_bytes);
bool __wrap_sample_time_take(struct sample_time *measured, double ns[static SAMPLE_TIMES]);
void __wrap_sample_time_end(struct sample_time *measured);
uint32_t __wrap_host_read_max_stack(const char *root);
int __wrap_sched_getcpu(void);
bool __wrap_wakeup_find(const struct host *of, const char *name,
			struct sched_tracepoint_spec *found, struct error *error);
bool __wrap_group_read(const struct group *group, struct group_reading *reading);

/* The woken task is behind the number and the flags. */
bool __wrap_wakeup_find(const struct host *of, const char *name,
			struct sched_tracepoint_spec *found, struct error *error)
{
	if (!has_tracefs)
		return error_set(error, ERROR_EVENT_TRACEFS, "sched:sched_waking", NULL);
	*found = (struct sched_tracepoint_spec){
		.spec = {.name = "sched:sched_waking", .type = PERF_TYPE_TRACEPOINT, .config = 37},
		.tid = 4,
	};
	return true;
}

void __wrap_sample_time_begin(struct sample_time *measured, const struct profiler_request *request,
			      const struct attr_features *known, size_t page_bytes)
{
	assert_null(request->spec);
	assert_false(request->has_access);
	measured->time.is_running = true;
	timed_count++;
	timed = *request;
}

bool __wrap_sample_time_take(struct sample_time *measured, double ns[static SAMPLE_TIMES])
{
	if (!measured->time.is_running || is_late)
		return false;
	measured->time.is_running = false;
	ns[SAMPLE_TIME_CLOCK] = ns[SAMPLE_TIME_CYCLES] = sample_ns;
	ns[SAMPLE_TIME_OFF_CPU] = OFF_CPU_NS;
	ns[SAMPLE_TIME_RECORD] = SWITCH_RECORD_NS;
	return true;
}

int __wrap_sched_getcpu(void)
{
	return here;
}

void __wrap_sample_time_end(struct sample_time *measured)
{
	measured->time.is_running = false;
}

bool __wrap_group_read(const struct group *group, struct group_reading *reading)
{
	static uint64_t now_ns;

	now_ns += running_ns;
	*reading = (struct group_reading){.enabled_ns = enabled_ns, .running_ns = now_ns};
	return true;
}

int __wrap_profiler_open(const struct profiler_request *request, const struct attr_features *known)
{
	const int refusal = request->group && no_join != 0                  ? no_join
			    : request->by_lbr && no_lbr != 0                ? no_lbr
			    : request->branch_type != 0 && no_branches != 0 ? no_branches
			    : request->stack_bytes > 0 && no_stack != 0     ? no_stack
			    : request->is_hardware                          ? no_cycles
									    : no_clock;

	if (refusal != 0 || request->cpu == refused_cpu)
		return -(refusal != 0 ? refusal : ENODEV);
	fakes[fake_count].is_open = true;
	fakes[fake_count].request = *request;
	return FIRST_FD + (int)fake_count++;
}

int __wrap_access_leader_open(const struct profiler_request *request,
			      const struct event_spec *leader, const struct attr_features *known)
{
	if (no_leader != 0)
		return -no_leader;
	fakes[fake_count].is_open = true;
	fakes[fake_count].request = (struct profiler_request){.cpu = request->cpu, .spec = leader};
	return FIRST_FD + (int)fake_count++;
}

int __wrap_profiler_set_period(int fd, uint64_t period)
{
	fakes[fd - FIRST_FD].period = period;
	return no_period;
}

bool __wrap_ring_map(struct ring *ring, int fd, size_t data_bytes, size_t page_bytes,
		     int *errno_value)
{
	struct fake *fake = &fakes[fd - FIRST_FD];

	if (no_map != 0 || data_bytes > sizeof(fake->memory) - PAGE) {
		*errno_value = no_map != 0 ? no_map : EPERM;
		return false;
	}
	fake->head = (void *)fake->memory;
	ring_attach(ring, fake->memory, data_bytes, page_bytes);
	fake->has_ring = true;
	return true;
}

int __wrap_sys_close(int fd)
{
	assert_true(fakes[fd - FIRST_FD].is_open);
	fakes[fd - FIRST_FD].is_open = false;
	return 0;
}

int __wrap_epoll_ctl(int epoll_fd, int what, int fd, struct epoll_event *event)
{
	errno = no_epoll;
	return no_epoll != 0 ? -1 : 0;
}

uint32_t __wrap_host_read_max_stack(const char *root)
{
	return max_stack;
}

uint32_t __wrap_host_read_max_sample_rate(const char *root)
{
	return max_hz;
}

static int set_up(void **state)
{
	memset(fakes, 0, sizeof(fakes));
	fake_count = 0;
	no_cycles = no_clock = no_lbr = no_branches = no_stack = no_map = no_epoll = no_join =
		no_period = 0;
	running_ns = enabled_ns = 1000;
	refused_cpu = -2;
	sample_ns = 0;
	is_late = ends_interval = false;
	timed_count = 0;
	max_hz = 100000;
	max_stack = 127;
	has_tracefs = true;
	host = (struct host){.page_bytes = PAGE, .paranoid = 2, .mlock_kb = 516};
	session = (struct session){0};
	sampling = (struct sampling){
		.host = &host,
		.features = &features,
		.session = &session,
		.has_cycles = true,
	};
	return 0;
}

static size_t open_count(void)
{
	size_t count = 0;

	for (size_t i = 0; i < fake_count; i++)
		count += fakes[i].is_open;
	return count;
}

static int tear_down(void **state)
{
	sampling_stop(&sampling);
	assert_int_equal(open_count(), 0);
	assert_string_equal(session.sampling_words, "");
	return 0;
}

static const struct sampling_target cpus[TARGETS] = {
	{.tid = -1, .cpu = 0}, {.tid = -1, .cpu = 1}, {.tid = -1, .cpu = 2}};

static void start(void)
{
	assert_true(sampling_start(&sampling, cpus, TARGETS, NULL));
}

static void refused(const char *words)
{
	struct error error = {0};

	assert_false(sampling_start(&sampling, cpus, TARGETS, &error));
	assert_non_null(strstr(error.text, words));
	assert_memory_equal(session.sampling_words, "no samples: ", 12);
	assert_non_null(strstr(session.sampling_words, words));
	assert_int_equal(session.sampling, SAMPLING_OFF);
	assert_int_equal(open_count(), 0);
}

UNIT_TEST(sampling_without_a_target_waits_for_one_with_the_clock)
{
	assert_true(sampling_start(&sampling, NULL, 0, NULL));
	assert_true(sampling.is_on);
	assert_int_equal(open_count(), 0);
	sampling_follow(&sampling, cpus, 1);
	assert_int_equal(open_count(), 1);
	assert_false(fakes[0].request.is_hardware);
}

UNIT_TEST(sampling_takes_cycles_where_they_interrupt)
{
	start();
	assert_int_equal(open_count(), TARGETS);
	assert_int_equal(fakes[1].request.cpu, 1);
	assert_int_equal(fakes[1].request.tid, -1);
	assert_int_equal(fakes[1].request.hz, PROFILER_HZ);
	assert_true(fakes[1].request.is_hardware);
	assert_string_equal(session.sampling_words, "cycles, 997 Hz");
	assert_int_equal(session.sampling, SAMPLING_CYCLES);
	assert_int_equal(session.sampling_hz, 997);
}

UNIT_TEST(sampling_takes_the_clock_where_there_are_no_cycles)
{
	no_cycles = ENOENT;
	start();
	assert_int_equal(open_count(), TARGETS);
	assert_false(fakes[0].request.is_hardware);
	assert_string_equal(session.sampling_words, "cpu-clock, 997 Hz");
	assert_int_equal(session.sampling, SAMPLING_CLOCK);
}

UNIT_TEST(sampling_without_a_pmu_does_not_try_cycles)
{
	sampling.has_cycles = false;
	sampling.exclude_kernel = true;
	start();
	assert_int_equal(fake_count, TARGETS);
	assert_true(fakes[0].request.exclude_kernel);
	assert_string_equal(session.sampling_words, "cpu-clock, 997 Hz, user mode only");
}

UNIT_TEST(sampling_is_no_faster_than_the_kernel_allows)
{
	max_hz = 250;
	start();
	assert_int_equal(fakes[0].request.hz, 250);
	assert_string_equal(session.sampling_words, "cycles, 250 Hz");
}

/* What is deeper than there is room for need not be written. */
UNIT_TEST(sampling_is_as_deep_as_the_kernel_allows)
{
	static const struct {
		uint32_t allowed, asked;
		const char *words;
	} cases[] = {{0, 0, "cycles, 997 Hz"},
		     {16, 0, "cycles, 997 Hz, 16 calls deep"},
		     {127, 0, "cycles, 997 Hz"},
		     {SAMPLE_FRAMES_MAX, 0, "cycles, 997 Hz"},
		     {640, SAMPLE_FRAMES_MAX, "cycles, 997 Hz"}};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		max_stack = cases[i].allowed;
		start();
		assert_int_equal(fakes[fake_count - 1].request.max_stack, cases[i].asked);
		assert_string_equal(session.sampling_words, cases[i].words);
		sampling_stop(&sampling);
	}
}

UNIT_TEST(sampling_at_an_unknown_rate_is_as_usual)
{
	max_hz = 0;
	start();
	assert_int_equal(fakes[0].request.hz, PROFILER_HZ);
}

UNIT_TEST(sampling_that_is_not_permitted_says_why)
{
	no_cycles = ENOENT;
	no_clock = EACCES;
	refused("perf_event_paranoid");
}

UNIT_TEST(sampling_without_rings_says_why)
{
	no_map = EPERM;
	refused("locked");
}

UNIT_TEST(sampling_that_cannot_be_waited_for_is_none)
{
	no_epoll = ENOSPC;
	assert_false(sampling_start(&sampling, cpus, TARGETS, NULL));
	assert_int_equal(open_count(), 0);
}

/* What could not be opened is tried again when there is another list. */
UNIT_TEST(sampling_without_one_cpu_goes_on_with_the_others)
{
	refused_cpu = 1;
	start();
	assert_int_equal(open_count(), TARGETS - 1);
}

UNIT_TEST(sampling_that_was_refused_goes_on_with_what_may_be_sampled)
{
	const struct sampling_target own = {.tid = 77, .cpu = -1};

	no_cycles = no_clock = EACCES;
	assert_false(sampling_start(&sampling, cpus, TARGETS, NULL));
	no_clock = 0;
	sampling_follow(&sampling, &own, 1);
	assert_int_equal(open_count(), 1);
	assert_int_equal(session.sampling, SAMPLING_CLOCK);
}

UNIT_TEST(sampling_follows_targets_that_come_and_go)
{
	const struct sampling_target later[] = {{.tid = -1, .cpu = 1}, {.tid = -1, .cpu = 3}};

	start();
	sampling_follow(&sampling, later, 2);
	assert_int_equal(open_count(), 2);
	assert_false(fakes[0].is_open);
	assert_true(fakes[1].is_open);
	assert_false(fakes[2].is_open);
	assert_int_equal(fakes[3].request.cpu, 3);
	sampling_follow(&sampling, later, 2);
	assert_int_equal(fake_count, TARGETS + 1);
}

UNIT_TEST(sampling_that_is_off_follows_nothing)
{
	sampling_follow(&sampling, cpus, TARGETS);
	assert_int_equal(fake_count, 0);
}

/* --- records */

/* How many, then from where, whereto, flags. */
/* ABI, registers 6 and 7 of those asked for, 16 bytes of the stack, 8 of which were used. */
static uint64_t stack_of_user[] = {2, 0xb0, 0x5b, 16, 0x1111, 0x2222, 8};
static const uint64_t call_stack[] = {3, 0x511, 0x402, 0, 0x521, 0x510, 0, 0x531, 0x520, 0};

/* A call that was mispredicted after 20 cycles, and a predicted return in the user's code. */
static const uint64_t branch_stack[] = {2,     0x401, 0x510,      1 | 20 << 4 | 4 << 20,
					0x511, 0x402, 2 | 6 << 20};

static void put(size_t index, const struct decoded *decoded)
{
	struct fake *fake = &fakes[index];
	const struct decode_format format =
		fake->request.is_off_cpu       ? attr_off_cpu_format()
		: fake->request.tracepoint > 0 ? attr_traced_format()
		: fake->request.spec ? attr_event_format(&features, fake->request.spec, false)
				     : attr_profiler_format(&features, fake->request.group, false);
	uint64_t bytes[512];
	size_t size = encode_record(bytes, decoded, &format);

	assert_true(size > 0);
	if (fake->request.by_lbr && decoded->type == DECODED_SAMPLE) {
		memcpy((char *)bytes + size, call_stack, sizeof(call_stack));
		size += sizeof(call_stack);
		((struct perf_event_header *)bytes)->size = (uint16_t)size;
	}
	if (fake->request.branch_type != 0 && decoded->type == DECODED_SAMPLE) {
		memcpy((char *)bytes + size, branch_stack, sizeof(branch_stack));
		size += sizeof(branch_stack);
		((struct perf_event_header *)bytes)->size = (uint16_t)size;
	}
	if (fake->request.stack_bytes > 0 && decoded->type == DECODED_SAMPLE) {
		memcpy((char *)bytes + size, stack_of_user, sizeof(stack_of_user));
		size += sizeof(stack_of_user);
		((struct perf_event_header *)bytes)->size = (uint16_t)size;
	}
	memcpy(fake->memory + PAGE + fake->head->data_head, bytes, size);
	fake->head->data_head += size;
}

static struct decoded decoded_of(uint32_t type, uint64_t time_ns)
{
	return (struct decoded){
		.type = type,
		.id = {.pid = 7, .tid = 8, .time_ns = time_ns, .cpu = 1},
	};
}

static void put_sample(size_t index, uint64_t time_ns)
{
	static const uint64_t chain[] = {(uint64_t)PERF_CONTEXT_KERNEL, 0xffff1, 0xffff2,
					 (uint64_t)PERF_CONTEXT_USER,   0x401,   0x402};
	struct decoded decoded = decoded_of(DECODED_SAMPLE, time_ns);

	decoded.sample.period = 1003009;
	decoded.sample.callchain = chain;
	decoded.sample.callchain_count = COUNT_OF(chain);
	put(index, &decoded);
}

static void put_lost(size_t index, uint64_t time_ns, uint64_t count)
{
	struct decoded decoded = decoded_of(DECODED_LOST, time_ns);

	decoded.lost.lost = count;
	put(index, &decoded);
}

/* "sample 7/8 at 100: 4 frames, " */
static const char *taken(uint64_t until_ns)
{
	static char text[2048];
	struct record record;
	size_t used = 0;

	text[0] = '\0';
	sampling_begin(&sampling, until_ns, ends_interval);
	while (sampling_next(&sampling, &record)) {
		const char *const kinds[] = {"added", "exec", "forked", "exited"};

		if (record.kind == RECORD_SAMPLE)
			used += (size_t)snprintf(
				text + used, sizeof(text) - used, "%u+%u frames at %llu, lost %u; ",
				record.sample.kernel_count,
				record.sample.count - record.sample.kernel_count,
				(unsigned long long)record.time_ns, record.sample.lost);
		else if (record.kind == RECORD_MAPPING)
			used += (size_t)snprintf(
				text + used, sizeof(text) - used, "%d %s at %llu; ", record.pid,
				kinds[record.mapping.change], (unsigned long long)record.time_ns);
		else
			used += (size_t)snprintf(text + used, sizeof(text) - used,
						 "throttled for %llu; ",
						 (unsigned long long)record.throttled_ns);
	}
	sampling_end(&sampling);
	return text;
}

/* Rings of targets off the CPU are behind those on it. */
static void start_off_cpu(void)
{
	struct sampling_target targets[2 * TARGETS];

	memcpy(targets, cpus, sizeof(cpus));
	sampling.wants[SAMPLING_OFF_CPU] = true;
	assert_true(sampling_start(&sampling, targets,
				   TARGETS + sampling_add_off_cpu(targets, TARGETS), NULL));
}

static void put_switch(size_t index, uint64_t time_ns, bool is_out)
{
	struct decoded decoded = decoded_of(DECODED_SWITCH_CPU_WIDE, time_ns);

	decoded.ctx_switch.out = is_out;
	put(index, &decoded);
}

UNIT_TEST(sampling_off_the_cpu_has_events_of_its_own)
{
	start_off_cpu();
	assert_int_equal(open_count(), 2 * TARGETS);
	assert_false(fakes[0].request.is_off_cpu);
	assert_true(fakes[TARGETS].request.is_off_cpu);
	assert_true(session.off_cpu.are_taken);
	assert_string_equal(session.off_cpu.words, "each switch");

	sampling.wants[SAMPLING_OFF_CPU] = false;
	assert_true(sampling_start(&sampling, cpus, TARGETS, NULL));
	assert_int_equal(open_count(), TARGETS);
	assert_false(session.off_cpu.are_taken);
	assert_string_equal(session.off_cpu.words, "");
}

/* The event would be granted without the kernel, and never happen. */
UNIT_TEST(sampling_off_the_cpu_needs_the_kernel)
{
	sampling.exclude_kernel = true;
	start_off_cpu();
	assert_int_equal(open_count(), TARGETS);
	assert_false(session.off_cpu.are_taken);
	assert_non_null(strstr(session.off_cpu.words, "not sampled: "));
	assert_string_equal(session.sampling_words, "cycles, 997 Hz, user mode only");
}

UNIT_TEST(sampling_off_the_cpu_says_where_a_task_was_when_it_is_back)
{
	start_off_cpu();
	put_sample(TARGETS, 90);
	put_switch(TARGETS, 100, true);
	put_switch(TARGETS + 1, 400, false);
	assert_string_equal(taken(1000), "2+2 frames at 400, lost 0; ");
}

UNIT_TEST(sampling_off_the_cpu_has_a_part_in_each_interval)
{
	start_off_cpu();
	put_sample(TARGETS, 90);
	put_switch(TARGETS, 100, true);
	assert_string_equal(taken(500), "");
	ends_interval = true;
	assert_string_equal(taken(1000), "2+2 frames at 1000, lost 0; ");
	assert_string_equal(taken(2000), "2+2 frames at 2000, lost 0; ");
}

UNIT_TEST(sampling_off_the_cpu_knows_nothing_of_before_a_loss)
{
	start_off_cpu();
	put_sample(TARGETS, 90);
	put_switch(TARGETS, 100, true);
	put_lost(TARGETS + 1, 300, 5);
	put_switch(TARGETS, 400, false);
	ends_interval = true;
	assert_string_equal(taken(1000), "0+0 frames at 300, lost 5; ");
}

/* So many switches, in the order of time, up to a second from the last ones. */
static void take_switches(size_t index, uint64_t second, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		put_switch(index, second * 1000000000 + i * 1000, true);
		if (i % 100 == 99)
			taken(second * 1000000000 + i * 1000);
	}
	taken((second + 1) * 1000000000);
}

UNIT_TEST(sampling_off_the_cpu_takes_no_more_samples_than_on_it)
{
	start_off_cpu();
	taken(1000000000);
	take_switches(TARGETS + 1, 1, 997);
	assert_int_equal(fakes[TARGETS + 1].period, 0);
	assert_string_equal(session.off_cpu.words, "each switch");

	/* in a millisecond more than in a second are allowed: that is seen at once */
	take_switches(TARGETS + 1, 2, 1000);
	assert_true(fakes[TARGETS + 1].period > 100);
	assert_int_equal(fakes[TARGETS].period, 0);
	assert_true(session.off_cpu.are_estimates);
	assert_memory_equal(session.off_cpu.words, "one of ", 7);
	take_switches(TARGETS + 1, 3, 900);
	take_switches(TARGETS + 1, 4, 900);
	assert_int_equal(fakes[TARGETS + 1].period, 1);
	assert_false(session.off_cpu.are_estimates);
	assert_string_equal(session.off_cpu.words, "each switch");
}

/* A round may end in the moment in which the one before did. */
UNIT_TEST(sampling_off_the_cpu_is_not_limited_by_what_took_no_time)
{
	start_off_cpu();
	taken(1000000000);
	for (int i = 0; i < 1000; i++)
		put_switch(TARGETS, 1000000000, true);
	taken(1000000000);
	assert_int_equal(fakes[TARGETS].period, 0);
	taken(2000000000);
	assert_int_equal(fakes[TARGETS].period, 3);
}

UNIT_TEST(sampling_off_the_cpu_stands_for_what_was_not_sampled)
{
	start_off_cpu();
	put_switch(TARGETS, 100, true);
	put_switch(TARGETS, 300, false);
	put_sample(TARGETS, 390);
	put_switch(TARGETS, 400, true);
	put_switch(TARGETS, 500, false);
	ends_interval = true;
	assert_string_equal(taken(1000), "2+2 frames at 500, lost 0; 0+0 frames at 1000, lost 0; ");
}

/* What samples cost is measured from the end of an interval on. */
static void measures_from(uint64_t time_ns)
{
	ends_interval = true;
	taken(time_ns);
	ends_interval = false;
}

UNIT_TEST(sampling_by_a_dear_timer_is_half_as_often)
{
	static const struct {
		double sample_ns;
		int no_cycles;
		const char *words;
	} cases[] = {
		{10000, ENOENT, "cpu-clock, 997 Hz"},
		{11000, ENOENT, "cpu-clock, 499 Hz"},
		{11000, 0, "cycles, 997 Hz"},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		set_up(NULL);
		sample_ns = cases[i].sample_ns;
		no_cycles = cases[i].no_cycles;
		is_late = true;
		start();
		measures_from(500);
		taken(1000);
		assert_memory_equal(strchr(session.sampling_words, ','), ", 997 Hz", 9);
		is_late = false;
		taken(2000);
		assert_string_equal(session.sampling_words, cases[i].words);
		sampling_stop(&sampling);
	}
}

/* --- wakers */

static void start_wakers(void)
{
	struct sampling_target targets[2 * TARGETS];

	memcpy(targets, cpus, sizeof(cpus));
	sampling.wants[SAMPLING_WAKERS] = true;
	assert_true(sampling_start(
		&sampling, targets,
		TARGETS + sampling_add_wakers(&sampling, targets, TARGETS, TARGETS), NULL));
}

/* Task 8 or an interrupt wakes task 9: the so-and-so-many-th wake-up on that CPU. */
static void put_wakeup(size_t index, uint64_t time_ns, uint64_t number, bool is_interrupt)
{
	static const uint64_t chain[] = {(uint64_t)PERF_CONTEXT_KERNEL, 0xffff1, 0xffff2,
					 (uint64_t)PERF_CONTEXT_USER,   0x401,   0x402};
	const int32_t wakee = 9;
	unsigned char raw[8] = {0, 0, is_interrupt ? 0x08 : 0};
	struct decoded decoded = decoded_of(DECODED_SAMPLE, time_ns);

	memcpy(raw + 4, &wakee, sizeof(wakee));
	decoded.sample.read = (struct decoded_read){.count = 1, .values = {number}};
	decoded.sample.callchain = chain;
	decoded.sample.callchain_count = COUNT_OF(chain);
	decoded.sample.raw = (struct decoded_bytes){.bytes = raw, .size = sizeof(raw)};
	put(index, &decoded);
}

static void assert_wakes(uint64_t weight, size_t user_frames, uint32_t lost)
{
	struct record record;

	assert_true(sampling_next(&sampling, &record));
	assert_int_equal(record.kind, RECORD_SAMPLE);
	assert_int_equal(record.sample.kind, SAMPLE_WAKER);
	assert_int_equal(record.tid, 8);
	assert_int_equal(record.sample.wakee_tid, 9);
	assert_int_equal(record.sample.weight, weight);
	assert_int_equal(record.sample.ns, 0);
	assert_int_equal(record.sample.kernel_count, 2);
	assert_int_equal(record.sample.count, 2 + user_frames);
	assert_int_equal(record.sample.lost, lost);
}

UNIT_TEST(sampling_wakers_says_by_which_calls_a_task_is_woken)
{
	struct record record;

	start_wakers();
	assert_int_equal(open_count(), 2 * TARGETS);
	assert_int_equal(fakes[0].request.tracepoint, 0);
	assert_int_equal(fakes[TARGETS].request.tracepoint, 37);
	assert_true(session.wakers.are_taken);
	assert_false(session.off_cpu.are_taken);
	assert_string_equal(session.wakers.words, "each wake-up");
	put_wakeup(TARGETS, 100, 1, false);
	put_wakeup(TARGETS + 1, 200, 1, true);
	put_wakeup(TARGETS, 300, 5, false);
	sampling_begin(&sampling, 1000, false);
	assert_wakes(1, 2, 0);
	assert_wakes(1, 0, 0);
	assert_wakes(4, 2, 0);
	assert_false(sampling_next(&sampling, &record));
	sampling_end(&sampling);

	sampling.wants[SAMPLING_WAKERS] = false;
	assert_true(sampling_start(&sampling, cpus, TARGETS, NULL));
	assert_int_equal(open_count(), TARGETS);
	assert_false(session.wakers.are_taken);
	assert_string_equal(session.wakers.words, "");
}

UNIT_TEST(sampling_wakers_says_what_was_lost)
{
	start_wakers();
	put_lost(TARGETS, 100, 5);
	assert_string_equal(taken(200), "0+0 frames at 100, lost 5; ");
}

UNIT_TEST(sampling_wakers_takes_no_more_samples_than_on_the_cpu)
{
	start_wakers();
	taken(1000000000);
	for (uint64_t i = 1; i <= 10; i++)
		put_wakeup(TARGETS + 1, 1000000000 + i, i * 100, false);
	taken(1500000000);
	assert_int_equal(fakes[TARGETS + 1].period, 3);
	assert_int_equal(fakes[TARGETS].period, 0);
	assert_true(session.wakers.are_estimates);
	assert_false(session.off_cpu.are_estimates);
	assert_string_equal(session.wakers.words, "one of 3 wake-ups");
	taken(2500000000);
	assert_int_equal(fakes[TARGETS + 1].period, 1);
	assert_false(session.wakers.are_estimates);
}

/* Samples on the CPU are taken nevertheless. */
UNIT_TEST(sampling_wakers_that_is_not_possible_says_why)
{
	has_tracefs = false;
	start_wakers();
	assert_int_equal(open_count(), TARGETS);
	assert_false(session.wakers.are_taken);
	assert_memory_equal(session.wakers.words, "not sampled: sched:sched_waking: ", 33);
	assert_string_equal(session.sampling_words, "cycles, 997 Hz");
	sampling_stop(&sampling);

	has_tracefs = true;
	sampling.no_wakeup[0] = '\0';
	sampling.exclude_kernel = true;
	start_wakers();
	assert_false(session.wakers.are_taken);
	assert_non_null(
		strstr(session.wakers.words, "not sampled: sched:sched_waking: not permitted"));
	sampling_stop(&sampling);

	sampling.wants[SAMPLING_WAKERS] = true; /* of tasks: there are no targets for it */
	start();
	assert_string_equal(session.wakers.words, "not sampled: the CPUs are not watched");
}

static struct sampling_target *list_cpus(void *source, size_t *count)
{
	*count = TARGETS;
	return memcpy(malloc(sizeof(cpus)), cpus, sizeof(cpus));
}

static void want(bool by_lbr)
{
	const struct source_samples samples = {.is_on = true, .by_lbr = by_lbr};

	sampling.list = list_cpus;
	assert_true(sampling_take(&sampling, &samples, NULL));
}

UNIT_TEST(sampling_takes_callers_from_the_processor)
{
	want(true);
	assert_true(fakes[0].request.by_lbr && fakes[0].request.is_hardware);
	assert_string_equal(session.sampling_words, "cycles, 997 Hz, LBR");
	put_sample(0, 100);
	assert_string_equal(taken(1000), "2+4 frames at 100, lost 0; ");
	want(true);
	assert_int_equal(fake_count, TARGETS); /* it goes on */
	want(false);
	assert_int_equal(open_count(), TARGETS);
	assert_false(fakes[TARGETS].request.by_lbr);
	assert_string_equal(session.sampling_words, "cycles, 997 Hz");
}

UNIT_TEST(sampling_by_frame_pointers_where_the_processor_records_no_callers)
{
	no_lbr = EOPNOTSUPP;
	want(true);
	assert_false(fakes[0].request.by_lbr);
	assert_true(fakes[0].request.is_hardware);
	assert_string_equal(session.sampling_words, "cycles, 997 Hz, no LBR");
	sampling_stop(&sampling);
	no_cycles = ENOENT;
	want(true);
	assert_string_equal(session.sampling_words, "cpu-clock, 997 Hz, no LBR");
}

static void want_stack(uint32_t bytes)
{
	const struct source_samples samples = {.is_on = true, .stack_bytes = bytes};

	sampling.list = list_cpus;
	assert_true(sampling_take(&sampling, &samples, NULL));
}

UNIT_TEST(sampling_with_stacks_is_slower_and_has_them)
{
	struct record record;

	no_cycles = ENOENT;
	want_stack(8192);
	assert_int_equal(fakes[0].request.stack_bytes, 8192);
	assert_int_equal(fakes[0].request.hz, 199);
	assert_string_equal(session.sampling_words, "cpu-clock, 199 Hz, dwarf");
	assert_int_equal(session.chains, CHAINS_BY_STACKS);

	sampling.formats[SAMPLING_ON_CPU].user_regs = 1 << 6 | 1 << 7;
	put_sample(0, 100);
	sampling_begin(&sampling, 1000, false);
	assert_true(sampling_next(&sampling, &record));
	assert_non_null(record.sample.stack);
	assert_int_equal(record.sample.stack->mask, 1 << 6 | 1 << 7);
	assert_int_equal(record.sample.stack->register_count, 2);
	assert_int_equal(record.sample.stack->size, 8);
	assert_memory_equal(record.sample.stack->bytes, &stack_of_user[4], 8);
	sampling_end(&sampling);

	want_stack(0);
	assert_int_equal(fakes[TARGETS].request.stack_bytes, 0);
	assert_string_equal(session.sampling_words, "cpu-clock, 997 Hz");
	assert_int_equal(session.chains, CHAINS_BY_FRAME_POINTERS);
	put_sample(TARGETS, 100);
	assert_string_equal(taken(1000), "2+2 frames at 100, lost 0; ");
}

UNIT_TEST(sampling_without_stacks_where_there_are_none)
{
	no_stack = EINVAL;
	want_stack(16384);
	assert_int_equal(fakes[0].request.stack_bytes, 0);
	assert_string_equal(session.sampling_words, "cycles, 997 Hz, no dwarf");
}

/* --- with branches */

static void want_branches(bool has_branches)
{
	const struct source_samples samples = {.is_on = true, .has_branches = has_branches};

	sampling.list = list_cpus;
	assert_true(sampling_take(&sampling, &samples, NULL));
}

/* As of the round that has its sample: to where, from where, what is said of it. */
static void assert_branch(uint64_t to, uint64_t from, const struct record_sample *expected)
{
	struct record record;

	assert_true(sampling_next(&sampling, &record));
	assert_int_equal(record.kind, RECORD_SAMPLE);
	assert_int_equal(record.sample.kind, SAMPLE_BRANCH);
	assert_int_equal(record.tid, 8);
	assert_int_equal(record.time_ns, 100);
	assert_int_equal(record.sample.count, 2);
	assert_int_equal(record.sample.frames[0], to);
	assert_int_equal(record.sample.frames[1], from);
	assert_int_equal(record.sample.weight, expected->weight);
	assert_int_equal(record.sample.ns, expected->ns);
	assert_int_equal(record.sample.branch.type, expected->branch.type);
	assert_true(record.sample.branch.is_predictable);
}

UNIT_TEST(sampling_with_branches_has_each_behind_its_sample)
{
	struct record record;

	want_branches(true);
	assert_true(fakes[0].request.is_hardware && !fakes[0].request.by_lbr);
	assert_int_equal(fakes[0].request.branch_type,
			 PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_TYPE_SAVE);
	assert_string_equal(session.sampling_words, "cycles, 199 Hz, branches");
	assert_true(session.has_branches);

	put_sample(0, 100);
	sampling_begin(&sampling, 1000, false);
	assert_true(sampling_next(&sampling, &record));
	assert_int_equal(record.sample.kind, SAMPLE_ON_CPU);
	assert_branch(0x510, 0x401,
		      &(struct record_sample){.weight = 1, .ns = 20, .branch.type = 4});
	assert_branch(0x402, 0x511, &(struct record_sample){.branch.type = 6});
	assert_false(sampling_next(&sampling, &record));
	sampling_end(&sampling);

	want_branches(false);
	assert_false(session.has_branches);
	assert_string_equal(session.sampling_words, "cycles, 997 Hz");
}

/* What else is shown goes on. */
UNIT_TEST(sampling_without_branches_says_why)
{
	strcpy(host.cpu_pmu, "cpu");
	no_branches = EOPNOTSUPP;
	want_branches(true);
	assert_false(session.has_branches);
	assert_string_equal(session.sampling_words, "cycles, 997 Hz");
	assert_string_equal(session.unbranched, "no branches: cycles: this CPU or its driver does "
						"not record these branches");
	want_branches(false);
	assert_string_equal(session.unbranched, "");
	no_branches = 0;
	no_cycles = ENOENT;
	want_branches(true);
	assert_string_equal(session.sampling_words, "cpu-clock, 997 Hz");
	assert_string_equal(session.unbranched,
			    "no branches: cycles: this CPU or its driver does not count it");
	no_cycles = 0;
	want_branches(false);
	sampling.has_cycles = false; /* what was refused last was the memory of a ring */
	sampling.refused = EXPLAIN_MAP;
	want_branches(true);
	assert_string_equal(session.unbranched, "no branches: cycles: this CPU or its driver does "
						"not record these branches");
}

UNIT_TEST(sampling_at_an_event_that_asks_for_branches_needs_them)
{
	struct evsel by = {.name = "x", .spec_count = 1};
	const struct source_samples samples = {.is_on = true, .by = &by};
	struct error error = {0};

	by.specs[0].class = EVENT_CLASS_HARDWARE;
	by.specs[0].branch_type = PERF_SAMPLE_BRANCH_COND;
	sampling.list = list_cpus;
	assert_true(sampling_take(&sampling, &samples, &error));
	assert_int_equal(fakes[0].request.branch_type, PERF_SAMPLE_BRANCH_COND);
	assert_string_equal(session.sampling_words, "x, 199 Hz, branches");
	sampling_stop(&sampling);
	strcpy(host.cpu_pmu, "cpu");
	no_branches = EOPNOTSUPP;
	assert_false(sampling_take(&sampling, &samples, &error));
	assert_string_equal(error.text, "x: this CPU or its driver does not record these branches");
}

/* It would be as much as the samples on the CPU, at each switch. */
UNIT_TEST(sampling_off_the_cpu_has_no_stacks_and_says_so)
{
	sampling.wants_stack_bytes = 8192;
	start_off_cpu();
	assert_string_equal(session.off_cpu.words, "each switch, fp");
}

UNIT_TEST(sampling_says_what_it_has_cost)
{
	sample_ns = 2000;
	start_off_cpu();
	assert_int_equal(timed_count, 0);
	measures_from(50);
	put_sample(0, 100);
	put_sample(1, 110);
	taken(1000);
	assert_int_equal(sampling_take_cost(&sampling), 4000);
	assert_int_equal(sampling_take_cost(&sampling), 0);
	put_sample(TARGETS, 1090);
	put_switch(TARGETS, 1100, true);
	put_switch(TARGETS, 1400, false);
	taken(2000);
	assert_int_equal(sampling_take_cost(&sampling), OFF_CPU_NS + 2 * SWITCH_RECORD_NS);
	sampling_stop(&sampling);
	sample_ns = 3000;
	start();
	put_sample(fake_count - TARGETS, 2100);
	taken(3000);
	assert_int_equal(sampling_take_cost(&sampling), 2000);
	assert_int_equal(timed_count, 1);
}

UNIT_TEST(sampling_says_what_it_has_cost_when_that_is_measured)
{
	is_late = true;
	sample_ns = 2000;
	start();
	put_sample(0, 100);
	measures_from(1000);
	assert_int_equal(sampling_take_cost(&sampling), 0);
	is_late = false;
	put_sample(1, 1100);
	taken(2000);
	assert_int_equal(sampling_take_cost(&sampling), 4000);
}

/* A copy of the stack costs something else. */
UNIT_TEST(sampling_measures_anew_what_it_has_not_measured)
{
	is_late = true;
	start();
	measures_from(100);
	sampling_stop(&sampling);
	assert_false(sampling.timing.time.is_running);
	start();
	measures_from(200);
	assert_int_equal(timed_count, 2);
	is_late = false;
	taken(1000);
	want_stack(8192);
	measures_from(2000);
	assert_int_equal(timed_count, 3);
	assert_int_equal(timed.stack_bytes, 8192);
}

UNIT_TEST(sampling_measures_where_we_run)
{
	static const struct {
		int here, timed;
	} cases[] = {{2, 2}, {1, 1}, {3, 0}}; /* the last one is not sampled */

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		set_up(NULL);
		here = cases[i].here;
		start();
		measures_from(100);
		assert_int_equal(timed.cpu, cases[i].timed);
		sampling_stop(&sampling);
	}
}

UNIT_TEST(sampling_off_the_cpu_that_cannot_be_limited_takes_each_switch)
{
	no_period = -ENOTTY;
	start_off_cpu();
	taken(1000000000);
	take_switches(TARGETS, 1, 1000);
	assert_true(fakes[TARGETS].period > 1);
	assert_string_equal(session.off_cpu.words, "each switch");
}

UNIT_TEST(sampling_merges_rings_by_time)
{
	start();
	put_sample(0, 100);
	put_sample(0, 300);
	put_sample(1, 200);
	assert_string_equal(taken(1000), "2+2 frames at 100, lost 0; 2+2 frames at 200, lost 0; "
					 "2+2 frames at 300, lost 0; ");
	assert_string_equal(taken(1000), "");
}

UNIT_TEST(sampling_leaves_what_is_later_to_the_next_round)
{
	start();
	put_sample(0, 100);
	put_sample(0, 300);
	assert_string_equal(taken(200), "2+2 frames at 100, lost 0; ");
	put_sample(1, 250);
	assert_string_equal(taken(1000), "2+2 frames at 250, lost 0; 2+2 frames at 300, lost 0; ");
}

UNIT_TEST(sampling_says_what_was_lost_and_throttled)
{
	struct decoded throttled = decoded_of(DECODED_THROTTLE, 150);
	struct decoded over = decoded_of(DECODED_UNTHROTTLE, 190);

	start();
	put_lost(0, 100, 12);
	put(0, &throttled);
	put(0, &over);
	put(0, &over);
	put_sample(0, 200);
	assert_string_equal(taken(1000), "0+0 frames at 100, lost 12; throttled for 40; "
					 "throttled for 0; 2+2 frames at 200, lost 0; ");
}

/* What cannot be read is said with the next sample. */
UNIT_TEST(sampling_counts_broken_records_as_lost)
{
	start();
	put_sample(0, 100);
	put_sample(0, 200);
	/* its chain is longer than the record */
	memset(fakes[0].memory + PAGE + 8 * 7, 0x7f, 8);
	assert_string_equal(taken(1000), "2+2 frames at 200, lost 1; ");
}

UNIT_TEST(sampling_reports_what_changes_the_code_of_processes)
{
	struct decoded mmap = decoded_of(DECODED_MMAP2, 100);
	struct decoded fork = decoded_of(DECODED_FORK, 110), thread = fork;
	struct decoded exit = decoded_of(DECODED_EXIT, 120), other = exit;

	mmap.mmap = (struct decoded_mmap){.pid = 7, .tid = 7, .file = "/bin/sh", .file_length = 7};
	fork.fork = (struct decoded_fork){.pid = 20, .tid = 20, .parent_pid = 7, .parent_tid = 7};
	thread.fork = (struct decoded_fork){.pid = 7, .tid = 9, .parent_pid = 7, .parent_tid = 7};
	exit.fork = (struct decoded_fork){.pid = 20, .tid = 20};
	other.fork = (struct decoded_fork){.pid = 20, .tid = 21};
	start();
	put(0, &mmap);
	put(0, &fork);
	put(0, &thread);
	put(1, &exit);
	put(1, &other);
	assert_string_equal(taken(1000), "7 added at 100; 20 forked at 110; 20 exited at 120; ");
}

/* --- the kernel lowers its limit */

static void put_throttle(size_t index, uint64_t time_ns)
{
	const struct decoded throttled = decoded_of(DECODED_THROTTLE, time_ns);

	put(index, &throttled);
}

UNIT_TEST(sampling_that_is_held_back_follows_the_limit)
{
	const struct sampling_target later[] = {cpus[0], {.tid = -1, .cpu = 3}};

	start_off_cpu();
	put_throttle(1, 100);
	taken(200);
	max_hz = 250;
	taken(300); /* without a throttle nothing is looked at */
	for (size_t i = 0; i < fake_count; i++)
		assert_int_equal(fakes[i].period, 0);
	assert_string_equal(session.sampling_words, "cycles, 997 Hz");

	put_throttle(1, 350);
	taken(400);
	for (size_t i = 0; i < fake_count; i++)
		assert_int_equal(fakes[i].period, i < TARGETS ? 250 : 0);
	assert_string_equal(session.sampling_words, "cycles, 250 Hz");

	max_hz = 100;
	sampling_follow(&sampling, later, COUNT_OF(later));
	assert_int_equal(fakes[0].period, 100);
	assert_int_equal(fakes[fake_count - 1].request.cpu, 3);
	assert_int_equal(fakes[fake_count - 1].request.hz, 100);
	assert_string_equal(session.sampling_words, "cycles, 100 Hz");
}

UNIT_TEST(sampling_that_is_held_back_goes_no_faster)
{
	static const uint32_t limits[] = {250, 400, 0};

	start();
	for (size_t i = 0; i < COUNT_OF(limits); i++) {
		max_hz = limits[i];
		put_throttle(0, 100);
		taken(1000);
		assert_int_equal(fakes[0].period, 250);
		assert_string_equal(session.sampling_words, "cycles, 250 Hz");
	}
}

UNIT_TEST(sampling_that_cannot_be_slowed_down_goes_on)
{
	refused_cpu = 1;
	no_period = -EINVAL;
	start();
	max_hz = 250;
	put_throttle(0, 100);
	taken(1000);
	assert_int_equal(fakes[0].period, 250);
	assert_int_equal(fakes[1].period, 250); /* it is asked of each */
	put_sample(1, 1100);
	assert_string_equal(taken(2000), "2+2 frames at 1100, lost 0; ");
}

static void assert_stands_for(uint64_t weight, uint64_t ns)
{
	struct record record;

	put_sample(0, 1100);
	sampling_begin(&sampling, 2000, false);
	assert_true(sampling_next(&sampling, &record));
	assert_int_equal(record.sample.weight, weight);
	assert_int_equal(record.sample.ns, ns);
	assert_false(sampling_next(&sampling, &record));
	sampling_end(&sampling);
}

UNIT_TEST(sampling_that_is_slower_stands_for_more_time)
{
	start();
	max_hz = 250;
	put_throttle(0, 100);
	taken(1000);
	assert_stands_for(1003009, 4000000);
}

/* The kernel takes a period for it, and its samples still report the one it was opened with. */
UNIT_TEST(sampling_by_the_clock_is_slowed_down_by_its_period)
{
	no_cycles = ENOENT;
	start();
	max_hz = 250;
	put_throttle(0, 100);
	taken(1000);
	assert_int_equal(fakes[0].period, 4000000);
	assert_string_equal(session.sampling_words, "cpu-clock, 250 Hz");
	assert_stands_for(4000000, 4000000);
}

/* --- at an event */

static void want_by(const char *name, uint64_t period, uint64_t freq)
{
	struct evsel by = {.spec_count = 1};
	const struct source_samples samples = {.is_on = true, .by = name ? &by : NULL};

	snprintf(by.name, sizeof(by.name), "%s", name ? name : "");
	by.specs[0] = (struct event_spec){
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_PAGE_FAULTS,
		.period = period,
		.freq = freq,
	};
	sampling.list = list_cpus;
	assert_true(sampling_take(&sampling, &samples, NULL));
}

UNIT_TEST(sampling_by_event_says_at_which_and_how_often)
{
	want_by("faults", 0, 0);
	assert_string_equal(session.sampling_words,
			    "faults, 997 Hz: estimates, /period=1/ is exact");
	assert_int_equal(session.sampling, SAMPLING_EVENTS);
	assert_true(session.samples_are_estimates);
	assert_string_equal(session.uncounted, "the samples are of an event");
	sampling_stop(&sampling);
	want_by("faults", 0, 50);
	assert_string_equal(session.sampling_words,
			    "faults, 50 Hz: estimates, /period=1/ is exact");
	sampling_stop(&sampling);
	want_by("faults", 1, 0);
	assert_string_equal(session.sampling_words, "faults, each");
	sampling_stop(&sampling);
	want_by("faults", 10, 0);
	assert_string_equal(session.sampling_words, "faults, one of 10");
	assert_int_equal(fakes[fake_count - 1].request.spec->config, PERF_COUNT_SW_PAGE_FAULTS);
}

UNIT_TEST(sampling_by_event_begins_anew_where_it_is_another)
{
	want_by("faults", 1, 0);
	want_by("faults", 1, 0);
	assert_int_equal(fake_count, TARGETS);
	want_by("others", 1, 0);
	assert_int_equal(fake_count, 2 * TARGETS);
	assert_int_equal(open_count(), TARGETS);
	want_by(NULL, 0, 0);
	assert_string_equal(session.sampling_words, "cycles, 997 Hz");
	assert_null(fakes[2 * TARGETS].request.spec);
}

/* A period is the user's; what it costs the watched is not known. */
UNIT_TEST(sampling_by_event_represents_its_period)
{
	sample_ns = 1000;
	want_by("faults", 10, 0);
	put_sample(0, 100);
	assert_string_equal(taken(1000), "2+2 frames at 100, lost 0; ");
	assert_stands_for(10, 0);
	max_hz = 2;
	put_throttle(0, 1200);
	taken(3000);
	assert_int_equal(fakes[0].period, 0);
	assert_string_equal(session.sampling_words, "faults, one of 10");
	assert_int_equal(sampling_take_cost(&sampling), 0);
}

UNIT_TEST(sampling_by_event_that_is_held_back_goes_slower)
{
	want_by("faults", 0, 0);
	assert_stands_for(1003009, 0);
	max_hz = 250;
	put_throttle(0, 1200);
	taken(3000);
	assert_int_equal(fakes[0].period, 250);
	assert_string_equal(session.sampling_words,
			    "faults, 250 Hz: estimates, /period=1/ is exact");
}

/* --- of accesses to memory */

static bool want_accesses(const struct evsel *leader, struct error *error)
{
	struct evsel by = {.name = "mem-loads", .spec_count = 1};
	const struct source_samples samples = {
		.is_on = true, .by = &by, .are_accesses = true, .accesses_leader = leader};

	by.specs[0] = (struct event_spec){.type = PERF_TYPE_RAW, .config = 0x1cd, .precise = 2};
	sampling.list = list_cpus;
	return sampling_take(&sampling, &samples, error);
}

/* As the kernel writes what this format asks for. */
static void put_access(size_t index, uint64_t time_ns, uint64_t data_src)
{
	const struct {
		struct perf_event_header header;
		uint64_t identifier, ip, task, time_ns, address;
		uint32_t cpu, reserved;
		uint64_t period, weight, data_src;
	} record = {
		.header = {.type = PERF_RECORD_SAMPLE,
			   .misc = PERF_RECORD_MISC_USER,
			   .size = sizeof(record)},
		.ip = 0x401,
		.task = 7 | UINT64_C(8) << 32,
		.time_ns = time_ns,
		.address = 0x1234,
		.cpu = 1,
		.period = 50,
		.weight = 40,
		.data_src = data_src,
	};

	memcpy(fakes[index].memory + PAGE + fakes[index].head->data_head, &record, sizeof(record));
	fakes[index].head->data_head += sizeof(record);
}

UNIT_TEST(sampling_accesses_says_where_what_and_how_long)
{
	struct record record;

	assert_true(want_accesses(NULL, NULL));
	assert_true(fakes[0].request.has_access);
	assert_string_equal(session.sampling_words, "mem-loads, 997 Hz");
	assert_true(session.samples_are_accesses);
	put_access(0, 100, PERF_MEM_S(OP, LOAD) | PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVL, L2));
	put_access(0, 200, PERF_MEM_S(OP, NA)); /* accesses nothing */
	sampling_begin(&sampling, 1000, false);
	assert_true(sampling_next(&sampling, &record));
	assert_int_equal(record.sample.kind, SAMPLE_MEMORY);
	assert_int_equal(record.tid, 8);
	assert_int_equal(record.sample.count, 1);
	assert_int_equal(record.sample.frames[0], 0x401);
	assert_int_equal(record.sample.address, 0x1234);
	assert_int_equal(record.sample.weight, 40);
	assert_int_equal(record.sample.ns, 1);
	assert_int_equal(record.sample.access.source, ACCESS_L2);
	assert_int_equal(record.sample.access.operation, ACCESS_LOAD);
	assert_false(sampling_next(&sampling, &record));
	sampling_end(&sampling);
}

/* Each is behind its own leader, and ends with it. */
UNIT_TEST(sampling_accesses_behind_the_event_that_must_lead)
{
	const struct evsel leader = {.name = "mem-loads-aux", .spec_count = 1};
	struct error error = {0};

	assert_true(want_accesses(&leader, NULL));
	assert_int_equal(fake_count, 2 * TARGETS);
	assert_int_equal(fakes[1].request.access_fd, FIRST_FD);
	assert_int_equal(fakes[3].request.access_fd, FIRST_FD + 2);
	want_by(NULL, 0, 0);
	assert_int_equal(open_count(), TARGETS);
	sampling_stop(&sampling);
	no_leader = ENOENT;
	assert_false(want_accesses(&leader, &error));
	assert_int_equal(open_count(), 0);
	no_leader = 0;
}

/* --- beside counters */

static const struct group groups[] = {
	{.leader_fd = 5, .ids = {50, 51, 52}, .count = 2},
	{.leader_fd = 6, .ids = {60, 61, 62}, .count = 2},
	{.leader_fd = 7, .ids = {50, 51, 53}, .count = 1}, /* the first one, without a member */
};
static const struct sampling_target counted[] = {
	{.tid = -1, .cpu = 0, .group = &groups[0], .group_index = 3},
	{.tid = -1, .cpu = 1, .group = &groups[1], .group_index = 3},
};

static void start_beside(void)
{
	session.has_pmu = true;
	assert_true(sampling_start(&sampling, counted, COUNT_OF(counted), NULL));
}

UNIT_TEST(sampling_joins_the_groups_of_counters)
{
	start_beside();
	assert_int_equal(fake_count, COUNT_OF(counted));
	assert_true(fakes[1].request.is_hardware);
	assert_ptr_equal(fakes[1].request.group, &groups[1]);
	assert_string_equal(session.uncounted, "");
}

UNIT_TEST(sampling_joins_with_the_clock_where_counters_are_short)
{
	running_ns = 0;
	start_beside();
	assert_int_equal(open_count(), COUNT_OF(counted));
	for (size_t i = 0; i < fake_count; i++)
		assert_false(fakes[i].is_open && fakes[i].request.is_hardware);
	assert_ptr_equal(fakes[fake_count - 1].request.group, &groups[1]);
	assert_string_equal(session.sampling_words, "cpu-clock, 997 Hz");
	assert_string_equal(session.uncounted, "");
}

UNIT_TEST(sampling_joins_with_cycles_before_anything_counts)
{
	running_ns = enabled_ns = 0;
	start_beside();
	assert_string_equal(session.sampling_words, "cycles, 997 Hz");
	assert_ptr_equal(fakes[fake_count - 1].request.group, &groups[1]);
}

UNIT_TEST(sampling_that_may_not_join_says_that_nothing_is_counted)
{
	no_join = EINVAL;
	start_beside();
	assert_string_equal(session.sampling_words, "cycles, 997 Hz");
	assert_string_equal(session.uncounted, "hardware events are not counted all the time");
	sampling_stop(&sampling);
	assert_string_equal(session.uncounted, "");
	session.has_pmu = false;
	start();
	assert_string_equal(session.uncounted, "no hardware event is counted");
}

UNIT_TEST(sampling_joins_again_what_was_opened_anew)
{
	struct sampling_target later[] = {counted[0], counted[1]};

	start_beside();
	sampling_follow(&sampling, later, 2);
	assert_int_equal(fake_count, 2);
	later[0].group = &groups[2];
	later[1].group = NULL;
	sampling_follow(&sampling, later, 2);
	assert_int_equal(fake_count, 4);
	assert_int_equal(open_count(), 2);
	assert_ptr_equal(fakes[2].request.group, &groups[2]);
	assert_null(fakes[3].request.group);
}

static void put_counted(size_t index, uint64_t leader_id, uint64_t values)
{
	struct decoded decoded = decoded_of(DECODED_SAMPLE, 100);

	decoded.sample.read = (struct decoded_read){
		.count = values,
		.has_times = true,
		.enabled_ns = 900,
		.running_ns = 800,
		.values = {4, 1000, 2000, 77},
		.ids = {leader_id, leader_id + 1, leader_id + 2, 99},
	};
	put(index, &decoded);
}

/* Of a group that has been closed, or that another event has joined, nothing is to be known. */
UNIT_TEST(sampling_delivers_what_its_group_has_counted)
{
	struct record record;
	const struct record_reading *reading;

	start_beside();
	put_counted(1, 60, 4);
	sampling_begin(&sampling, 1000, false);
	assert_true(sampling_next(&sampling, &record));
	reading = record.sample.reading;
	assert_non_null(reading);
	assert_int_equal(reading->group, 3);
	assert_int_equal(reading->sequence, 4);
	assert_int_equal(reading->enabled_ns, 900);
	assert_int_equal(reading->running_ns, 800);
	assert_int_equal(reading->values[0], 1000);
	assert_int_equal(reading->values[1], 2000);
	sampling_end(&sampling);

	put_counted(1, 70, 4);
	put_counted(1, 60, 1);
	sampling_begin(&sampling, 1000, false);
	while (sampling_next(&sampling, &record))
		assert_null(record.sample.reading);
	sampling_end(&sampling);
}

UNIT_TEST(sampling_that_was_switched_off_delivers_nothing)
{
	start();
	put_sample(0, 100);
	sampling_stop(&sampling);
	assert_string_equal(taken(1000), "");
	assert_string_equal(session.sampling_words, "");
}

UNIT_MAIN(set_up, tear_down)
