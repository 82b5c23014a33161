/*
 * make_off_cpu FILE: makes a recording of two tasks on one CPU that are sampled on it, off it, and
 * where one wakes the other; at one of 16 switches and wake-ups, so that each such sample stands
 * for several. Names of functions are those of made_symbols.c.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/topology.h"
#include "kernel/host.h"
#include "source/source.h"
#include "source/target_pids.h"

#include "made_kernel.h"
#include "perfdata/recorder.h"

enum {
	MS = 1000000,
	INTERVALS = 3,
	PERIOD_NS = 10 * MS, /* of samples on the CPU */
	FRAMES_MAX = 16,
	SERVER = 4711,
	BUILDER = 4720,
	IDLE = 0,
	MAIN = 0x4002d0, /* these four: tests/guest/functions.c */
	WORK = 0x400250,
	SLOW = 0x400200,
	QUICK = 0x4001b0
};

static const uint64_t begin_ns = 1000000000000;
static const int64_t wall_ns = 1767268800000000000; /* noon of a new year */

struct maker {
	struct source source;
	struct recorder *recorder;
	uint64_t now_ns, switches, faults;
};

/* Its processor is this, wherever it is made. */
bool __wrap_host_read_cpu_id(char id[static HOST_TEXT_MAX], const char *root);

bool __wrap_host_read_cpu_id(char id[static HOST_TEXT_MAX], const char *root)
{
	strcpy(id, "GenuineIntel,6,143,8");
	return true;
}

static const struct event_spec *no_spec(const struct source *source, size_t group, size_t member)
{
	return NULL;
}

static const struct source_ops ops = {.spec = no_spec};

/* A place from which a task leaves, or wakes another one: where it is in the kernel, innermost
 * first, and the innermost function of the user's. */
struct place {
	int32_t pid;
	enum sample_kind kind;
	uint64_t ms; /* that a sample stands for; of a waker wake-ups */
	uint64_t user;
	uint64_t times; /* in an interval */
	const char *kernel;
};

#define SYSCALL " do_syscall_64 entry_SYSCALL_64_after_hwframe"
#define FUTEX   "do_futex __x64_sys_futex" SYSCALL

/* clang-format off */
static const struct place places[] = {
	{SERVER, SAMPLE_BLOCKED, 48, SLOW, 5, "__schedule schedule futex_wait_queue futex_wait " FUTEX},
	{SERVER, SAMPLE_BLOCKED, 16, QUICK, 5, "__schedule schedule pipe_read vfs_read ksys_read" SYSCALL},
	{SERVER, SAMPLE_PREEMPTED, 120, QUICK, 3, "__schedule schedule exit_to_user_mode_prepare asm_sysvec"},
	{BUILDER, SAMPLE_PREEMPTED, 80, WORK, 2, "__schedule preempt_schedule"},
	{BUILDER, SAMPLE_WAKER, 16, WORK, 5, "try_to_wake_up wake_up_q futex_wake " FUTEX},
	{BUILDER, SAMPLE_WAKER, 16, WORK, 1, "try_to_wake_up hrtimer_wakeup hrtimer_interrupt sysvec_apic_timer asm_sysvec"},
};
/* clang-format on */

/* The address of a function that is none of these is below them: asm_sysvec_apic_timer_interrupt.
 */
static uint64_t kernel_address(const char *name, size_t length)
{
	size_t i = 0;

	while (i < MADE_KERNEL_FUNCTIONS && (strlen(made_kernel_functions[i]) != length ||
					     strncmp(made_kernel_functions[i], name, length) != 0))
		i++;
	return i < MADE_KERNEL_FUNCTIONS ? made_kernel_begin + i * MADE_KERNEL_PAGE + 1
					 : made_kernel_begin - MADE_KERNEL_PAGE;
}

static uint16_t put_kernel(uint64_t *frames, const char *names)
{
	uint16_t count = 0;

	while (*names != '\0') {
		const size_t length = strcspn(names, " ");

		frames[count++] = kernel_address(names, length);
		names += length + strspn(names + length, " ");
	}
	return count;
}

static uint16_t put_user(uint64_t *frames, uint64_t innermost)
{
	static const uint64_t calls[] = {WORK, MAIN};
	uint16_t count = 0;

	frames[count++] = innermost;
	for (size_t i = 0; i < 2; i++)
		if (calls[i] != innermost)
			frames[count++] = calls[i];
	return count;
}

static void take_sample(const struct maker *maker, const struct place *place, uint64_t weight)
{
	uint64_t frames[FRAMES_MAX];
	const uint16_t kernel = put_kernel(frames, place->kernel);
	const struct record record = {
		.kind = RECORD_SAMPLE,
		.pid = place->pid,
		.tid = place->pid,
		.time_ns = maker->now_ns,
		.sample = {.kind = place->kind,
			   .frames = frames,
			   .kernel_count = kernel,
			   .count = (uint16_t)(kernel + put_user(frames + kernel, place->user)),
			   .weight = weight,
			   .ns = place->kind == SAMPLE_WAKER ? 0 : weight,
			   .wakee_tid = SERVER},
	};

	recorder_take(maker->recorder, &record);
}

static struct record_reading reading_of(const struct maker *maker)
{
	return (struct record_reading){
		.sequence = maker->switches,
		.enabled_ns = maker->now_ns,
		.running_ns = maker->now_ns,
		.values = &maker->faults,
	};
}

static void read_counters(const struct maker *maker, int32_t pid)
{
	const struct record record = {
		.kind = RECORD_READING,
		.pid = pid,
		.tid = pid,
		.time_ns = maker->now_ns,
		.reading = reading_of(maker),
	};

	recorder_take(maker->recorder, &record);
}

static void switch_tasks(struct maker *maker, int32_t prev, int32_t next, bool preempted)
{
	maker->switches++;

	const struct record_reading reading = reading_of(maker);
	const struct record record = {
		.kind = RECORD_SWITCH,
		.pid = prev,
		.tid = prev,
		.time_ns = maker->now_ns,
		.ctx_switch = {.next_pid = next,
			       .next_tid = next,
			       .knows_how = true,
			       .preempted = preempted,
			       .readings = &reading,
			       .reading_count = 1},
	};

	recorder_take(maker->recorder, &record);
}

/* Nothing else than its own functions is sampled on the CPU. */
static void run(struct maker *maker, int32_t pid, uint64_t ms, uint64_t user)
{
	const struct place place = {.pid = pid, .user = user, .kernel = ""};

	for (uint64_t ran_ns = 0; ran_ns < ms * MS; ran_ns += PERIOD_NS) {
		maker->now_ns += PERIOD_NS;
		take_sample(maker, &place, PERIOD_NS);
	}
	maker->faults += ms;
}

static void introduce(const struct maker *maker, int32_t pid, const char *name)
{
	const struct record record = {
		.kind = RECORD_PROCINFO,
		.cpu = RECORD_CPU_NONE,
		.pid = pid,
		.tid = pid,
		.time_ns = maker->now_ns,
		.procinfo = {.name = name, .parent_pid = 1, .cpu = -1},
	};

	recorder_take(maker->recorder, &record);
}

static void end_interval(const struct maker *maker, bool is_start)
{
	const struct recording_interval tick = {
		.time_ns = maker->now_ns,
		.is_start = is_start,
		.wall_offset_ns = maker->source.session.wall_offset_ns,
		.own_rss_bytes = 1 << 20,
	};

	const struct record settled = {
		.kind = RECORD_SETTLED,
		.cpu = RECORD_CPU_NONE,
		.pid = RECORD_TASK_UNKNOWN,
		.tid = RECORD_TASK_UNKNOWN,
		.time_ns = tick.time_ns,
	};

	read_counters(maker, IDLE);
	recorder_take(maker->recorder, &settled);
	recorder_tick(maker->recorder, &tick);
	recorder_round(maker->recorder);
}

/* The server is pushed out by the builder, and then waits for it. */
static void run_interval(struct maker *maker)
{
	maker->now_ns += 100 * MS;
	switch_tasks(maker, IDLE, SERVER, false);
	run(maker, SERVER, 200, QUICK);
	switch_tasks(maker, SERVER, BUILDER, true);
	run(maker, BUILDER, 400, WORK);
	switch_tasks(maker, BUILDER, SERVER, true);
	run(maker, SERVER, 100, SLOW);
	switch_tasks(maker, SERVER, IDLE, false);
	maker->now_ns += 200 * MS;
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		for (uint64_t j = 0; j < places[i].times; j++)
			take_sample(maker, &places[i],
				    places[i].ms * (places[i].kind == SAMPLE_WAKER ? 1 : MS));
}

static void set_up(struct source *source)
{
	struct session *session = &source->session;

	*session = (struct session){
		.scope = SCOPE_SYSTEM,
		.is_live = true,
		.cpu_count = 1,
		.wall_offset_ns = wall_ns - (int64_t)begin_ns,
		.sampling = SAMPLING_CLOCK,
		.off_cpu = {.are_taken = true, .are_estimates = true},
		.wakers = {.are_taken = true, .are_estimates = true},
	};
	strcpy(session->scope_words, "whole machine");
	strcpy(session->pmu_words, "no hardware counters: none were made up");
	strcpy(session->sampling_words, "cpu-clock, 100 Hz");
	strcpy(session->off_cpu.words, "one of 16 switches");
	strcpy(session->wakers.words, "one of 16 wake-ups");
	strcpy(session->uncounted, "no hardware event is counted");
	source->ops = &ops;
	layout_init(&source->layout);
	layout_add_counter(&source->layout, 0, layout_add_event(&source->layout, "page-faults"));
	source->layout.events[0].state = EVENT_COUNTING;
}

static void make(struct maker *maker)
{
	introduce(maker, SERVER, "server");
	introduce(maker, BUILDER, "builder");
	end_interval(maker, true);
	for (int i = 0; i < INTERVALS; i++) {
		run_interval(maker);
		end_interval(maker, false);
	}
}

int main(int argc, char **argv)
{
	struct maker maker = {.now_ns = begin_ns};
	struct error error = {0};
	struct host host = {0};
	const struct target_pids all = {.kind = TARGET_PIDS_ALL};
	char *const arguments[] = {argv[0], NULL};
	const struct recorder_request request = {
		.path = argv[1],
		.version = "made up",
		.arguments = arguments,
		.host = &host,
		.source = &maker.source,
		.targets = &all,
		.since_ns = begin_ns,
	};

	if (argc != 2) {
		fprintf(stderr, "usage: make_off_cpu FILE\n");
		return 2;
	}
	set_up(&maker.source);
	maker.recorder = recorder_create(&request, &error);
	if (maker.recorder)
		make(&maker);
	if (!maker.recorder || !recorder_finish(maker.recorder, &error))
		fprintf(stderr, "make_off_cpu: %s\n", error.text);
	layout_fini(&maker.source.layout);
	host_fini(&host);
	return error.code == ERROR_NONE ? 0 : 1;
}
