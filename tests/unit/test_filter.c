/* Filters: what they mean, what passes it, and where it is wrong. */

#include "base/error.h"
#include "model/history.h"
#include "view/cell.h"
#include "view/filter.h"
#include "view/names.h"
#include "view/pairs.h"

#include "error_name.h"
#include "snapshot_builder.h"
#include "unit.h"

struct scene {
	struct world world;
	struct users *users;
	struct cell_source source;
	struct view_row
		row; /* pid 4711, nginx, of ben, IPC 0.4, 12.5 % misses, 2000 slices of 50 us */
};

static int set_up(void **state)
{
	static struct scene scene;
	const struct snapshot_task *nginx;

	scene = (struct scene){.users = users_create()};
	world_init(&scene.world);
	nginx = task(&scene.world, .pid = 4711, .tid = 4712, .uid = 1000, .name = "nginx",
		     .command_line = "/usr/sbin/nginx -g daemon", .last_cpu = 3,
		     .counts = {.run_ms = 100,
				.switches = 2000,
				.cycles = 5000000,
				.instructions = 2000000,
				.references = 80000,
				.misses = 10000},
		     .total_ms = 90000);
	scene.row = (struct view_row){
		.kind = ROW_TASK,
		.task = nginx,
		.pid = nginx->pid,
		.tid = nginx->tid,
		.interval = nginx->interval,
		.total = nginx->total,
		.interval_ns = scene.world.snapshot.interval_ns,
		.member_count = 1,
		.is_active = true,
	};
	scene.source = (struct cell_source){
		.kinds = row_kinds,
		.getter_input = {.users = scene.users,
				 .unattributed_words = "",
				 .exited_words = "2 tasks"},
		.metrics = scene.world.metrics,
		.layout = &scene.world.layout,
	};
	*state = &scene;
	return 0;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	users_destroy(scene->users);
	world_fini(&scene->world);
	return 0;
}

static bool passes_row(struct scene *scene, const char *text, const struct view_row *row)
{
	struct error error = {0};
	size_t position;
	struct filter *filter = filter_create(text, scene->world.columns, &position, &error);
	bool passes;

	if (error.code != ERROR_NONE)
		fail_msg("%s: %s (%zu)", text, error.text, position);
	if (!filter_bind(filter, scene->world.metrics, &scene->world.layout, &position, &error))
		fail_msg("%s: %s (%zu)", text, error.text, position);
	passes = filter_passes(filter, &scene->source, row);
	filter_destroy(filter);
	return passes;
}

static void assert_passes(struct scene *scene, const char *text)
{
	if (!passes_row(scene, text, &scene->row))
		fail_msg("does not pass: %s", text);
}

static void assert_fails(struct scene *scene, const char *text)
{
	if (passes_row(scene, text, &scene->row))
		fail_msg("passes: %s", text);
}

#define CASES(...)                                                                                 \
	(const char *const[])                                                                      \
	{                                                                                          \
		__VA_ARGS__, NULL                                                                  \
	}

/* Of each what is after its sign: + passes the scene's row, - does not. */
static void check(struct scene *scene, const char *const *cases)
{
	for (; *cases; cases++)
		if (passes_row(scene, *cases + 1, &scene->row) != (**cases == '+'))
			fail_msg("%s", *cases);
}

static void assert_refused(struct scene *scene, const char *text, enum error_code code,
			   size_t place)
{
	struct error error = {0};
	size_t position = SIZE_MAX;

	filter_destroy(filter_create(text, scene->world.columns, &position, &error));
	if (error.code != code || position != place)
		fail_msg("%s: %s (%s at %zu)", text, error.text, error_name(error.code), position);
	assert_true(error.text[0] != '\0');
}

/* What is no expression, and has no sign in it. */
UNIT_TEST_OF(filter_of_other_text_is_one_plain_word, struct scene *scene)
{
	static const char *const words[] = {
		"",        " ",           "nginx",        "nginx: worker process",
		"a|b",     "a&b",         "why not",      "android",
		"or",      "and",         "not",          "sand and",
		"or else", "4711",        "-g",           "notes of order",
		"[a",      "kworker/2:1", "nothing else", "nothing\nelse",
	};

	for (size_t i = 0; i < COUNT_OF(words); i++) {
		struct error error = {0};
		size_t position;
		struct filter *filter =
			filter_create(words[i], scene->world.columns, &position, &error);

		begin_case(words[i]);
		assert_int_equal(error.code, ERROR_NONE);
		assert_null(filter_column(filter, 0, ROW_TASK));
		filter_destroy(filter);
	}
	assert_refused(scene, "worker: a = b", ERROR_FILTER_UNEXPECTED, 8);
	assert_refused(scene, "<defunct>", ERROR_FILTER_EXPECTED, 0);
}

UNIT_TEST_OF(filter_of_plain_words_looks_into_pid_user_name_and_command_line, struct scene *scene)
{
	check(scene, CASES("+", "+471", "+4712", "+NGINX", "+nginx -g", "+Ben", "-redis",
			   "-nginx  -g", "- nginx -g"));
}

UNIT_TEST_OF(filter_compares_numbers_with_each_operator, struct scene *scene)
{
	check(scene, CASES("+ipc < 0.5", "-ipc < 0.4", "+ipc <= 0.4", "-ipc <= 0.3", "+ipc > 0.3",
			   "-ipc > 0.4", "+ipc >= 0.4", "-ipc >= 0.5", "+pid = 4711",
			   "+pid == 4711", "-pid = 4712", "+pid != 4712", "-pid != 4711"));
}

UNIT_TEST_OF(filter_compares_texts_without_regard_to_case, struct scene *scene)
{
	check(scene, CASES("+user = BEN", "-user = be", "-user != Ben", "+user != root",
			   "+user ~ ^B", "+user =~ n$", "-user ~ ^e", "+user !~ ^e", "-user !~ e",
			   "+user ~ \"^(root|ben)$\"", "+user ~ root|ben"));
}

/* Whichever of the two is shown. */
UNIT_TEST_OF(filter_of_command_compares_name_and_command_line, struct scene *scene)
{
	for (int i = 0; i < 2; i++) {
		scene->source.getter_input.command_lines = i == 1;
		assert_passes(scene, "command = nginx");
		assert_passes(scene, "name = nginx");
		assert_passes(scene, "command ~ ^/usr/sbin");
		assert_fails(scene, "command !~ ^nginx");
		assert_fails(scene, "command = sbin");
	}
}

UNIT_TEST_OF(filter_of_task_compares_its_name_or_number, struct scene *scene)
{
	check(scene, CASES("+task = nginx", "+task = 4711", "+task = 4712", "-task = 471",
			   "-task ~ 4711", "+task ~ ngi", "-task != 4711", "+task != redis"));
}

UNIT_TEST_OF(filter_takes_names_of_columns_metrics_events_in_any_case, struct scene *scene)
{
	columns_add_event(scene->world.columns, "cache-misses", "");
	check(scene, CASES("+IPC<0.5", "+MISS% > 12.4", "+miss_pct < 12.6", "+sw/s=2k&&migr/s=0",
			   "+cache-misses = 10k", "+Slice < 51", "+cpu = 3"));
}

UNIT_TEST_OF(filter_takes_events_with_any_text, struct scene *scene)
{
	static const char *const names[] = {
		"cpu/event=0x3c,umask=0/",
		"sched:sched_switch",
		"L1-dcache-load-misses",
		"skl::INST_RETIRED:ANY",
		"sched:x/prev_comm == \"a b\"/",
		"sched:y/b == 1/",
		"sched:y/b",
		"a-b",
		"uprobe:/bin/bash:readline",
		"cpu/event=0x3c,umask=0/u",
	};
	char text[128];

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		const size_t event = layout_add_event(&scene->world.layout, names[i]);

		scene->world.layout.events[event].state = EVENT_UNSUPPORTED;
		columns_add_event(scene->world.columns, names[i], "");
		snprintf(text, sizeof(text), "%s>5||(%s != 5)&&ipc<1", names[i], names[i]);
		assert_passes(scene, text);
		snprintf(text, sizeof(text), "(nginx)&&!%s >= 5", names[i]);
		assert_passes(scene, text);
	}
	check(scene, CASES("-\"sched:sched_switch\" > 5", "-'a-b' > 5"));
}

/* There is nothing to take away from: a minus belongs to the name or to the number. */
UNIT_TEST_OF(filter_takes_a_minus_as_part_of_a_name_or_number, struct scene *scene)
{
	check(scene, CASES("+br-mpki=0&&ipc>-1", "+ipc > -0.5", "-ipc<-0.5"));
	assert_refused(scene, "ipc-mpki > 1", ERROR_FILTER_NAME, 0);
	assert_refused(scene, "ipc - mpki > 1", ERROR_FILTER_UNEXPECTED, 4);
}

UNIT_TEST_OF(filter_converts_times_to_the_unit_of_the_column, struct scene *scene)
{
	check(scene,
	      CASES("+slice = 50", "+slice = 50us", "+slice = 50\xc2\xb5s", "+slice = 50000ns",
		    "+slice = 0.05ms", "+slice < 1s && slice < 1m && slice < 1h && slice < 1d",
		    "+time = 90s", "+time = 1.5m", "+time = 90G",
		    "+time < 1h && time < 1d && time > 1000ms", "+slice > 0.04k"));
}

UNIT_TEST_OF(filter_converts_times_for_metrics_in_other_units, struct scene *scene)
{
	char message[FORMULA_ERROR_MAX];
	size_t position;

	assert_true(metric_set_add(scene->world.metric_set,
				   "mean = run_ns / switches / 1M; unit ms", NULL, &position,
				   message));
	world_bind(&scene->world);
	scene->source.metrics = scene->world.metrics;

	check(scene, CASES("+mean = 0.05", "+mean = 50us"));
}

UNIT_TEST_OF(filter_numbers_have_prefixes_of_si, struct scene *scene)
{
	columns_add_event(scene->world.columns, "cycles", "");
	check(scene, CASES("+cycles = 5M", "+cycles = 5000k", "+cycles = 5000K", "+cycles = 0.005G",
			   "+cycles < 1T", "+cycles = 5e6", "+cycles = +5e+6",
			   "+miss% > 12% && miss% < 13%"));
}

UNIT_TEST_OF(filter_unknown_value_passes_unequal_only, struct scene *scene)
{
	check(scene, CASES("-busy = 0", "-busy < 1", "-busy >= 0", "+busy != 0", "+!(busy = 0)"));
	scene->row.kind = ROW_CPU;
	scene->row.task = NULL;
	scene->row.cpu = &scene->world.cpus[1];
	check(scene, CASES("-user = ''", "-user ~ .*", "+user !~ .*", "+user != root"));
}

UNIT_TEST_OF(filter_joins_bind_not_before_and_before_or, struct scene *scene)
{
	check(scene, CASES("+ipc > 9 && ipc > 9 || ipc < 9", "+ipc < 9 || ipc > 9 && ipc > 9",
			   "-(ipc < 9 || ipc > 9) && ipc > 9", "-!ipc < 9 && ipc < 9",
			   "+!ipc > 9 && ipc < 9", "-!(ipc < 9 || ipc > 9)", "+!!ipc < 9",
			   "+!ipc < 9 || ipc < 9", "-ipc > 9 || ipc > 9 || ipc > 9",
			   "+ipc > 9 || ipc > 9 || ipc < 9", "-ipc < 9 && ipc < 9 && ipc > 9",
			   "+((ipc < 9) && ((ipc < 9)))", "-ipc > 9 && (ipc < 9 || ipc < 9)",
			   "+ipc < 9 || (ipc > 9 && ipc > 9)"));
}

UNIT_TEST_OF(filter_joins_may_be_words, struct scene *scene)
{
	check(scene,
	      CASES("+ipc < 9 and user = ben", "-ipc < 9 AND user = root", "+ipc > 9 or user = ben",
		    "+not ipc > 9", "+ipc < 9 and not(user = root)", "+ipc < 9 and(user = ben)",
		    "-android || orca || nothing"));
}

UNIT_TEST_OF(filter_word_among_comparisons_must_occur, struct scene *scene)
{
	check(scene, CASES("+4711 && nginx", "-4711 && redis", "+redis || ben", "-!nginx",
			   "+\"nginx -g\"", "+'nginx -g' && ipc < 9", "-\"nginx  -g\"",
			   "+(nginx) && (ipc < 9)", "+sbin/nginx||x"));
}

UNIT_TEST_OF(filter_quotes_keep_what_is_between_them, struct scene *scene)
{
	check(scene, CASES("+command ~ \"nginx -g (daemon|x)\"", "+command ~ 'sbin.*\\bdaemon'",
			   "+command ~ \"/usr/.bin\\/nginx\"", "-command = \"ng\\\"inx\"",
			   "-command ~ \"\\\\.\"", "+\"ipc\" < \"0.5\""));
	strcpy(scene->world.tasks[0].name, "a\"b\\");
	check(scene, CASES("+command = \"a\\\"b\\\\\"", "+command = 'a\"b\\'"));
	strcpy(scene->world.tasks[0].name, "--type=x");
	check(scene, CASES("+command = --type=x", "+\"--type=\""));
}

static struct view_row row_of_switch(const struct actor *prev, const struct actor *next,
				     const struct switch_entry *entry, const struct scene *scene)
{
	return (struct view_row){
		.kind = ROW_SWITCH,
		.pid = -1,
		.tid = -1,
		.entry = entry,
		.prev = prev,
		.next = next,
		.interval = scene->row.interval,
		.total = scene->row.total,
		.interval_ns = entry->slice_ns,
	};
}

UNIT_TEST_OF(filter_of_switches_matches_either_side, struct scene *scene)
{
	const struct actor prev = {.pid = 4711, .tid = 4712, .name = "nginx"};
	const struct actor next = {.pid = 88, .tid = 88, .name = "kworker/2:1"};
	const struct actor nobody = {.pid = -1, .tid = -1};
	const struct switch_entry entry = {.slice_ns = 6000000, .how = SWITCH_PREEMPTED, .cpu = 2};

	scene->row = row_of_switch(&prev, &next, &entry, scene);
	check(scene, CASES("+task = nginx", "+task = 88", "+task = 4712", "-task = redis",
			   "-task != nginx", "+task != redis", "+name ~ ^kworker",
			   "+pid = 4711 && pid = 88 && tid = 4712", "-pid = 4712",
			   "+prev = nginx && next = 88", "-prev = 88 || next ~ nginx",
			   "+prev = \"nginx 4712\"", "+kworker && 471", "+KWORKER/2", "-ben"));
	scene->row.next = &nobody;
	assert_fails(scene, "pid < 0 || tid < 0 || -1 || next ~ .*");
	scene->row.next = NULL;
	check(scene, CASES("-next = 88 || task = 88 || kworker || !nginx", "+next != 88"));
}

UNIT_TEST_OF(filter_of_switches_compares_the_slice_and_how_it_ended, struct scene *scene)
{
	const struct actor prev = {.pid = 7, .tid = 7, .name = "sh"};
	const struct switch_entry entry = {.slice_ns = 6000000, .how = SWITCH_PREEMPTED, .cpu = 2};

	scene->row = row_of_switch(&prev, NULL, &entry, scene);
	check(scene, CASES("+slice > 5ms && kind = preempted",
			   "+slice = 6ms && ran = 6000 && how != blocked", "-slice = 50us",
			   "+cpu = 2", "+ipc = 0.4"));
}

/* What the log shows as unknown has a word all the same. */
UNIT_TEST_OF(filter_of_switches_finds_idle_and_unknown_by_their_words, struct scene *scene)
{
	const struct actor prev = {.pid = 7, .tid = 7, .name = "sh"};
	struct switch_entry entry = {.how = SWITCH_IDLE};

	scene->row = row_of_switch(&prev, NULL, &entry, scene);
	check(scene, CASES("+kind = Idle && kind != unknown && how ~ ^id",
			   "-kind = unknown || kind = blocked || kind !~ idle"));
	entry.how = SWITCH_UNKNOWN;
	check(scene, CASES("+kind = unknown && kind != idle", "-kind = idle"));
}

UNIT_TEST_OF(filter_of_a_word_that_the_column_never_has_is_refused, struct scene *scene)
{
	struct error error = {0};
	size_t position;

	assert_refused(scene, "kind = nonsense", ERROR_FILTER_WORD, 7);
	assert_refused(scene, "pid = 1 && how != preempt", ERROR_FILTER_WORD, 18);
	assert_refused(scene, "how ~ \"^empted\"", ERROR_FILTER_WORD, 6);
	assert_refused(scene, "how !~ z", ERROR_FILTER_WORD, 7);
	assert_refused(scene, "!(kind = \"\")", ERROR_FILTER_WORD, 9);
	assert_null(filter_create("kind = nonsense", scene->world.columns, &position, &error));
	assert_string_equal(error.text, "nonsense: kind is one of preempted, blocked, yielded, "
					"exited, idle, unknown");
	assert_null(filter_create("how = ''", scene->world.columns, &position, &error));
	assert_string_equal(error.text, "'': how is one of preempted, blocked, yielded, "
					"exited, idle, unknown");
}

/* "" expected: the rows have all that it compares. */
static void assert_unsupported(struct scene *scene, const char *text, enum row_kind kind,
			       const char *expected)
{
	struct error error = {0};
	size_t position;
	struct filter *filter = filter_create(text, scene->world.columns, &position, &error);
	const char *unsupported;

	if (!filter)
		fail_msg("%s: %s (%zu)", text, error.text, position);
	unsupported = filter_unsupported(filter, kind, kind);
	assert_string_equal(unsupported ? unsupported : "", expected);
	filter_destroy(filter);
}

UNIT_TEST_OF(filter_lines_must_all_pass, struct scene *scene)
{
	check(scene, CASES("+ipc < 0.5\nnginx", "+ipc < 0.5\n\nuser = ben\npid = 4711",
			   "-ipc < 0.5\nredis", "-redis\nipc < 0.5"));
	/* or binds no more than its own line */
	assert_fails(scene, "user = ben || ipc > 9\nredis");
}

/* What && joins, but not beneath ! or ||, are parts. */
UNIT_TEST_OF(filter_is_taken_apart, struct scene *scene)
{
	static const struct {
		const char *text;
		const char *taken; /* what it compares first; NULL: none */
		bool is_left;
	} cases[] = {
		{"self% > 1 && pid = 1", "pid", true},
		{"!(pid = 1) && self% > 1", "pid", true},
		{"pid = 1 && user = ben", "pid", false},
		{"pid = 1\nself% > 1 and x", "pid", true},
		{"self% > 1 && (samples > 1 || function = x)", NULL, true},
		{"pid = 1 && self% > 1 || user = ben", "pid", false},
		{"(self% > 1 && pid = 1)", "pid", true},
		{"!(self% > 1 && pid = 1)", "self%", false},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct filter *filter, *taken;
		size_t position;

		begin_case(cases[i].text);
		filter = filter_create(cases[i].text, scene->world.columns, &position, NULL);
		taken = filter_take_unsupported(&filter, ROW_FUNCTION);
		assert_int_equal(filter != NULL, cases[i].is_left);
		assert_int_equal(taken != NULL, cases[i].taken != NULL);
		if (taken)
			assert_string_equal(filter_column(taken, 0, ROW_TASK)->name,
					    cases[i].taken);
		filter_destroy(filter);
		filter_destroy(taken);
	}
}

UNIT_TEST_OF(filter_line_at_fault_says_where, struct scene *scene)
{
	assert_refused(scene, "ipc < 0.5\nuser <", ERROR_FILTER_EXPECTED, 16);
	assert_refused(scene, "ipc <\nuser = ben", ERROR_FILTER_EXPECTED, 5);
}

UNIT_TEST_OF(filter_lines_are_compared_column_by_column, struct scene *scene)
{
	size_t position;
	struct filter *filter = filter_create("ipc < 0.5 && user = ben\nnginx\npid = 1",
					      scene->world.columns, &position, NULL);

	assert_null(filter_column(filter, 3, ROW_TASK));
	assert_string_equal(filter_column(filter, 0, ROW_TASK)->name, "ipc");
	assert_string_equal(filter_column(filter, 2, ROW_TASK)->name, "pid");
	assert_null(filter_unsupported(filter, ROW_TASK, ROW_TASK));
	assert_string_equal(filter_unsupported(filter, ROW_LENGTH, ROW_LENGTH), "ipc");
	filter_destroy(filter);
}

/* While one is being typed. */
UNIT_TEST_OF(filter_lines_hold_beside_one_at_fault, struct scene *scene)
{
	struct error error = {0};
	size_t position;
	struct filter *filter =
		filter_create("ipc < 0.5\nuser <", scene->world.columns, &position, &error);

	assert_int_equal(error.code, ERROR_FILTER_EXPECTED);
	assert_true(
		filter_bind(filter, scene->world.metrics, &scene->world.layout, &position, NULL));
	assert_string_equal(filter_column(filter, 0, ROW_TASK)->name, "ipc");
	assert_null(filter_column(filter, 1, ROW_TASK));
	assert_true(filter_passes(filter, &scene->source, &scene->row));
	filter_destroy(filter);
	assert_null(filter_create("user <", scene->world.columns, &position, NULL));
}

UNIT_TEST_OF(filter_tagged_is_a_word_without_quotes, struct scene *scene)
{
	check(scene, CASES("-tagged", "+!tagged && nginx"));
	scene->row.is_tagged = true;
	check(scene, CASES("+tagged", "+tagged && ipc < 0.5", "-!tagged", "-\"tagged\"",
			   "-'tagged' && nginx"));
}

UNIT_TEST_OF(filter_misfit_is_what_the_rows_do_not_have, struct scene *scene)
{
	static const struct {
		const char *text;
		const char *of_task, *of_cpu, *of_switch, *of_pair;
	} cases[] = {
		{"nginx", "", "", "", ""},
		{"\"nginx\" || !redis", "", "", "", ""},
		{"task = nginx && pid = 1", "", "task", "", ""},
		{"name ~ n && tid != 1", "", "name", "", ""},
		{"cpu = 1", "", "", "", ""},
		{"ipc < 1 || cycles > 5", "", "", "", "ipc"},
		{"slice > 5ms", "", "", "", "slice"},
		{"pid = 1 || kind = preempted", "kind", "pid", "", "kind"},
		{"how = preempted", "how", "how", "", "how"},
		{"off-cpu > 5 && user = www", "off-cpu", "off-cpu", "user", "off-cpu"},
		{"next = 8", "next", "next", "", "next"},
		{"busy > 5", "busy", "", "busy", "busy"},
		{"migr/s > 5", "", "", "migr/s", "migr/s"},
		{"lost > 5ms && taker ~ x", "lost", "lost", "lost", ""},
		{"slices > 5", "slices", "slices", "slices", "slices"},
	};

	columns_add_event(scene->world.columns, "cycles", "");
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const char *text = cases[i].text;

		assert_unsupported(scene, text, ROW_TASK, cases[i].of_task);
		assert_unsupported(scene, text, ROW_CPU, cases[i].of_cpu);
		assert_unsupported(scene, text, ROW_SWITCH, cases[i].of_switch);
		assert_unsupported(scene, text, ROW_PAIR, cases[i].of_pair);
	}
}

UNIT_TEST_OF(filter_of_pairs_matches_victim_or_taker, struct scene *scene)
{
	const struct pair pair = {.victim_words = "tmux: server 4711", .taker_words = "kworker"};

	scene->row = (struct view_row){.kind = ROW_PAIR, .pid = -1, .tid = -1, .pair = &pair};
	check(scene, CASES("+task = \"tmux: server\"", "+task = \"tmux: server 4711\"",
			   "+task = 4711 && pid = 4711", "+name = kworker",
			   "-task = tmux || task = server",
			   "+victim = 4711 && taker = kworker && taker != 4711",
			   "-victim = kworker || taker ~ tmux || prev = kworker", "+kwor",
			   "+server && 4711", "-nginx"));
}

UNIT_TEST_OF(filter_of_cpus_has_words_in_expressions_only, struct scene *scene)
{
	scene->row.kind = ROW_CPU;
	scene->row.task = NULL;
	scene->row.cpu = &scene->world.cpus[1];
	check(scene, CASES("+nginx", "-nginx || redis", "+1 && ipc < 1", "-2 && ipc < 1"));
}

UNIT_TEST_OF(filter_of_folded_row_looks_at_its_words, struct scene *scene)
{
	scene->row.kind = ROW_EXITED;
	scene->row.task = NULL;
	check(scene, CASES("+2 tasks", "-nginx", "+command ~ tasks && user = \"(exited)\""));
}

UNIT_TEST_OF(filter_refused_names_the_place, struct scene *scene)
{
	assert_refused(scene, "ipc <", ERROR_FILTER_EXPECTED, 5);
	assert_refused(scene, "ipc < && x", ERROR_FILTER_EXPECTED, 6);
	assert_refused(scene, "< 5", ERROR_FILTER_EXPECTED, 0);
	assert_refused(scene, "ipc < 5 &&", ERROR_FILTER_EXPECTED, 10);
	assert_refused(scene, "|| ipc < 5", ERROR_FILTER_EXPECTED, 0);
	assert_refused(scene, "ipc < 5 nginx", ERROR_FILTER_UNEXPECTED, 8);
	assert_refused(scene, "nginx ipc < 5", ERROR_FILTER_UNEXPECTED, 6);
	assert_refused(scene, "(ipc < 5", ERROR_FILTER_EXPECTED, 8);
	assert_refused(scene, "ipc < 5)", ERROR_FILTER_UNEXPECTED, 7);
	assert_refused(scene, "() || a", ERROR_FILTER_EXPECTED, 1);
	assert_refused(scene, "(a", ERROR_FILTER_EXPECTED, 2);
	assert_refused(scene, "a)", ERROR_FILTER_UNEXPECTED, 1);
	assert_refused(scene, "!", ERROR_FILTER_EXPECTED, 1);
	assert_refused(scene, "a && \"b", ERROR_FILTER_QUOTE, 5);
	assert_refused(scene, "user = 'b", ERROR_FILTER_QUOTE, 7);
	assert_refused(scene, "  ipx < 5", ERROR_FILTER_NAME, 2);
	assert_refused(scene, "a && \"i c\" < 5", ERROR_FILTER_NAME, 5);
	assert_refused(scene, "cpu/event=1/ > 5", ERROR_FILTER_NAME, 0);
	assert_refused(scene, "user < ben", ERROR_FILTER_TEXT, 5);
	assert_refused(scene, "task>=4711", ERROR_FILTER_TEXT, 4);
	assert_refused(scene, "ipc ~ 5", ERROR_FILTER_NO_TEXT, 4);
	assert_refused(scene, "ipc !~ 5", ERROR_FILTER_NO_TEXT, 4);
	assert_refused(scene, "ipc < abc", ERROR_FILTER_NUMBER, 6);
	assert_refused(scene, "ipc < 5q", ERROR_FILTER_NUMBER, 6);
	assert_refused(scene, "ipc < 5kk", ERROR_FILTER_NUMBER, 6);
	assert_refused(scene, "ipc < nan", ERROR_FILTER_NUMBER, 6);
	assert_refused(scene, "ipc < 0x5", ERROR_FILTER_NUMBER, 6);
	assert_refused(scene, "ipc < 5.5.5", ERROR_FILTER_NUMBER, 6);
	assert_refused(scene, "ipc < -", ERROR_FILTER_NUMBER, 6);
	assert_refused(scene, "ipc < \"\"", ERROR_FILTER_NUMBER, 6);
	assert_refused(scene, "ipc < 5<6", ERROR_FILTER_NUMBER, 6);
	assert_refused(scene, "ipc < 5ms", ERROR_FILTER_NOT_TIME, 6);
	assert_refused(scene, "pid = 5%", ERROR_FILTER_NOT_SHARE, 6);
	assert_refused(scene, "ipc = 5%", ERROR_FILTER_NOT_SHARE, 6);
	assert_refused(scene, "user ~ \"a(\"", ERROR_FILTER_PATTERN, 7);
}

UNIT_TEST_OF(filter_refused_explains, struct scene *scene)
{
	struct error error = {0};
	size_t position;

	assert_null(filter_create("missd > 5", scene->world.columns, &position, &error));
	assert_string_equal(error.text, "missd: unknown column");
	assert_non_null(strstr(error.remedy, "columns are in the manual"));
	assert_null(filter_create("user ~ \"a(\"", scene->world.columns, &position, &error));
	assert_non_null(strstr(error.text, "Unmatched"));
	assert_null(filter_create("cpu/a=1/u>5", scene->world.columns, &position, &error));
	assert_string_equal(error.text, "cpu/a=1/u: unknown column");
	assert_null(filter_create("user > x", scene->world.columns, &position, &error));
	assert_string_equal(error.text, "user is a text: > compares numbers");
	assert_null(filter_create("cpu > 5", scene->world.columns, &position, &error));
	assert_string_equal(error.text, "cpu is the number of a CPU: > does not compare it");
	assert_non_null(strstr(error.remedy, "cpu%"));
}

UNIT_TEST_OF(filter_of_event_that_is_not_counted_cannot_be_bound, struct scene *scene)
{
	struct error error = {0};
	size_t position = 0;
	struct filter *filter;

	columns_add_event(scene->world.columns, "gone", "");
	columns_add_event(scene->world.columns, "cycles", "");
	filter = filter_create("cycles > 5 && gone > 5", scene->world.columns, &position, &error);
	assert_non_null(filter);
	assert_false(
		filter_bind(filter, scene->world.metrics, &scene->world.layout, &position, &error));
	assert_int_equal(error.code, ERROR_FILTER_NOT_COUNTED);
	assert_string_equal(error.text, "gone: not counted");
	assert_int_equal(position, 14);

	layout_add_event(&scene->world.layout, "gone");
	assert_true(
		filter_bind(filter, scene->world.metrics, &scene->world.layout, &position, &error));
	scene->world.layout.events[CYCLES].is_removed = true;
	assert_false(
		filter_bind(filter, scene->world.metrics, &scene->world.layout, &position, &error));
	assert_int_equal(position, 0);
	filter_destroy(filter);
}

UNIT_TEST_OF(filter_columns_are_those_that_it_compares, struct scene *scene)
{
	struct error error = {0};
	size_t position;
	struct filter *filter = filter_create("ipc < 1 && nginx || task = x && slice > 1",
					      scene->world.columns, &position, &error);

	assert_non_null(filter);
	assert_null(filter_column(filter, 3, ROW_TASK));
	assert_string_equal(filter_column(filter, 0, ROW_TASK)->name, "ipc");
	assert_string_equal(filter_column(filter, 1, ROW_TASK)->name, "command");
	assert_string_equal(filter_column(filter, 2, ROW_TASK)->name, "slice");
	assert_string_equal(filter_column(filter, 0, ROW_SWITCH)->name, "ipc");
	assert_string_equal(filter_column(filter, 2, ROW_SWITCH)->name, "ran");
	filter_destroy(filter);
}

UNIT_TEST(filter_name_at_gives_what_was_unknown)
{
	char name[16];

	assert_true(filter_name_at("a && bcd > 5", 5, name, sizeof(name)));
	assert_string_equal(name, "bcd");
	assert_true(filter_name_at("\"b c\" > 5", 0, name, sizeof(name)));
	assert_string_equal(name, "b c");
	assert_true(filter_name_at("cpu/a=1/u>5", 0, name, sizeof(name)));
	assert_string_equal(name, "cpu/a=1/u");
	assert_true(filter_name_at("x/s>5 && y/s>6", 0, name, sizeof(name)));
	assert_string_equal(name, "x/s");
	assert_false(filter_name_at("cpu/a=1234567890/u>5", 0, name, sizeof(name)));
}

/* So many of `open`, then `middle`, then as many of `close`. */
static char *nested(const char *open, size_t count, const char *middle, const char *close)
{
	char *text = calloc(count * (strlen(open) + strlen(close)) + strlen(middle) + 1, 1);

	for (size_t i = 0; i < count; i++)
		strcat(text, open);
	strcat(text, middle);
	for (size_t i = 0; i < count; i++)
		strcat(text, close);
	return text;
}

/* "-": a value is being typed */
UNIT_TEST(filter_last_name_is_what_is_being_typed)
{
	static const struct {
		const char *text, *name;
	} cases[] = {
		{"", ""},
		{"ip", "ip"},
		{"ipc < 0.5 && !(com", "com"},
		{"ipc<0.5||com", "com"},
		{"ipc < 0.5 and com", "com"},
		{"ipc < 0.5 and", "and"},
		{"nginx com", "com"},
		{"\"cpu/a=1 b/\" > 5 && com", "com"},
		{"\"cpu/a", "cpu/a"},
		{"command = \"a b\" && ", ""},
		{"ipc <", "-"},
		{"ipc < 0", "-"},
		{"command ~ ^a|b", "-"},
		{"command = \"br", "-"},
		{"command = \"a && br", "-"},
		{"command != 'a \" br", "-"},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const char *name = filter_last_name(cases[i].text);

		begin_case(cases[i].text);
		assert_string_equal(name ? name : "-", cases[i].name);
	}
}

UNIT_TEST_OF(filter_nesting_is_bounded, struct scene *scene)
{
	char *text = nested("(", FILTER_NESTING_MAX, "ipc<9", ")");

	assert_passes(scene, text);
	free(text);
	text = nested("(", FILTER_NESTING_MAX + 1, "ipc<9", ")");
	assert_refused(scene, text, ERROR_FILTER_NESTING, FILTER_NESTING_MAX);
	free(text);
	text = nested("!", FILTER_NESTING_MAX + 1, "ipc<9", "");
	assert_refused(scene, text, ERROR_FILTER_NESTING, FILTER_NESTING_MAX);
	free(text);
	text = nested("(ipc<9)&&", 200, "ipc<9", "");
	assert_passes(scene, text);
	free(text);
}

UNIT_TEST_OF(filter_length_is_bounded, struct scene *scene)
{
	char *text = nested("ipc<9&&", FILTER_BYTES_MAX / 7, "ipc<9", "");

	assert_refused(scene, text, ERROR_FILTER_LENGTH, 0);
	text[FILTER_BYTES_MAX / 7 * 7 - 2] = '\0';
	assert_passes(scene, text);
	free(text);
	text = nested("a", FILTER_BYTES_MAX + 1, "", "");
	assert_fails(scene, text); /* a plain word of any length */
	free(text);
}

UNIT_TEST_OF(filter_pattern_that_would_take_all_memory_is_refused, struct scene *scene)
{
	assert_refused(scene, "user ~ (((a{200}){200}){200}){200}", ERROR_FILTER_EXPECTED, 7);
	assert_refused(scene, "user ~ \"(((a{200}){200}){200}){200}\"", ERROR_FILTER_PATTERN, 7);
	assert_refused(scene, "user ~ \"a{1,20000}\"", ERROR_FILTER_PATTERN, 7);
	assert_refused(scene, "user ~ \"a{99999999999999999999}\"", ERROR_FILTER_PATTERN, 7);
	assert_refused(scene, "user ~ \"(b*)\\1\"", ERROR_FILTER_PATTERN, 7);
	assert_refused(scene, "user ~ \"((((((((a+)+)+)+)+)+)+)+)+\"", ERROR_FILTER_PATTERN, 7);
	assert_refused(scene, "user ~ \"(a{16}b{1,16}){,9}\"", ERROR_FILTER_PATTERN, 7);
	assert_refused(scene, "user ~ \"[[:alpha:]{9}]{251}\"", ERROR_FILTER_PATTERN, 7);
	assert_refused(scene, "user ~ \"a{249,}\"", ERROR_FILTER_PATTERN, 7);
	check(scene,
	      CASES("+user ~ \"^b{1,3}e{1}n$\"", "+user !~ \"([0-9]{1,3}\\.){3}[0-9]{1,3}\"",
		    "+user !~ \"[]{999}[:digit:][.{.]{999}^-]\"",
		    "+user ~ \"[^[:digit:]{999}]{2,3}|a{200}b{20}c{20}\"",
		    "+user ~ \"ben|(((((((((((((((((((((((((((((a)))))))))))))))))))))))))))))\"",
		    "-user ~ \"\\\\{9999}\""));
}

UNIT_TEST_OF(filter_pattern_matches_however_often, struct scene *scene)
{
	struct error error = {0};
	size_t position;
	struct filter *filter = filter_create("command ~ \"x(a|i).{0,100}$\"", scene->world.columns,
					      &position, &error);

	assert_non_null(filter);
	for (int i = 0; i < 5000; i++) {
		snprintf(scene->world.tasks[0].name, TASK_NAME_MAX, "%d%s", i, i % 3 ? "xa" : "y");
		assert_int_equal(filter_passes(filter, &scene->source, &scene->row), i % 3 != 0);
	}
	filter_destroy(filter);
}

/* Each step of the expression is tried at each byte: 120 KB took seconds. */
UNIT_TEST_OF(filter_pattern_matches_the_first_bytes_of_a_long_text, struct scene *scene)
{
	static char long_text[120 * 1000];
	struct snapshot_task *task = &scene->world.tasks[0];
	const struct {
		size_t at;
		bool passes;
	} cases[] = {{0, true}, {4094, true}, {4095, false}, {4096, false}, {110000, false}};

	task->command_line = long_text;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		memset(long_text, 'a', sizeof(long_text) - 1);
		memcpy(long_text + cases[i].at, "xy", 2);
		if (cases[i].passes)
			assert_passes(scene, "command ~ \"xy\"");
		else
			assert_fails(scene, "command ~ \"xy\"");
	}
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
