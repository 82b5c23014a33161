/* The log of switches as a table: which entries are rows, and what stands in them. */

#include "view/rows.h"
#include "view/switch_log.h"

#include "scene_kit.h"
#include "unit.h"

enum {
	CAPACITY = 2 * HISTORY_BLOCK
};

static struct switch_log *switch_log;

static int set_up(void **state)
{
	struct scene *scene = scene_open();

	scene_tell_two(scene, CAPACITY);
	switch_log = switch_log_create();
	*state = scene;
	return 0;
}

static int tear_down(void **state)
{
	switch_log_destroy(switch_log);
	scene_close(*state);
	return 0;
}

/* The log alone, so that it can be asked what it has looked at. */
static void build_log(struct scene *scene)
{
	const struct rows_input input = {
		.request = &scene->request,
		.snapshot = &scene->world.snapshot,
	};

	switch_log_build(switch_log, &input);
}

/* Takes turns: sh to idle, idle to nginx, nginx to sh. */
static void add_turns(struct scene *scene, size_t count)
{
	const uint64_t turns[] = {scene->sh, ACTOR_IDLE, scene->nginx};

	for (size_t i = 0; i < count; i++)
		switched(&scene->told, .prev = turns[i % 3], .next = turns[(i + 1) % 3],
			 .slice_ns = 5000, .from_cpu = -1);
}

/* Numbers of all rows. */
static const char *ids_of(const struct scene *scene)
{
	static char text[512];
	size_t length = 0;

	text[0] = '\0';
	for (size_t i = 0; i < view_table_row_count(scene->table); i++)
		length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%llu",
					   i > 0 ? " " : "",
					   (unsigned long long)view_table_row(scene->table, i)->id);
	return text;
}

static void assert_ids(struct scene *scene, const char *expected)
{
	scene_build(scene, "switches");
	assert_string_equal(ids_of(scene), expected);
}

static bool wants_20(int32_t pid, const void *context)
{
	return pid == 20;
}

UNIT_TEST_OF(log_without_history_has_no_rows, struct scene *scene)
{
	add_turns(scene, 3);
	scene->request.history = NULL;
	scene_build(scene, "switches");

	assert_int_equal(view_table_row_count(scene->table), 0);
	assert_int_equal(view_table_index_of(scene->table, 0), -1);
}

/* Slices of 1 ms, 6 ms, 6 ms and 7 ms with an IPC of 2, 0.4, 2 and 0.4; all but the second
 * preempted. */
static void add_slices(struct scene *scene)
{
	const uint64_t ms[] = {1, 6, 6, 7};

	for (size_t i = 0; i < 4; i++) {
		const uint64_t slice_ns = ms[i] * 1000000;

		switched(&scene->told, .prev = i < 2 ? scene->sh : scene->nginx, .next = ACTOR_IDLE,
			 .how = i == 1 ? SWITCH_BLOCKED : SWITCH_PREEMPTED, .slice_ns = slice_ns,
			 .has_counts = true,
			 .counts = told_counts(
				 &scene->told, slice_ns,
				 (struct counts_spec){.cycles = 1000,
						      .instructions = i % 2 == 0 ? 2000 : 400}));
	}
}

static bool wants_one(int32_t pid, const void *context)
{
	const int32_t *wanted = context;

	return pid == *wanted;
}

/* What is added to the log, how it is narrowed, and what it has then. */
/* clang-format off */
static const struct {
	const char *name; /* NULL: on the log of the case before */
	const char *ids;
	size_t turns;
	bool slices, unsettled;
	uint64_t from, to; /* 0: no end */
	int32_t pids[2], wanted; /* 0: any */
	uint32_t uid, uid_of_sh; /* 0: any; 1000 */
	const char *filter;
} narrowed[] = {
	{"settled ones, the newest last", .ids = "0 1 2", .turns = 3, .unsettled = true},
	{"a stretch has its beginning and not its end", .ids = "2 3 4", .turns = 9, .from = 2, .to = 5},
	{.ids = "2 3 4 5 6 7 8", .from = 2, .to = 100},
	{.ids = "", .from = 100, .to = 100},
	{"a process left or came", .ids = "0 2 3 5 6", .turns = 7, .pids = {7}},
	{.ids = "1 2 4 5", .wanted = 20},
	{"of a user, by what the snapshot knows", .ids = "0 2 3 5 6", .turns = 7, .uid = 1000},
	{.ids = "1 2 4 5", .uid = 1},
	{.ids = "", .uid = 5},
	/* what is known of a switch when it is first looked at is what counts */
	{"each is looked at once", .ids = "0 2", .turns = 3, .uid = 1000},
	{.ids = "0 2", .turns = 3, .uid = 1000, .uid_of_sh = 1},
	{.ids = "0 1 2 3 4 5", .uid = 1, .uid_of_sh = 1},
	{"narrowed otherwise it begins anew", .ids = "0 2", .turns = 3, .pids = {7}},
	{.ids = "0 1 2", .pids = {7, 20}},
	{.ids = "1 2", .pids = {20}},
	{.ids = "0 2", .wanted = 7},
	{.ids = "1 2", .wanted = 20},
	{.ids = "", .wanted = 20, .uid = 7},
	{"stretches follow each other", .ids = "1 2 4 5", .turns = 12, .wanted = 20, .to = 6},
	{.ids = "7 8", .wanted = 20, .from = 6, .to = 9},
	{.ids = "11", .wanted = 20, .from = 11, .to = 12}, /* over entries that were not looked at */
	{.ids = "4 5 7", .wanted = 20, .from = 4, .to = 8}, /* and back */
	{.ids = "4", .wanted = 20, .from = 4, .to = 5}, /* less of what was looked at */
	{"filters", .ids = "2 3", .slices = true, .filter = "slice > 5ms && kind = preempted"},
	{.ids = "1", .filter = "how = blocked"},
	{.ids = "1 3", .filter = "ipc < 0.5"},
	{.ids = "2 3", .filter = "next = idle && prev ~ ^ngi"},
	{.ids = "0 1", .filter = "sh"},
	{.ids = "0 1 2 3", .filter = ""},
	{.ids = "2 3", .filter = "how = preempted", .wanted = 20},
	{.ids = "", .filter = "how = blocked", .wanted = 20},
	{"a filter goes on with new switches", .ids = "1 2 3", .slices = true, .filter = "ran > 5ms"},
	{.ids = "1 2 3 5 6 7", .slices = true, .filter = "ran > 5ms"},
};
/* clang-format on */

UNIT_TEST_WITH(log_has_what_it_is_narrowed_to, NULL, NULL)
{
	static const int32_t known[] = {7, 20}; /* the same memory each time */
	struct scene *scene = NULL;
	struct snapshot_task *sh = NULL;

	for (size_t i = 0; i < COUNT_OF(narrowed); i++) {
		if (narrowed[i].name) {
			begin_case(narrowed[i].name);
			if (scene)
				tear_down((void **)&scene);
			set_up((void **)&scene);
			task(&scene->world, .pid = 20, .tid = 21, .id = 21, .uid = 1);
			sh = task(&scene->world, .pid = 7, .id = 7);
		}
		const struct view_request before = scene->request;

		sh->uid = narrowed[i].uid_of_sh > 0 ? narrowed[i].uid_of_sh : 1000;
		add_turns(scene, narrowed[i].turns);
		if (narrowed[i].slices)
			add_slices(scene);
		if (narrowed[i].unsettled)
			told_add(&scene->told, (struct switch_entry){.prev = scene->sh});
		scene->request.history_from = narrowed[i].from;
		if (narrowed[i].to > 0)
			scene->request.history_to = narrowed[i].to;
		if (narrowed[i].pids[0] > 0) {
			scene->request.pids = narrowed[i].pids;
			scene->request.pid_count = narrowed[i].pids[1] > 0 ? 2 : 1;
		}
		if (narrowed[i].wanted > 0) {
			scene->request.wants_pid = wants_one;
			scene->request.context =
				(void *)(uintptr_t)&known[narrowed[i].wanted == 20];
		}
		if (narrowed[i].uid > 0)
			scene->request.uid = narrowed[i].uid;
		scene->request.filter = narrowed[i].filter;
		assert_ids(scene, narrowed[i].ids);
		scene->request = before;
	}
	tear_down((void **)&scene);
}

UNIT_TEST_OF(log_is_not_sorted, struct scene *scene)
{
	bool descends;

	add_turns(scene, 3);
	scene->request.state.order.sort = columns_find(scene->world.columns, "prev");
	scene->request.state.order.sort_reversed = true;

	assert_ids(scene, "0 1 2");
	assert_null(view_table_sort(scene->table, &descends));
	assert_false(descends);
}

UNIT_TEST_OF(log_after_another_view_and_back_has_their_rows, struct scene *scene)
{
	add_turns(scene, 3);
	task(&scene->world, .pid = 1, .run_ms = 10);
	scene_build(scene, "switches");
	scene_build(scene, "tasks");

	assert_int_equal(view_table_row_count(scene->table), 1);
	assert_int_equal(view_table_row(scene->table, 0)->kind, ROW_TASK);
	assert_ids(scene, "0 1 2");
}

/* More tasks than verdicts are remembered, so that several share a place. */
UNIT_TEST_OF(log_of_a_process_among_thousands_is_its_own, struct scene *scene)
{
	uint64_t actors[3000];

	for (int32_t i = 0; i < 3000; i++) {
		actors[i] = told_actor(&scene->told, 100 + i, 100 + i, "many");
		switched(&scene->told, .prev = actors[i], .next = ACTOR_IDLE);
	}
	for (size_t i = 0; i < 1000; i++)
		switched(&scene->told, .prev = actors[i], .next = actors[i + 2000]);
	const int32_t pid = 100 + 500;

	scene->request.pids = &pid;
	scene->request.pid_count = 1;
	assert_ids(scene, "500 3500");
}

UNIT_TEST_OF(log_of_no_process_at_all_is_empty, struct scene *scene)
{
	const int32_t pid = 0; /* idle is nobody's */

	add_turns(scene, 7);
	scene->request.pids = &pid;
	assert_ids(scene, "");
	scene->request.pid_count = 1;
	assert_ids(scene, "");
}

UNIT_TEST_OF(log_index_of_a_switch_is_found_by_its_number, struct scene *scene)
{
	add_turns(scene, 9);
	scene->request.history_from = 2;
	scene_build(scene, "switches");
	assert_int_equal(view_table_index_of(scene->table, 1), -1);
	assert_int_equal(view_table_index_of(scene->table, 2), 0);
	assert_int_equal(view_table_index_of(scene->table, 8), 6);
	assert_int_equal(view_table_index_of(scene->table, 9), -1);

	scene->request.wants_pid = wants_20; /* 2 4 5 7 8 */
	scene_build(scene, "switches");
	assert_int_equal(view_table_index_of(scene->table, 1), -1);
	assert_int_equal(view_table_index_of(scene->table, 3), -1);
	assert_int_equal(view_table_index_of(scene->table, 4), 1);
	assert_int_equal(view_table_index_of(scene->table, 8), 4);
	assert_int_equal(view_table_index_of(scene->table, UINT64_MAX), -1);
}

UNIT_TEST_OF(log_rows_two_are_good_at_once, struct scene *scene)
{
	const struct view_row *first;
	const struct view_row *second;

	add_turns(scene, 3);
	scene_build(scene, "switches");
	view_table_row(scene->table, 2);
	first = view_table_row(scene->table, 0);
	second = view_table_row(scene->table, 1);
	assert_int_equal(first->id, 0);
	assert_int_equal(first->entry->prev, scene->sh);
	assert_int_equal(second->id, 1);

	/* the older one goes, also when the other was asked for again */
	assert_ptr_equal(view_table_row(scene->table, 0), first);
	view_table_row(scene->table, 2);
	assert_int_equal(first->id, 0);
}

UNIT_TEST_OF(log_of_another_history_begins_anew, struct scene *scene)
{
	struct history *copy;

	add_turns(scene, 30);
	scene->request.wants_pid = wants_20;
	build_log(scene);
	copy = history_copy(scene->told.history);
	add_turns(scene, 30);
	scene->request.history = copy;
	build_log(scene);
	assert_int_equal(switch_log_count(switch_log), 20);
	history_destroy(copy);
}

UNIT_TEST_OF(log_narrowed_forgets_what_the_history_drops, struct scene *scene)
{
	scene->request.wants_pid = wants_20;
	for (int i = 0; i < 30; i++) {
		const uint64_t first_before = history_first(scene->told.history);

		add_turns(scene, 999);
		scene_build(scene, "switches");
		const uint64_t first = history_first(scene->told.history);
		const uint64_t settled = history_settled(scene->told.history);

		assert_true(first >= first_before);
		assert_in_range(view_table_row(scene->table, 0)->id, first, first + 1);
		/* of three that follow each other two are its own */
		assert_in_range(3 * view_table_row_count(scene->table), 2 * (settled - first) - 2,
				2 * (settled - first) + 2);
	}
	assert_true(history_first(scene->told.history) > 0);
}

struct passer_by {
	struct scene *scene;
	size_t calls, switches_each;
};

static void pass_by(void *context)
{
	struct passer_by *passer = context;

	passer->calls++;
	add_turns(passer->scene, passer->switches_each);
}

/* Rows are the same as if all had been looked at now. */
static void assert_as_if_anew(struct scene *scene)
{
	struct switch_log *anew = switch_log_create();
	const struct rows_input input = {
		.request = &scene->request,
		.snapshot = &scene->world.snapshot,
	};

	switch_log_build(anew, &input);
	assert_int_equal(switch_log_count(switch_log), switch_log_count(anew));
	for (size_t i = 0; i < switch_log_count(anew); i++)
		assert_int_equal(switch_log_sequence(switch_log, i), switch_log_sequence(anew, i));
	switch_log_destroy(anew);
}

static void tell_many(struct scene *scene, struct passer_by *passer, size_t switches)
{
	*passer = (struct passer_by){.scene = scene};
	told_fini(&scene->told);
	told_init(&scene->told, 16 * HISTORY_BLOCK);
	scene->sh = told_actor(&scene->told, 7, 7, "sh");
	scene->nginx = told_actor(&scene->told, 20, 21, "nginx");
	add_turns(scene, switches);
	scene->request.history = scene->told.history;
	scene->request.wants_pid = wants_20;
	scene->request.meanwhile = pass_by;
	scene->request.context = passer;
}

/* Rings are drained again and again while a million entries are looked at. */
UNIT_TEST_OF(log_narrowed_lets_others_work_meanwhile, struct scene *scene)
{
	struct passer_by passer;

	tell_many(scene, &passer, 15 * HISTORY_BLOCK);
	passer.switches_each = 3;
	build_log(scene);
	assert_in_range(passer.calls, 15 * HISTORY_BLOCK / 10000 - 1, 15 * HISTORY_BLOCK / 1000);
	assert_in_range(3 * switch_log_count(switch_log), 2 * 15 * HISTORY_BLOCK - 3,
			2 * 15 * HISTORY_BLOCK + 3);

	scene->request.meanwhile = NULL;
	build_log(scene);
	assert_as_if_anew(scene);
}

/* What is looked at is dropped faster than it can be, partly or as a whole. */
UNIT_TEST_OF(log_narrowed_leaves_out_what_is_dropped_meanwhile, struct scene *scene)
{
	static const size_t switches[] = {3 * HISTORY_BLOCK, 40 * HISTORY_BLOCK};

	for (size_t i = 0; i < COUNT_OF(switches); i++) {
		struct passer_by passer;

		tell_many(scene, &passer, 16 * HISTORY_BLOCK);
		passer.switches_each = switches[i];
		switch_log_destroy(switch_log);
		switch_log = switch_log_create();
		build_log(scene);
		assert_true(history_first(scene->told.history) > 0);
		if (switch_log_count(switch_log) > 0)
			assert_true(switch_log_sequence(switch_log, 0) >=
				    history_first(scene->told.history));

		scene->request.meanwhile = NULL;
		build_log(scene);
		assert_as_if_anew(scene);
	}
}

UNIT_TEST_OF(log_filtered_by_a_metric_defined_anew_begins_anew, struct scene *scene)
{
	char message[FORMULA_ERROR_MAX];
	const struct metric_info *info;
	size_t position;

	add_slices(scene);
	assert_true(metric_set_add(scene->world.metric_set, "x = instructions", &info, &position,
				   message));
	world_bind(&scene->world);
	scene->request.filter = "x > 1000";
	assert_ids(scene, "0 2");
	assert_true(metric_set_add(scene->world.metric_set, "x = 2000 - instructions", &info,
				   &position, message));
	columns_metric_changed(scene->world.columns, info);
	world_bind(&scene->world);
	assert_ids(scene, "1 3");
}

UNIT_TEST_OF(log_row_after_a_filter_is_not_that_which_was_judged_last, struct scene *scene)
{
	struct cell cell;

	/* judged without counts */
	scene->request.filter = "how = preempted";
	add_slices(scene);
	world_choose(&scene->world, "ipc", &scene->columns);
	scene->request.state.columns = scene->columns;
	scene_build(scene, "switches");
	view_table_cell(scene->table, 2, 0, &cell);

	assert_string_equal(cell.text, "0.40");
}

UNIT_TEST_OF(log_state_stands_behind_how_and_can_be_asked_for, struct scene *scene)
{
	static const struct {
		enum switch_how how;
		uint8_t state;
		const char *how_shown, *state_shown;
	} cases[] = {
		{SWITCH_BLOCKED, TASK_STATE_DISK_SLEEP, "blocked D", "D"},
		{SWITCH_BLOCKED, TASK_STATE_SLEEPING, "blocked S", "S"},
		{SWITCH_BLOCKED, TASK_STATE_UNKNOWN, "blocked", "-"},
		{SWITCH_PREEMPTED, TASK_STATE_RUNNABLE, "preempted", "R"},
		{SWITCH_EXITED, TASK_STATE_ZOMBIE, "exited", "Z"},
	};
	struct cell cell;

	column_list_add(&scene->columns, columns_find(scene->world.columns, "how"));
	column_list_add(&scene->columns, columns_find(scene->world.columns, "state"));
	scene->request.state.columns = scene->columns;
	for (size_t i = 0; i < COUNT_OF(cases); i++)
		switched(&scene->told, .prev = scene->sh, .next = scene->nginx, .how = cases[i].how,
			 .state = cases[i].state, .from_cpu = -1);
	scene_build(scene, "switches");
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		view_table_cell(scene->table, i, 0, &cell);
		assert_string_equal(cell.text, cases[i].how_shown);
		view_table_cell(scene->table, i, 1, &cell);
		assert_string_equal(cell.text, cases[i].state_shown);
	}
	scene->request.filter = "how = blocked && state = D";
	scene_build(scene, "switches");
	assert_string_equal(ids_of(scene), "0");
	scene->request.filter = "how = blocked";
	scene_build(scene, "switches");
	assert_string_equal(ids_of(scene), "0 1 2");
}

UNIT_TEST_OF(log_row_dropped_since_the_build_is_unknown, struct scene *scene)
{
	static const char *const columns[] = {"when", "cpu",   "prev", "how",     "ran",
					      "ipc",  "next",  "pid",  "off-cpu", "sch-delay",
					      "from", "slice", "time"};
	struct cell cell;

	for (size_t i = 0; i < COUNT_OF(columns); i++) {
		column_list_add(&scene->columns, columns_find(scene->world.columns, columns[i]));
		assert_non_null(scene->columns.columns[i]);
	}
	scene->request.state.columns = scene->columns;
	add_turns(scene, 3);
	scene_build(scene, "switches");
	add_turns(scene, 4 * CAPACITY);

	assert_true(history_first(scene->told.history) > 2);
	for (size_t i = 0; i < COUNT_OF(columns); i++) {
		view_table_cell(scene->table, 1, i, &cell);
		assert_string_equal(cell.text, "-");
		assert_true(cell.is_unknown);
	}
	assert_int_equal(view_table_row(scene->table, 1)->id, 1);
}

UNIT_TEST_OF(log_of_wider_counts_than_the_snapshots_is_read, struct scene *scene)
{
	history_widen(scene->told.history, WORLD_WIDTH + 50);
	add_turns(scene, 3);
	assert_ids(scene, "0 1 2");
	history_widen(scene->told.history, WORLD_WIDTH + 5000);
	assert_int_equal(view_table_row(scene->table, 1)->id, 1);
}

static void wait(struct scene *scene, uint64_t wait_ns, uint64_t slice_ns)
{
	switched(&scene->told, .prev = ACTOR_IDLE, .next = ACTOR_IDLE, .how = SWITCH_IDLE,
		 .wait_ns = wait_ns, .slice_ns = slice_ns);
}

/* The rows from the top, by the order in which they came. */
static void assert_sorted(struct scene *scene, const char *column, const char *expected)
{
	char text[64] = "";

	scene->request.state.order.sort = columns_find(scene->world.columns, column);
	scene_build(scene, "switches");
	for (size_t i = 0; i < view_table_row_count(scene->table); i++) {
		const uint64_t id = view_table_row(scene->table, i)->id;

		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%d", i > 0 ? " " : "",
			 (int)id);
		assert_int_equal(view_table_index_of(scene->table, id), i);
	}
	assert_string_equal(text, expected);
}

UNIT_TEST_OF(log_that_stands_still_is_sorted_by_lengths, struct scene *scene)
{
	bool descends;

	wait(scene, 30, 5);
	wait(scene, SWITCH_NS_UNKNOWN, 9);
	wait(scene, 0, 7);
	wait(scene, 30, 1);
	assert_sorted(scene, "sch-delay", "0 1 2 3");
	scene->request.is_still = true;
	assert_sorted(scene, "sch-delay", "0 3 2 1");
	assert_string_equal(view_table_sort(scene->table, &descends)->name, "sch-delay");
	assert_true(descends);
	assert_sorted(scene, "ran", "1 2 0 3");
	scene->request.state.order.sort_reversed = true;
	assert_sorted(scene, "ran", "3 0 2 1");
	scene->request.state.order.sort_reversed = false;
	assert_sorted(scene, "how", "0 1 2 3");
	scene->request.filter = "ran > 4ns";
	assert_sorted(scene, "ran", "1 2 0");
	scene->request.is_still = false;
	assert_sorted(scene, "ran", "0 1 2");
}

enum {
	SH = 1 << 20, /* the scene's actors, which are known only when it is there */
	NGINX
};

/* What a slice does not have, and what is not known without a reading. */
#define NOT_OF_A_SLICE                                                                             \
	"user,ppid,threads,time,busy,attr%,migr/s,pwait%,rqwait%,off%,wake,wakeups/s,cold,"        \
	"slice-p99"

/* clang-format off */
static const struct {
	const char *name;
	struct switch_entry entry;
	const char *columns, *cells;
	struct counts_spec counts; /* where it has some */
} cases[] = {
	{"everything is known",
	 {.time_ns = UINT64_C(1000120482999), .cpu = 1, .prev = NGINX, .next = SH, .how = SWITCH_PREEMPTED, .slice_ns = 3980000, .off_ns = 1020000, .wait_ns = 15000, .from_cpu = 3, .has_counts = true},
	 "when,cpu,prev,how,ran,slice,ipc,miss%,next,off-cpu,sch-delay,from,pid,tid,command",
	 "22:29:59.243482 1 nginx 21 preempted 3.98ms 3.98ms 0.31 61.2 sh 7 1.02ms 15.0us 3 20 21 nginx",
	 {.cycles = 4000000, .instructions = 1240000, .references = 1000, .misses = 612}},
	{"what a slice does not have", {.prev = SH, .next = ACTOR_IDLE, .slice_ns = 5000, .from_cpu = -1}, NOT_OF_A_SLICE, "- - - - - - - - - - - - - -", {0}},
	{"idle", {.prev = ACTOR_IDLE, .next = ACTOR_IDLE, .how = SWITCH_IDLE, .slice_ns = 1}, "prev,next,how,pid", "idle idle - 0", {0}},
	{"nothing is known",
	 {.prev = ACTOR_UNKNOWN, .next = ACTOR_UNKNOWN, .cpu = 1, .how = SWITCH_UNKNOWN, .slice_ns = SWITCH_NS_UNKNOWN, .off_ns = SWITCH_NS_UNKNOWN, .wait_ns = SWITCH_NS_UNKNOWN, .from_cpu = -1},
	 "prev,next,how,ran,slice,cpu%,pre/s,off-cpu,sch-delay,from,pid", "- - - - - - - - - - -", {0}},
	{"no rates of a slice whose length is unknown",
	 {.prev = SH, .next = NGINX, .how = SWITCH_BLOCKED, .slice_ns = SWITCH_NS_UNKNOWN, .has_counts = true}, "page-faults,fault/s,ran", "- - -", {.faults = 5}},
	{"without readings the slice alone is known", {.prev = SH, .next = NGINX, .how = SWITCH_PREEMPTED, .slice_ns = 5000000}, "ran,slice,ipc,fault/s,page-faults", "5.00ms 5.00ms - - -", {0}},
	{"an empty slice without readings has no zeros", {.prev = SH, .next = NGINX}, "x", "-", {0}},
	{"from the same CPU is from nowhere", {.prev = SH, .next = NGINX, .cpu = 3, .from_cpu = 3}, "from", "-", {0}},
};
/* clang-format on */

UNIT_TEST_WITH(log_cells_are_as_expected, NULL, NULL)
{
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct switch_entry entry = cases[i].entry;
		char message[FORMULA_ERROR_MAX];
		struct scene *scene;
		size_t position;

		begin_case(cases[i].name);
		set_up((void **)&scene);
		entry.prev = entry.prev == SH      ? scene->sh
			     : entry.prev == NGINX ? scene->nginx
						   : entry.prev;
		entry.next = entry.next == SH      ? scene->sh
			     : entry.next == NGINX ? scene->nginx
						   : entry.next;
		if (entry.has_counts)
			entry.counts = told_counts(
				&scene->told,
				entry.slice_ns == SWITCH_NS_UNKNOWN ? 0 : entry.slice_ns,
				cases[i].counts);
		columns_add_event(scene->world.columns, "page-faults", "");
		assert_true(metric_set_add(scene->world.metric_set, "x = instructions", NULL,
					   &position, message));
		world_bind(&scene->world);
		told_switch(&scene->told, entry);
		assert_scene(scene, "switches", cases[i].columns, cases[i].cells);
		tear_down((void **)&scene);
	}
}

UNIT_TEST_OF(log_cells_of_hostile_names_are_harmless, struct scene *scene)
{
	const uint64_t evil = told_actor(&scene->told, 9, 9, "a\033[2J\n\"\xff,b");
	const uint64_t nameless = told_actor(&scene->told, 11, 12, "");

	switched(&scene->told, .prev = evil, .next = nameless);
	assert_scene(scene, "switches", "prev,next,command",
		     "a\\x1B[2J\\x0A\"\\xFF,b 9 12 a\\x1B[2J\\x0A\"\\xFF,b");
	scene->world.session.wall_offset_ns = -INT64_C(1000000000000);
	assert_scene(scene, "switches", "when", "-"); /* before the epoch */
}

UNIT_TEST_OF(log_columns_on_80_leave_16_for_who_came, struct scene *scene)
{
	scene_build(scene, "switches");
	assert_in_range(scene_width_up_to(scene, "ipc"), 1, 80 - 16);
	assert_string_equal(
		view_table_column(scene->table, view_table_column_count(scene->table) - 1)->name,
		"next");

	scene->world.session.has_pmu = false;
	scene_build(scene, "switches");
	assert_in_range(scene_width_up_to(scene, "off-cpu"), 1, 80 - 16);
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
