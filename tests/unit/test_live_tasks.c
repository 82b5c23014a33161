/*
 * The source of tasks and the model on the kernel that runs the tests: a process of our
 * own with threads, whose truth stands in /proc. Where counting own tasks is refused
 * the refusal itself is what is tested: it must say why.
 */

#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include <sys/resource.h>

#include "kernel/proc.h"

#include "live_source.h"
#include "live_worker.h"
#include "unit.h"

enum {
	THREADS = 3, /* the first one included */
	SPIN_MS = 300,
	KEPT = 32, /* descriptors that are never taken */
	NAPS = 200,
	ATTEMPTS = 30
};

static uint64_t thread_cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void *spin(void *context)
{
	uint64_t until = thread_cpu_ns() + SPIN_MS * 1000000ull;

	while (thread_cpu_ns() < until)
		;
	return NULL;
}

static void nap(void)
{
	for (int i = 0; i < NAPS; i++)
		usleep(500);
}

/* Threads that are there before they are watched, and wait. */
struct gate {
	pthread_mutex_t mutex;
	pthread_cond_t opened;
	bool is_open;
	unsigned int done;
};

static void *wait_and_spin(void *context)
{
	struct gate *gate = context;

	pthread_mutex_lock(&gate->mutex);
	while (!gate->is_open)
		pthread_cond_wait(&gate->opened, &gate->mutex);
	pthread_mutex_unlock(&gate->mutex);
	spin(NULL);
	pthread_mutex_lock(&gate->mutex);
	gate->done++;
	pthread_cond_broadcast(&gate->opened);
	while (gate->is_open)
		pthread_cond_wait(&gate->opened, &gate->mutex);
	pthread_mutex_unlock(&gate->mutex);
	return NULL;
}

static void let_them_work(struct gate *gate)
{
	pthread_mutex_lock(&gate->mutex);
	gate->is_open = true;
	pthread_cond_broadcast(&gate->opened);
	pthread_mutex_unlock(&gate->mutex);
	nap();
	pthread_mutex_lock(&gate->mutex);
	while (gate->done < THREADS - 1)
		pthread_cond_wait(&gate->opened, &gate->mutex);
	pthread_mutex_unlock(&gate->mutex);
}

/* "w": the threads work; "t": a new thread works; end of file: all end. */
static void work(int commands, int answers)
{
	struct gate gate = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, 0};
	pthread_t threads[THREADS - 1], late;
	char word = 'r';

	for (size_t i = 0; i < THREADS - 1; i++)
		pthread_create(&threads[i], NULL, wait_and_spin, &gate);
	while (write(answers, &word, 1) == 1 && read(commands, &word, 1) == 1)
		if (word == 'w')
			let_them_work(&gate);
		else if (pthread_create(&late, NULL, spin, NULL) == 0)
			pthread_join(late, NULL);
	_exit(0); /* the threads still use what is here */
}

static void start_worker(struct worker *worker)
{
	char word;

	worker_start(worker, work);
	assert_int_equal(read(worker->answer_fd, &word, 1), 1);
	live_await_sleep(worker->pid);
}

/* False where it is refused. */
static bool begin(struct live *live, const struct worker *worker)
{
	live_init(live, "page-faults");
	live_create_tasks(live, worker->pid);
	return live_begin(live, 2, "counting tasks: refused");
}

/* Lets the worker do one thing and watches until it says that it is done. */
static void watch(struct live *live, const struct worker *worker, char command)
{
	struct pollfd ready[] = {{.fd = live->source->poll_fd, .events = POLLIN},
				 {.fd = worker->answer_fd, .events = POLLIN}};
	char word;

	assert_int_equal(write(worker->command_fd, &command, 1), 1);
	while ((ready[1].revents & POLLIN) == 0) {
		poll(ready, 2, 20);
		live_drain(live);
	}
	assert_int_equal(read(worker->answer_fd, &word, 1), 1);
	live_await_sleep(worker->pid); /* what has ended has gone by then */
	live_tick(live);
}

/* What /proc says of all threads together. */
struct truth {
	uint64_t run_ns, switches;
};

static bool add_truth(int32_t tid, void *context)
{
	struct truth *truth = context;
	uint64_t run_ns, wait_ns, voluntary, involuntary;

	assert_true(proc_read_schedstat(tid, 0, &run_ns, &wait_ns));
	assert_true(proc_read_switches(tid, &voluntary, &involuntary));
	truth->run_ns += run_ns;
	truth->switches += voluntary + involuntary;
	return true;
}

static struct truth truth_of(const struct worker *worker)
{
	struct truth truth = {0};

	assert_true(proc_walk(worker->pid, add_truth, &truth));
	return truth;
}

static uint64_t total_of(const struct live *live, size_t place)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < live->snapshot->task_count; i++)
		sum += live->snapshot->tasks[i].total[place];
	return sum;
}

/*
 * Time that the hypervisor or an interrupt takes is on perf's clock and not on the
 * scheduler's: on a machine that is kept busy by others it may take some attempts.
 */
static bool is_within_one_percent(uint64_t value, uint64_t truth)
{
	double ratio = (double)value / (double)truth;

	return ratio > 0.99 && ratio < 1.01;
}

/* The threads of the process; its parent is known, too, by name only. */
static size_t threads_of(const struct live *live, int32_t pid, size_t *exited, uint32_t *unknown)
{
	size_t count = 0;

	*exited = *unknown = 0;
	for (size_t i = 0; i < live->snapshot->task_count; i++) {
		const struct snapshot_task *task = &live->snapshot->tasks[i];

		if (task->pid != pid)
			continue;
		count++;
		*exited += task->is_exited;
		*unknown |= task->unknown;
	}
	return count;
}

/* Whether the run time was that of /proc; the number of switches must be in any case. */
static bool measure_work(const struct worker *worker, struct live *live)
{
	struct truth before = truth_of(worker), after;
	uint32_t unknown;
	size_t exited;

	watch(live, worker, 'w');
	after = truth_of(worker);
	assert_int_equal(threads_of(live, worker->pid, &exited, &unknown), THREADS);
	assert_true(after.run_ns - before.run_ns >= (THREADS - 1) * SPIN_MS * 1000000ull);
	if (live->lost == 0) {
		assert_true(after.switches - before.switches >= NAPS);
		assert_int_equal(total_of(live, QUANTITY_SWITCHES),
				 after.switches - before.switches);
	}
	return is_within_one_percent(total_of(live, QUANTITY_RUN_NS), after.run_ns - before.run_ns);
}

/* Of some attempts one must fit. */
static void measure(bool (*fits)(const struct worker *worker, struct live *live))
{
	bool does_fit = false;

	for (int i = 0; i < ATTEMPTS && !does_fit; i++) {
		struct live live;
		struct worker worker;

		start_worker(&worker);
		if (!begin(&live, &worker)) {
			worker_end(&worker);
			return;
		}
		does_fit = fits(&worker, &live);
		worker_end(&worker);
		live_fini(&live);
	}
	assert_true(does_fit);
}

UNIT_TEST(run_time_and_switches_are_those_of_proc)
{
	measure(measure_work);
}

/* The thread that was born and ended while we watched: the truth is what it spun for. */
static bool measure_late_thread(const struct worker *worker, struct live *live)
{
	const struct snapshot_task *late = NULL;

	watch(live, worker, 't');
	for (size_t i = 0; i < live->snapshot->task_count; i++)
		if (live->snapshot->tasks[i].is_exited)
			late = &live->snapshot->tasks[i];
	assert_non_null(late);
	assert_int_equal(late->pid, worker->pid);
	assert_true(late->is_new);
	return is_within_one_percent(late->total[QUANTITY_RUN_NS], SPIN_MS * 1000000ull);
}

UNIT_TEST(run_time_of_a_thread_that_comes_and_goes_is_known)
{
	measure(measure_late_thread);
}

UNIT_TEST(switches_of_threads_that_sleep_are_known)
{
	struct live live;
	struct worker worker;
	uint32_t unknown;
	size_t exited;

	start_worker(&worker);
	if (begin(&live, &worker)) {
		live_tick(&live);
		assert_int_equal(threads_of(&live, worker.pid, &exited, &unknown), THREADS);
		assert_int_equal(unknown, 0);
		live_fini(&live);
	}

	worker_end(&worker);
}

/* For one of the three threads at least there are descriptors, not for all. */
UNIT_TEST(some_descriptors_stay_free)
{
	struct rlimit before, limit;
	struct live live;
	struct worker worker;
	int taken[KEPT]; /* with these the limit is no small one, of which fewer are kept free */

	for (size_t i = 0; i < KEPT; i++)
		taken[i] = dup(STDOUT_FILENO);
	start_worker(&worker);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	limit = before;
	limit.rlim_cur = proc_own_descriptors() + KEPT + 8;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	if (begin(&live, &worker)) {
		assert_true(proc_own_descriptors() + KEPT <= limit.rlim_cur);
		assert_non_null(
			strstr(live.source->session.scope_reason, "descriptors are too few"));
		live_fini(&live);
	}

	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	worker_end(&worker);
	for (size_t i = 0; i < KEPT; i++)
		close(taken[i]);
}

UNIT_TEST(exit_of_the_process_is_announced)
{
	struct live live;
	struct worker worker;
	uint32_t unknown;
	size_t exited;

	start_worker(&worker);
	if (!begin(&live, &worker)) {
		worker_end(&worker);
		return;
	}
	live_tick(&live);
	assert_false(source_is_finished(live.source));
	worker_end(&worker);
	live_drain(&live);
	live_tick(&live);

	assert_int_equal(live.snapshot->exited_count, THREADS);
	assert_int_equal(threads_of(&live, worker.pid, &exited, &unknown), THREADS);
	assert_int_equal(exited, THREADS);
	assert_true(source_is_finished(live.source));
	live_fini(&live);
}

UNIT_TEST(destroyed_source_leaves_no_descriptor)
{
	struct live live;
	uint64_t before;
	struct worker worker;

	start_worker(&worker);
	before = proc_own_descriptors();
	if (begin(&live, &worker)) {
		assert_true(proc_own_descriptors() > before);
		live_fini(&live);
	}

	assert_int_equal(proc_own_descriptors(), before);
	worker_end(&worker);
}

UNIT_MAIN(NULL, NULL)
