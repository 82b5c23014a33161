/* What a sample takes, on a kernel where that is known; nothing is left of the event. */

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "kernel/group.h"
#include "kernel/ring.h"
#include "kernel/sample_time.h"
#include "kernel/switch_time.h"
#include "kernel/sys.h"

#include "unit.h"

enum {
	PAGE = 4096,
	FD = 7,
	RING_BYTES = 64 * 1024,
	SAMPLES = 10 /* of a round */
};

static struct {
	unsigned char memory[PAGE + RING_BYTES] __attribute__((aligned(PAGE)));
	struct perf_event_mmap_page *head;
	uint64_t now_ns;
	size_t rounds;
	double sample_ns;    /* that one takes */
	uint64_t noise_ns;   /* by which one round in four is longer */
	int refused, no_map; /* errno; 0: granted */
	bool is_open, is_on;
	bool is_late;                        /* the result */
	int cpu;                             /* on which it is measured */
	struct profiler_request requests[3]; /* by the clock, by cycles, off the CPU */
	size_t request_count;
	uint64_t period;
	struct switch_time_result result;
} kit;

int __wrap_profiler_open(const struct profiler_request *request,
			 const struct attr_features *features);
bool __wrap_ring_map(struct ring *ring, int fd, size_t data_bytes, size_t page_bytes,
		     int *errno_value);
int __wrap_sys_close(int fd);
uint64_t __wrap_sys_now_ns(void);
void __wrap_timeline_turn(int fd, bool is_on);
int __wrap_profiler_set_period(int fd, uint64_t period);
void __wrap_switch_time_begin(struct switch_time *time, const struct switch_time_trial *trial);
bool __wrap_switch_time_take(struct switch_time *time, struct switch_time_result *result);

int __wrap_profiler_open(const struct profiler_request *request,
			 const struct attr_features *features)
{
	assert_true(kit.request_count < COUNT_OF(kit.requests));
	assert_false(kit.is_open);
	kit.requests[kit.request_count++] = *request;
	kit.is_open = kit.refused == 0;
	return kit.is_open ? FD : -kit.refused;
}

bool __wrap_ring_map(struct ring *ring, int fd, size_t data_bytes, size_t page_bytes,
		     int *errno_value)
{
	*errno_value = kit.no_map;
	if (kit.no_map != 0)
		return false;
	assert_int_equal(data_bytes, RING_BYTES);
	kit.head = (void *)kit.memory;
	ring_attach(ring, kit.memory, data_bytes, page_bytes);
	return true;
}

int __wrap_sys_close(int fd)
{
	assert_int_equal(fd, FD);
	kit.is_open = false;
	return 0;
}

uint64_t __wrap_sys_now_ns(void)
{
	kit.now_ns += 10000;
	if (kit.is_on)
		kit.now_ns += (uint64_t)(SAMPLES * kit.sample_ns) +
			      (kit.rounds % 4 == 0 ? kit.noise_ns : 0);
	return kit.now_ns;
}

void __wrap_timeline_turn(int fd, bool is_on)
{
	const struct perf_event_header sample = {.type = PERF_RECORD_SAMPLE,
						 .size = sizeof(sample)};

	for (int i = 0; i < SAMPLES && kit.is_on && kit.sample_ns > 0; i++) {
		memcpy(kit.memory + PAGE + kit.head->data_head, &sample, sizeof(sample));
		kit.head->data_head += sizeof(sample);
	}
	kit.is_on = is_on;
	kit.rounds += is_on;
}

int __wrap_profiler_set_period(int fd, uint64_t period)
{
	assert_int_equal(fd, FD);
	kit.period = period;
	return 0;
}

/* In this process. */
void __wrap_switch_time_begin(struct switch_time *time, const struct switch_time_trial *trial)
{
	unsigned int levels;

	kit.cpu = trial->cpu;
	time->is_running = true;
	levels = trial->open(trial->context, kit.result.added_ns);
	assert_int_equal(levels, kit.is_open ? 7 : 0);
	for (size_t level = 0; level < 3 && kit.is_open; level++) {
		trial->turn(trial->context, level);
		assert_int_equal(kit.is_on, level > 0);
		assert_int_equal(kit.period, level == 2 ? 1 : UINT32_MAX);
	}
	kit.is_open = false;
}

bool __wrap_switch_time_take(struct switch_time *time, struct switch_time_result *result)
{
	assert_true(time->is_running);
	time->is_running = kit.is_late;
	*result = kit.result;
	return !kit.is_late;
}

static int set_up(void **state)
{
	memset(&kit, 0, sizeof(kit));
	kit.sample_ns = 2500;
	return 0;
}

static const double *measured(struct profiler_request request)
{
	static double ns[SAMPLE_TIMES];
	const struct attr_features features = {0};
	struct sample_time time = {0};

	sample_time_begin(&time, &request, &features, PAGE);
	assert_true(sample_time_take(&time, ns));
	assert_false(kit.is_open);
	return ns;
}

static const double *of_cpu(void)
{
	return measured((struct profiler_request){.cpu = 3, .tid = -1, .hz = PROFILER_HZ});
}

UNIT_TEST(sample_time_is_by_what_a_loop_is_longer)
{
	const double *ns = of_cpu();

	assert_float_equal(ns[SAMPLE_TIME_CLOCK], 2500, 1);
	assert_float_equal(ns[SAMPLE_TIME_CYCLES], 2500, 1);
	for (size_t i = 0; i < 2; i++) {
		assert_true(kit.requests[i].tid > 0);
		assert_int_equal(kit.requests[i].cpu, -1);
		assert_int_equal(kit.requests[i].is_hardware, i == 1);
		assert_false(kit.requests[i].is_off_cpu);
		assert_true(kit.requests[i].hz > PROFILER_HZ);
	}
}

/* It is of cycles only. */
UNIT_TEST(sample_time_of_the_clock_is_without_the_processors_record_of_calls)
{
	measured((struct profiler_request){
		.cpu = -1, .tid = 7, .is_hardware = true, .by_lbr = true});
	assert_false(kit.requests[0].by_lbr);
	assert_true(kit.requests[1].by_lbr);
}

UNIT_TEST(sample_time_is_without_what_else_interrupts)
{
	kit.noise_ns = 1000000;
	assert_float_equal(of_cpu()[SAMPLE_TIME_CLOCK], 2500, 1);
}

UNIT_TEST(sample_time_without_samples_is_not_known)
{
	kit.sample_ns = 0;
	assert_float_equal(of_cpu()[SAMPLE_TIME_CLOCK], 0, 0);
}

UNIT_TEST(sample_time_without_rights_or_memory_is_not_known)
{
	for (int i = 0; i < 2; i++) {
		set_up(NULL);
		*(i == 0 ? &kit.refused : &kit.no_map) = EPERM;
		const double *ns = of_cpu();

		for (size_t of = 0; of < SAMPLE_TIMES; of++)
			assert_float_equal(ns[of], 0, 0);
	}
}

UNIT_TEST(sample_time_that_is_not_there_yet_is_not_taken)
{
	const struct profiler_request request = {.cpu = -1, .tid = 500};
	const struct attr_features features = {0};
	double ns[SAMPLE_TIMES] = {0};
	struct sample_time time = {0};

	kit.is_late = true;
	sample_time_begin(&time, &request, &features, PAGE);
	assert_false(sample_time_take(&time, ns));
	assert_float_equal(ns[SAMPLE_TIME_CLOCK], 0, 0);
}

/* At each switch of a CPU a task leaves and one comes; of a task it leaves at each other one. */
UNIT_TEST(sample_time_off_the_cpu_is_by_what_switches_are_longer)
{
	static const struct {
		struct profiler_request request;
		double record_ns, sample_ns;
	} cases[] = {
		{{.cpu = 3, .tid = -1}, 1200, 6000},
		{{.cpu = -1, .tid = 500}, 2400, 12000},
		{{.cpu = 3, .tid = 9}, 1200, 6000}, /* of a cgroup: the two are outside */
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].request.tid == 9 ? "cgroup" : i == 0 ? "CPU" : "task");
		set_up(NULL);
		kit.result.added_ns[1] = 2400;
		kit.result.added_ns[2] = 6000;
		const double *ns = measured(cases[i].request);
		const bool is_of_cpu = cases[i].request.cpu >= 0;

		assert_float_equal(ns[SAMPLE_TIME_OFF_CPU], cases[i].sample_ns, 0);
		assert_float_equal(ns[SAMPLE_TIME_RECORD], cases[i].record_ns, 0);
		assert_int_equal(kit.requests[2].cpu, cases[i].request.cpu);
		assert_int_equal(kit.requests[2].tid, is_of_cpu ? -1 : getpid());
		assert_true(kit.requests[2].is_off_cpu);
		assert_true(is_of_cpu ? kit.cpu == 3 : kit.cpu >= 0);
	}
}

UNIT_MAIN(set_up, NULL)
