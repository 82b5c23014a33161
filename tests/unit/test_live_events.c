/*
 * Events that come and go while perftop runs, on the kernel that runs the tests: a process of our
 * own does what it is told so many times, and exactly that must stand in its row, whatever is added
 * or removed meanwhile. Where something is refused here there is nothing to test.
 */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <sys/file.h>
#include <sys/mman.h>

#include "base/error.h"
#include "model/metric.h"
#include "model/metric_set.h"
#include "source/source.h"
#include "source/tasks/tasks.h"

#include "live_tracefs.h"
#include "live_worker.h"
#include "session/engine_parts.h"
#include "session/options.h"
#include "unit.h"

enum {
	WRITES = 1000,
	FAULTS = 300,
	SETTLE_MS = 30
};

/*
 * What breakpoints watch, where no other process has anything: a breakpoint of a CPU sees the
 * writes of all that run there.
 */
static volatile long *const target = (volatile long *)0x2a0000000000;

static int map_target(void **state)
{
	void *there = (void *)(uintptr_t)target;

	return mmap(there, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == there
		       ? 0
		       : -1;
}

static void touch_pages(size_t count)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	volatile char *pages = mmap(NULL, count * page, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		_exit(1);
	madvise((void *)(uintptr_t)pages, count * page, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < count; i++)
		pages[i * page] = 1;
	munmap((void *)(uintptr_t)pages, count * page);
}

static void do_work(char command)
{
	for (int i = 0; i < WRITES && command == 'w'; i++)
		target[0] = i;
	for (int i = 0; i < WRITES && command == 'x'; i++)
		target[1] = i;
	if (command == 'f')
		touch_pages(FAULTS);
}

static void work(int commands, int answers)
{
	char command;

	while (read(commands, &command, 1) == 1) {
		do_work(command);
		if (write(answers, &command, 1) != 1)
			break;
	}
}

static struct live {
	struct engine *engine; /* NULL: none */
	struct options options;
	const char *list; /* of its events */
	struct worker worker;
	int32_t pid;
	struct error error; /* of the last that may have failed, and its place */
	size_t position;
} live;

static void tell(char command)
{
	struct pollfd answer = {.fd = live.worker.answer_fd, .events = POLLIN};

	assert_int_equal(write(live.worker.command_fd, &command, 1), 1);
	while (poll(&answer, 1, 10) == 0)
		engine_drain(live.engine);
	assert_int_equal(read(live.worker.answer_fd, &command, 1), 1);
	usleep(SETTLE_MS * 1000); /* it sleeps by now */
}

/* Skips the test where this user may not. */
static void begin(const char *list, bool by_pid)
{
	live = (struct live){.options = {.uid = -1, .column_list = "pid"}, .list = list};
	live.options.event_lists = &live.list;
	live.options.event_list_count = 1;
	worker_start(&live.worker, work);
	live.pid = live.worker.pid;
	live.options.pids = &live.pid;
	live.options.pid_count = by_pid;
	live.engine = engine_create(&live.options);
	if (engine_open(live.engine, &live.error) && engine_start(live.engine, &live.error))
		return;
	print_message("%s\n", live.error.text);
	skip();
}

static int end(void **state)
{
	if (!live.engine)
		return 0;
	engine_destroy(live.engine);
	live.engine = NULL;
	worker_end(&live.worker);
	return 0;
}

static const struct event *event_of(const char *name)
{
	int index = layout_find_event(&live.engine->source->layout, name);

	assert_true(index >= 0);
	return &live.engine->source->layout.events[index];
}

/* What was counted of an event in all. */
struct counted {
	uint64_t own, nobodys, others;
};

static struct counted count(const char *name)
{
	struct counted counted = {0};
	const struct snapshot *snapshot;
	const struct layout *layout;
	int found;

	engine_tick(live.engine);
	snapshot = live.engine->whole;
	layout = snapshot->layout;
	found = layout_find_event(layout, name);
	assert_true(found >= 0);
	for (size_t i = 0; i < snapshot->cpu_count; i++)
		counted.nobodys += layout_event_count(layout, (size_t)found,
						      snapshot->cpus[i].unattributed_total);
	for (size_t i = 0; i < snapshot->task_count; i++) {
		const struct snapshot_task *task = &snapshot->tasks[i];
		uint64_t *sum = task->tid == live.pid ? &counted.own : &counted.others;

		*sum += layout_event_count(layout, (size_t)found, task->total);
	}
	return counted;
}

/*
 * Only the worker does what a breakpoint counts. On some virtual machines a switch now and then
 * leaves no record (Linux 6.18): what was counted around it is nobody's then, and where two in a
 * row leave none, that of the task before. Nothing is lost or counted twice; whose it is is proved
 * in the guests.
 */
static void assert_breakpoint(const char *name, uint64_t expected)
{
	const struct counted counted = count(name);

	assert_int_equal(counted.own + counted.nobodys + counted.others, expected);
	if (counted.own < expected)
		print_message("%llu of %llu are nobody's, %llu another task's\n",
			      (unsigned long long)counted.nobodys, (unsigned long long)expected,
			      (unsigned long long)counted.others);
}

static uint64_t at_least_own(const char *name)
{
	const struct counted counted = count(name);

	return counted.own + counted.nobodys;
}

static void assert_books_balance(void)
{
	const struct snapshot *snapshot = live.engine->whole;

	for (size_t place = QUANTITY_MIGRATIONS + 1;
	     place < layout_width(snapshot->layout) && snapshot->cpu_count > 0; place++) {
		uint64_t counter = 0, sum = 0;

		for (size_t i = 0; i < snapshot->cpu_count; i++) {
			counter += snapshot->cpus[i].counter_total[place];
			sum += snapshot->cpus[i].idle_total[place] +
			       snapshot->cpus[i].unattributed_total[place];
		}
		for (size_t i = 0; i < snapshot->task_count; i++)
			sum += snapshot->tasks[i].total[place];
		if (snapshot->exited_count == 0)
			assert_true(sum <= counter); /* the rest is of tasks that were forgotten */
	}
}

static void add(const char *list)
{
	if (!engine_add_events(live.engine, list, NULL, NULL, &live.position, &live.error))
		fail_msg("%s", live.error.text);
	assert_books_balance();
}

static void drop(const char *name)
{
	if (!engine_remove_event(live.engine, name, &live.error))
		fail_msg("%s", live.error.text);
	assert_true(event_of(name)->is_removed);
	assert_books_balance();
}

static const char *breakpoint(int index)
{
	static char texts[9][64];

	snprintf(texts[index], sizeof(texts[index]), "mem:0x%lx:w",
		 (unsigned long)(uintptr_t)&target[index]);
	return texts[index];
}

UNIT_TEST(added_event_counts_from_then_on)
{
	const char *first = breakpoint(0), *second = breakpoint(1);

	begin(first, false);
	tell('w');
	tell('x');
	add(second);
	if (event_is_counted(event_of(second))) {
		tell('w');
		tell('x');
		tell('x');
		assert_breakpoint(first, 2 * WRITES);
		assert_breakpoint(second, 2 * WRITES);
	}
}

UNIT_TEST(removed_event_keeps_what_it_has_counted)
{
	const char *first = breakpoint(0), *second = breakpoint(1);

	begin("page-faults", false);
	add(first);
	add(second);
	if (event_is_counted(event_of(second))) {
		tell('w');
		tell('x');
		drop(first);
		tell('w');
		tell('x');
		assert_breakpoint(first, WRITES);
		assert_breakpoint(second, 2 * WRITES);
		add(first);
		tell('w');
		assert_breakpoint(first, 2 * WRITES);
		assert_breakpoint(second, 2 * WRITES);
	}
}

UNIT_TEST(event_of_a_group_that_shrinks_loses_nothing)
{
	const char *first = breakpoint(0), *second = breakpoint(1);
	char both[130];

	snprintf(both, sizeof(both), "%s,%s", first, second);
	begin("page-faults", false);
	add(both);
	if (event_is_counted(event_of(second))) {
		tell('x');
		drop(first);
		tell('x');
		tell('w');
		assert_breakpoint(first, 0);
		assert_breakpoint(second, 2 * WRITES);
	}
}

UNIT_TEST(fifth_breakpoint_is_refused_and_the_others_go_on)
{
	const char *const texts[] = {breakpoint(0), breakpoint(1), breakpoint(2), breakpoint(3),
				     breakpoint(8)};

	begin(texts[0], false);
	for (int i = 1; i < 5; i++)
		add(texts[i]);
	if (event_is_counted(event_of(texts[3]))) {
		assert_int_equal(event_of(texts[4])->state, EVENT_UNSUPPORTED);
		assert_string_equal(event_of(texts[4])->reason,
				    "all hardware breakpoints are in use");
		tell('w');
		assert_breakpoint(texts[0], WRITES);
		drop(texts[1]);
		drop(texts[4]);
		add(texts[4]);
		assert_int_equal(event_of(texts[4])->state, EVENT_COUNTING);
	}
}

UNIT_TEST(tracepoints_and_faults_are_those_of_the_task)
{
	begin("page-faults", false);
	tell('f');
	assert_true(at_least_own("page-faults") >= FAULTS);
	assert_true(count("page-faults").own < 2 * FAULTS);
	add("exceptions:page_fault_user,msr/tsc/");
	tell('f');
	assert_true(at_least_own("page-faults") >= 2 * FAULTS);
	if (event_is_counted(event_of("exceptions:page_fault_user"))) {
		assert_true(at_least_own("exceptions:page_fault_user") >= FAULTS);
		assert_true(count("exceptions:page_fault_user").own < 2 * FAULTS);
	}
	if (event_is_counted(event_of("msr/tsc/")))
		assert_true(at_least_own("msr/tsc/") > 0);
	assert_books_balance();
}

UNIT_TEST(events_of_named_processes_come_and_go_too)
{
	const char *first = breakpoint(0);

	begin("page-faults", true);
	tell('f');
	add(first);
	tell('w');
	if (event_is_counted(event_of(first)))
		assert_breakpoint(first, WRITES);
	assert_true(at_least_own("page-faults") >= FAULTS);
}

UNIT_TEST(metric_brings_its_events)
{
	const struct metric_info *info = NULL;

	begin("page-faults", false);
	assert_true(engine_add_metric(live.engine, "minor = minor-faults / page-faults", &info,
				      &live.position, &live.error));
	tell('f');

	assert_string_equal(info->name, "minor");
	assert_int_equal(event_of("minor-faults")->state, EVENT_COUNTING);
	assert_true(at_least_own("minor-faults") >= FAULTS);
	assert_true(metrics_find(engine_metrics(live.engine), "minor") >= 0);
}

UNIT_TEST(metric_with_an_unknown_event_is_refused_with_its_place)
{
	const struct metric_info *info = NULL;

	begin("page-faults", false);
	assert_false(engine_add_metric(live.engine, "odd = page-faults / pgae-faults", &info,
				       &live.position, &live.error));

	assert_int_equal(live.position, 20);
	assert_true(live.error.text[0] != '\0');
	assert_int_equal(metrics_find(engine_metrics(live.engine), "odd"), -1);
	engine_tick(live.engine);
}

UNIT_TEST(wrong_event_changes_nothing)
{
	begin("page-faults", false);
	assert_false(engine_add_events(live.engine, "minor-faults,pgae-faults", NULL, NULL,
				       &live.position, &live.error));
	assert_int_equal(live.position, 13);
	assert_int_equal(live.engine->source->layout.event_count, 1);
	assert_false(engine_remove_event(live.engine, "minor-faults", &live.error));
	assert_int_equal(live.error.code, ERROR_EVENT_NOT_WISHED);
}

UNIT_TEST(wrong_event_at_the_start_is_wrong_usage_with_its_place)
{
	const char *list = "page-faults,pgae-faults";
	struct options options = {.uid = -1, .event_lists = &list, .event_list_count = 1};
	struct error error = {0};
	struct engine *engine = engine_create(&options);

	assert_false(engine_open(engine, &error));
	assert_int_equal(error_exit_status(&error), 2);
	assert_non_null(strstr(error.text, "character 13 of"));
	engine_destroy(engine);
}

static void write_once(const struct worker *worker)
{
	char command = 'w';

	assert_int_equal(write(worker->command_fd, &command, 1), 1);
	assert_int_equal(read(worker->answer_fd, &command, 1), 1);
}

/* Ends an interval; what the first event has counted since its groups were opened. */
static uint64_t read_writes(struct source *source)
{
	struct record record;
	uint64_t writes = 0;

	source_tick(source);
	while (source_next(source, &record))
		if (record.kind == RECORD_READING)
			writes = record.reading.values[0];
	return writes;
}

/* The same by counters of each task, as a user has them who may not watch the machine. */
UNIT_TEST(task_counters_follow_a_change_exactly)
{
	struct event_finder *finder = event_finder_create("");
	struct event_set set = {0};
	struct worker worker;
	struct host host;
	struct attr_features features;
	struct tasks_request tasks = {
		.host = &host,
		.features = &features,
		.events = &set,
		.mode = TASKS_PIDS,
		.pid_count = 1,
		.scope_words = "a test",
	};
	struct source *source;

	host_read(&host, "");
	attr_probe_features(&features);
	worker_start(&worker, work);
	tasks.pids = &worker.pid;
	source = tasks_create(&tasks, NULL);
	if (source != NULL && source_begin(source, NULL)) {
		read_writes(source);
		assert_true(event_find(finder, breakpoint(0), &set, NULL, NULL));
		assert_true(source_change(source, &set, NULL));
		write_once(&worker);
		assert_true(event_find(finder, breakpoint(1), &set, NULL, NULL));
		assert_true(source_prepare(source, &set, NULL));
		write_once(&worker);
		if (event_is_counted(&source->layout.events[0]))
			assert_int_equal(read_writes(source), 2 * WRITES);
		write_once(&worker);
		assert_true(source_change(source, &set, NULL));
		write_once(&worker);
		if (event_is_counted(&source->layout.events[1]))
			assert_int_equal(read_writes(source), 2 * WRITES);
	}
	source_destroy(source);
	worker_end(&worker);
	event_set_fini(&set);
	event_finder_destroy(finder);
	host_fini(&host);
}

/* Breakpoints are few, and see the writes of all processes: one run at a time, of whichever build.
 */
static void wait_for_other_runs(void)
{
	const int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);

	while (fd >= 0 && flock(fd, LOCK_EX) != 0 && errno == EINTR)
		;
}

int main(void)
{
	wait_for_other_runs();
	live_tracefs_mount();
	return unit_run_group(NULL, end, map_target, NULL);
}
