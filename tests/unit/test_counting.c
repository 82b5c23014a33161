/*
 * attr, group, ring and decode together on the kernel that runs the tests, with software
 * events, which need no hardware. Skipped where the kernel allows no counting at all.
 */

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "kernel/decode.h"
#include "kernel/group.h"
#include "kernel/ring.h"
#include "kernel/sys.h"

#include "event/event.h"
#include "live_tracefs.h"
#include "unit.h"

enum {
	PAGES = 100,
	RING_BYTES = 8 * 1024 * 1024 /* on a busy machine many switch before a child has ended */
};

static size_t page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static void touch_pages(int count)
{
	size_t size = (size_t)count * page_bytes();
	volatile char *memory =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	/* a huge page would be one fault */
	madvise((void *)memory, size, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < size; i += page_bytes())
		memory[i] = 1;
	munmap((void *)memory, size);
}

static struct attr_features features; /* of this kernel */

static int probe(void **state)
{
	attr_probe_features(&features);
	return 0;
}

/* Of one event of this process, or of two. */
static struct group_request own_request(const struct event_spec *first,
					const struct event_spec *second)
{
	return (struct group_request){.target.leader = GROUP_LEADER_TASK,
				      .target.pid = getpid(),
				      .target.cpu = -1,
				      .specs = {first, second},
				      .count = second ? 2 : 1,
				      .target.exclude_kernel = geteuid() != 0};
}

/* False: this machine has no such event, or its tracefs cannot be read. */
static bool find_spec(const char *name, struct event_spec *spec)
{
	struct event_finder *finder = event_finder_create("");
	struct event_set set = {0};
	bool found = event_find(finder, name, &set, NULL, NULL);

	if (found)
		*spec = set.evsels[0].specs[0];
	event_set_fini(&set);
	event_finder_destroy(finder);
	return found;
}

static struct event_spec spec_of(const char *name)
{
	struct event_spec spec = {0};

	assert_true(find_spec(name, &spec));
	return spec;
}

UNIT_TEST(task_group_counts_page_faults_exactly)
{
	struct event_spec specs[] = {spec_of("page-faults"), spec_of("task-clock")};
	struct group group;
	struct group_request request = own_request(&specs[0], &specs[1]);
	struct group_reading before, after;

	if (group_open(&group, &request, &features, NULL) != 0)
		skip();
	touch_pages(1); /* the code is loaded, and so is that of a reading */
	assert_true(group_read(&group, &before));

	assert_true(group_enable(&group));
	assert_true(group_read(&group, &before));
	touch_pages(PAGES);
	assert_true(group_read(&group, &after));

	assert_int_equal(after.count, 3);
	assert_int_equal(after.values[0], 0);
	/* besides its own: the memory of a sanitizer, and page tables */
	assert_in_range(after.values[1] - before.values[1], PAGES, PAGES + 30);
	assert_true(after.values[2] > before.values[2]);
	assert_true(after.enabled_ns > before.enabled_ns);
	assert_int_equal(after.enabled_ns, after.running_ns);

	assert_true(group_disable(&group));
	assert_true(group_read(&group, &before));
	touch_pages(PAGES);
	assert_true(group_read(&group, &after));
	assert_int_equal(after.values[1], before.values[1]);
	group_close(&group);
}

/* Opens and enables one event of this process; false: it is not to be had here. */
static bool count_own(const char *name, struct group *group)
{
	struct event_spec spec = {0};
	struct group_request request = own_request(&spec, NULL);

	if (!find_spec(name, &spec) || group_open(group, &request, &features, NULL) != 0)
		return false;
	assert_true(group_enable(group));
	return true;
}

static uint64_t end_count(struct group *group)
{
	struct group_reading reading;

	assert_true(group_read(group, &reading));
	group_close(group);
	return reading.values[1];
}

UNIT_TEST(task_group_counts_writes_to_an_address_exactly)
{
	volatile int target = 0;
	struct group group;
	char name[64];

	snprintf(name, sizeof(name), "mem:%#lx/4:w:u", (unsigned long)&target);
	if (!count_own(name, &group))
		skip();
	for (int i = 0; i < 77; i++)
		target = i;
	assert_int_equal(end_count(&group), 77);
}

/* Two numbers that no other signal has; only one passes. */
UNIT_TEST(task_group_counts_only_what_passes_a_filter)
{
	struct group group;

	if (!count_own("signal:signal_generate/sig == 40/", &group))
		skip();
	signal(40, SIG_IGN);
	signal(41, SIG_IGN);
	for (int i = 0; i < 9; i++) {
		raise(40);
		raise(41);
		raise(41);
	}
	assert_int_equal(end_count(&group), 9);
}

UNIT_TEST(task_group_with_a_wrong_filter_names_it)
{
	struct event_spec spec = {0};
	struct group group;
	int errno_value;
	struct group_request request = own_request(&spec, NULL);

	if (geteuid() != 0 || !find_spec("signal:signal_generate/no_such == 40/", &spec))
		skip();
	errno_value = group_open(&group, &request, &features, NULL);
	if (errno_value != EINVAL && errno_value != EACCES)
		fail_msg("%s", strerror(errno_value));
}

/* The msr PMU takes no exclude_guest, which is the default. */
UNIT_TEST(task_group_counts_events_that_refuse_the_default_of_guests)
{
	struct group group;

	if (!count_own("msr/tsc/", &group))
		skip();
	touch_pages(PAGES);
	assert_true(end_count(&group) > 0);
}

struct cpu_watch {
	struct group group;
	struct ring ring;
	int timeline_fd;
	struct decode_format format;
};

/* The whole of CPU 0: a switch group, its ring, and the time line in it. */
static bool watch_cpu(struct cpu_watch *watch, const struct event_spec *spec)
{
	struct group_request request = {.target.leader = GROUP_LEADER_SWITCHES,
					.target.pid = -1,
					.target.cpu = 0,
					.specs = {spec},
					.count = 1};
	int errno_value;

	if (group_open(&watch->group, &request, &features, NULL) != 0)
		return false; /* not allowed to watch a CPU */
	watch->timeline_fd = timeline_open(-1, 0, &features, false, RING_BYTES / 2,
					   TIMELINE_SWITCHES | TIMELINE_TASKS);
	assert_true(watch->timeline_fd >= 0);
	assert_true(
		ring_map(&watch->ring, watch->timeline_fd, RING_BYTES, page_bytes(), &errno_value));
	assert_int_equal(timeline_redirect(watch->group.leader_fd, watch->timeline_fd), 0);
	watch->format = attr_cpu_format(&features);
	return true;
}

static void watch_end(struct cpu_watch *watch)
{
	ring_unmap(&watch->ring);
	sys_close(watch->timeline_fd);
	group_close(&watch->group);
}

/* A child on CPU 0 that takes a name, touches pages and ends; its tid. */
static pid_t run_child(const char *name)
{
	pid_t pid = fork();

	if (pid == 0) {
		cpu_set_t set;

		CPU_ZERO(&set);
		CPU_SET(0, &set);
		sched_setaffinity(0, sizeof(set), &set);
		prctl(PR_SET_NAME, name);
		touch_pages(PAGES);
		_exit(0);
	}
	assert_true(pid > 0);
	waitpid(pid, NULL, 0);
	return pid;
}

UNIT_TEST(cpu_group_records_readings_and_sched_state_in_order)
{
	struct event_spec faults = spec_of("page-faults");
	struct cpu_watch watch;
	struct group_reading last;
	static struct decoded record;
	uint64_t time_ns = 0, sequence = 0, samples = 0, above = 0;
	bool named = false, switched = false, exited = false;
	const void *bytes;
	size_t size;

	if (!watch_cpu(&watch, &faults))
		skip();
	group_enable(&watch.group);
	pid_t pid = run_child("perftop-child");
	assert_true(group_read(&watch.group, &last));

	const struct sample_offsets offsets = sample_offsets_of(&watch.format);

	ring_begin(&watch.ring);
	while (ring_next(&watch.ring, &bytes, &size)) {
		assert_int_equal(decode_record(&record, bytes, size, &watch.format), DECODE_OK);
		assert_true(record.id.time_ns >= time_ns && record.id.time_ns <= sys_now_ns());
		time_ns = record.id.time_ns;
		assert_int_equal(decode_peek_time(bytes, size, &offsets), time_ns);
		assert_int_equal(decode_peek_id(bytes, size, &offsets), record.id.id);
		if (record.type == PERF_RECORD_SAMPLE) {
			/* its own id may be that of another's event that fired with it */
			assert_int_equal(record.sample.read.ids[0], watch.group.ids[0]);
			assert_int_equal(record.sample.read.count, 2);
			assert_int_equal(record.sample.read.ids[1], watch.group.ids[1]);
			assert_true(record.sample.read.values[0] > sequence);
			sequence = record.sample.read.values[0];
			above += sequence > last.values[0];
			samples++;
		}
		named = named || (record.type == PERF_RECORD_COMM && record.comm.tid == pid &&
				  record.comm.name_length == 13 &&
				  memcmp(record.comm.name, "perftop-child", 13) == 0);
		/* where the one before it is idle, its record of the switch may be missing */
		switched =
			switched || (record.type == PERF_RECORD_SWITCH_CPU_WIDE &&
				     (record.ctx_switch.other_tid == pid || record.id.tid == pid));
		exited = exited || (record.type == PERF_RECORD_EXIT && record.fork.tid == pid);
	}
	ring_end(&watch.ring);

	assert_true(named && switched && exited);
	assert_true(samples > 0);
	/* switches go on between the reading and the draining: these come after the reading */
	assert_true(above < samples);
	assert_true(last.values[1] >= PAGES);
	assert_int_equal(watch.ring.broken, 0);
	watch_end(&watch);
}

UNIT_TEST(group_open_nonsense_event_is_refused_and_closed)
{
	struct event_spec specs[] = {
		spec_of("page-faults"),
		{.name = "nonsense", .type = PERF_TYPE_SOFTWARE, .config = 999}};
	struct group group;
	struct group_request request = own_request(&specs[0], &specs[1]);
	int failed = 99, free_before = dup(0), free_after;

	close(free_before);

	assert_int_not_equal(group_open(&group, &request, &features, &failed), 0);
	if (failed == -1)
		skip();
	assert_int_equal(failed, 1);
	assert_int_equal(group.leader_fd, -1);
	free_after = dup(0);
	close(free_after);
	assert_int_equal(free_after, free_before);
}

int main(void)
{
	live_tracefs_mount();
	return unit_run_group(NULL, NULL, probe, NULL);
}
