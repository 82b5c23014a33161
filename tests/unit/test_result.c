/* The totals of what was asked for, from the first interval to the last. */

#include "base/strbuf.h"
#include "source/task_counts.h"

#include "session/child.h"
#include "session/result.h"
#include "snapshot_builder.h"
#include "unit.h"

struct kit {
	struct world world;
	struct result result;
	struct strbuf text;
};

/* The one event that has counters of its own, and what these have counted. */
static const char *counted;

bool __wrap_task_counts_find(const struct task_counts *counts, const char *event, uint64_t *count);

bool __wrap_task_counts_find(const struct task_counts *counts, const char *event, uint64_t *count)
{
	*count = 31337;
	return counted && strcmp(event, counted) == 0;
}

static int set_up(void **state)
{
	struct kit *kit = calloc(1, sizeof(*kit));

	world_init(&kit->world);
	counted = NULL;
	*state = kit;
	return kit == NULL;
}

static int tear_down(void **state)
{
	struct kit *kit = *state;

	result_fini(&kit->result);
	strbuf_fini(&kit->text);
	world_fini(&kit->world);
	free(kit);
	return 0;
}

/* Two intervals of the same tasks, one of which is new in each. */
static void run_twice(struct kit *kit)
{
	task(&kit->world, .pid = 7, .name = "sh", .run_ms = 250,
	     .counts = {.switches = 3,
			.preemptions = 1,
			.cycles = 1000,
			.instructions = 1500,
			.references = 100,
			.misses = 20});
	task(&kit->world, .pid = 7, .tid = 8, .name = "sh", .run_ms = 250);
	task(&kit->world, .pid = 9, .name = "ls", .is_new = true, .counts = {.switches = 2});
	task(&kit->world, .pid = 10, .name = "was", .is_held = true, .counts = {.switches = 100});
	result_add(&kit->result, &kit->world.snapshot);
	result_add(&kit->result, &kit->world.snapshot);
}

static const char *write_result(struct kit *kit, const struct result_words *words)
{
	strbuf_clear(&kit->text);
	if (words->begin)
		result_write_text(&kit->result, words, &kit->text);
	else
		result_write_json(&kit->result, words, &kit->text);
	return strbuf_text(&kit->text);
}

static const char *text_of(struct kit *kit, const struct child *child, const char *begin)
{
	const struct result_words words = {
		.layout = &kit->world.layout,
		.metrics = kit->world.metrics,
		.task_counts = NULL,
		.name = "sh -c \x1b[31m",
		.child = child,
		.begin = begin,
	};

	return write_result(kit, &words);
}

/* clang-format off */
UNIT_TEST(result_of_two_intervals_is_their_sum)
{
	const struct child child = {.pid = 7, .has_ended = true, .exit_status = 3, .user_s = 0.75, .system_s = 0.25};

	run_twice(*state);
	assert_string_equal(text_of(*state, &child, "# "),
		"# totals of sh -c \\x1B[31m and its children, 3 processes, exit status 3\n"
		"#            2.000 s\n"
		"#            1.000 s of CPU time, 0.50 CPUs in use\n"
		"#            0.750 s in user mode, 0.250 s in the kernel\n"
		"#               10 context switches\n"
		"#                2 of these preemptions\n"
		"#                0 migrations\n"
		"#             2000 cycles\n"
		"#             3000 instructions\n"
		"#              200 cache-references\n"
		"#               40 cache-misses\n"
		"#                0 branch-misses\n"
		"#                0 page-faults\n"
		"#             1.50 IPC\n"
		"#            20.00 MISS %\n"
		"#            13.33 MPKI\n"
		"#             0.00 BR-MPKI\n");
}

/* What tasks that were not counted in time have added is known of their own counters alone. */
UNIT_TEST(result_that_lacks_tasks_is_what_they_counted_by_themselves)
{
	struct kit *kit = *state;
	struct result_words words = {
		.layout = &kit->world.layout,
		.metrics = kit->world.metrics,
		.name = "sh",
		.begin = "",
		.lacks_tasks = true,
	};

	counted = "page-faults";
	run_twice(kit);
	assert_string_equal(write_result(kit, &words),
		"totals of sh, 3 processes\n"
		"           2.000 s\n"
		"               - s of CPU time: some tasks are in no row\n"
		"               - context switches\n"
		"               - of these preemptions\n"
		"               - migrations\n"
		"               - cycles\n"
		"               - instructions\n"
		"               - cache-references\n"
		"               - cache-misses\n"
		"               - branch-misses\n"
		"           31337 page-faults\n");
	words.begin = NULL;
	assert_non_null(strstr(write_result(kit, &words), "\"run_ns\":null,\"switches\":null"));
	assert_non_null(strstr(strbuf_text(&kit->text), "\"cycles\":null"));
	assert_non_null(strstr(strbuf_text(&kit->text), "\"page-faults\":31337.0"));
	assert_non_null(strstr(strbuf_text(&kit->text), "\"ipc\":null"));
}

UNIT_TEST(result_in_json_has_null_for_what_is_not_known)
{
	struct kit *kit = *state;

	kit->world.layout.events[CYCLES].state = EVENT_UNSUPPORTED;
	world_bind(&kit->world);
	kit->world.snapshot.unknown = 1u << QUANTITY_MIGRATIONS;
	run_twice(kit);
	assert_string_equal(text_of(kit, NULL, NULL),
		"{\"summary\":{\"of\":\"sh -c \\\\x1B[31m\",\"elapsed_s\":2.0,\"processes\":3,\"exit_status\":null,"
		"\"user_s\":null,\"system_s\":null,\"run_ns\":1000000000,\"switches\":10,\"preemptions\":2,"
		"\"migrations\":null,\"events\":{\"cycles\":null,\"instructions\":3000.0,\"cache-references\":200.0,"
		"\"cache-misses\":40.0,\"branch-misses\":0.0,\"page-faults\":0.0},\"metrics\":{\"ipc\":null,"
		"\"miss_pct\":20.0,\"mpki\":13.3333333333333,\"branch_mpki\":0.0},\"unattributed\":{\"ns\":0,"
		"\"counts\":{\"cycles\":null,\"instructions\":0,\"cache-references\":0,\"cache-misses\":0,"
		"\"branch-misses\":0,\"page-faults\":0}}}}\n");
}
/* clang-format on */

/* What is counted of unknown tasks may be missing, but in counters of the tasks' own. */
UNIT_TEST(result_says_what_is_unaccounted)
{
	struct kit *kit = *state;
	uint64_t *unattributed = calloc(kit->world.layout.width, sizeof(*unattributed));

	counted = "page-faults";
	for (size_t i = QUANTITY_BUILTIN; i < kit->world.layout.width; i++)
		unattributed[i] = 5;
	unattributed[QUANTITY_RUN_NS] = 2000000;
	kit->world.snapshot.unattributed = unattributed;
	run_twice(kit);
	text_of(kit, NULL, "");
	assert_non_null(strstr(strbuf_text(&kit->text),
			       "0.004 s of all CPUs unaccounted: the task is not known\n"));
	assert_non_null(strstr(strbuf_text(&kit->text), "2000 cycles, 10 unaccounted\n"));
	assert_non_null(strstr(strbuf_text(&kit->text), "31337 page-faults\n"));
	text_of(kit, NULL, NULL);
	assert_non_null(strstr(strbuf_text(&kit->text), "\"page-faults\":31337.0"));
	assert_non_null(strstr(strbuf_text(&kit->text),
			       "\"unattributed\":{\"ns\":4000000,\"counts\":{\"cycles\":10,"));
	assert_non_null(strstr(strbuf_text(&kit->text), "\"page-faults\":0}}"));
	free(unattributed);
}

/* The kernel takes these away before a task's last switch. */
UNIT_TEST(result_is_of_the_rows_where_own_counters_have_less)
{
	struct kit *kit = *state;
	uint64_t *unattributed = calloc(kit->world.layout.width, sizeof(*unattributed));

	counted = "cycles";
	for (size_t i = QUANTITY_BUILTIN; i < kit->world.layout.width; i++)
		unattributed[i] = 5;
	kit->world.snapshot.unattributed = unattributed;
	task(&kit->world, .pid = 7, .name = "sh", .run_ms = 250, .counts = {.cycles = 31338});
	result_add(&kit->result, &kit->world.snapshot);
	text_of(kit, NULL, "");
	assert_non_null(strstr(strbuf_text(&kit->text), "31338 cycles, 5 unaccounted\n"));
	text_of(kit, NULL, NULL);
	assert_non_null(strstr(strbuf_text(&kit->text), "\"cycles\":31338.0"));
	assert_non_null(strstr(strbuf_text(&kit->text), "\"counts\":{\"cycles\":5,"));
	free(unattributed);
}

UNIT_TEST(result_of_no_interval_is_nothing)
{
	assert_string_equal(text_of(*state, NULL, ""), "");
	assert_string_equal(text_of(*state, NULL, NULL), "");
}

/* Events that were added meanwhile have places behind the others. */
UNIT_TEST(result_grows_with_the_layout)
{
	struct kit *kit = *state;

	kit->world.layout.width -= 2;
	run_twice(kit);
	kit->world.layout.width += 2;
	result_add(&kit->result, &kit->world.snapshot);

	assert_int_equal(kit->result.width, kit->world.layout.width);
	assert_int_equal(kit->result.counts[QUANTITY_SWITCHES], 15);
	assert_non_null(strstr(text_of(kit, NULL, ""), "           3.000 s\n"));
	assert_null(strstr(strbuf_text(&kit->text), "children"));
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
