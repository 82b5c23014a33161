/*
 * A model that gets what another one gets, by way of a recording, must show the same to the
 * last digit; one that got only from some moment on what there was and what came then must count
 * the same.
 */
#include "model/model.h"

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

static void begin_recording(const struct layout *layout)
{
	second.kit = recording_kit_create(CPUS_MAX, layout);
	second.model = model_create(&second.kit->reader->layout);
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

static void both_feed(struct model *model, const struct record *record)
{
	model_feed(model, record);
	if (second.kit != NULL)
		recording_write(second.kit->writer, record);
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
		if (second.begins_after == 0)
			assert_same_snapshots(snapshot, second.snapshot);
		else
			assert_same_counts(snapshot, second.snapshot);
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

UNIT_TEST(recording_begun_amid_a_session_counts_the_same_from_there_on)
{
	for (size_t i = 0; i < PLANS; i++)
		for (uint32_t seed = 1; seed <= SEEDS; seed++)
			follow(&plans[i], seed, 1 + seed * 3);
}

UNIT_MAIN(NULL, NULL)
