/*
 * large FILE CPUS TASKS INTERVALS: makes the recording of a machine that few have, each of whose
 * tasks runs in each interval of a second: half of them on one CPU, others on any. Everything that
 * is shown of it follows from the numbers of task, CPU and interval, so it is the same everywhere.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/topology.h"
#include "kernel/host.h"
#include "source/source.h"
#include "source/target_pids.h"

#include "perfdata/recorder.h"

enum {
	MEMBERS = 5,
	CPUS_MAX = 4096,
	TASKS_MAX = 1000000,
	FIRST_PID = (1 << 22) + 1, /* above all that this machine may have */
	INTERVAL_NS = 1000000000,
	SOCKETS = 2,
	THREADS = 2 /* of a core */
};

static const uint64_t begin_ns = 1000000000000;
static const int64_t wall_ns = 1767268800000000000; /* noon of a new year */

static const char *const event_names[MEMBERS] = {"cycles", "instructions", "cache-references",
						 "cache-misses", "page-faults"};

/* Its processors are these, wherever it is made: an Intel Sapphire Rapids. */
bool __wrap_host_read_cpu_id(char id[static HOST_TEXT_MAX], const char *root);

bool __wrap_host_read_cpu_id(char id[static HOST_TEXT_MAX], const char *root)
{
	strcpy(id, "GenuineIntel,6,143,8");
	return true;
}

struct cpu {
	uint64_t switches, clock_ns;
	uint64_t values[MEMBERS];
	int32_t running; /* task; -1: idle */
};

struct machine {
	struct source source;
	struct recorder *recorder;
	struct topology topology;
	struct cpu *cpus;
	int32_t cpu_count, task_count;
	uint64_t begin_ns; /* of the interval */
};

static const struct event_spec *no_spec(const struct source *source, size_t group, size_t member)
{
	return NULL;
}

static const struct source_ops ops = {.spec = no_spec};

static int32_t pid_of(int32_t task)
{
	return FIRST_PID + task;
}

/* Every second task stays where it is. */
static int32_t cpu_of(const struct machine *machine, int32_t task, uint64_t interval)
{
	const uint64_t moves = task % 2 == 0 ? interval * 7 : 0;

	return (int32_t)(((uint64_t)task + moves) % (uint64_t)machine->cpu_count);
}

static void introduce(const struct machine *machine)
{
	static const char *const names[] = {"nginx", "postgres", "java", "rustc", "kworker/u8:1"};

	for (int32_t task = 0; task < machine->task_count; task++) {
		const struct record record = {
			.kind = RECORD_PROCINFO,
			.cpu = RECORD_CPU_NONE,
			.pid = pid_of(task),
			.tid = pid_of(task),
			.time_ns = machine->begin_ns,
			.procinfo = {.name = names[task % 5],
				     .parent_pid = task < 10 ? 1 : pid_of(task / 10),
				     .uid = task % 3 * 1000,
				     .cpu = -1},
		};

		recorder_take(machine->recorder, &record);
	}
}

static struct record reading_of(const struct cpu *cpu, int32_t number, uint64_t time_ns)
{
	return (struct record){
		.kind = RECORD_READING,
		.cpu = number,
		.time_ns = time_ns,
		.reading = {.sequence = cpu->switches,
			    .enabled_ns = cpu->clock_ns,
			    .running_ns = cpu->clock_ns,
			    .values = cpu->values},
	};
}

/* The task ran up to now, and the next one comes. */
static void leave(const struct machine *machine, int32_t number, int32_t task, int32_t next)
{
	struct cpu *cpu = &machine->cpus[number];
	const uint64_t time_ns = cpu->clock_ns;
	struct record_reading reading;
	struct record record;

	cpu->switches++;
	record = reading_of(cpu, number, time_ns);
	reading = record.reading;
	record.kind = RECORD_SWITCH;
	record.pid = record.tid = task < 0 ? 0 : pid_of(task);
	record.ctx_switch = (struct record_switch){
		.next_pid = next < 0 ? 0 : pid_of(next),
		.next_tid = next < 0 ? 0 : pid_of(next),
		.knows_how = true,
		.preempted = task % 4 == 1,
		.readings = &reading,
		.reading_count = 1,
	};
	recorder_take(machine->recorder, &record);
}

/* Asleep, so that hardly anything is counted. */
static void idle(struct cpu *cpu, uint64_t ns)
{
	cpu->clock_ns += ns;
	cpu->values[0] += ns / 1000;
	cpu->values[1] += ns / 2000;
}

static void run(struct cpu *cpu, uint64_t ns, uint64_t kind)
{
	cpu->clock_ns += ns;
	cpu->values[0] += 3 * ns;
	cpu->values[1] += ns * (1 + kind % 7);
	cpu->values[2] += ns / 20;
	cpu->values[3] += ns / 20 * (kind % 11) / 11;
	cpu->values[4] += ns / 1000000;
}

/* How long a task runs: some CPUs have much to do, others little. */
static uint64_t turn_of(int32_t task, int32_t number, uint64_t share_ns)
{
	return share_ns * (1 + (uint64_t)task % 13) / 14 * (1 + (uint64_t)number % 16) / 5;
}

/* Every fourth CPU, that of those that are preempted, always has something to do: such a task waits
 * for it. */
static bool is_busy(int32_t number)
{
	return number % 4 == 1;
}

/* What it runs goes on. */
static void go_on(struct cpu *cpu, int32_t number, uint64_t ns)
{
	if (cpu->running < 0)
		idle(cpu, ns);
	else
		run(cpu, ns, (uint64_t)cpu->running + (uint64_t)number / 64);
}

/* One after the other those whose turn it is. */
static void run_interval(struct machine *machine, uint64_t interval)
{
	const uint64_t share_ns = INTERVAL_NS / 2 * (uint64_t)machine->cpu_count /
				  ((uint64_t)machine->task_count + (uint64_t)machine->cpu_count);

	for (int32_t i = 0; i < machine->cpu_count; i++)
		go_on(&machine->cpus[i], i, share_ns);
	for (int32_t task = 0; task < machine->task_count; task++) {
		const int32_t number = cpu_of(machine, task, interval);
		struct cpu *cpu = &machine->cpus[number];

		leave(machine, number, cpu->running, task);
		cpu->running = task;
		go_on(cpu, number, turn_of(task, number, share_ns));
	}
	for (int32_t i = 0; i < machine->cpu_count; i++) {
		struct cpu *cpu = &machine->cpus[i];
		const uint64_t end_ns = machine->begin_ns + INTERVAL_NS;

		if (cpu->running >= 0 && !is_busy(i)) {
			leave(machine, i, cpu->running, -1);
			cpu->running = -1;
		}
		go_on(cpu, i, end_ns > cpu->clock_ns ? end_ns - cpu->clock_ns : 0);
	}
}

static void look_at_all(const struct machine *machine)
{
	for (int32_t i = 0; i < machine->cpu_count; i++) {
		const struct record record =
			reading_of(&machine->cpus[i], i, machine->cpus[i].clock_ns);

		recorder_take(machine->recorder, &record);
	}
}

static void end_interval(struct machine *machine, bool is_start)
{
	const struct recording_interval tick = {
		.time_ns = machine->begin_ns,
		.is_start = is_start,
		.wall_offset_ns = machine->source.session.wall_offset_ns,
		.own_rss_bytes = 1 << 20,
	};

	const struct record settled = {
		.kind = RECORD_SETTLED,
		.cpu = RECORD_CPU_NONE,
		.pid = RECORD_TASK_UNKNOWN,
		.tid = RECORD_TASK_UNKNOWN,
		.time_ns = tick.time_ns,
	};

	recorder_take(machine->recorder, &settled);
	recorder_tick(machine->recorder, &tick);
	recorder_round(machine->recorder);
}

static void make(struct machine *machine, uint64_t intervals)
{
	introduce(machine);
	look_at_all(machine);
	end_interval(machine, true);
	for (uint64_t i = 0; i < intervals; i++) {
		run_interval(machine, i);
		look_at_all(machine);
		machine->begin_ns += INTERVAL_NS;
		end_interval(machine, false);
	}
}

/* Threads of a core are half the machine apart, as on most. */
static void place_cpus(struct machine *machine)
{
	const int cores = machine->cpu_count / THREADS > 0 ? machine->cpu_count / THREADS : 1;
	const int in_socket = cores / SOCKETS > 0 ? cores / SOCKETS : 1;

	for (int i = 0; i < machine->cpu_count; i++) {
		struct cpu_location *place = topology_add(&machine->topology, i);

		place->thread = i / cores;
		place->core = i % cores % in_socket;
		place->socket = place->node = i % cores / in_socket;
	}
	machine->source.session.topology = &machine->topology;
}

static const char *name_user(void *context, int64_t uid)
{
	return uid == 0 ? "root" : uid == 1000 ? "www" : "ben";
}

static void set_up(struct machine *machine)
{
	struct session *session = &machine->source.session;
	struct layout *layout = &machine->source.layout;

	*session = (struct session){
		.scope = SCOPE_SYSTEM,
		.is_live = true,
		.has_pmu = true,
		.cpu_count = machine->cpu_count,
		.wall_offset_ns = wall_ns - (int64_t)begin_ns,
	};
	snprintf(session->scope_words, sizeof(session->scope_words), "whole machine");
	snprintf(session->pmu_words, sizeof(session->pmu_words), "a PMU that is made up");
	layout_init(layout);
	for (size_t i = 0; i < MEMBERS; i++) {
		const size_t event = layout_add_event(layout, event_names[i]);

		layout->events[event].state = EVENT_COUNTING;
		layout_add_counter(layout, 0, event);
	}
	machine->source.ops = &ops;
	machine->begin_ns = begin_ns;
	place_cpus(machine);
	machine->cpus = xcalloc((size_t)machine->cpu_count, sizeof(*machine->cpus));
	for (int32_t i = 0; i < machine->cpu_count; i++)
		machine->cpus[i] = (struct cpu){.clock_ns = machine->begin_ns, .running = -1};
}

int main(int argc, char **argv)
{
	struct machine machine = {0};
	struct error error = {0};
	struct host host = {0};
	struct target_pids all = {.kind = TARGET_PIDS_ALL};
	char *const arguments[] = {argv[0], NULL};
	struct recorder_request request = {.version = "made up",
					   .arguments = arguments,
					   .host = &host,
					   .source = &machine.source,
					   .targets = &all,
					   .user_name = name_user,
					   .since_ns = begin_ns};
	long intervals = argc == 5 ? atol(argv[4]) : 0;

	machine.cpu_count = argc == 5 ? atoi(argv[2]) : 0;
	machine.task_count = argc == 5 ? atoi(argv[3]) : 0;
	if (intervals < 1 || machine.cpu_count < 1 || machine.cpu_count > CPUS_MAX ||
	    machine.task_count < 1 || machine.task_count > TASKS_MAX) {
		fprintf(stderr, "usage: large FILE CPUS TASKS INTERVALS\n");
		return 2;
	}
	set_up(&machine);
	topology_copy(&host.topology, &machine.topology);
	request.path = argv[1];
	machine.recorder = recorder_create(&request, &error);
	if (machine.recorder != NULL)
		make(&machine, (uint64_t)intervals);
	if (machine.recorder == NULL || !recorder_finish(machine.recorder, &error))
		fprintf(stderr, "large: %s\n", error.text);
	layout_fini(&machine.source.layout);
	topology_fini(&machine.topology);
	host_fini(&host);
	free(machine.cpus);
	return error.code == ERROR_NONE ? 0 : 1;
}
