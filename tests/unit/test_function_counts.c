/* The view of functions, of profiles with what was counted in them. */

#include "model/profile.h"
#include "model/stream.h"

#include "scene_kit.h"

enum {
	QUICK = 5,
	SLOW = 6,
	OTHER = 7,
	NUMBERS = READING_VALUES + WORLD_EVENTS
};

static struct scene *scene;
static struct profile profile;
static struct profile_node nodes[] = {
	{0}, {.function = QUICK}, {.function = SLOW}, {.function = OTHER, .parent = 1}};
/* enabled and running for 1000 ns; of the events the first ones */
static uint64_t numbers[1 + 4 * NUMBERS];
static struct profile_entry entries[] = {
	{.pid = 7, .tid = 7, .node = 1, .samples = 6, .weight = 600, .counts = 1},
	{.pid = 8, .tid = 8, .node = 1, .samples = 1, .weight = 100, .counts = 1 + NUMBERS},
	{.pid = 7, .tid = 7, .node = 2, .samples = 2, .weight = 200, .counts = 1 + 2 * NUMBERS},
	{.pid = 7, .tid = 7, .node = 3, .samples = 1, .weight = 100, .counts = 1 + 3 * NUMBERS},
};

static void counted(size_t entry, uint64_t cycles, uint64_t instructions)
{
	uint64_t *of = &numbers[entries[entry].counts];

	of[READING_ENABLED_NS] = of[READING_RUNNING_NS] = 1000;
	of[READING_VALUES + layout_find_event(&scene->world.layout, "cycles")] = cycles;
	of[READING_VALUES + layout_find_event(&scene->world.layout, "instructions")] = instructions;
	entries[entry].generation = scene->world.layout.groups[0].generation;
}

static int set_up(void **state)
{
	scene = scene_open();
	memset(numbers, 0, sizeof(numbers));
	counted(0, 1000, 2500);
	counted(1, 1000, 500);
	counted(2, 1000, 250);
	profile = (struct profile){
		.nodes = nodes,
		.node_count = COUNT_OF(nodes),
		.entries = entries,
		.entry_count = COUNT_OF(entries),
		.numbers = numbers,
		.number_count = COUNT_OF(numbers),
	};
	scene->world.snapshot.profile = &profile;
	return 0;
}

static int tear_down(void **state)
{
	scene_close(scene);
	return 0;
}

UNIT_TEST(functions_have_what_was_counted_in_them)
{
	assert_scene(scene, "functions", "self%,ipc", "70.0 1.50, 20.0 0.25, 10.0 -");
}

UNIT_TEST(functions_of_some_processes_have_what_these_counted)
{
	const int32_t pid = 8;

	scene->request.pids = &pid;
	scene->request.pid_count = 1;
	assert_scene(scene, "functions", "self%,ipc", "100.0 0.50");
}

UNIT_TEST(functions_are_sorted_by_what_was_counted)
{
	scene->request.state.order.sort = columns_find(scene->world.columns, "ipc");
	scene->request.state.order.sort_reversed = true;
	assert_scene(scene, "functions", "ipc", "0.25, 1.50, -");
}

UNIT_TEST(functions_have_estimates_and_no_rates)
{
	struct cell cell = scene_cell(scene, "functions", "ipc", 0);

	assert_true(cell.is_estimate);
	assert_true(view_table_is_estimate(scene->table, 0));
	cell = scene_cell(scene, "functions", "cpu%", 0);
	assert_true(cell.is_unknown);
	cell = scene_cell(scene, "functions", "miss/s", 0);
	assert_true(cell.is_unknown);
}

UNIT_TEST(functions_of_other_counters_have_no_metrics)
{
	for (size_t i = 0; i < COUNT_OF(entries); i++)
		entries[i].generation++;
	assert_scene(scene, "functions", "ipc", "-, -, -");
}

/* Of callers: what was counted while they called it. */
UNIT_TEST(calls_have_what_was_counted_in_them)
{
	scene->request.state.order.sort = columns_find(scene->world.columns, "samples");
	scene->form = FUNCTIONS_CALLEES;
	assert_scene(scene, "functions", "total%,self%,ipc",
		     "80.0 70.0 1.50, 10.0 10.0 -, 20.0 20.0 0.25");
	counted(3, 100, 10);
	scene->form = FUNCTIONS_CALLERS;
	assert_scene(scene, "functions", "self%,ipc", "70.0 1.50, 20.0 0.25, 10.0 0.10, 10.0 0.10");
}

UNIT_MAIN(set_up, tear_down)
