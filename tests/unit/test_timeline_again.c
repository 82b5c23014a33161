/*
 * Made again as time goes on, a time line is the same as one that is made anew: on histories of
 * random switches, which drop what they have no room for.
 */

#include <limits.h>
#include <math.h>

#include "view/timeline.h"

#include "switch_builder.h"
#include "unit.h"

enum {
	CPUS = 6, /* the last of which is not shown */
	TASKS = 12,
	CELLS = 40,
	CELL_NS = 100000
};

struct scene {
	struct world world;
	struct told_switches told;
	struct timeline timeline; /* made again and again */
	uint64_t actors[TASKS + ACTOR_FIRST];
	uint64_t now_ns, random;
	uint64_t last_ns[CPUS];
	uint64_t pace_ns[CPUS]; /* how long slices are at most; 0: it does not switch */
	bool needs_ipc;
};

static int set_up(void **state)
{
	static struct scene scene;

	scene = (struct scene){.now_ns = 50 * CELL_NS, .random = 1};
	world_init(&scene.world);
	told_init(&scene.told, HISTORY_BLOCK);
	for (int32_t i = 0; i < TASKS; i++)
		scene.actors[i + ACTOR_FIRST] = told_actor(&scene.told, i + 1, i + 1, "t");
	scene.actors[ACTOR_IDLE] = ACTOR_IDLE;
	*state = &scene;
	return 0;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	timeline_fini(&scene->timeline);
	told_fini(&scene->told);
	world_fini(&scene->world);
	return 0;
}

static uint64_t below(struct scene *scene, uint64_t end)
{
	scene->random = scene->random * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (scene->random >> 33) % end;
}

/* What the CPU's switch at time_ns may say of the slice before: now and then nothing. */
static uint64_t slice_of(struct scene *scene, int cpu, uint64_t time_ns)
{
	const uint64_t since_ns = time_ns - scene->last_ns[cpu];

	switch (below(scene, 8)) {
	case 0:
		return SWITCH_NS_UNKNOWN;
	case 1:
		return since_ns / 2; /* it was away */
	case 2:
		return since_ns + below(scene, 3000); /* by another clock */
	default:
		return since_ns;
	}
}

static void add_switch(struct scene *scene, int cpu, uint64_t time_ns)
{
	const uint64_t slice_ns = slice_of(scene, cpu, time_ns);
	const struct counts_spec spec = {.instructions = 1 + below(scene, 9000),
					 .cycles = 1 + below(scene, 9000)};

	told_add(&scene->told,
		 (struct switch_entry){
			 .time_ns = time_ns,
			 .cpu = cpu,
			 .slice_ns = slice_ns,
			 .prev = scene->actors[below(scene, TASKS + ACTOR_FIRST)],
			 .next = scene->actors[below(scene, TASKS + ACTOR_FIRST)],
			 .from_cpu = -1,
			 .has_counts = below(scene, 4) > 0,
			 .counts = told_counts(&scene->told,
					       slice_ns == SWITCH_NS_UNKNOWN ? 0 : slice_ns, spec),
		 });
	scene->last_ns[cpu] = time_ns;
}

/* Time goes on; what a CPU did is told as a whole, and the last of it is not settled yet. */
static void go_on(struct scene *scene, uint64_t by_ns)
{
	scene->now_ns += by_ns;
	for (int cpu = 0; cpu < CPUS; cpu++) {
		uint64_t time_ns = scene->last_ns[cpu];

		while (scene->pace_ns[cpu] > 0) {
			time_ns += 1 + below(scene, scene->pace_ns[cpu]);
			if (time_ns < scene->now_ns - by_ns)
				time_ns = scene->now_ns - by_ns;
			if (time_ns >= scene->now_ns)
				break;
			add_switch(scene, cpu, time_ns);
		}
	}
	history_settle(scene->told.history, scene->now_ns - by_ns / 4);
}

/* Some CPUs are busy, some rarely switch, some not at all, until they do. */
static void change_paces(struct scene *scene)
{
	static const uint64_t paces[] = {1000, 20000, CELL_NS, 4 * CELL_NS, 30 * CELL_NS, 0};

	for (int cpu = 0; cpu < CPUS; cpu++)
		if (below(scene, 3) == 0)
			scene->pace_ns[cpu] = paces[below(scene, COUNT_OF(paces))];
}

static void make(struct scene *scene, struct timeline *timeline)
{
	static const int cpus[CPUS - 1] = {0, 1, 2, 3, 4};
	const struct timeline_input input = {
		.history = scene->told.history,
		.layout = &scene->world.layout,
		.metrics = scene->world.metrics,
		.cpus = cpus,
		.cpu_count = CPUS - 1,
		.end_ns = (scene->now_ns / CELL_NS + 1) * CELL_NS,
		.span_ns = (uint64_t)CELLS * CELL_NS,
		.cell_count = CELLS,
		.needs_ipc = scene->needs_ipc,
	};

	timeline_make(timeline, &input);
}

static bool is_same_number(double a, double b)
{
	return isnan(a) ? isnan(b) : fabs(a - b) < 1e-12;
}

static bool is_same(const struct timeline_cell *a, const struct timeline_cell *b)
{
	return a->kind == b->kind && a->actor == b->actor && a->actor_ns == b->actor_ns &&
	       a->sequence == b->sequence && is_same_number(a->busy_pct, b->busy_pct) &&
	       is_same_number(a->ipc, b->ipc) && a->goodness == b->goodness;
}

/* The time of the first switch of a CPU that the history has. */
static uint64_t first_ns(const struct history *history, int cpu)
{
	for (uint64_t i = history_first(history); i < history_settled(history); i++)
		if (history_number(history, i, HISTORY_CPU) == (uint64_t)cpu)
			return history_number(history, i, HISTORY_TIME_NS);
	return UINT64_MAX;
}

/* Where the history has dropped switches only the cells after it are the same, and those before all
 * that it has show nothing. Returns how many cells show something. */
static size_t compare(const struct history *history, const struct timeline *again,
		      const struct timeline *anew)
{
	const uint64_t oldest = history_first(history);
	const uint64_t oldest_ns = history_number(history, oldest, HISTORY_TIME_NS);
	const bool is_whole = oldest == 0 || oldest_ns <= anew->begin_ns;
	size_t known = 0;

	assert_int_equal(again->begin_ns, anew->begin_ns);
	assert_int_equal(again->cell_ns, anew->cell_ns);
	assert_int_equal(again->strip_count, anew->strip_count);
	if (oldest == 0)
		assert_int_equal(again->legend_count, anew->legend_count);
	for (size_t i = 0; i < anew->strip_count; i++) {
		const uint64_t from_ns = oldest == 0 ? 0 : first_ns(history, anew->strips[i].cpu);

		for (size_t j = 0; j < anew->cell_count; j++) {
			const uint64_t begin_ns = anew->begin_ns + j * anew->cell_ns;
			const struct timeline_cell *cell = &again->strips[i].cells[j];
			const struct timeline_cell *other = &anew->strips[i].cells[j];

			known += other->kind != TIMELINE_NOTHING;
			if (begin_ns >= from_ns && !is_same(cell, other))
				fail_msg("strip %zu, cell %zu is another", i, j);
			if (oldest == 0 && cell->colour != other->colour)
				fail_msg("strip %zu, cell %zu has another colour", i, j);
			if (!is_whole && begin_ns < oldest_ns && other->kind == TIMELINE_NOTHING)
				assert_int_equal(cell->kind, TIMELINE_NOTHING);
		}
	}
	return known;
}

/* Returns how many cells showed something. */
static size_t check(struct scene *scene)
{
	struct timeline anew = {0};
	size_t known;

	make(scene, &scene->timeline);
	make(scene, &anew);
	known = compare(scene->told.history, &scene->timeline, &anew);
	timeline_fini(&anew);
	return known;
}

static void run(struct scene *scene, size_t rounds)
{
	size_t known = 0;

	for (size_t i = 0; i < rounds; i++) {
		change_paces(scene);
		go_on(scene, 1 + below(scene, below(scene, 10) ? 3 * CELL_NS : 60 * CELL_NS));
		known += check(scene);
	}
	/* Otherwise nothing was compared, or nothing was ever dropped. */
	assert_true(known > rounds * CELLS);
	assert_true(history_first(scene->told.history) > 0);
}

UNIT_TEST_OF(timeline_made_again_is_as_made_anew, struct scene *scene)
{
	for (size_t i = 0; i < 20; i++) {
		timeline_fini(&scene->timeline);
		run(scene, 60);
	}
}

UNIT_TEST_OF(timeline_made_again_by_ipc_is_as_made_anew, struct scene *scene)
{
	scene->needs_ipc = true;
	run(scene, 200);
}

/* Cells that are finished are not made again: that is what makes it fast. */
UNIT_TEST_OF(timeline_made_again_keeps_cells_that_are_finished, struct scene *scene)
{
	for (int cpu = 0; cpu < CPUS; cpu++)
		scene->pace_ns[cpu] = 20000;
	for (size_t i = 0; i < 10; i++)
		go_on(scene, 3 * CELL_NS);
	make(scene, &scene->timeline);
	scene->timeline.strips[2].cells[CELLS - 10].busy_pct = 1000;
	go_on(scene, 3 * CELL_NS);
	make(scene, &scene->timeline);

	assert_true(scene->timeline.strips[2].cells[CELLS - 13].busy_pct > 999);
}

/* Of the same length and with entries of the same numbers. */
UNIT_TEST_OF(timeline_of_another_history_is_made_anew, struct scene *scene)
{
	scene->pace_ns[0] = 20000;
	go_on(scene, 30 * CELL_NS);
	check(scene);
	told_fini(&scene->told);
	told_init(&scene->told, HISTORY_BLOCK);
	for (int32_t i = 0; i < TASKS; i++)
		scene->actors[i + ACTOR_FIRST] = told_actor(&scene->told, i + 1, i + 1, "t");
	scene->last_ns[0] = scene->now_ns - 30 * CELL_NS;
	scene->now_ns -= 30 * CELL_NS;
	go_on(scene, 30 * CELL_NS);
	check(scene);
}

UNIT_TEST_OF(timeline_asked_for_ipc_is_made_anew, struct scene *scene)
{
	scene->pace_ns[0] = 20000;
	go_on(scene, 30 * CELL_NS);
	check(scene);
	scene->needs_ipc = true;
	assert_true(check(scene) > 0);
	scene->needs_ipc = false;
	assert_true(check(scene) > 0);
}

UNIT_TEST_OF(timeline_without_ipc_rates_nothing, struct scene *scene)
{
	scene->pace_ns[0] = 20000;
	go_on(scene, 30 * CELL_NS);
	make(scene, &scene->timeline);
	for (size_t i = 0; i < CELLS; i++) {
		assert_true(isnan(scene->timeline.strips[0].cells[i].ipc));
		assert_int_equal(scene->timeline.strips[0].cells[i].goodness, -1);
	}
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
