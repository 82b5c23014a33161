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
	struct profiler_request request;
	uint64_t period;
	struct switch_time_result switches; /* what they take */
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
struct switch_time_result __wrap_switch_time_end(struct switch_time *time, int wait_ms);

int __wrap_profiler_open(const struct profiler_request *request,
			 const struct attr_features *features)
{
	kit.request = *request;
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

void __wrap_switch_time_begin(struct switch_time *time, const struct switch_time_trial *trial)
{
	time->fd = FD;
	kit.switches.state =
		trial->open(trial->context) == 7 ? SWITCH_TIME_MEASURED : SWITCH_TIME_REFUSED;
	for (size_t level = 0; level < 3 && kit.is_open; level++) {
		trial->turn(trial->context, level);
		assert_int_equal(kit.is_on, level > 0);
		assert_int_equal(kit.period, level == 2 ? 1 : UINT32_MAX);
	}
}

struct switch_time_result __wrap_switch_time_end(struct switch_time *time, int wait_ms)
{
	assert_int_equal(time->fd, FD);
	return kit.switches.state == SWITCH_TIME_MEASURED
		       ? kit.switches
		       : (struct switch_time_result){.state = kit.switches.state};
}

static int set_up(void **state)
{
	memset(&kit, 0, sizeof(kit));
	kit.sample_ns = 2500;
	return 0;
}

static double measured(void)
{
	const struct profiler_request request = {.cpu = 3, .tid = -1, .hz = PROFILER_HZ};
	const struct attr_features features = {0};
	const double each_ns = sample_time_ns(&request, &features, PAGE);

	assert_false(kit.is_open);
	return each_ns;
}

UNIT_TEST(sample_time_is_by_what_a_loop_is_longer)
{
	assert_float_equal(measured(), 2500, 1);
	assert_true(kit.request.tid > 0);
	assert_int_equal(kit.request.cpu, -1);
	assert_true(kit.request.hz > PROFILER_HZ);
}

UNIT_TEST(sample_time_is_without_what_else_interrupts)
{
	kit.noise_ns = 1000000;
	assert_float_equal(measured(), 2500, 1);
}

UNIT_TEST(sample_time_without_samples_is_not_known)
{
	kit.sample_ns = 0;
	assert_float_equal(measured(), 0, 0);
}

UNIT_TEST(sample_time_without_rights_or_memory_is_not_known)
{
	kit.refused = EACCES;
	assert_float_equal(measured(), 0, 0);
	kit.refused = 0;
	kit.no_map = ENOMEM;
	assert_float_equal(measured(), 0, 0);
}

/* At each switch of a CPU a task leaves and one comes; of a task it leaves at each other one. */
UNIT_TEST(off_cpu_time_is_by_what_switches_are_longer)
{
	static const struct {
		struct profiler_request request;
		double record_ns, sample_ns;
	} cases[] = {
		{{.cpu = 3, .tid = -1, .is_off_cpu = true}, 1200, 6000},
		{{.cpu = -1, .tid = 500, .is_off_cpu = true}, 2400, 12000},
	};
	const struct attr_features features = {0};
	double record_ns;

	kit.switches.added_ns[1] = 2400;
	kit.switches.added_ns[2] = 6000;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(i == 0 ? "CPU" : "task");
		assert_float_equal(off_cpu_time_ns(&cases[i].request, &features, PAGE, &record_ns),
				   cases[i].sample_ns, 0);
		assert_float_equal(record_ns, cases[i].record_ns, 0);
		assert_int_equal(kit.request.cpu, cases[i].request.cpu);
		assert_int_equal(kit.request.tid, i == 0 ? -1 : getpid());
		assert_true(kit.request.is_off_cpu);
	}
}

UNIT_TEST(off_cpu_time_without_rights_is_not_known)
{
	const struct profiler_request request = {.cpu = 3, .tid = -1, .is_off_cpu = true};
	const struct attr_features features = {0};
	double record_ns;

	kit.refused = EACCES;
	assert_float_equal(off_cpu_time_ns(&request, &features, PAGE, &record_ns), 0, 0);
	assert_float_equal(record_ns, 0, 0);
}

UNIT_MAIN(set_up, NULL)
