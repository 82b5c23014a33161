/*
 * The source of tasks and the model on the kernel that runs the tests: a process of our
 * own with threads, whose truth stands in /proc. Where counting own tasks is refused
 * the refusal itself is what is tested: it must say why.
 */

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/error.h"
#include "kernel/attr.h"
#include "kernel/host.h"
#include "kernel/proc.h"
#include "kernel/sys.h"
#include "model/model.h"
#include "source/tasks/tasks.h"

#include "live_events.h"
#include "unit.h"

enum {
	THREADS = 3, /* the first one included */
	SPIN_MS = 300,
	KEPT = 32, /* descriptors that are never taken */
	NAPS = 200,
	ATTEMPTS = 30
};

/* The process that is watched: it works when told to, and says when it has. */
struct worker {
	pid_t pid;
	int command_fd, answer_fd;
};

struct live {
	struct live_events events;
	struct host host;
	struct attr_features features;
	struct source *source;
	struct model *model;
	const struct snapshot *snapshot;
	uint64_t lost;
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
	_exit(0);
}

static void start_worker(struct worker *worker)
{
	int commands[2], answers[2];
	char word;

	assert_int_equal(pipe(commands), 0);
	assert_int_equal(pipe(answers), 0);
	worker->pid = fork();
	assert_true(worker->pid >= 0);
	if (worker->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(commands[1]);
		close(answers[0]);
		work(commands[0], answers[1]);
	}
	close(commands[0]);
	close(answers[1]);
	worker->command_fd = commands[1];
	worker->answer_fd = answers[0];
	assert_int_equal(read(worker->answer_fd, &word, 1), 1);
	usleep(50000); /* its threads go to sleep */
}

static void end_worker(struct worker *worker)
{
	close(worker->command_fd);
	assert_int_equal(waitpid(worker->pid, NULL, 0), worker->pid);
	close(worker->answer_fd);
}

static void assert_refusal_is_explained(const struct live *live, const struct error *error)
{
	if (error->code == ERROR_PERF_SECCOMP) {
		assert_true(live->host.has_seccomp_filter || live->host.container[0] != '\0');
		return;
	}
	assert_int_equal(error->code, ERROR_PERF_PARANOID);
	assert_true(live->host.paranoid > 2 && !live->host.has_cap_perfmon);
	assert_non_null(strstr(error->text, "counting tasks: refused"));
}

static void feed_all(struct live *live)
{
	struct record record;

	while (source_next(live->source, &record))
		model_feed(live->model, &record);
}

static void tick(struct live *live)
{
	source_tick(live->source);
	feed_all(live);
	live->snapshot = model_close_interval(live->model, live->source->tick_ns);
	live->lost += live->snapshot->lost_records;
}

/* False where it is refused. */
static bool begin(struct live *live, const struct worker *worker)
{
	const int32_t pid = worker->pid;
	const struct tasks_request request = {
		.host = &live->host,
		.features = &live->features,
		.events = &live->events.set,
		.mode = TASKS_PIDS,
		.pids = &pid,
		.pid_count = 1,
		.scope_words = "a test",
	};
	struct error error = {0};

	live_events_find(&live->events, "page-faults");
	host_read(&live->host, "");
	attr_probe_features(&live->features);
	live->source = tasks_create(&request, &error);
	if (live->source == NULL) {
		assert_refusal_is_explained(live, &error);
		live_events_fini(&live->events);
		host_fini(&live->host);
		return false;
	}
	live->model = model_create(&live->source->layout);
	assert_true(source_begin(live->source, &error));
	source_tick(live->source);
	feed_all(live);
	model_start(live->model, live->source->tick_ns);
	return true;
}

static void end(struct live *live)
{
	model_destroy(live->model);
	source_destroy(live->source);
	live_events_fini(&live->events);
	host_fini(&live->host);
}

/* Lets the worker do one thing and watches until it says that it is done. */
static void watch(struct live *live, const struct worker *worker, char command)
{
	struct pollfd ready[] = {{.fd = source_poll_fd(live->source), .events = POLLIN},
				 {.fd = worker->answer_fd, .events = POLLIN}};
	char word;

	assert_int_equal(write(worker->command_fd, &command, 1), 1);
	while ((ready[1].revents & POLLIN) == 0) {
		poll(ready, 2, 20);
		source_drain(live->source);
		feed_all(live);
	}
	assert_int_equal(read(worker->answer_fd, &word, 1), 1);
	usleep(50000);
	tick(live);
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

UNIT_TEST(run_time_and_switches_are_those_of_proc)
{
	bool fits = false;

	for (int i = 0; i < ATTEMPTS && !fits; i++) {
		struct live live = {0};
		struct worker worker;

		start_worker(&worker);
		if (!begin(&live, &worker)) {
			end_worker(&worker);
			return;
		}
		fits = measure_work(&worker, &live);
		end_worker(&worker);
		end(&live);
	}

	assert_true(fits);
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
	bool fits = false;

	for (int i = 0; i < ATTEMPTS && !fits; i++) {
		struct live live = {0};
		struct worker worker;

		start_worker(&worker);
		if (!begin(&live, &worker)) {
			end_worker(&worker);
			return;
		}
		fits = measure_late_thread(&worker, &live);
		end_worker(&worker);
		end(&live);
	}

	assert_true(fits);
}

UNIT_TEST(switches_of_threads_that_sleep_are_known)
{
	struct live live = {0};
	struct worker worker;
	uint32_t unknown;
	size_t exited;

	start_worker(&worker);
	if (begin(&live, &worker)) {
		tick(&live);
		assert_int_equal(threads_of(&live, worker.pid, &exited, &unknown), THREADS);
		assert_int_equal(unknown, 0);
		end(&live);
	}

	end_worker(&worker);
}

/* For one of the three threads at least there are descriptors, not for all. */
UNIT_TEST(some_descriptors_stay_free)
{
	struct rlimit before, limit;
	struct live live = {0};
	struct worker worker;

	start_worker(&worker);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	limit = before;
	limit.rlim_cur = proc_own_descriptors() + KEPT + 8;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	if (begin(&live, &worker)) {
		assert_true(proc_own_descriptors() + KEPT <= limit.rlim_cur);
		assert_non_null(strstr(live.source->session.scope_reason, "not watched: all "));
		end(&live);
	}

	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	end_worker(&worker);
}

UNIT_TEST(exit_of_the_process_is_announced)
{
	struct live live = {0};
	struct worker worker;
	uint32_t unknown;
	size_t exited;

	start_worker(&worker);
	if (!begin(&live, &worker)) {
		end_worker(&worker);
		return;
	}
	tick(&live);
	assert_false(source_is_finished(live.source));
	end_worker(&worker);
	source_drain(live.source);
	feed_all(&live);
	tick(&live);

	assert_int_equal(live.snapshot->exited_count, THREADS);
	assert_int_equal(threads_of(&live, worker.pid, &exited, &unknown), THREADS);
	assert_int_equal(exited, THREADS);
	assert_true(source_is_finished(live.source));
	end(&live);
}

UNIT_TEST(destroyed_source_leaves_no_descriptor)
{
	struct live live = {0};
	uint64_t before;
	struct worker worker;

	start_worker(&worker);
	before = proc_own_descriptors();
	if (begin(&live, &worker)) {
		assert_true(proc_own_descriptors() > before);
		end(&live);
	}

	assert_int_equal(proc_own_descriptors(), before);
	end_worker(&worker);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
