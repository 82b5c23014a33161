/* Lengths of slices and waits in powers of two. */

#include "view/histogram.h"
#include "view/window.h"

#include "scene_kit.h"
#include "unit.h"

enum {
	CAPACITY = 8 * HISTORY_BLOCK
};

static int set_up(void **state)
{
	struct scene *scene = scene_open();

	scene_tell_two(scene, CAPACITY);
	scene->world.session.queue = QUEUE_WAKEUPS;
	*state = scene;
	return 0;
}

static int tear_down(void **state)
{
	scene_close(*state);
	return 0;
}

/* A slice, and a comer whose waits are not known unless they are given. */
#define slice(scene_, left_, ns_, ...)                                                             \
	told_switch(&(scene_)->told, with_unknown_waits((struct switch_entry){                     \
					     .prev = (left_),                                      \
					     .slice_ns = (ns_),                                    \
					     __VA_ARGS__ __VA_OPT__(, ).from_cpu = -1}))

static struct switch_entry with_unknown_waits(struct switch_entry entry)
{
	if (entry.off_ns == 0)
		entry.off_ns = SWITCH_NS_UNKNOWN;
	if (entry.wait_ns == 0)
		entry.wait_ns = SWITCH_NS_UNKNOWN;
	return entry;
}

UNIT_TEST_OF(histogram_without_history_has_no_rows, struct scene *scene)
{
	scene->request.history = NULL;
	scene_build(scene, "histogram");
	assert_int_equal(view_table_row_count(scene->table), 0);

	scene->request.history = scene->told.history;
	scene->request.filter = "cpu = 1";
	scene_build(scene, "histogram");
	assert_int_equal(view_table_row_count(scene->table), 0);
}

/* Slices of SH and NGINX, and whose waits ended with them. */
enum {
	SH = ACTOR_FIRST,
	NGINX
};

/* clang-format off */
#define SLICE(left_, ns_, ...) {.prev = (left_), .slice_ns = (ns_), __VA_ARGS__ __VA_OPT__(, ) .from_cpu = -1}
#define TWO_CPUS {SLICE(SH, 300, .cpu = 1), SLICE(SH, 600, .cpu = 2), SLICE(NGINX, 1200, .cpu = 1)}
#define THREE_TIMES {SLICE(SH, 300, .time_ns = 10000), SLICE(SH, 300, .time_ns = 20000), SLICE(SH, 300, .time_ns = 30000)}

static const struct {
	const char *name;
	struct switch_entry slices[5]; /* up to the first from a CPU */
	const char *columns, *rows, *filter;
	uint64_t window_ns;
	int32_t pid; /* 0: all */
	bool no_wakeups;
} cases[] = {
	{"octaves between shortest and longest", {SLICE(SH, 1023), SLICE(SH, 1024), SLICE(NGINX, 1500), SLICE(SH, 8192)},
	 "length,below,slices", .rows = "512ns 1.02us 1, 1.02us 2.05us 2, 2.05us 4.10us 0, 4.10us 8.19us 0, 8.19us 16.4us 1"},
	{"shortest octave begins at zero", {SLICE(SH, 0), SLICE(SH, 127)}, "length,below,slices", .rows = "0ns 128ns 2"},
	{"longest octave has no end", {SLICE(SH, UINT64_C(1) << 62)}, "below,slices", .rows = "- 1"},
	{"bars are shares of the greatest", {SLICE(SH, 300), SLICE(SH, 300), SLICE(SH, 300), SLICE(SH, 300), SLICE(SH, 600)},
	 "slices,slices-bar,pwaits-bar", .rows = "4 100.0 0.0, 1 25.0 0.0"},
	{"no idle and no unknown time", {SLICE(ACTOR_IDLE, 300), SLICE(ACTOR_UNKNOWN, 300), SLICE(SH, SWITCH_NS_UNKNOWN), SLICE(SH, 300)}, "slices", .rows = "1"},
	{"waits by who comes", {SLICE(SH, 300, .next = NGINX, .off_ns = 500, .wait_ns = 500, .next_was_preempted = true),
	  SLICE(SH, 300, .next = NGINX, .off_ns = 9000, .wait_ns = 400), SLICE(SH, 300, .next = NGINX, .off_ns = 9000),
	  SLICE(SH, 300, .next = ACTOR_IDLE, .off_ns = 450, .wait_ns = 450, .next_was_preempted = true)},
	 "length,slices,pwaits,rqwaits", .rows = "256ns 4 1 2"},
	{"run queue waits are unknown without wake-ups", {SLICE(SH, 300, .next = NGINX, .off_ns = 500, .wait_ns = 500, .next_was_preempted = true)},
	 "pwaits,rqwaits,rqwaits-bar", .rows = "1 - -", .no_wakeups = true},
	{"slices and waits of a process", {SLICE(SH, 300, .next = NGINX, .off_ns = 600, .wait_ns = 600, .next_was_preempted = true),
	  SLICE(NGINX, 700, .next = SH, .off_ns = 300, .wait_ns = 300, .next_was_preempted = true)},
	 "length,slices,pwaits,rqwaits", .rows = "512ns 1 1 1", .pid = 20},
	{"filter by CPU", TWO_CPUS, "length,slices", .rows = "512ns 1", .filter = "cpu = 2"},
	{"filter by CPU and length", TWO_CPUS, "length,slices", .rows = "1.02us 1", .filter = "cpu = 1 && ran > 1us"},
	{"filter by name", TWO_CPUS, "length,slices", .rows = "1.02us 1", .filter = "nginx"},
	/* it narrows switches: a histogram's own columns are not theirs */
	{"filter by a column of the histogram", TWO_CPUS, "length,slices", .rows = "256ns 1, 512ns 1, 1.02us 1", .filter = "slices > 5"},
	{"filter that nothing passes", TWO_CPUS, "length,slices", .rows = "", .filter = "kind = exited"},
	{"older than the window", THREE_TIMES, "slices", .rows = "2", .window_ns = 15000},
	{"older than the window, of a CPU", THREE_TIMES, "slices", .rows = "2", .filter = "cpu = 0", .window_ns = 15000},
	{"no metric", {SLICE(SH, 300)}, "ipc,sw/s,time,cpu,command", .rows = "- - - - -"},
};
/* clang-format on */

UNIT_TEST_WITH(histogram_is_as_expected, NULL, NULL)
{
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct scene *scene;

		begin_case(cases[i].name);
		set_up((void **)&scene);
		assert_true(scene->sh == SH && scene->nginx == NGINX);
		scene->request.filter = cases[i].filter;
		if (cases[i].window_ns > 0)
			scene->request.window_ns = cases[i].window_ns;
		scene->request.pids = cases[i].pid != 0 ? &cases[i].pid : NULL;
		scene->request.pid_count = cases[i].pid != 0;
		if (cases[i].no_wakeups)
			scene->world.session.queue = QUEUE_RUN_DELAY;
		for (size_t j = 0; j < 5 && cases[i].slices[j].from_cpu < 0; j++)
			told_switch(&scene->told, with_unknown_waits(cases[i].slices[j]));
		assert_scene(scene, "histogram", cases[i].columns, cases[i].rows);
		tear_down((void **)&scene);
	}
}

UNIT_TEST_OF(histogram_filter_sees_what_came_later, struct scene *scene)
{
	scene->request.filter = "cpu = 2";
	slice(scene, scene->sh, 600, .cpu = 2);
	assert_scene(scene, "histogram", "slices", "1");
	slice(scene, scene->sh, 600, .cpu = 2);
	slice(scene, scene->sh, 600, .cpu = 1);
	assert_scene(scene, "histogram", "slices", "2");
}

static const struct length *length_of(const struct view_row *row)
{
	return row->item;
}

UNIT_TEST_OF(histogram_of_many_counts_each_slice_once, struct scene *scene)
{
	uint64_t random = 1, expected = 0, slices = 0;

	for (int i = 0; i < 3 * WINDOW_CHUNK + 100; i++) {
		random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
		expected += (random >> 33 & 3) >= ACTOR_FIRST;
		slice(scene, random >> 33 & 3, random >> (35 + (random & 15)), .cpu = 1);
	}
	scene_build(scene, "histogram");
	for (size_t i = 0; i < view_table_row_count(scene->table); i++)
		slices += length_of(view_table_row(scene->table, i))->count[LENGTH_SLICES];
	assert_int_equal(slices, expected);
	assert_int_equal(length_of(view_table_row(scene->table, 0))->total[LENGTH_SLICES],
			 expected);

	slices = 0;
	scene->request.filter = "cpu = 1";
	scene_build(scene, "histogram");
	for (size_t i = 0; i < view_table_row_count(scene->table); i++)
		slices += length_of(view_table_row(scene->table, i))->count[LENGTH_SLICES];
	assert_int_equal(slices, expected);
}

static bool is_even(int32_t pid, const void *context)
{
	return pid % 2 == 0;
}

/* More tasks than answers are remembered for. */
UNIT_TEST_OF(histogram_asks_for_each_of_many_processes, struct scene *scene)
{
	const int32_t count = 3 * ACTOR_FILTER_SLOTS;

	scene->request.wants_pid = is_even;
	for (int32_t i = 0; i < count; i++) {
		/* neighbours in the memory of answers are wanted in turns */
		const int32_t pid = 2 * i + i / ACTOR_FILTER_SLOTS % 2;

		slice(scene, told_actor(&scene->told, pid, pid, "many"), 300);
	}
	for (int32_t i = 0; i < ACTOR_FILTER_SLOTS; i++) {
		slice(scene, told_actor(&scene->told, 2 * i, 2 * i, "many"), 300);
		slice(scene, told_actor(&scene->told, 2 * i + 1, 2 * i + 1, "many"), 300);
	}

	assert_scene(scene, "histogram", "slices", "3072");
}

/* What was looked at before is not looked at again, and makes no difference. */
UNIT_TEST_OF(lengths_with_sums_of_before_are_as_of_all_entries, struct scene *scene)
{
	struct actor_filter actors = {.history = scene->told.history};
	struct length_query query = {.actors = &actors};
	struct length_sums sums = {0};
	struct length with[DISTRIBUTION_OCTAVES], without[DISTRIBUTION_OCTAVES];

	for (uint64_t i = 0; i < 5 * CAPACITY; i++) {
		slice(scene, i % 5 ? scene->sh : scene->nginx, 100 + i * 7919 % 1000000,
		      .off_ns = 1 + i * 104729 % 100000, .next = scene->sh,
		      .next_was_preempted = i % 3 == 0, .wait_ns = 1 + i % 777);
		if (i % 1777 > 0)
			continue;
		query.window = window_of(&(struct view_request){.history = scene->told.history});
		query.window.first += i % 3;
		query.sums = NULL;
		lengths_gather(without, &query);
		query.sums = &sums;
		lengths_gather(with, &query);
		assert_memory_equal(with, without, sizeof(with));
	}
	assert_true(history_first(scene->told.history) > 0);
	length_sums_fini(&sums);
}

/* While the window is gone through the history goes on, and drops entries that are ahead. */
struct goes_on {
	struct scene *scene;
	uint64_t first; /* what it drops is before that; 0: it has not yet gone on */
};

static void go_on(void *context)
{
	struct goes_on *goes_on = context;

	if (goes_on->first > 0)
		return;
	for (uint64_t i = 0; i < CAPACITY / 2 + 3 * HISTORY_BLOCK; i++)
		slice(goes_on->scene, ACTOR_FIRST, 400);
	goes_on->first = history_first(goes_on->scene->told.history);
}

static void check_going_on(struct scene *scene, struct length_sums *sums)
{
	struct goes_on goes_on = {.scene = scene};
	struct actor_filter actors = {.history = scene->told.history};
	struct length_query query = {.actors = &actors, .sums = sums};
	struct length lengths[DISTRIBUTION_OCTAVES];

	for (uint64_t i = 0; i < CAPACITY; i++)
		slice(scene, scene->sh, 200);
	query.window = window_of(&(struct view_request){.history = scene->told.history});
	query.window.meanwhile = go_on;
	query.window.meanwhile_context = &goes_on;
	lengths_gather(lengths, &query);
	assert_in_range(goes_on.first, CAPACITY / 2 + 1, CAPACITY - 1);
	/* up to the pause, and behind what was dropped */
	assert_int_equal(lengths[1].count[LENGTH_SLICES], CAPACITY / 2 + CAPACITY - goes_on.first);
}

UNIT_TEST_OF(lengths_are_of_what_is_kept_as_the_history_goes_on, struct scene *scene)
{
	check_going_on(scene, NULL);
}

UNIT_TEST_OF(lengths_with_sums_are_of_what_is_kept_as_the_history_goes_on, struct scene *scene)
{
	struct length_sums sums = {0};

	check_going_on(scene, &sums);
	length_sums_fini(&sums);
}

/* Entries of the same numbers. */
UNIT_TEST_OF(lengths_of_another_history_are_not_summed_before, struct scene *scene)
{
	struct actor_filter actors = {.history = scene->told.history};
	struct length_sums sums = {0};
	struct length_query query = {.actors = &actors, .sums = &sums};
	struct length lengths[DISTRIBUTION_OCTAVES];

	for (uint64_t round = 0; round < 2; round++) {
		for (uint64_t i = 0; i < HISTORY_BLOCK; i++)
			slice(scene, scene->sh, 200 + 200 * round);
		query.window = window_of(&(struct view_request){.history = scene->told.history});
		lengths_gather(lengths, &query);
		assert_int_equal(lengths[1 + round].count[LENGTH_SLICES], HISTORY_BLOCK);
		history_destroy(scene->told.history);
		scene->told.history = history_create(CAPACITY, WORLD_WIDTH);
		scene->sh = told_actor(&scene->told, 7, 7, "sh");
	}
	length_sums_fini(&sums);
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
