/* What each CPU did, cell by cell. A cell is 100 us long unless a test says otherwise. */

#include <limits.h>
#include <math.h>

#include "view/timeline.h"

#include "switch_builder.h"
#include "unit.h"

enum {
	US = 1000,
	CAPACITY = 8 * HISTORY_BLOCK
};

struct scene {
	struct world world;
	struct told_switches told;
	struct timeline timeline;
	uint64_t sh, nginx, make; /* actors */
};

static int set_up(void **state)
{
	static struct scene scene;

	scene = (struct scene){0};
	world_init(&scene.world);
	told_init(&scene.told, CAPACITY);
	scene.sh = told_actor(&scene.told, 7, 7, "sh");
	scene.nginx = told_actor(&scene.told, 20, 21, "nginx");
	scene.make = told_actor(&scene.told, 30, 30, "make");
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

/* CPUs 0 and 1, `cells` cells of 100 us up to end_us. */
static void make(struct scene *scene, uint64_t end_us, size_t cells)
{
	static const int cpus[] = {0, 1};
	const struct timeline_input input = {
		.history = scene->told.history,
		.layout = &scene->world.layout,
		.metrics = scene->world.metrics,
		.cpus = cpus,
		.cpu_count = 2,
		.end_ns = end_us * US,
		.span_ns = cells * 100 * US,
		.cell_count = cells,
		.needs_ipc = true,
	};

	timeline_make(&scene->timeline, &input);
}

/* At at_us CPU `cpu` goes from `left`, who ran for ran_us, to `came`. */
static void change(struct scene *scene, int cpu, uint64_t at_us, uint64_t left, uint64_t came,
		   uint64_t ran_us)
{
	switched(&scene->told, .time_ns = at_us * US, .cpu = cpu, .left = left, .came = came,
		 .slice_ns = ran_us * US, .from_cpu = -1);
}

/* The same, with instructions and cycles of the slice. */
static void change_counted(struct scene *scene, uint64_t at_us, uint64_t left, uint64_t came,
			   uint64_t ran_us, struct counts_spec spec)
{
	switched(&scene->told, .time_ns = at_us * US, .left = left, .came = came,
		 .slice_ns = ran_us * US, .from_cpu = -1, .has_counts = true,
		 .counts = told_counts(&scene->told, ran_us * US, spec));
}

static const struct timeline_cell *cell(const struct scene *scene, size_t strip, size_t index)
{
	return &scene->timeline.strips[strip].cells[index];
}

/* One letter per cell: s n m for tasks, . idle, ? unknown, blank nothing. */
static void assert_strip(const struct scene *scene, size_t strip, const char *expected)
{
	char text[128] = "";

	for (size_t i = 0; i < scene->timeline.cell_count; i++) {
		const struct timeline_cell *at = cell(scene, strip, i);
		char letter = ' ';

		switch (at->kind) {
		case TIMELINE_NOTHING:
			break;
		case TIMELINE_IDLE:
			letter = '.';
			break;
		case TIMELINE_UNKNOWN:
			letter = '?';
			break;
		case TIMELINE_TASK:
			letter = at->actor == scene->sh      ? 's'
				 : at->actor == scene->nginx ? 'n'
				 : at->actor == scene->make  ? 'm'
							     : '!';
			break;
		}
		text[i] = letter;
	}
	assert_string_equal(text, expected);
}

UNIT_TEST_OF(timeline_without_entries_is_nothing, struct scene *scene)
{
	make(scene, 1000, 10);

	assert_int_equal(scene->timeline.strip_count, 2);
	assert_int_equal(scene->timeline.strips[1].cpu, 1);
	assert_int_equal(scene->timeline.legend_count, 0);
	assert_strip(scene, 0, "          ");
	assert_true(isnan(cell(scene, 0, 0)->busy_pct));
	assert_true(isnan(cell(scene, 0, 0)->ipc));
	assert_int_equal(cell(scene, 0, 0)->sequence, UINT64_MAX);
	assert_int_equal(cell(scene, 0, 0)->colour, UINT_MAX);
}

UNIT_TEST_OF(timeline_of_no_cpus_or_no_cells_is_empty, struct scene *scene)
{
	const int cpu = 0;
	struct timeline_input input = {
		.history = scene->told.history,
		.layout = &scene->world.layout,
		.metrics = scene->world.metrics,
		.cpus = &cpu,
		.end_ns = 1000,
		.span_ns = 1000,
		.cell_count = 10,
	};

	change(scene, 0, 1, scene->sh, ACTOR_IDLE, 1);
	timeline_make(&scene->timeline, &input);
	assert_int_equal(scene->timeline.strip_count, 0);
	input.cpu_count = 1;
	input.cell_count = 0;
	timeline_make(&scene->timeline, &input);
	assert_int_equal(scene->timeline.cell_count, 0);
	input.history = NULL;
	input.cell_count = 1;
	timeline_make(&scene->timeline, &input);
	assert_int_equal(cell(scene, 0, 0)->kind, TIMELINE_NOTHING);
}

UNIT_TEST_OF(timeline_slices_reach_from_switch_to_switch, struct scene *scene)
{
	change(scene, 0, 1200, scene->sh, ACTOR_IDLE, 200);
	change(scene, 0, 1500, ACTOR_IDLE, scene->nginx, 300);
	change(scene, 0, 2000, scene->nginx, scene->sh, 500);
	make(scene, 2000, 10);

	assert_int_equal(scene->timeline.begin_ns, 1000 * US);
	assert_int_equal(scene->timeline.cell_ns, 100 * US);
	assert_strip(scene, 0, "ss...nnnnn");
	assert_strip(scene, 1, "          ");
	assert_int_equal(cell(scene, 0, 0)->sequence, 0);
	assert_int_equal(cell(scene, 0, 2)->sequence, 1);
	assert_int_equal(cell(scene, 0, 2)->actor, ACTOR_IDLE);
	assert_int_equal(cell(scene, 0, 9)->sequence, 2);
}

UNIT_TEST_OF(timeline_first_slice_is_as_long_as_it_ran, struct scene *scene)
{
	change(scene, 0, 1500, scene->sh, ACTOR_IDLE, 200);
	make(scene, 1500, 5);

	assert_strip(scene, 0, "   ss");
}

UNIT_TEST_OF(timeline_slices_that_began_before_and_end_behind_are_cut, struct scene *scene)
{
	change(scene, 0, 500, scene->sh, scene->nginx, 100);
	change(scene, 0, 1200, scene->nginx, scene->make, 700);
	change(scene, 0, 5000, scene->make, scene->sh, 3800);
	change(scene, 0, 6000, scene->sh, scene->sh, 1000);
	make(scene, 1500, 5);

	assert_strip(scene, 0, "nnmmm");
	assert_int_equal(cell(scene, 0, 4)->sequence, 2);
	assert_int_equal(scene->timeline.legend[0].run_ns, 300 * US);
}

UNIT_TEST_OF(timeline_who_runs_now_is_drawn_up_to_the_newest_switch, struct scene *scene)
{
	change(scene, 0, 1100, ACTOR_IDLE, scene->sh, 100);
	change(scene, 1, 1300, scene->make, ACTOR_IDLE, 300);
	make(scene, 1500, 5);

	assert_strip(scene, 0, ".ss  ");
	assert_strip(scene, 1, "mmm  ");
	assert_int_equal(cell(scene, 0, 1)->sequence, UINT64_MAX);
	assert_true(isnan(cell(scene, 0, 1)->ipc));
	assert_int_equal((int)cell(scene, 0, 1)->busy_pct, 100);
}

/* CPU 1 has not switched since long before the span. */
UNIT_TEST_OF(timeline_who_came_before_the_span_and_stays_is_found, struct scene *scene)
{
	change(scene, 1, 10, ACTOR_IDLE, scene->nginx, 10);
	for (uint64_t i = 0; i < 3000; i++)
		change(scene, 0, 100 + i, i % 2 ? ACTOR_IDLE : scene->sh,
		       i % 2 ? scene->sh : ACTOR_IDLE, 1);
	make(scene, 3000, 5);

	assert_strip(scene, 1, "nnnnn");
	assert_int_equal(cell(scene, 1, 0)->sequence, UINT64_MAX);
}

UNIT_TEST_OF(timeline_before_the_history_there_is_nothing, struct scene *scene)
{
	change(scene, 0, 1300, scene->sh, ACTOR_IDLE, 100);
	make(scene, 900, 5);

	assert_strip(scene, 0, "     ");
}

UNIT_TEST_OF(timeline_owner_is_who_ran_longest_in_all, struct scene *scene)
{
	change(scene, 0, 1000, ACTOR_IDLE, scene->sh, 100);
	change(scene, 0, 1010, scene->sh, scene->nginx, 10);
	change(scene, 0, 1045, scene->nginx, scene->sh, 35);
	change(scene, 0, 1070, scene->sh, scene->make, 25);
	change(scene, 0, 1071, scene->make, scene->sh, 1);
	change(scene, 0, 1085, scene->sh, scene->make, 14);
	change(scene, 0, 1100, scene->make, ACTOR_IDLE, 15);
	make(scene, 1100, 1);

	assert_strip(scene, 0, "s");
	assert_int_equal(cell(scene, 0, 0)->sequence, 3);
}

UNIT_TEST_OF(timeline_mostly_idle_cell_is_idle_and_names_who_ran, struct scene *scene)
{
	change(scene, 0, 1000, scene->make, ACTOR_IDLE, 100);
	change(scene, 0, 1060, ACTOR_IDLE, scene->sh, 60);
	change(scene, 0, 1100, scene->sh, ACTOR_IDLE, 40);
	make(scene, 1100, 1);

	assert_int_equal(cell(scene, 0, 0)->kind, TIMELINE_IDLE);
	assert_int_equal(cell(scene, 0, 0)->actor, scene->sh);
	assert_int_equal(cell(scene, 0, 0)->sequence, 2);
	assert_int_equal((int)cell(scene, 0, 0)->busy_pct, 40);
	assert_int_equal(cell(scene, 0, 0)->colour, 0);
}

UNIT_TEST_OF(timeline_cell_of_nobody_knows_whom_is_unknown, struct scene *scene)
{
	change(scene, 0, 1000, scene->make, ACTOR_UNKNOWN, 100);
	change(scene, 0, 1060, ACTOR_UNKNOWN, scene->sh, 60);
	change(scene, 0, 1100, scene->sh, ACTOR_IDLE, 40);
	make(scene, 1100, 1);

	assert_int_equal(cell(scene, 0, 0)->kind, TIMELINE_UNKNOWN);
	assert_int_equal(cell(scene, 0, 0)->actor, ACTOR_UNKNOWN);
	assert_int_equal(cell(scene, 0, 0)->sequence, 1);
	assert_int_equal(cell(scene, 0, 0)->colour, UINT_MAX);
	assert_true(isnan(cell(scene, 0, 0)->busy_pct));
}

UNIT_TEST_OF(timeline_cpu_that_was_away_leaves_a_hole, struct scene *scene)
{
	change(scene, 0, 1100, scene->sh, scene->nginx, 100);
	change(scene, 0, 2000, scene->nginx, ACTOR_IDLE, 200);
	make(scene, 2000, 10);

	assert_strip(scene, 0, "s       nn");
}

UNIT_TEST_OF(timeline_ipc_is_of_all_tasks_in_the_cell, struct scene *scene)
{
	change(scene, 0, 1000, ACTOR_IDLE, scene->sh, 100);
	change_counted(scene, 1050, scene->sh, scene->nginx, 50,
		       (struct counts_spec){.instructions = 3000, .cycles = 1000});
	change_counted(scene, 1100, scene->nginx, ACTOR_IDLE, 50,
		       (struct counts_spec){.instructions = 1000, .cycles = 1000});
	make(scene, 1100, 1);

	assert_true(fabs(cell(scene, 0, 0)->ipc - 2.0) < 1e-9);
	assert_int_equal(cell(scene, 0, 0)->goodness, 3);
}

UNIT_TEST_OF(timeline_counts_of_a_long_slice_are_shared_by_time, struct scene *scene)
{
	change(scene, 0, 1000, ACTOR_IDLE, scene->sh, 100);
	/* 300 us at IPC 2, of which 50 share a cell with 50 us at IPC 0.5 */
	change_counted(scene, 1350, scene->sh, scene->nginx, 350,
		       (struct counts_spec){.instructions = 7000000, .cycles = 3500000});
	change_counted(scene, 1400, scene->nginx, ACTOR_IDLE, 50,
		       (struct counts_spec){.instructions = 250000, .cycles = 500000});
	make(scene, 1400, 4);

	assert_true(fabs(cell(scene, 0, 0)->ipc - 2.0) < 1e-9);
	assert_true(fabs(cell(scene, 0, 2)->ipc - 2.0) < 1e-9);
	assert_true(fabs(cell(scene, 0, 3)->ipc - 1.25) < 1e-9);
}

UNIT_TEST_OF(timeline_ipc_is_unknown_without_counts, struct scene *scene)
{
	change(scene, 0, 1000, ACTOR_IDLE, scene->sh, 100);
	change(scene, 0, 1100, scene->sh, ACTOR_IDLE, 100);
	change(scene, 0, 1200, ACTOR_IDLE, scene->sh, 100);
	make(scene, 1200, 2);

	assert_true(isnan(cell(scene, 0, 0)->ipc));
	assert_true(isnan(cell(scene, 0, 1)->ipc));
	assert_int_equal(cell(scene, 0, 0)->goodness, -1);
}

UNIT_TEST_OF(timeline_legend_ranks_who_ran_longest_on_all_cpus, struct scene *scene)
{
	change(scene, 0, 1400, scene->sh, ACTOR_IDLE, 400);
	change(scene, 1, 1400, scene->nginx, scene->make, 400);
	change(scene, 0, 1410, ACTOR_IDLE, scene->nginx, 10);
	change(scene, 0, 1500, scene->nginx, ACTOR_IDLE, 90);
	change(scene, 1, 1500, scene->make, ACTOR_IDLE, 100);
	make(scene, 1500, 5);

	assert_int_equal(scene->timeline.legend_count, 3);
	assert_int_equal(scene->timeline.legend[0].actor, scene->nginx);
	assert_int_equal(scene->timeline.legend[0].run_ns, 490 * US);
	assert_int_equal(scene->timeline.legend[1].actor, scene->sh);
	assert_int_equal(scene->timeline.legend[2].actor, scene->make);
	assert_int_equal(cell(scene, 0, 0)->colour, 1);
	assert_int_equal(cell(scene, 1, 0)->colour, 0);
	assert_int_equal(cell(scene, 1, 4)->colour, 2);
}

UNIT_TEST_OF(timeline_tells_so_many_tasks_apart_and_no_more, struct scene *scene)
{
	for (uint64_t i = 0; i < 10; i++) {
		const int32_t tid = 100 + (int32_t)i;

		change(scene, 0, 1100 + 100 * i, told_actor(&scene->told, tid, tid, "t"),
		       ACTOR_IDLE, 90 - i);
		change(scene, 0, 1105 + 100 * i, ACTOR_IDLE, scene->sh, 5);
	}
	make(scene, 2000, 10);

	assert_int_equal(scene->timeline.legend_count, TIMELINE_COLOURS);
	assert_int_equal(cell(scene, 0, 0)->kind, TIMELINE_TASK);
	size_t without = 0;
	for (size_t i = 0; i < 10; i++)
		without += cell(scene, 0, i)->colour == UINT_MAX;
	assert_int_equal(without, 2);
}

UNIT_TEST_OF(timeline_busy_share_is_of_many_small_slices, struct scene *scene)
{
	for (uint64_t i = 0; i < 4000; i++) {
		const int32_t tid = 100 + (int32_t)(i % 300);

		switched(&scene->told, .time_ns = 1000000 + 500 * i, .slice_ns = 500,
			 .left = i % 4 == 0 ? ACTOR_IDLE
					    : told_actor(&scene->told, tid, tid, "many"),
			 .from_cpu = -1);
	}
	make(scene, 2900, 10);

	for (size_t i = 0; i < 10; i++)
		assert_int_equal(lround(cell(scene, 0, i)->busy_pct), 75);
}

UNIT_TEST_OF(timeline_cells_are_rounded_up_to_hold_the_span, struct scene *scene)
{
	const int cpu = 0;
	const struct timeline_input input = {
		.history = scene->told.history,
		.layout = &scene->world.layout,
		.metrics = scene->world.metrics,
		.cpus = &cpu,
		.cpu_count = 1,
		.end_ns = 100,
		.span_ns = 1000,
		.cell_count = 3,
	};

	change(scene, 0, 5, scene->sh, ACTOR_IDLE, 5);
	timeline_make(&scene->timeline, &input);

	assert_int_equal(scene->timeline.cell_ns, 334);
	assert_int_equal(scene->timeline.begin_ns, 0);
	assert_strip(scene, 0, "sss");
}

UNIT_TEST_OF(timeline_of_512_cpus_has_each_on_its_own, struct scene *scene)
{
	int cpus[512];
	const struct timeline_input input = {
		.history = scene->told.history,
		.layout = &scene->world.layout,
		.metrics = scene->world.metrics,
		.cpus = cpus,
		.cpu_count = 512,
		.end_ns = 2000 * US,
		.span_ns = 1000 * US,
		.cell_count = 10,
	};

	for (int i = 0; i < 512; i++)
		cpus[i] = 2 * i; /* the odd ones are not shown */
	for (uint64_t at = 0; at < 4; at++) {
		for (int i = 0; i < 1024; i++)
			change(scene, i, 1100 + 250 * at, (uint64_t)(i / 2 % 3) + ACTOR_FIRST,
			       ACTOR_IDLE, 100);
	}
	timeline_make(&scene->timeline, &input);

	assert_int_equal(scene->timeline.strip_count, 512);
	for (size_t i = 0; i < 512; i++) {
		assert_int_equal(scene->timeline.strips[i].cpu, 2 * i);
		assert_int_equal(cell(scene, i, 0)->kind, TIMELINE_TASK);
		assert_int_equal(cell(scene, i, 0)->actor, ACTOR_FIRST + i % 3);
	}
}

UNIT_TEST_OF(timeline_is_made_again_in_the_same_memory, struct scene *scene)
{
	change(scene, 0, 1200, scene->sh, ACTOR_IDLE, 200);
	change(scene, 0, 1500, ACTOR_IDLE, scene->sh, 300);
	make(scene, 1500, 5);
	make(scene, 1300, 3);
	assert_strip(scene, 0, "ss.");
	make(scene, 1600, 6);
	assert_strip(scene, 0, "ss... ");
	assert_int_equal(scene->timeline.legend_count, 1);
	assert_int_equal(scene->timeline.legend[0].run_ns, 200 * US);
}

UNIT_TEST_OF(timeline_slice_of_unknown_length_begins_at_the_switch_before, struct scene *scene)
{
	switched(&scene->told, .time_ns = 1100 * US, .left = scene->make, .came = scene->sh,
		 .slice_ns = SWITCH_NS_UNKNOWN, .from_cpu = -1);
	switched(&scene->told, .time_ns = 1500 * US, .left = scene->sh, .came = ACTOR_IDLE,
		 .slice_ns = SWITCH_NS_UNKNOWN, .from_cpu = -1);
	make(scene, 1500, 5);

	assert_strip(scene, 0, " ssss");
}

UNIT_TEST_OF(timeline_waits_for_each_cpu_to_end_its_slice, struct scene *scene)
{
	change(scene, 0, 1500, scene->sh, ACTOR_IDLE, 500);
	for (uint64_t i = 1; i < 10; i++)
		change(scene, 0, 1500 + i, scene->sh, ACTOR_IDLE, 1);
	change(scene, 1, 1800, scene->nginx, ACTOR_IDLE, 600);
	make(scene, 1500, 5);

	assert_strip(scene, 0, "sssss");
	assert_strip(scene, 1, "  nnn");
}

UNIT_TEST_OF(timeline_ipc_of_less_than_half_of_the_time_is_unknown, struct scene *scene)
{
	const struct counts_spec spec = {.instructions = 3000, .cycles = 1000};

	change(scene, 0, 1000, ACTOR_IDLE, scene->sh, 100);
	change_counted(scene, 1040, scene->sh, scene->nginx, 40, spec);
	change(scene, 0, 1100, scene->nginx, scene->sh, 60);
	change_counted(scene, 1160, scene->sh, scene->nginx, 60, spec);
	change(scene, 0, 1200, scene->nginx, ACTOR_IDLE, 40);
	make(scene, 1200, 2);

	assert_true(isnan(cell(scene, 0, 0)->ipc));
	assert_true(fabs(cell(scene, 0, 1)->ipc - 3.0) < 1e-9);
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
