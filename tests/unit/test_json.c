/* The JSON format, read back with a JSON parser. */

#include <jansson.h>

#include "batch/batch.h"
#include "model/formula.h"

#include "batch_kit.h"
#include "unit.h"

static json_t *written; /* owned; read back */

static struct scene *scene;

static int set_up(void **state)
{
	scene = scene_open();
	return 0;
}

static int tear_down(void **state)
{
	json_decref(written);
	written = NULL;
	scene_close(scene);
	return 0;
}

static json_t *write_json(void)
{
	struct batch_input input = scene_input(scene, "tasks");
	json_error_t error;

	input.is_first = true;
	strbuf_clear(&scene->out);
	json_write(&scene->out, &input);
	json_decref(written);
	written = json_loads(strbuf_text(&scene->out), JSON_REJECT_DUPLICATES, &error);
	if (!written)
		fail_msg("%s: %s", error.text, strbuf_text(&scene->out));
	return written;
}

static json_t *task_at(json_t *root, size_t index)
{
	return json_array_get(json_object_get(root, "tasks"), index);
}

static json_t *cpu_at(json_t *root, size_t index)
{
	return json_array_get(json_object_get(root, "cpus"), index);
}

static json_int_t integer(json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);

	assert_true(json_is_integer(value));
	return json_integer_value(value);
}

static double number(json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);

	assert_true(json_is_number(value));
	return json_number_value(value);
}

static const char *string(json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);

	assert_true(json_is_string(value));
	return json_string_value(value);
}

static size_t task_count(json_t *root)
{
	return json_array_size(json_object_get(root, "tasks"));
}

static void assert_keys(json_t *object, const char *expected)
{
	struct strbuf keys = {0};

	for (void *at = json_object_iter(object); at; at = json_object_iter_next(object, at))
		strbuf_printf(&keys, "%s%s", keys.length > 0 ? " " : "", json_object_iter_key(at));
	assert_string_equal(strbuf_text(&keys), expected);
	strbuf_fini(&keys);
}

UNIT_TEST(json_of_interval_is_one_line)
{
	const char *text;

	task(&scene->world, .pid = 7, .run_ms = 20);
	write_json();
	text = strbuf_text(&scene->out);

	assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
}

UNIT_TEST(json_of_interval_has_all_keys_in_order)
{
	json_t *root;

	task(&scene->world, .pid = 7, .run_ms = 20);
	root = write_json();

	assert_keys(root, "time interval_s scope scope_reason events cpus tasks lost own");
	assert_keys(json_array_get(json_object_get(root, "events"), 0),
		    "name state running_pct reason");
	assert_keys(cpu_at(root, 0), "cpu ns switches counts metrics idle unattributed");
	assert_keys(json_object_get(cpu_at(root, 0), "idle"), "ns switches counts");
	assert_keys(json_object_get(cpu_at(root, 0), "unattributed"), "ns switches counts");
	assert_keys(task_at(root, 0), "pid tid command state run_ns switches preempted migrations "
				      "counts metrics");
	assert_keys(json_object_get(task_at(root, 0), "counts"),
		    "cycles instructions cache-references cache-misses branch-misses page-faults");
	assert_keys(json_object_get(root, "lost"), "records throttled");
	assert_keys(json_object_get(root, "own"), "cpu_ns rss_bytes fds");
}

UNIT_TEST(json_of_time_has_milliseconds)
{
	const char *text;

	scene->world.snapshot.interval_ns = 1000250000;
	write_json();
	text = strbuf_text(&scene->out);

	assert_memory_equal(text, "{\"time\":1700000000.123,\"interval_s\":1.00025,", 44);
}

UNIT_TEST(json_of_a_recording_without_wall_clock_has_its_own_time)
{
	json_t *root;

	scene->world.session.wall_offset_ns = INT64_MIN;
	scene->world.snapshot.time_ns = UINT64_C(12500000000);
	root = write_json();
	assert_true(json_is_null(json_object_get(root, "time")));
	assert_true(json_real_value(json_object_get(root, "record_time")) == 12.5);
}

UNIT_TEST(json_of_estimates_says_which_they_are)
{
	json_t *root, *events;

	scene->world.layout.events[PAGE_FAULTS].is_estimate = true;
	scene->world.layout.estimated = 1u << QUANTITY_RUN_NS;
	world_bind(&scene->world);
	root = write_json();
	events = json_object_get(root, "events");
	assert_string_equal(
		json_string_value(json_array_get(json_object_get(root, "estimates"), 0)), "run_ns");
	assert_true(json_is_true(json_object_get(json_array_get(events, PAGE_FAULTS), "estimate")));
	assert_true(
		json_is_null(json_object_get(json_array_get(events, PAGE_FAULTS), "running_pct")));
	assert_null(json_object_get(json_array_get(events, 0), "estimate"));
}

UNIT_TEST(json_of_system_has_scope_without_reason)
{
	json_t *root = write_json();

	assert_string_equal(string(root, "scope"), "system");
	assert_true(json_is_null(json_object_get(root, "scope_reason")));
}

UNIT_TEST(json_of_tasks_scope_has_reason_and_no_cpus)
{
	json_t *root;

	scene->world.session.scope = SCOPE_TASKS;
	scene->world.snapshot.cpu_count = 0;
	strcpy(scene->world.session.scope_reason, "paranoid \"2\"");
	root = write_json();

	assert_string_equal(string(root, "scope"), "tasks");
	assert_string_equal(string(root, "scope_reason"), "paranoid \"2\"");
	assert_int_equal(json_array_size(json_object_get(root, "cpus")), 0);
}

UNIT_TEST(json_of_columns_that_were_asked_for_has_their_cells)
{
	json_t *columns;

	task(&scene->world, .pid = 7, .name = "main", .run_ms = 20);
	assert_null(json_object_get(task_at(write_json(), 0), "columns"));

	scene_choose(scene, "pid,ipc,time,command");
	columns = json_object_get(task_at(write_json(), 0), "columns");
	assert_int_equal(json_object_size(columns), 4);
	assert_true(json_number_value(json_object_get(columns, "pid")) == 7);
	assert_true(json_is_null(json_object_get(columns, "ipc")));
	assert_true(json_number_value(json_object_get(columns, "time")) == 20e6);
	assert_string_equal(string(columns, "command"), "main");
}

UNIT_TEST(json_of_process_sums_threads)
{
	json_t *object;

	task(&scene->world, .pid = 7, .name = "main", .run_ms = 20,
	     .counts = {.switches = 3, .preemptions = 1, .migrations = 2, .cycles = 10});
	task(&scene->world, .pid = 7, .tid = 8, .name = "worker", .run_ms = 10,
	     .counts = {.switches = 4, .preemptions = 2, .migrations = 5, .cycles = 30});
	object = task_at(write_json(), 0);

	assert_int_equal(task_count(written), 1);
	assert_int_equal(integer(object, "pid"), 7);
	assert_int_equal(integer(object, "tid"), 7);
	assert_string_equal(string(object, "command"), "main");
	assert_string_equal(string(object, "state"), "alive");
	assert_int_equal(integer(object, "run_ns"), 30 * WORLD_NS_PER_MS);
	assert_int_equal(integer(object, "switches"), 7);
	assert_int_equal(integer(object, "preempted"), 3);
	assert_int_equal(integer(object, "migrations"), 7);
	assert_int_equal(integer(json_object_get(object, "counts"), "cycles"), 40);
}

UNIT_TEST(json_per_thread_has_each)
{
	json_t *root;

	task(&scene->world, .pid = 7, .name = "main", .run_ms = 20);
	task(&scene->world, .pid = 7, .tid = 8, .name = "worker", .run_ms = 10);
	scene->settings.threads = true;
	root = write_json();

	assert_int_equal(task_count(root), 2);
	assert_int_equal(integer(task_at(root, 1), "tid"), 8);
	assert_string_equal(string(task_at(root, 1), "command"), "worker");
}

UNIT_TEST(json_of_large_count_is_exact)
{
	json_t *root;

	task(&scene->world, .pid = 7, .run_ms = 20, .counts.cycles = UINT64_C(9007199254740993));
	root = write_json();

	assert_int_equal(integer(json_object_get(task_at(root, 0), "counts"), "cycles"),
			 INT64_C(9007199254740993));
}

UNIT_TEST(json_of_exited_tasks_says_so_and_folds_none)
{
	json_t *root;

	scene->settings.fold_exited = true;
	scene->settings.extra_rows = true;
	task(&scene->world, .pid = 7, .run_ms = 20, .is_new = true, .is_exited = true);
	task(&scene->world, .pid = 8, .run_ms = 10, .is_new = true, .is_exited = true);
	root = write_json();

	assert_int_equal(task_count(root), 2);
	assert_string_equal(string(task_at(root, 0), "state"), "exited");
}

UNIT_TEST(json_leaves_out_idle_and_held_tasks)
{
	json_t *root;

	task(&scene->world, .pid = 7, .is_idle = true);
	task(&scene->world, .pid = 8, .run_ms = 10, .is_held = true, .is_exited = true);
	task(&scene->world, .pid = 9, .run_ms = 10);
	root = write_json();

	assert_int_equal(task_count(root), 1);
	assert_int_equal(integer(task_at(root, 0), "pid"), 9);
}

UNIT_TEST(json_of_filters_has_only_what_passes_in_order)
{
	json_t *root;

	task(&scene->world, .pid = 7, .run_ms = 20, .name = "cc1");
	task(&scene->world, .pid = 8, .run_ms = 10, .name = "sh");
	task(&scene->world, .pid = 9, .run_ms = 30, .name = "cc1");
	scene->settings.filter = "cc1";
	scene->settings.sort = columns_find(scene->world.columns, "pid");
	root = write_json();

	assert_int_equal(task_count(root), 2);
	assert_int_equal(integer(task_at(root, 0), "pid"), 7);
	assert_int_equal(integer(task_at(root, 1), "pid"), 9);
}

UNIT_TEST(json_of_unknown_quantities_is_null)
{
	json_t *object;

	task(&scene->world, .pid = 7, .run_ms = 20,
	     .unknown = 1u << QUANTITY_SWITCHES | 1u << QUANTITY_PREEMPTIONS |
			1u << QUANTITY_MIGRATIONS);
	object = task_at(write_json(), 0);

	assert_true(json_is_null(json_object_get(object, "switches")));
	assert_true(json_is_null(json_object_get(object, "preempted")));
	assert_true(json_is_null(json_object_get(object, "migrations")));
	assert_true(
		json_is_null(json_object_get(json_object_get(object, "metrics"), "switches_s")));
	assert_int_equal(integer(object, "run_ns"), 20 * WORLD_NS_PER_MS);
}

/* Readers may count on these, whatever is counted. */
UNIT_TEST(json_of_metrics_has_the_fixed_ones_always)
{
	static const char *const names[] = {
		"cpu_pct",      "ipc",         "ghz",        "miss_pct",
		"mpki",         "branch_mpki", "switches_s", "preemptions_s",
		"migrations_s", "faults_s",    "slice_us",
	};
	json_t *metrics;

	for (size_t i = 0; i < WORLD_EVENTS; i++)
		scene->world.layout.events[i].state = EVENT_UNSUPPORTED;
	world_bind(&scene->world);
	task(&scene->world, .pid = 7, .run_ms = 500);
	metrics = json_object_get(task_at(write_json(), 0), "metrics");

	for (size_t i = 0; i < COUNT_OF(names); i++)
		assert_non_null(json_object_get(metrics, names[i]));
	assert_true(json_is_null(json_object_get(metrics, "ipc")));
	assert_float_equal(number(metrics, "cpu_pct"), 50, 1e-12);
}

UNIT_TEST(json_of_metrics_has_values)
{
	json_t *metrics;

	task(&scene->world, .pid = 7, .run_ms = 500,
	     .counts = {.cycles = 1000, .instructions = 2500, .references = 8, .misses = 2});
	metrics = json_object_get(task_at(write_json(), 0), "metrics");

	assert_float_equal(number(metrics, "ipc"), 2.5, 1e-12);
	assert_float_equal(number(metrics, "miss_pct"), 25, 1e-12);
	assert_float_equal(number(metrics, "cpu_pct"), 50, 1e-12);
}

/* Beyond the fixed ones: what has no events here only makes lines long. */
UNIT_TEST(json_of_metrics_leaves_out_what_is_not_available)
{
	const struct metrics *table;
	json_t *metrics;
	size_t unavailable = 0;

	scene->world.layout.events[CYCLES].state = EVENT_UNSUPPORTED;
	world_bind(&scene->world);
	table = scene->world.metrics;
	task(&scene->world, .pid = 7, .run_ms = 500);
	metrics = json_object_get(task_at(write_json(), 0), "metrics");

	for (size_t i = 0; i < metrics_count(table); i++)
		if (metrics_is_available(table, i))
			assert_non_null(json_object_get(metrics, metrics_info(table, i)->name));
		else
			unavailable++;
	assert_true(unavailable > 0);
	assert_true(json_object_size(metrics) <= metrics_count(table));
}

UNIT_TEST(json_of_users_metric_is_there_even_unknown)
{
	const struct metric_info *info;
	char message[FORMULA_ERROR_MAX];
	json_t *metrics;
	size_t position;

	assert_true(metric_set_add(scene->world.metric_set,
				   "double_ipc = 2 * instructions / cycles", &info, &position,
				   message));
	assert_true(metric_set_add(scene->world.metric_set, "nowhere = no-such-event / cycles",
				   &info, &position, message));
	world_bind(&scene->world);
	task(&scene->world, .pid = 7, .run_ms = 500,
	     .counts = {.cycles = 1000, .instructions = 2500});
	metrics = json_object_get(task_at(write_json(), 0), "metrics");

	assert_float_equal(number(metrics, "double_ipc"), 5, 1e-12);
	assert_true(json_is_null(json_object_get(metrics, "nowhere")));
}

UNIT_TEST(json_of_removed_event_is_left_out)
{
	json_t *root, *events;

	scene->world.layout.events[BRANCH_MISSES].is_removed = true;
	task(&scene->world, .pid = 7, .run_ms = 500, .counts = {.branch_misses = 5});
	root = write_json();
	events = json_object_get(root, "events");

	assert_int_equal(json_array_size(events), WORLD_EVENTS - 1);
	for (size_t i = 0; i < json_array_size(events); i++)
		assert_string_not_equal(string(json_array_get(events, i), "name"), "branch-misses");
	assert_null(json_object_get(json_object_get(task_at(root, 0), "counts"), "branch-misses"));
	assert_non_null(json_object_get(json_object_get(task_at(root, 0), "counts"), "cycles"));
}

UNIT_TEST(json_of_uncounted_event_has_reason_and_no_count)
{
	json_t *root;
	json_t *event;

	scene->world.layout.events[CACHE_MISSES].state = EVENT_UNSUPPORTED;
	strcpy(scene->world.layout.events[CACHE_MISSES].reason, "this CPU does not count it");
	world_bind(&scene->world);
	task(&scene->world, .pid = 7, .run_ms = 500);
	root = write_json();
	event = json_array_get(json_object_get(root, "events"), CACHE_MISSES);

	assert_string_equal(string(event, "state"), "unsupported");
	assert_string_equal(string(event, "reason"), "this CPU does not count it");
	assert_float_equal(number(event, "running_pct"), 0, 0);
	assert_null(json_object_get(json_object_get(task_at(root, 0), "counts"), "cache-misses"));
	assert_true(json_is_null(
		json_object_get(json_object_get(task_at(root, 0), "metrics"), "miss_pct")));
}

UNIT_TEST(json_of_events_says_how_long_each_counted)
{
	json_t *event;

	for (size_t i = 0; i < WORLD_EVENTS; i++)
		scene->world.layout.events[i].state = EVENT_MULTIPLEXED;
	scene->world.cpus[0].counter = world_vector(
		&scene->world, (struct counts_spec){.run_ms = 1000, .counting_ms = 500});
	world_bind(&scene->world);
	event = json_array_get(json_object_get(write_json(), "events"), 0);

	assert_string_equal(string(event, "state"), "multiplexed");
	assert_float_equal(number(event, "running_pct"), 75, 1e-9);
}

UNIT_TEST(json_of_events_always_counting_is_100)
{
	json_t *event = json_array_get(json_object_get(write_json(), "events"), 0);

	assert_string_equal(string(event, "name"), "cycles");
	assert_string_equal(string(event, "state"), "counting");
	assert_float_equal(number(event, "running_pct"), 100, 0);
	assert_true(json_is_null(json_object_get(event, "reason")));
}

UNIT_TEST(json_of_events_without_any_run_time_is_still_100)
{
	json_t *event;

	scene->world.snapshot.cpu_count = 0;
	event = json_array_get(json_object_get(write_json(), "events"), 0);

	assert_float_equal(number(event, "running_pct"), 100, 0);
}

UNIT_TEST(json_of_cpu_has_whole_counter_and_its_parts)
{
	json_t *cpu;

	scene->world.cpus[1].unattributed = world_vector(
		&scene->world, (struct counts_spec){.run_ms = 5, .switches = 3, .cycles = 77});
	cpu = cpu_at(write_json(), 1);

	assert_int_equal(integer(cpu, "cpu"), 1);
	assert_int_equal(integer(cpu, "ns"), INT64_C(1000000000));
	assert_int_equal(integer(json_object_get(cpu, "counts"), "cycles"), 2000000);
	assert_int_equal(integer(json_object_get(cpu, "unattributed"), "switches"), 3);
	assert_int_equal(integer(json_object_get(cpu, "idle"), "ns"), INT64_C(500000000));
	assert_int_equal(integer(json_object_get(cpu, "unattributed"), "ns"), INT64_C(5000000));
	assert_int_equal(
		integer(json_object_get(json_object_get(cpu, "unattributed"), "counts"), "cycles"),
		77);
	assert_float_equal(number(json_object_get(cpu, "metrics"), "ipc"), 0.5, 1e-12);
	assert_float_equal(number(json_object_get(cpu, "metrics"), "cpu_pct"), 50, 1e-12);
}

UNIT_TEST(json_of_lost_and_own_has_the_numbers)
{
	json_t *root;

	scene->world.snapshot.lost_records = 12;
	scene->world.snapshot.throttled = 2;
	scene->world.snapshot.own =
		(struct own_usage){.cpu_ns = 3, .rss_bytes = 4096, .descriptors = 21};
	root = write_json();

	assert_int_equal(integer(json_object_get(root, "lost"), "records"), 12);
	assert_int_equal(integer(json_object_get(root, "lost"), "throttled"), 2);
	assert_int_equal(integer(json_object_get(root, "own"), "cpu_ns"), 3);
	assert_int_equal(integer(json_object_get(root, "own"), "rss_bytes"), 4096);
	assert_int_equal(integer(json_object_get(root, "own"), "fds"), 21);
}

UNIT_TEST(json_of_hostile_names_is_valid)
{
	static const struct {
		const char *name, *expected;
	} cases[] = {
		{"a\"b\\c", "a\"b\\c"},
		{"a\nb\t", "a\\x0Ab\\x09"},
		{"\033]0;x\a", "\\x1B]0;x\\x07"},
		{"\xff\xc3(", "\\xFF\\xC3("},
		{"\xed\xa0\x80", "\\xED\\xA0\\x80"},
		{"\xe6\x97\xa5\xe6\x9c\xac", "日本"},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		scene->world.snapshot.task_count = 0;
		task(&scene->world, .pid = 7, .run_ms = 1, .name = cases[i].name);
		assert_string_equal(string(task_at(write_json(), 0), "command"), cases[i].expected);
	}
}

UNIT_TEST(json_of_hostile_event_name_is_valid)
{
	json_t *root;

	strcpy(scene->world.layout.events[0].name, "uprobe:/tmp/\xff\n:\"f\"");
	world_bind(&scene->world);
	task(&scene->world, .pid = 7, .run_ms = 1, .counts.cycles = 5);
	root = write_json();

	assert_int_equal(integer(json_object_get(task_at(root, 0), "counts"),
				 "uprobe:/tmp/\\xFF\\x0A:\"f\""),
			 5);
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
