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

static const char *verdict;

static void write_json(void)
{
	struct batch_input input = scene_input(scene, "tasks");
	json_error_t error;

	input.is_first = true;
	input.verdict = verdict;
	strbuf_clear(&scene->out);
	json_write(&scene->out, &input);
	json_decref(written);
	written = json_loads(strbuf_text(&scene->out), JSON_REJECT_DUPLICATES, &error);
	if (!written)
		fail_msg("%s: %s", error.text, strbuf_text(&scene->out));
}

/* The value at "tasks/0/counts/cycles"; NULL: there is none. */
static json_t *find(const char *path)
{
	json_t *value = written;

	while (*path != '\0') {
		const size_t length = strcspn(path, "/");
		char key[64];

		snprintf(key, sizeof(key), "%.*s", (int)length, path);
		value = json_is_array(value) ? json_array_get(value, strtoul(key, NULL, 10))
					     : json_object_get(value, key);
		path += path[length] != '\0' ? length + 1 : length;
	}
	return value;
}

/* What is written now: lines of "PATH VALUE"; the value as in JSON, "none" or how long a list is.
 */
static void assert_written(const char *lines)
{
	write_json();
	while (*lines != '\0') {
		char path[64], expected[256], got[256] = "none";
		json_t *value;

		assert_int_equal(sscanf(lines, "%63s %255[^\n]", path, expected), 2);
		value = find(path);
		if (json_is_array(value))
			snprintf(got, sizeof(got), "%zu", json_array_size(value));
		else if (value)
			got[json_dumpb(value, got, sizeof(got) - 1,
				       JSON_ENCODE_ANY | JSON_REAL_PRECISION(12))] = '\0';
		if (strcmp(got, expected) != 0)
			fail_msg("%s: %s, not %s", path, got, expected);
		lines += strcspn(lines, "\n");
		lines += *lines == '\n';
	}
}

static void assert_keys(const char *path, const char *expected)
{
	struct strbuf keys = {0};
	json_t *object = find(path);

	for (void *at = json_object_iter(object); at; at = json_object_iter_next(object, at))
		strbuf_printf(&keys, "%s%s", keys.length > 0 ? " " : "", json_object_iter_key(at));
	assert_string_equal(strbuf_text(&keys), expected);
	strbuf_fini(&keys);
}

UNIT_TEST(json_of_interval_is_one_line_with_all_keys_in_order)
{
	const char *text;

	task(&scene->world, .pid = 7, .run_ms = 20);
	write_json();
	text = strbuf_text(&scene->out);

	assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
	assert_keys("",
		    "time interval_s verdict scope scope_reason events levels cpus tasks lost own");
	assert_keys("events/0", "name state running_pct reason");
	assert_keys("cpus/0", "cpu ns switches counts metrics idle unattributed");
	assert_keys("cpus/0/idle", "ns switches counts");
	assert_keys("cpus/0/unattributed", "ns switches counts");
	assert_keys("tasks/0",
		    "pid tid command state run_ns switches preempted migrations counts metrics");
	assert_keys("tasks/0/counts",
		    "cycles instructions cache-references cache-misses branch-misses page-faults");
	assert_keys("lost", "records throttled throttled_ns");
	assert_keys("own", "cpu_ns rss_bytes fds switch_ns readings_ns samples_ns readings_pct "
			   "readings_reason budget_pct counting_pct");
}

UNIT_TEST(json_of_time_has_milliseconds_or_that_of_the_recording)
{
	scene->world.snapshot.interval_ns = 1000250000;
	write_json();
	assert_memory_equal(strbuf_text(&scene->out),
			    "{\"time\":1700000000.123,\"interval_s\":1.00025,", 44);

	scene->world.session.wall_offset_ns = INT64_MIN;
	scene->world.snapshot.time_ns = UINT64_C(12500000000);
	assert_written("time null\nrecord_time 12.5\n");
}

UNIT_TEST(json_of_estimates_says_which_they_are)
{
	scene->world.layout.events[PAGE_FAULTS].is_estimate = true;
	scene->world.layout.estimated = 1u << QUANTITY_RUN_NS;
	world_bind(&scene->world);
	assert_written("estimates/0 \"run_ns\"\n"
		       "events/5/estimate true\n"
		       "events/5/running_pct null\n"
		       "events/0/estimate none\n");
}

UNIT_TEST(json_of_scopes_has_the_reason_for_less)
{
	assert_written("scope \"system\"\nscope_reason null\n");

	scene->world.session.scope = SCOPE_TASKS;
	scene->world.snapshot.cpu_count = 0;
	strcpy(scene->world.session.scope_reason, "paranoid \"2\"");
	assert_written("scope \"tasks\"\nscope_reason \"paranoid \\\"2\\\"\"\ncpus 0\n");
}

UNIT_TEST(json_of_columns_that_were_asked_for_has_their_cells)
{
	task(&scene->world, .pid = 7, .name = "main", .run_ms = 20);
	assert_written("tasks/0/columns none\n");

	scene_choose(scene, "pid,ipc,time,command");
	assert_written("tasks/0/columns {\"pid\": 7.0, \"ipc\": null, \"time\": 20000000.0, "
		       "\"command\": \"main\"}\n");
}

UNIT_TEST(json_of_process_sums_threads_or_has_each)
{
	task(&scene->world, .pid = 7, .name = "main", .run_ms = 20,
	     .counts = {.switches = 3, .preemptions = 1, .migrations = 2, .cycles = 10});
	task(&scene->world, .pid = 7, .tid = 8, .name = "worker", .run_ms = 10,
	     .counts = {.switches = 4, .preemptions = 2, .migrations = 5, .cycles = 30});
	assert_written("tasks 1\n"
		       "tasks/0/pid 7\n"
		       "tasks/0/tid 7\n"
		       "tasks/0/command \"main\"\n"
		       "tasks/0/state \"alive\"\n"
		       "tasks/0/run_ns 30000000\n"
		       "tasks/0/switches 7\n"
		       "tasks/0/preempted 3\n"
		       "tasks/0/migrations 7\n"
		       "tasks/0/counts/cycles 40\n");
	scene->request.settings.threads = true;
	assert_written("tasks 2\ntasks/1/tid 8\ntasks/1/command \"worker\"\n");
}

UNIT_TEST(json_of_large_count_is_exact)
{
	task(&scene->world, .pid = 7, .run_ms = 20, .counts.cycles = UINT64_C(9007199254740993));
	assert_written("tasks/0/counts/cycles 9007199254740993\n");
}

UNIT_TEST(json_of_exited_tasks_says_so_and_folds_none)
{
	scene->request.fold_exited = FOLD_TO_ONE;
	scene->request.extra_rows = true;
	task(&scene->world, .pid = 7, .run_ms = 20, .is_new = true, .is_exited = true);
	task(&scene->world, .pid = 8, .run_ms = 10, .is_new = true, .is_exited = true);
	assert_written("tasks 2\ntasks/0/state \"exited\"\n");
}

UNIT_TEST(json_leaves_out_idle_and_held_tasks)
{
	task(&scene->world, .pid = 7, .is_idle = true);
	task(&scene->world, .pid = 8, .run_ms = 10, .is_held = true, .is_exited = true);
	task(&scene->world, .pid = 9, .run_ms = 10);
	assert_written("tasks 1\ntasks/0/pid 9\n");
}

UNIT_TEST(json_of_filters_has_only_what_passes_in_order)
{
	task(&scene->world, .pid = 7, .run_ms = 20, .name = "cc1");
	task(&scene->world, .pid = 8, .run_ms = 10, .name = "sh");
	task(&scene->world, .pid = 9, .run_ms = 30, .name = "cc1");
	scene->request.filter = "cc1";
	scene->request.state.order.sort = columns_find(scene->world.columns, "pid");
	assert_written("tasks 2\ntasks/0/pid 7\ntasks/1/pid 9\n");
}

UNIT_TEST(json_of_unknown_quantities_is_null)
{
	task(&scene->world, .pid = 7, .run_ms = 20,
	     .unknown = 1u << QUANTITY_SWITCHES | 1u << QUANTITY_PREEMPTIONS |
			1u << QUANTITY_MIGRATIONS);
	assert_written("tasks/0/switches null\n"
		       "tasks/0/preempted null\n"
		       "tasks/0/migrations null\n"
		       "tasks/0/metrics/switches_s null\n"
		       "tasks/0/run_ns 20000000\n");
}

/* Readers may count on these, whatever is counted. */
UNIT_TEST(json_of_metrics_has_the_fixed_ones_always)
{
	for (size_t i = 0; i < WORLD_EVENTS; i++)
		scene->world.layout.events[i].state = EVENT_UNSUPPORTED;
	world_bind(&scene->world);
	task(&scene->world, .pid = 7, .run_ms = 500);
	assert_written("tasks/0/metrics/cpu_pct 50.0\n"
		       "tasks/0/metrics/ipc null\n"
		       "tasks/0/metrics/ghz null\n"
		       "tasks/0/metrics/miss_pct null\n"
		       "tasks/0/metrics/mpki null\n"
		       "tasks/0/metrics/branch_mpki null\n"
		       "tasks/0/metrics/switches_s 0.0\n"
		       "tasks/0/metrics/preemptions_s 0.0\n"
		       "tasks/0/metrics/migrations_s 0.0\n"
		       "tasks/0/metrics/faults_s null\n"
		       "tasks/0/metrics/slice_us null\n");
}

UNIT_TEST(json_of_levels_says_of_which_cache_a_metric_is)
{
	write_json();
	assert_null(find("levels/miss_pct"));
	world_fit(&scene->world, CACHE_LEVEL_L2);
	assert_written("levels/miss_pct \"L2\"\n"
		       "levels/mpki \"L2\"\n");
	assert_null(find("levels/ipc"));
}

/* Beyond the fixed ones: what has no events here only makes lines long. */
UNIT_TEST(json_of_metrics_leaves_out_what_is_not_available)
{
	const struct metrics *table;
	size_t unavailable = 0;
	char path[96];

	scene->world.layout.events[CYCLES].state = EVENT_UNSUPPORTED;
	world_bind(&scene->world);
	table = scene->world.metrics;
	task(&scene->world, .pid = 7, .run_ms = 500);
	write_json();

	for (size_t i = 0; i < metrics_count(table); i++) {
		snprintf(path, sizeof(path), "tasks/0/metrics/%s", metrics_info(table, i)->name);
		if (metrics_is_available(table, i))
			assert_non_null(find(path));
		else
			unavailable++;
	}
	assert_true(unavailable > 0);
	assert_true(json_object_size(find("tasks/0/metrics")) <= metrics_count(table));
}

UNIT_TEST(json_of_users_metric_is_there_even_unknown)
{
	const struct metric_info *info;
	char message[FORMULA_ERROR_MAX];
	size_t position;

	assert_true(metric_set_add(scene->world.metric_set,
				   "double_ipc = 2 * instructions / cycles", &info, &position,
				   message));
	assert_true(metric_set_add(scene->world.metric_set, "nowhere = no-such-event / cycles",
				   &info, &position, message));
	world_bind(&scene->world);
	task(&scene->world, .pid = 7, .run_ms = 500,
	     .counts = {.cycles = 1000, .instructions = 2500, .references = 8, .misses = 2});
	assert_written("tasks/0/metrics/ipc 2.5\n"
		       "tasks/0/metrics/miss_pct 25.0\n"
		       "tasks/0/metrics/cpu_pct 50.0\n"
		       "tasks/0/metrics/double_ipc 5.0\n"
		       "tasks/0/metrics/nowhere null\n");
}

UNIT_TEST(json_of_removed_event_is_left_out)
{
	scene->world.layout.events[BRANCH_MISSES].is_removed = true;
	task(&scene->world, .pid = 7, .run_ms = 500, .counts = {.branch_misses = 5});
	assert_written("events 5\n"
		       "events/4/name \"page-faults\"\n"
		       "tasks/0/counts/branch-misses none\n"
		       "tasks/0/counts/cycles 0\n");
}

UNIT_TEST(json_of_uncounted_event_has_reason_and_no_count)
{
	scene->world.layout.events[CACHE_MISSES].state = EVENT_UNSUPPORTED;
	strcpy(scene->world.layout.events[CACHE_MISSES].reason, "this CPU does not count it");
	world_bind(&scene->world);
	task(&scene->world, .pid = 7, .run_ms = 500);
	assert_written("events/3/state \"unsupported\"\n"
		       "events/3/reason \"this CPU does not count it\"\n"
		       "events/3/running_pct 0.0\n"
		       "tasks/0/counts/cache-misses none\n"
		       "tasks/0/metrics/miss_pct null\n");
}

UNIT_TEST(json_of_events_says_how_long_each_counted)
{
	assert_written("events/0/name \"cycles\"\n"
		       "events/0/state \"counting\"\n"
		       "events/0/running_pct 100.0\n"
		       "events/0/reason null\n");
	for (size_t i = 0; i < WORLD_EVENTS; i++)
		scene->world.layout.events[i].state = EVENT_MULTIPLEXED;
	scene->world.cpus[0].counter = world_vector(
		&scene->world, (struct counts_spec){.run_ms = 1000, .counting_ms = 500});
	world_bind(&scene->world);
	assert_written("events/0/state \"multiplexed\"\nevents/0/running_pct 75.0\n");
}

UNIT_TEST(json_of_events_without_any_run_time_is_still_100)
{
	scene->world.snapshot.cpu_count = 0;
	assert_written("events/0/running_pct 100.0\n");
}

UNIT_TEST(json_of_cpu_has_whole_counter_and_its_parts)
{
	scene->world.cpus[1].unattributed = world_vector(
		&scene->world, (struct counts_spec){.run_ms = 5, .switches = 3, .cycles = 77});
	assert_written("cpus/1/cpu 1\n"
		       "cpus/1/ns 1000000000\n"
		       "cpus/1/counts/cycles 2000000\n"
		       "cpus/1/idle/ns 500000000\n"
		       "cpus/1/unattributed/switches 3\n"
		       "cpus/1/unattributed/ns 5000000\n"
		       "cpus/1/unattributed/counts/cycles 77\n"
		       "cpus/1/metrics/ipc 0.5\n"
		       "cpus/1/metrics/cpu_pct 50.0\n");
}

UNIT_TEST(json_of_cpu_has_null_for_what_the_recording_does_not_say)
{
	scene->world.session.unknown = 1u << QUANTITY_RUN_NS | 1u << QUANTITY_SWITCHES;
	assert_written("cpus/1/ns null\n"
		       "cpus/1/switches null\n"
		       "cpus/1/counts/cycles 2000000\n"
		       "cpus/1/idle/ns null\n"
		       "cpus/1/unattributed/switches null\n");
}

UNIT_TEST(json_of_some_tasks_has_what_is_unattributed)
{
	scene->world.snapshot.cpu_count = 0;
	scene->world.snapshot.unattributed = scene->world.snapshot.unattributed_total =
		world_vector(&scene->world, (struct counts_spec){.run_ms = 5, .cycles = 77});
	assert_written("unattributed/ns 5000000\n"
		       "unattributed/counts/cycles 77\n");
}

UNIT_TEST(json_of_interval_says_what_is_wrong)
{
	assert_written("verdict null\n");

	verdict = "";
	assert_written("verdict null\n");

	verdict = "syncer waits 60 % of the time for the disk";
	assert_written("verdict \"syncer waits 60 % of the time for the disk\"\n");
	verdict = NULL;
}

UNIT_TEST(json_of_lost_and_own_has_the_numbers)
{
	scene->world.snapshot.lost_records = 12;
	scene->world.snapshot.throttled = 2;
	scene->world.snapshot.throttled_ns = 8000;
	scene->world.snapshot.own =
		(struct own_usage){.cpu_ns = 3, .rss_bytes = 4096, .descriptors = 21};
	assert_written("lost {\"records\": 12, \"throttled\": 2, \"throttled_ns\": 8000}\n"
		       "own/cpu_ns 3\nown/rss_bytes 4096\nown/fds 21\n"
		       "own/switch_ns null\nown/readings_ns null\nown/samples_ns "
		       "null\nown/readings_pct null\n"
		       "own/readings_reason null\n");

	strcpy(scene->world.session.cost_reason, "too busy");
	assert_written("own/switch_ns null\nown/readings_reason \"too busy\"\n");

	scene->world.session.cpu_count = 2;
	scene->world.snapshot.own.switch_ns = 1250;
	scene->world.snapshot.own.readings_ns = 5000000;
	assert_written("own/switch_ns 1250\nown/readings_ns 5000000\nown/samples_ns "
		       "0\nown/readings_pct 0.25\n"
		       "own/readings_reason null\nown/budget_pct null\nown/counting_pct null\n");

	scene->world.snapshot.own.budget_mpct = 500;
	scene->world.snapshot.own.counting_mpct = 40 * OWN_MPCT;
	assert_written("own/budget_pct 0.5\nown/counting_pct 40.0\n");
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

	strcpy(scene->world.layout.events[0].name, "uprobe:\xff\n:\"f\"");
	world_bind(&scene->world);
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		scene->world.snapshot.task_count = 0;
		task(&scene->world, .pid = 7, .run_ms = 1, .name = cases[i].name,
		     .counts.cycles = 5);
		assert_written("tasks/0/counts/uprobe:\\xFF\\x0A:\"f\" 5\n");
		assert_string_equal(json_string_value(find("tasks/0/command")), cases[i].expected);
	}
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
