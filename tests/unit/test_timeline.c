/* What each CPU did, cell by cell. A cell is 100 us long unless a test says otherwise. */

#include <inttypes.h>
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

/* At at_us CPU `cpu` goes from `prev`, who ran for ran_us, to `next`. */
static void change(struct scene *scene, int cpu, uint64_t at_us, uint64_t prev, uint64_t next,
		   uint64_t ran_us)
{
	switched(&scene->told, .time_ns = at_us * US, .cpu = cpu, .prev = prev, .next = next,
		 .slice_ns = ran_us * US, .from_cpu = -1);
}

static const struct timeline_cell *cell(const struct scene *scene, size_t strip, size_t index)
{
	return &scene->timeline.strips[strip].cells[index];
}

/* The actors of the scene. */
enum {
	SH = ACTOR_FIRST,
	NGINX,
	MAKE
};

static char letter_of(uint64_t actor)
{
	static const char letters[] = "?.snm"; /* unknown, idle, tasks */

	return actor <= MAKE ? letters[actor] : '!';
}

/* One letter per cell: s n m for tasks, . idle, ? unknown, blank nothing. */
static char cell_letter(const struct timeline_cell *at)
{
	return at->kind == TIMELINE_NOTHING ? ' '
	       : at->kind == TIMELINE_IDLE  ? '.'
					    : letter_of(at->kind == TIMELINE_TASK ? at->actor : 0);
}

static void assert_strip(const struct scene *scene, size_t strip, const char *expected)
{
	char text[128] = "";

	for (size_t i = 0; i < scene->timeline.cell_count; i++)
		text[i] = cell_letter(cell(scene, strip, i));
	assert_string_equal(text, expected);
}

/* CPU.CELL ACTOR#ENTRY BUSY IPC/GOODNESS COLOUR; - unknown, or none */
static void assert_cell(const struct scene *scene, const char *expected)
{
	size_t strip, index;
	char text[160], entry[24] = "-", busy[24] = "-", ipc[24] = "-", colour[24] = "-";

	assert_int_equal(sscanf(expected, "%zu.%zu", &strip, &index), 2);
	const struct timeline_cell *at = cell(scene, strip, index);

	if (at->sequence != UINT64_MAX)
		snprintf(entry, sizeof(entry), "%" PRIu64, at->sequence);
	if (!isnan(at->busy_pct))
		snprintf(busy, sizeof(busy), "%.0f%%", at->busy_pct);
	if (!isnan(at->ipc))
		snprintf(ipc, sizeof(ipc), "%.2f/%d", at->ipc, at->goodness);
	if (at->colour != UINT_MAX)
		snprintf(colour, sizeof(colour), "c%u", at->colour);
	assert_true(!isnan(at->ipc) || at->goodness < 0);
	snprintf(text, sizeof(text), "%zu.%zu %c#%s %s %s %s", strip, index, letter_of(at->actor),
		 entry, busy, ipc, colour);
	assert_string_equal(text, expected);
}

/* clang-format off */
#define ON(cpu_, at_, prev_, next_, ran_, ...) {.cpu = (cpu_), .at_us = (at_), .prev = (prev_), .next = (next_), .ran_us = (ran_), .counts = {__VA_ARGS__}}
#define NO_TIME (SWITCH_NS_UNKNOWN / US)

static const struct {
	const char *name;
	uint64_t end_us;
	size_t cells;
	struct {
		int cpu;
		uint64_t at_us, prev, next, ran_us;
		struct counts_spec counts; /* all 0: no readings */
	} changes[8];
	const char *strips[2];
	const char *shown[4]; /* assert_cell() */
} cases[] = {
	{"slices reach from switch to switch", 2000, 10, {ON(0, 1200, SH, ACTOR_IDLE, 200), ON(0, 1500, ACTOR_IDLE, NGINX, 300), ON(0, 2000, NGINX, SH, 500)},
	 .strips = {"ss...nnnnn", "          "}, .shown = {"0.0 s#0 100% - c1", "0.2 .#1 0% - -", "0.9 n#2 100% - c0"}},
	{"the first slice is as long as it ran", 1500, 5, {ON(0, 1500, SH, ACTOR_IDLE, 200)}, .strips = {"   ss"}},
	{"slices that began before and end behind are cut", 1500, 5, {ON(0, 500, SH, NGINX, 100), ON(0, 1200, NGINX, MAKE, 700), ON(0, 5000, MAKE, SH, 3800), ON(0, 6000, SH, SH, 1000)},
	 .strips = {"nnmmm"}, .shown = {"0.4 m#2 100% - c0"}},
	{"who runs now is drawn up to the newest switch", 1500, 5, {ON(0, 1100, ACTOR_IDLE, SH, 100), ON(1, 1300, MAKE, ACTOR_IDLE, 300)},
	 .strips = {".ss  ", "mmm  "}, .shown = {"0.1 s#- 100% - c1"}},
	{"before the history there is nothing", 900, 5, {ON(0, 1300, SH, ACTOR_IDLE, 100)}, .strips = {"     "}},
	{"the owner is who ran longest in all", 1100, 1, {ON(0, 1000, ACTOR_IDLE, SH, 100), ON(0, 1010, SH, NGINX, 10), ON(0, 1045, NGINX, SH, 35), ON(0, 1070, SH, MAKE, 25),
	  ON(0, 1071, MAKE, SH, 1), ON(0, 1085, SH, MAKE, 14), ON(0, 1100, MAKE, ACTOR_IDLE, 15)}, .strips = {"s"}, .shown = {"0.0 s#3 100% - c0"}},
	{"a mostly idle cell is idle and has who ran", 1100, 1, {ON(0, 1000, MAKE, ACTOR_IDLE, 100), ON(0, 1060, ACTOR_IDLE, SH, 60), ON(0, 1100, SH, ACTOR_IDLE, 40)},
	 .strips = {"."}, .shown = {"0.0 s#2 40% - c0"}},
	{"a mostly unknown cell is unknown", 1100, 1, {ON(0, 1000, MAKE, ACTOR_UNKNOWN, 100), ON(0, 1060, ACTOR_UNKNOWN, SH, 60), ON(0, 1100, SH, ACTOR_IDLE, 40)},
	 .strips = {"?"}, .shown = {"0.0 ?#1 - - -"}},
	{"a CPU that was away leaves a hole", 2000, 10, {ON(0, 1100, SH, NGINX, 100), ON(0, 2000, NGINX, ACTOR_IDLE, 200)}, .strips = {"s       nn"}},
	{"IPC is of all tasks in the cell", 1100, 1, {ON(0, 1000, ACTOR_IDLE, SH, 100), ON(0, 1050, SH, NGINX, 50, .instructions = 3000, .cycles = 1000),
	  ON(0, 1100, NGINX, ACTOR_IDLE, 50, .instructions = 1000, .cycles = 1000)}, .shown = {"0.0 s#1 100% 2.00/3 c0"}},
	/* 300 us at IPC 2, of which 50 share a cell with 50 us at IPC 0.5 */
	{"counts of a long slice are shared by time", 1400, 4, {ON(0, 1000, ACTOR_IDLE, SH, 100), ON(0, 1350, SH, NGINX, 350, .instructions = 7000000, .cycles = 3500000),
	  ON(0, 1400, NGINX, ACTOR_IDLE, 50, .instructions = 250000, .cycles = 500000)}, .shown = {"0.0 s#1 100% 2.00/3 c0", "0.2 s#1 100% 2.00/3 c0", "0.3 s#1 100% 1.25/2 c0"}},
	{"IPC is unknown without counts", 1200, 2, {ON(0, 1000, ACTOR_IDLE, SH, 100), ON(0, 1100, SH, ACTOR_IDLE, 100), ON(0, 1200, ACTOR_IDLE, SH, 100)},
	 .shown = {"0.0 s#1 100% - c0", "0.1 .#2 0% - -"}},
	{"IPC of less than half of the time is unknown", 1200, 2, {ON(0, 1000, ACTOR_IDLE, SH, 100), ON(0, 1040, SH, NGINX, 40, .instructions = 3000, .cycles = 1000),
	  ON(0, 1100, NGINX, SH, 60), ON(0, 1160, SH, NGINX, 60, .instructions = 3000, .cycles = 1000), ON(0, 1200, NGINX, ACTOR_IDLE, 40)},
	 .shown = {"0.0 n#2 100% - c1", "0.1 s#3 100% 3.00/4 c0"}},
	{"colours rank who ran longest on all CPUs", 1500, 5, {ON(0, 1400, SH, ACTOR_IDLE, 400), ON(1, 1400, NGINX, MAKE, 400), ON(0, 1410, ACTOR_IDLE, NGINX, 10),
	  ON(0, 1500, NGINX, ACTOR_IDLE, 90), ON(1, 1500, MAKE, ACTOR_IDLE, 100)}, .shown = {"0.0 s#0 100% - c1", "1.0 n#1 100% - c0", "1.4 m#4 100% - c2"}},
	{"a slice of unknown length begins at the switch before", 1500, 5, {ON(0, 1100, MAKE, SH, NO_TIME), ON(0, 1500, SH, ACTOR_IDLE, NO_TIME)}, .strips = {" ssss"}},
};
/* clang-format on */

UNIT_TEST_WITH(timeline_is_as_expected, NULL, NULL)
{
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct scene *scene;

		begin_case(cases[i].name);
		set_up((void **)&scene);
		assert_true(scene->sh == SH && scene->nginx == NGINX && scene->make == MAKE);
		for (size_t j = 0; j < 8 && cases[i].changes[j].at_us > 0; j++) {
			const uint64_t ran = cases[i].changes[j].ran_us;
			const struct counts_spec counts = cases[i].changes[j].counts;
			const bool has_counts = counts.cycles > 0;

			switched(&scene->told, .time_ns = cases[i].changes[j].at_us * US,
				 .cpu = cases[i].changes[j].cpu, .prev = cases[i].changes[j].prev,
				 .next = cases[i].changes[j].next, .from_cpu = -1,
				 .slice_ns = ran == NO_TIME ? SWITCH_NS_UNKNOWN : ran * US,
				 .has_counts = has_counts,
				 .counts = has_counts ? told_counts(&scene->told, ran * US, counts)
						      : NULL);
		}
		make(scene, cases[i].end_us, cases[i].cells);
		for (size_t j = 0; j < 2; j++)
			if (cases[i].strips[j])
				assert_strip(scene, j, cases[i].strips[j]);
		for (size_t j = 0; j < 4 && cases[i].shown[j]; j++)
			assert_cell(scene, cases[i].shown[j]);
		tear_down((void **)&scene);
	}
}

/* By time, of those that end within it and of one that goes on. */
UNIT_TEST_OF(timeline_legend_sums_what_ran_in_the_span, struct scene *scene)
{
	change(scene, 0, 1200, NGINX, MAKE, 700);
	change(scene, 0, 5000, MAKE, SH, 3800);
	make(scene, 1500, 5);

	assert_int_equal(scene->timeline.legend_count, 2);
	assert_int_equal(scene->timeline.legend[0].actor, MAKE);
	assert_int_equal(scene->timeline.legend[0].run_ns, 300 * US);
	assert_int_equal(scene->timeline.legend[1].actor, NGINX);
	assert_int_equal(scene->timeline.legend[1].run_ns, 200 * US);
}

/* It has the name that it got last. */
UNIT_TEST_OF(timeline_legend_has_a_task_once_whatever_it_is_called, struct scene *scene)
{
	const uint64_t bash = told_actor(&scene->told, 7, 7, "bash");

	change(scene, 0, 1200, SH, MAKE, 700);
	change(scene, 0, 1300, MAKE, bash, 100);
	change(scene, 0, 1500, bash, ACTOR_IDLE, 200);
	make(scene, 1500, 5);

	assert_int_equal(scene->timeline.legend_count, 2);
	assert_int_equal(scene->timeline.legend[0].actor, bash);
	assert_int_equal(scene->timeline.legend[0].run_ns, 400 * US);
	assert_int_equal(cell(scene, 0, 0)->colour, 0);
	assert_int_equal(cell(scene, 0, 4)->colour, 0);
}

UNIT_TEST_OF(timeline_legend_sums_more_than_32_bits_of_nanoseconds, struct scene *scene)
{
	change(scene, 0, 3000000, SH, NGINX, 3000000);
	change(scene, 1, 3000000, SH, MAKE, 3000000);
	make(scene, 3000000, 30000);

	assert_int_equal(scene->timeline.legend_count, 1);
	assert_int_equal(scene->timeline.legend[0].run_ns, 6000000 * (uint64_t)US);
}

UNIT_TEST_OF(timeline_of_later_cells_than_32_bits_count_has_nothing_of_before, struct scene *scene)
{
	change(scene, 0, 1500, SH, NGINX, 300);
	make(scene, 1600, 5);
	assert_strip(scene, 0, " sss ");

	make(scene, 1600 + (UINT64_C(100) << 32), 5);
	assert_strip(scene, 0, "     ");
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
			 .prev = i % 4 == 0 ? ACTOR_IDLE
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

/* sh has a tenth of the second cell, and nothing of the third. */
UNIT_TEST_OF(timeline_attached_owns_each_cell_in_which_it_ran, struct scene *scene)
{
	static const int32_t pids[] = {7};
	const int cpu = 0;
	struct timeline_input input = {
		.history = scene->told.history,
		.layout = &scene->world.layout,
		.metrics = scene->world.metrics,
		.cpus = &cpu,
		.cpu_count = 1,
		.end_ns = 1400 * US,
		.span_ns = 400 * US,
		.cell_count = 4,
	};

	change(scene, 0, 1150, scene->nginx, scene->sh, 150);
	change(scene, 0, 1160, scene->sh, scene->nginx, 10);
	change(scene, 0, 1300, scene->nginx, ACTOR_IDLE, 140);
	change(scene, 0, 1390, ACTOR_IDLE, scene->sh, 90);
	change(scene, 0, 1400, scene->sh, ACTOR_IDLE, 10);
	timeline_make(&scene->timeline, &input);
	assert_strip(scene, 0, "nnn.");

	input.pids = pids;
	input.pid_count = 1;
	timeline_make(&scene->timeline, &input);
	assert_strip(scene, 0, "nsns");
	assert_int_equal(lround(cell(scene, 0, 1)->actor_pct), 10);
	assert_int_equal(lround(cell(scene, 0, 1)->busy_pct), 100);
	assert_int_equal(lround(cell(scene, 0, 3)->busy_pct), 10);
	assert_int_equal(scene->timeline.legend[0].actor, scene->sh);
	assert_int_equal(cell(scene, 0, 1)->colour, 0);

	input.pid_count = 0;
	timeline_make(&scene->timeline, &input);
	assert_strip(scene, 0, "nnn.");
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

int main(void)
{
	return unit_run(set_up, tear_down);
}
