/*
 * What the engine makes of options, of refusals and of changes, on a source that tells what it is
 * told to (fake_source.h).
 */

#include "model/metric_set.h"
#include "model/snapshot.h"

#include "error_name.h"
#include "fake_source.h"
#include "mode/views.h"
#include "model_kit.h"
#include "session/engine_parts.h"
#include "session/fitting.h"
#include "session/options.h"
#include "unit.h"

static struct {
	struct options options;
	struct engine *engine;
	struct error error; /* of the last that may have failed, and its place */
	size_t position;
} kit;

static int setup(void **state)
{
	kit.error = (struct error){0};
	kit.position = 0;
	return fake_setup(state);
}

static int teardown(void **state)
{
	engine_destroy(kit.engine);
	options_fini(&kit.options);
	assert_false(fake.source.is_open);
	return 0;
}

/* As from the command line, which ends at a NULL. */
static void parse(const char *first, ...)
{
	char *arguments[16] = {(char *)(uintptr_t) "perftop"};
	va_list rest;
	int count = 1;

	va_start(rest, first);
	for (const char *word = first; word != NULL; word = va_arg(rest, const char *))
		arguments[count++] = (char *)(uintptr_t)word;
	va_end(rest);
	if (!options_parse(&kit.options, &all_views, count, arguments, &kit.error))
		fail_msg("%s", kit.error.text);
}

static bool open_with_options(void)
{
	kit.engine = engine_create(&kit.options);
	return engine_open(kit.engine, &kit.error);
}

static void open_engine(void)
{
	if (!open_with_options())
		fail_msg("%s", kit.error.text);
}

static void assert_refused(enum error_code code, const char *text)
{
	assert_false(open_with_options());
	assert_string_equal(error_name(kit.error.code), error_name(code));
	assert_string_equal(kit.error.text, text);
}

/* Counts two events that every machine has; task 7 runs on CPU 0. */
static void start_two(const char *option, const char *argument)
{
	parse("-c", "pid", "-e", "page-faults,cpu-migrations", option, argument, NULL);
	open_engine();
	fake_tell(reading(.seq = 1, .ns = fake.now_ns, .values = {0, 0}));
	fake_tell(switch_in(.tid = 7, .prev = 0, .time = fake.now_ns));
	assert_true(engine_start(kit.engine, &kit.error));
}

/* It leaves after so long, and nothing happens for the rest of a microsecond. */
static void emit_slice(uint64_t run_ns)
{
	const uint64_t end = fake.now_ns + run_ns;

	fake_tell(sample(.tid = 7, .seq = 2, .ns = end, .values = {5, 1}));
	fake_tell(switch_out(.tid = 7, .next = 0, .time = end));
	fake.now_ns += 1000;
	fake_tell(reading(.seq = 2, .ns = fake.now_ns, .values = {5, 1}));
}

/* While it begins, others take the counters: the source goes on in other groups. */
static void take_counters(void)
{
	if (fake.ticks > 0)
		return;
	layout_add_group(&fake.source.base.layout, 0, 0);
	fake.source.base.layout_changes++;
}

UNIT_TEST(start_follows_a_layout_that_changes_with_it)
{
	fake.at_tick = take_counters;
	start_two(NULL, NULL);
	fake.now_ns += 1000;
	fake_tell(reading(.group = 1, .seq = 2, .ns = fake.now_ns));
	engine_tick(kit.engine);
	assert_int_equal(engine_snapshot(kit.engine)->lost_records, 0); /* it makes sense */
}

/* ---- open */

UNIT_TEST(open_without_columns_counts_the_default_events)
{
	parse(NULL, NULL);
	open_engine();
	for (size_t i = 0; i < DEFAULT_EVENTS; i++)
		assert_non_null(strstr(fake.events, default_event(kit.engine->metric_set, i)));
	assert_true(kit.engine->counts_cpus);
	assert_false(fake.asked_tasks);
}

static const char *const LIGHT =
	"light: cycles and instructions only, reading a counter takes 1.30us here "
	"(L counts all)";

/* Whether all default events are counted, or the first two. */
static void assert_light(bool is_light, const char *words)
{
	assert_int_equal(engine_is_light(kit.engine), is_light);
	for (size_t i = 0; i < DEFAULT_EVENTS; i++)
		assert_int_equal(strstr(fake.events, default_event(kit.engine->metric_set, i)) !=
					 NULL,
				 i < 2 || !is_light);
	assert_string_equal(engine_session(kit.engine)->light_words, words);
}

UNIT_TEST(open_light_counts_cycles_and_instructions)
{
	parse("--light", NULL);
	open_engine();
	assert_string_equal(fake.events, "cycles instructions");
	assert_light(true, "");
	assert_true(engine_set_light(kit.engine, true, &kit.error));
	assert_int_equal(fake.changes, 0);
	assert_true(engine_set_light(kit.engine, false, &kit.error));
	assert_light(false, "");
	assert_true(engine_set_light(kit.engine, true, &kit.error));
	assert_light(true, "");
	fake.change = ERROR_PERF_OTHER;
	assert_false(engine_set_light(kit.engine, false, &kit.error));
	assert_light(true, "");
}

UNIT_TEST(open_where_counters_are_read_slowly_is_light_and_says_why)
{
	fake.counter_ns = 1300;
	parse(NULL, NULL);
	open_engine();
	assert_light(true, LIGHT);
	assert_true(engine_set_light(kit.engine, false, &kit.error));
	assert_light(false, "");
	assert_true(engine_set_light(kit.engine, SETTING_UNSET, &kit.error));
	assert_light(true, LIGHT);
}

UNIT_TEST(open_where_counters_are_read_fast_counts_all)
{
	fake.counter_ns = 30;
	parse(NULL, NULL);
	open_engine();
	assert_light(false, "");
	assert_true(engine_set_light(kit.engine, true, &kit.error));
	assert_true(engine_set_light(kit.engine, SETTING_UNSET, &kit.error));
	assert_light(false, "");
}

UNIT_TEST(open_says_that_a_priority_is_refused_that_was_asked_for)
{
	parse(NULL, NULL);
	open_engine();
	assert_false(engine_refuses_realtime(kit.engine, &kit.error));
	engine_destroy(kit.engine);
	parse("--realtime", NULL);
	open_engine();
	assert_true(engine_refuses_realtime(kit.engine, &kit.error));
	assert_int_equal(kit.error.code, ERROR_REALTIME_REFUSED);
}

UNIT_TEST(light_without_counters_has_no_effect)
{
	parse(NULL, NULL);
	open_engine();
	kit.engine->is_running = true;
	assert_false(engine_set_light(kit.engine, true, &kit.error));
	assert_string_equal(kit.error.text, "no effect: no hardware counters here");
	assert_light(false, "");
}

UNIT_TEST(open_light_counts_also_what_was_named)
{
	fake.counter_ns = 1300;
	parse("-e", "branch-misses", NULL);
	open_engine();
	assert_string_equal(fake.events, "cycles instructions branch-misses");
}

UNIT_TEST(open_with_columns_is_never_light_by_itself)
{
	fake.counter_ns = 1300;
	parse("-c", "pid", "-e", "cache-misses", NULL);
	open_engine();
	assert_string_equal(fake.events, "cache-misses");
	assert_false(engine_is_light(kit.engine));
}

UNIT_TEST(open_with_columns_counts_what_was_named)
{
	parse("-c", "pid", "-e", "page-faults", "-m", "mine = cpu-migrations / page-faults", NULL);
	open_engine();
	assert_string_equal(fake.events, "page-faults cpu-migrations");
}

UNIT_TEST(open_of_an_unknown_event_marks_it)
{
	parse("-e", "page-faults,no-such-event-at-all", NULL);
	assert_false(open_with_options());
	assert_int_equal(kit.error.code, ERROR_EVENT_UNKNOWN);
	assert_false(fake.asked_cpus);
}

UNIT_TEST(open_of_a_metric_with_an_unknown_event_leaves_none)
{
	parse("-m", "mine = no_such_event_at_all / 2", NULL);
	assert_false(open_with_options());
	assert_int_equal(kit.error.code, ERROR_EVENT_UNKNOWN);
}

UNIT_TEST(open_refused_machine_falls_back_to_own_tasks)
{
	fake.machine = ERROR_PERF_PARANOID;
	parse(NULL, NULL);
	open_engine();
	assert_int_equal(fake.mode, TASKS_USER);
	assert_string_equal(engine_session(kit.engine)->scope_reason,
			    "only your own tasks are counted");
	assert_non_null(strstr(engine_session(kit.engine)->scope_remedy, "sudo perftop"));
	assert_false(kit.engine->counts_cpus);
}

UNIT_TEST(open_of_some_cpus_does_not_fall_back)
{
	fake.machine = ERROR_PERF_PARANOID;
	parse("-C", "1", NULL);
	assert_refused(ERROR_PERF_PARANOID,
		       "counters: not permitted: kernel.perf_event_paranoid is 2");
	assert_false(fake.asked_tasks);
}

/* What no right would mend is no reason to show less. */
UNIT_TEST(open_that_fails_for_another_reason_says_so)
{
	fake.machine = ERROR_PERF_NO_MEMORY;
	parse(NULL, NULL);
	assert_refused(ERROR_PERF_NO_MEMORY, "counters: the kernel has no memory for it");
	assert_false(fake.asked_tasks);
}

UNIT_TEST(open_where_tasks_are_refused_too_tells_of_the_machine)
{
	fake.machine = ERROR_PERF_PARANOID;
	fake.tasks = ERROR_PERF_NO_MEMORY;
	parse(NULL, NULL);
	assert_refused(ERROR_PERF_PARANOID,
		       "counters: not permitted: kernel.perf_event_paranoid is 2");
}

UNIT_TEST(open_of_a_cpu_that_is_not_there_names_those_that_are)
{
	parse("-C", "1,5", NULL);
	assert_false(open_with_options());
	assert_int_equal(kit.error.code, ERROR_CPU_ABSENT);
	assert_non_null(strstr(kit.error.text, "5"));
	assert_non_null(strstr(kit.error.remedy, "0-1"));
}

UNIT_TEST(open_of_processes_takes_them_out_of_the_machine)
{
	parse("-p", "7,71", NULL);
	open_engine();
	assert_true(kit.engine->counts_cpus);
	assert_int_equal(engine_session(kit.engine)->scope, SCOPE_TASKS);
	assert_string_equal(engine_session(kit.engine)->scope_words, "pid 7,71");
	assert_true(engine_wants(7, kit.engine));
	assert_true(engine_wants(70, kit.engine)); /* 71 is a thread of his */
	assert_false(engine_wants(71, kit.engine));
}

UNIT_TEST(open_of_processes_counts_them_alone_where_the_machine_is_refused)
{
	fake.machine = ERROR_PERF_PARANOID;
	parse("-p", "7,71", NULL);
	open_engine();
	assert_int_equal(fake.mode, TASKS_PIDS);
	assert_int_equal(fake.pid_count, 2);
	assert_int_equal(fake.pids[1], 70);
	assert_string_equal(engine_session(kit.engine)->scope_words, "pid 7,71");
}

UNIT_TEST(open_of_a_process_that_is_gone_says_so)
{
	parse("-p", "7,4711", NULL);
	assert_false(open_with_options());
	assert_int_equal(kit.error.code, ERROR_PROCESS_GONE);
	assert_non_null(strstr(kit.error.text, "4711"));
}

/* ---- intervals */

UNIT_TEST(tick_closes_the_interval_with_what_was_told)
{
	start_two(NULL, NULL);
	assert_null(kit.engine->snapshot);
	emit_slice(400);
	engine_tick(kit.engine);
	assert_int_equal(task_count(kit.engine->snapshot, 7, QUANTITY_RUN_NS), 400);
	assert_int_equal(task_count(kit.engine->snapshot, 7, event_place(0)), 5);
	assert_string_equal(find_task(kit.engine->snapshot, 7)->name, "task7");
}

/* setuid(2) leaves no record. */
UNIT_TEST(tick_looks_again_at_those_that_ran)
{
	start_two(NULL, NULL);
	emit_slice(400);
	engine_tick(kit.engine);
	assert_int_equal(find_task(kit.engine->snapshot, 7)->uid, 1000);
	fake.uid = 65534;
	emit_slice(800);
	engine_tick(kit.engine);
	assert_int_equal(find_task(kit.engine->snapshot, 7)->uid, 65534);
}

/* Those of the kernel stay as they are. */
UNIT_TEST(tick_does_not_look_again_at_kernel_threads)
{
	fake.are_kernel_threads = true;
	start_two(NULL, NULL);
	emit_slice(400);
	engine_tick(kit.engine);
	assert_true(find_task(kit.engine->snapshot, 7)->is_kernel_thread);
	fake.uid = 65534;
	emit_slice(800);
	engine_tick(kit.engine);
	assert_int_equal(find_task(kit.engine->snapshot, 7)->uid, 1000);
}

UNIT_TEST(drain_feeds_the_model_and_closes_nothing)
{
	start_two(NULL, NULL);
	emit_slice(400);
	engine_drain(kit.engine);
	assert_int_equal(fake.drains, 1);
	assert_null(kit.engine->snapshot);
	engine_tick(kit.engine);
	assert_int_equal(task_count(kit.engine->snapshot, 7, QUANTITY_RUN_NS), 400);
}

UNIT_TEST(tick_of_processes_shows_those_alone)
{
	start_two("-p", "70");
	emit_slice(400);
	engine_tick(kit.engine);
	assert_null(find_task(kit.engine->snapshot, 7));
	assert_non_null(find_task(kit.engine->whole, 7));
	assert_non_null(find_task(kit.engine->snapshot, 70)); /* introduced, though it sleeps */
	assert_false(engine_is_finished(kit.engine));
}

UNIT_TEST(is_finished_when_all_that_were_wanted_have_ended)
{
	start_two("-p", "70");
	fake_tell(exited(.tid = 70, .time = 1500));
	fake.now_ns = 2000;
	engine_tick(kit.engine);
	assert_true(engine_is_finished(kit.engine));
}

/* ---- changes */

UNIT_TEST(add_events_ends_the_interval_first)
{
	start_two(NULL, NULL);
	emit_slice(400);
	const size_t ticks = fake.ticks;

	assert_true(engine_add_events(kit.engine, "alignment-faults", NULL, NULL, &kit.position,
				      &kit.error));
	assert_int_equal(fake.ticks, ticks + 1);
	assert_string_equal(fake.events, "page-faults cpu-migrations alignment-faults");
	assert_int_equal(kit.engine->snapshot->layout->event_count, 3);
	assert_int_equal(task_count(kit.engine->snapshot, 7, QUANTITY_RUN_NS), 400);
}

static void count_name(const char *name, void *context)
{
	++*(size_t *)context;
}

UNIT_TEST(add_events_that_are_counted_already_changes_nothing)
{
	size_t named = 0;

	start_two(NULL, NULL);
	assert_true(engine_add_events(kit.engine, "page-faults", count_name, &named, &kit.position,
				      &kit.error));
	assert_int_equal(named, 1);
	assert_int_equal(fake.changes, 0);
}

UNIT_TEST(add_events_that_are_refused_leaves_all_as_it_was)
{
	start_two(NULL, NULL);
	fake.change = ERROR_PERF_NO_MEMORY;
	assert_false(engine_add_events(kit.engine, "alignment-faults", NULL, NULL, &kit.position,
				       &kit.error));
	assert_int_equal(kit.error.code, ERROR_PERF_NO_MEMORY);
	assert_false(event_set_has(&kit.engine->events, "alignment-faults"));
	fake.change = ERROR_NONE;
	assert_true(engine_remove_event(kit.engine, "cpu-migrations", &kit.error));
	assert_string_equal(fake.events, "page-faults");
}

UNIT_TEST(remove_event_that_nobody_wished_is_refused)
{
	start_two(NULL, NULL);
	assert_false(engine_remove_event(kit.engine, "alignment-faults", &kit.error));
	assert_int_equal(kit.error.code, ERROR_EVENT_NOT_WISHED);
	assert_int_equal(fake.changes, 0);
}

UNIT_TEST(add_metric_counts_what_it_needs)
{
	const struct metric_info *info;

	start_two(NULL, NULL);
	assert_true(engine_add_metric(kit.engine, "mine = page-faults / alignment-faults", &info,
				      &kit.position, &kit.error));
	assert_string_equal(info->name, "mine");
	assert_string_equal(fake.events, "page-faults cpu-migrations alignment-faults");
}

UNIT_TEST(add_metric_whose_events_are_refused_is_taken_back)
{
	start_two(NULL, NULL);
	fake.change = ERROR_PERF_NO_MEMORY;
	assert_false(engine_add_metric(kit.engine, "mine = page-faults / alignment-faults", NULL,
				       &kit.position, &kit.error));
	assert_int_equal(metric_set_find(kit.engine->metric_set, "mine"), -1);
	assert_int_equal(engine_need_metrics(kit.engine, &(const char *){"mine"}, 1, &kit.error),
			 false);
	assert_int_equal(kit.error.code, ERROR_METRIC_UNKNOWN);
}

/* A name with a minus in it may be two. */
UNIT_TEST(add_metric_of_an_unknown_event_points_at_it)
{
	start_two(NULL, NULL);
	assert_false(engine_add_metric(kit.engine, "mine = page-faults / this-that", NULL,
				       &kit.position, &kit.error));
	assert_int_equal(kit.position, strlen("mine = page-faults / "));
	assert_int_equal(kit.error.code, ERROR_EVENT_UNKNOWN);
	assert_non_null(strstr(kit.error.remedy, "a minus needs a space"));
}

UNIT_TEST(add_metric_of_a_refused_metric_says_so)
{
	start_two(NULL, NULL);
	assert_false(engine_add_metric(kit.engine, "mine = page-faults / nothing", NULL,
				       &kit.position, &kit.error));
	assert_false(
		engine_add_metric(kit.engine, "other = 2 * mine", NULL, &kit.position, &kit.error));
	assert_string_equal(kit.error.text, "mine: the metric of this name has an error");
	assert_int_equal(kit.position, strlen("other = 2 * "));

	assert_true(engine_add_metric(kit.engine, "mine = 2 * page-faults", NULL, &kit.position,
				      &kit.error));
	assert_true(
		engine_add_metric(kit.engine, "other = 2 * mine", NULL, &kit.position, &kit.error));
}

UNIT_TEST(need_metric_asks_for_its_events_once)
{
	start_two(NULL, NULL);
	assert_true(engine_need_metrics(kit.engine, &(const char *){"ipc"}, 1, &kit.error));
	assert_true(engine_need_metrics(kit.engine, &(const char *){"ipc"}, 1, &kit.error));
	assert_int_equal(fake.changes, 1);
	assert_true(event_set_has(&kit.engine->events, "cycles"));
	assert_true(event_set_has(&kit.engine->events, "instructions"));
}

/* The metrics of a set, and those that are shown besides; "": none. */
static bool change_set(const char *added, const char *shown)
{
	const char *names[2];
	size_t count = 0;

	if (*added)
		names[count++] = added;
	if (*shown)
		names[count++] = shown;
	return engine_change_set(kit.engine, names, count, *added != 0, &kit.error);
}

UNIT_TEST(change_set_closes_what_sets_alone_have_opened)
{
	start_two(NULL, NULL);
	assert_true(change_set("ipc", ""));
	assert_string_equal(fake.events, "page-faults cpu-migrations instructions cycles");
	assert_int_equal(fake.changes, 1);
	/* what both need goes on */
	assert_true(change_set("mpki", ""));
	assert_string_equal(fake.events, "page-faults cpu-migrations instructions cache-misses");
	assert_int_equal(fake.changes, 2); /* at once */
	/* so does what is shown elsewhere */
	assert_true(change_set("faults_s", "mpki"));
	assert_string_equal(fake.events, "page-faults cpu-migrations instructions cache-misses");
	assert_int_equal(fake.changes, 2);
	/* and what was there before the first of them */
	assert_true(change_set("", ""));
	assert_string_equal(fake.events, "page-faults cpu-migrations");
	assert_true(change_set("", ""));
	assert_int_equal(fake.changes, 3);
}

UNIT_TEST(change_set_keeps_what_was_asked_for_by_others)
{
	start_two(NULL, NULL);
	assert_true(engine_need_metrics(kit.engine, &(const char *){"ipc"}, 1, &kit.error));
	assert_true(change_set("mpki", ""));
	assert_true(change_set("", ""));
	assert_string_equal(fake.events, "page-faults cpu-migrations instructions cycles");
	/* by its name */
	assert_true(change_set("mpki", ""));
	assert_true(engine_add_events(kit.engine, "cache-misses", NULL, NULL, &kit.position,
				      &kit.error));
	assert_true(change_set("", ""));
	assert_string_equal(fake.events,
			    "page-faults cpu-migrations instructions cycles cache-misses");
	/* by a metric of the user's */
	assert_true(change_set("branch_mpki", ""));
	assert_true(engine_add_metric(kit.engine, "mine = branch-misses / cycles", NULL,
				      &kit.position, &kit.error));
	assert_true(change_set("", ""));
	assert_non_null(strstr(fake.events, "branch-misses"));
}

UNIT_TEST(change_set_that_is_refused_changes_nothing)
{
	start_two(NULL, NULL);
	assert_true(change_set("ipc", ""));
	fake.change = ERROR_PERF_NO_MEMORY;
	assert_false(change_set("mpki", ""));
	assert_int_equal(kit.error.code, ERROR_PERF_NO_MEMORY);
	assert_true(event_set_has(&kit.engine->events, "cycles"));
	assert_false(event_set_has(&kit.engine->events, "cache-misses"));
	/* an unknown metric keeps no other from it */
	fake.change = ERROR_NONE;
	assert_false(engine_change_set(kit.engine, (const char *[]){"no-such", "mpki"}, 2, 2,
				       &kit.error));
	assert_int_equal(kit.error.code, ERROR_METRIC_UNKNOWN);
	assert_true(event_set_has(&kit.engine->events, "cache-misses"));
	assert_false(event_set_has(&kit.engine->events, "cycles"));
}

UNIT_TEST(need_scheduler_is_asked_for_once)
{
	start_two(NULL, NULL);
	assert_false(fake.scheduler);
	assert_true(engine_need_scheduler(kit.engine, &kit.error));
	assert_true(engine_need_scheduler(kit.engine, &kit.error));
	assert_true(fake.scheduler);
	assert_int_equal(fake.changes, 1);
}

/* They were shown from there on, an interval before its session says that wake-ups are reported. */
UNIT_TEST(states_of_a_recording_are_known_from_the_first_record_of_them)
{
	struct record use = {.kind = RECORD_CPU_USE, .pid = 7, .tid = 7};

	start_two(NULL, NULL);
	kit.engine->is_replay = true;
	engine_feed_all(kit.engine);
	assert_false(kit.engine->needs_states);
	use.time_ns = fake.now_ns;
	fake_tell(use);
	engine_feed_all(kit.engine);
	assert_true(kit.engine->needs_states);
	assert_false(kit.engine->source->session.queue == QUEUE_WAKEUPS);
}

/* Task 7, which has said how it used a CPU before, runs; that it ran in its program is known. */
static uint64_t run_with_states(uint64_t seq)
{
	const uint64_t start = fake.now_ns, end = start + 100000000;
	const struct snapshot *snapshot;

	fake_tell(sample(.tid = 0, .seq = seq, .ns = start, .time = start, .values = {0, 0}));
	fake_tell(switch_out(.tid = 0, .next = 7, .time = start));
	fake_tell(sample(.tid = 7, .seq = seq + 1, .ns = end, .time = end, .values = {0, 0}));
	fake_tell(switch_out(.tid = 7, .next = 0, .time = end));
	engine_feed_all(kit.engine);
	fake.now_ns = end + 1000;
	snapshot = model_close_interval(kit.engine->model, fake.now_ns);
	return find_task(snapshot, 7)->interval[QUANTITY_USER_NS];
}

UNIT_TEST(states_of_a_recording_are_forgotten_where_it_has_them_no_more)
{
	struct record use = {.kind = RECORD_CPU_USE, .pid = 7, .tid = 7};

	start_two(NULL, NULL);
	kit.engine->is_replay = true;
	kit.engine->source->session.has_states = true;
	engine_note_session(kit.engine);
	for (int i = 0; i < 2; i++) {
		use.time_ns = fake.now_ns;
		fake_tell(use);
		use.cpu_use.user_ns += 100000000;
	}
	assert_true(run_with_states(2) > 0);
	kit.engine->source->session.has_states = false;
	engine_note_session(kit.engine);
	assert_int_equal(run_with_states(4), 0);
}

/* An interval of 100 ms with a switch that costs a ms, 0.6 of it the hardware events. */
static const struct own_usage *pass_expensive(void)
{
	fake.source.base.switch_ns = 1000000;
	fake.source.base.samples_ns = 500;
	fake.source.base.turn_ns = 600000;
	fake.source.base.counting_share = 1;
	emit_slice(fake.now_ns / 1000 + 1000);
	fake.now_ns += 100000000;
	engine_tick(kit.engine);
	return &engine_snapshot(kit.engine)->own;
}

UNIT_TEST(budget_limits_what_costs_more)
{
	const struct own_usage *own;

	start_two("--budget", "0.7%");
	own = pass_expensive();
	assert_int_equal(own->switch_ns, 1000000);
	assert_int_equal(own->samples_ns, 500);
	assert_int_equal(own->readings_ns % 1000000, 500);
	assert_int_equal(own->budget_mpct, 700);
	assert_int_equal(own->counting_mpct, OWN_ALL_MPCT);
	assert_int_equal(fake.limits, 1);
	assert_true(fake.share < 1);

	engine_set_budget(kit.engine, 0);
	assert_int_equal(pass_expensive()->budget_mpct, 0);
	assert_int_equal(fake.limits, 2);
	assert_true(fake.share == 1);
	pass_expensive();
	assert_int_equal(fake.limits, 2);
}

UNIT_TEST(budget_none_limits_nothing)
{
	start_two(NULL, NULL);
	assert_int_equal(pass_expensive()->budget_mpct, 0);
	assert_int_equal(fake.limits, 0);
}

UNIT_TEST(attach_widens_the_scope)
{
	parse("-p", "7", NULL);
	open_engine();
	assert_true(engine_attach(kit.engine, 8, &kit.error));
	assert_int_equal(fake.attached, 8);
	assert_true(engine_wants(8, kit.engine));
}

/* ---- cgroups while it runs */

UNIT_TEST(count_cgroups_that_are_not_there_leaves_all_as_it_was)
{
	struct source *source;

	start_two(NULL, NULL);
	source = kit.engine->source;
	assert_true(engine_may_count_cgroups(kit.engine));
	assert_false(
		engine_count_cgroups(kit.engine, "/perftop-none/a\n/perftop-none/b", &kit.error));
	assert_int_not_equal(kit.error.code, ERROR_NONE);
	assert_null(engine_counted_cgroups(kit.engine));
	assert_true(kit.engine->source == source);
	assert_true(engine_may_count_cgroups(kit.engine));
	emit_slice(400);
	engine_tick(kit.engine);
	assert_int_equal(task_count(kit.engine->snapshot, 7, QUANTITY_RUN_NS), 400);
}

UNIT_TEST(count_cgroups_where_no_source_opens_leaves_all_as_it_was)
{
	start_two(NULL, NULL);
	fake.machine = ERROR_PERF_FD_LIMIT;
	assert_false(engine_count_cgroups(kit.engine, NULL, &kit.error));
	assert_string_equal(error_name(kit.error.code), error_name(ERROR_PERF_FD_LIMIT));
	assert_false(fake.asked_tasks);
	emit_slice(400);
	engine_tick(kit.engine);
	assert_int_equal(task_count(kit.engine->snapshot, 7, QUANTITY_RUN_NS), 400);
}

/* Of own tasks a few would be counted in place of the machine. */
UNIT_TEST(count_cgroups_does_not_go_back_to_own_tasks)
{
	start_two(NULL, NULL);
	fake.machine = ERROR_PERF_PARANOID;
	assert_false(engine_count_cgroups(kit.engine, NULL, &kit.error));
	assert_false(fake.asked_tasks);
}

UNIT_TEST(count_cgroups_is_not_for_processes)
{
	start_two("-p", "70");
	assert_false(engine_may_count_cgroups(kit.engine));
}

int main(void)
{
	return unit_run(setup, teardown);
}
