/*
 * A model that gets what another one gets, by way of a recording, must show the same to the
 * last digit; so must one that got only from some moment on what there was and what came then.
 */
#include "model/model.h"
#include "model/parallel.h"

#include "recording_kit.h"
#include "same_snapshots.h"

static void both_feed(struct model *model, const struct record *record);
static void both_start(struct model *model, uint64_t time_ns);
static const struct snapshot *both_close(struct model *model, uint64_t time_ns);
static void both_change(struct model *model, const struct layout *layout);

/* the machine of model_sim.h feeds both */
#define model_feed           both_feed
#define model_start          both_start
#define model_close_interval both_close
#define model_change_layout  both_change
#include "model_sim_run.h"
#include "unit.h"
#undef model_feed
#undef model_start
#undef model_close_interval
#undef model_change_layout

/* The one that is fed by the recording. */
struct second {
	struct recording_kit *kit; /* NULL: nothing is recorded now */
	struct model *model;
	int cpu_count;
	const struct snapshot *snapshot;
	unsigned int begins_after; /* so many intervals; 0: from the start */
	unsigned int intervals;
	unsigned int compared;
	uint32_t random; /* of what is said of states */
	int32_t pids[TIDS];
	uint64_t user_ns[TIDS];
};

static struct second second;

static void take(struct recording_kit *kit)
{
	switch (kit->result) {
	case RECORDING_NOTHING:
	case RECORDING_SESSION:
	case RECORDING_TARGETS:
		break;
	case RECORDING_RECORD:
		model_feed(second.model, &kit->record);
		break;
	case RECORDING_INTERVAL:
		if (kit->tick.is_start)
			model_start(second.model, kit->tick.time_ns);
		else
			second.snapshot = model_close_interval(second.model, kit->tick.time_ns);
		break;
	case RECORDING_LAYOUT:
		model_change_layout(second.model, &kit->reader->layout);
		break;
	}
}

static void ask_for_all(struct model *model)
{
	static const struct parallel_scope each_process;

	model_divide_life(model, true);
	model_measure_parallelism(model, true, &each_process);
}

static void begin_recording(const struct layout *layout)
{
	second.kit = recording_kit_create(CPUS_MAX, layout);
	second.model = model_create(&second.kit->reader->layout);
	ask_for_all(second.model);
	note_cores(second.model, second.cpu_count);
	second.kit->take = take;
}

static void end_recording(void)
{
	if (second.kit == NULL)
		return;
	model_destroy(second.model);
	recording_kit_destroy(second.kit);
	second.kit = NULL;
}

static void feed_both(struct model *model, const struct record *record)
{
	model_feed(model, record);
	if (second.kit != NULL)
		recording_write(second.kit->writer, record);
}

static uint32_t choose(uint32_t below)
{
	second.random = second.random * 1103515245 + 12345;
	return (second.random >> 16) % below;
}

static struct record now_of(enum record_kind kind, const struct record *from, int32_t tid)
{
	return (struct record){
		.kind = kind,
		.cpu = RECORD_CPU_NONE,
		.pid = second.pids[tid],
		.tid = tid,
		.time_ns = from->time_ns,
	};
}

/* Where it begins to sleep, among few places and files. */
static void tell_site(struct model *model, const struct record *from)
{
	struct record record = now_of(RECORD_SITE, from, from->tid);

	record.site = (struct record_site){.place = 1 + choose(4), .argument = 1 + choose(3)};
	record.cpu = from->cpu;
	feed_both(model, &record);
}

/* A look took some time, and what was seen may be over by its end. */
static void tell_sleep(struct model *model, const struct record *from, int32_t tid)
{
	struct record record = now_of(RECORD_SLEEP, from, tid);

	record.sleep = (struct record_sleep){
		.kind = (uint8_t)choose(SLEEP_KINDS),
		.is_of_call = choose(2),
		.until_ns = from->time_ns + choose(3000),
		.holder_tid = (int32_t)choose(3) - 1,
	};
	feed_both(model, &record);
}

static void tell_cpu_use(struct model *model, const struct record *from, int32_t tid)
{
	struct record record = now_of(RECORD_CPU_USE, from, tid);

	second.user_ns[tid] += choose(2) * 10000000;
	record.cpu_use = (struct record_cpu_use){second.user_ns[tid], 10000000};
	feed_both(model, &record);
}

static void tell_interrupt(struct model *model, const struct record *from)
{
	struct record record = now_of(RECORD_INTERRUPT, from, 0);

	record.cpu = (int32_t)choose((uint32_t)second.cpu_count);
	record.interrupt = (struct record_interrupt){
		.kind = (uint8_t)choose(INTERRUPT_KINDS),
		.is_entry = choose(2),
		.number = (int32_t)choose(3),
	};
	feed_both(model, &record);
}

/* What is said while states are asked for; of the truth both know as much, or as little. */
static void tell_states(struct model *model, const struct record *from)
{
	const int32_t tid = 1 + (int32_t)choose(TIDS - 1);

	if (from->tid > 0 && from->tid < TIDS)
		second.pids[from->tid] = from->pid;
	if (from->kind == RECORD_SWITCH && from->tid > 0 && !from->ctx_switch.preempted &&
	    choose(4) > 0)
		tell_site(model, from);
	if (second.pids[tid] > 0 && choose(4) == 0)
		tell_sleep(model, from, tid);
	if (second.pids[tid] > 0 && choose(8) == 0)
		tell_cpu_use(model, from, tid);
	if (choose(4) == 0)
		tell_interrupt(model, from);
}

static void both_feed(struct model *model, const struct record *record)
{
	if (second.random == 0)
		ask_for_all(model);
	feed_both(model, record);
	tell_states(model, record);
}

static void write_start(uint64_t time_ns)
{
	const struct recording_interval tick = {.time_ns = time_ns, .is_start = true};

	recording_write_interval(second.kit->writer, &tick);
}

static void both_start(struct model *model, uint64_t time_ns)
{
	model_start(model, time_ns);
	if (second.kit != NULL)
		write_start(time_ns);
}

static void resynced(void *context, const struct record *record)
{
	recording_write(second.kit->writer, record);
}

static void begin_amid(const struct model *model, const struct snapshot *snapshot)
{
	begin_recording(snapshot->layout);
	recording_write_from(second.kit->writer, snapshot->time_ns);
	model_resync(model, resynced, NULL);
	write_start(snapshot->time_ns);
}

static const struct snapshot *both_close(struct model *model, uint64_t time_ns)
{
	const struct recording_interval tick = {.time_ns = time_ns};
	const struct snapshot *snapshot = model_close_interval(model, time_ns);

	if (second.kit != NULL) {
		recording_write_interval(second.kit->writer, &tick);
		assert_same_snapshots(snapshot, second.snapshot);
		second.compared++;
	}
	if (++second.intervals == second.begins_after)
		begin_amid(model, snapshot);
	return snapshot;
}

static void both_change(struct model *model, const struct layout *layout)
{
	model_change_layout(model, layout);
	if (second.kit != NULL)
		recording_kit_layout(second.kit, layout);
}

static void check_nothing(struct sim *sim, const struct snapshot *snapshot)
{
}

/* run() makes layout and model by itself, so the recording begins when the model does. */
static void follow(const struct plan *plan, uint32_t seed, unsigned int begins_after)
{
	struct sim *sim = xcalloc(1, sizeof(*sim));

	second = (struct second){.begins_after = begins_after};
	sim->plan = plan;
	sim->random = seed * 2654435761u;
	sim->cpu_count = second.cpu_count = 1 + (int)(seed % CPUS_MAX);
	if (begins_after == 0) {
		make_layout(sim, seed);
		begin_recording(&sim->layout);
		layout_fini(&sim->layout);
		sim->random = seed * 2654435761u;
	}
	run(sim, seed);
	assert_true(second.compared > INTERVALS - begins_after);
	end_recording();
	free(sim);
}

static const struct plan plans[] = {
	{.hides_idle = true, .check = check_nothing},
	{.hides_idle = true, .changes_layout = true, .check = check_nothing},
	{.changes_layout = true, .changes_clocks = true, .check = check_nothing},
	{.loss_pct = 3, .hides_idle = true, .check = check_nothing},
	{.loss_pct = 20, .changes_layout = true, .hides_idle = true, .check = check_nothing},
};

enum {
	PLANS = COUNT_OF(plans),
#ifdef PERFTOP_SANITIZED
	SEEDS = 2
#else
	SEEDS = 8
#endif
};

UNIT_TEST(recording_from_the_start_shows_the_same)
{
	for (size_t i = 0; i < PLANS; i++)
		for (uint32_t seed = 1; seed <= SEEDS; seed++)
			follow(&plans[i], seed, 0);
}

UNIT_TEST(recording_begun_amid_a_session_shows_the_same_from_there_on)
{
	for (size_t i = 0; i < PLANS; i++)
		for (uint32_t seed = 1; seed <= SEEDS; seed++)
			follow(&plans[i], seed, 1 + seed * 3);
}

UNIT_MAIN(NULL, NULL)
