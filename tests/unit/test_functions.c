/* Rows of functions out of samples: shares, callers, whose samples, and names that come later. */

#include <inttypes.h>
#include <stdio.h>

#include "model/profile.h"
#include "view/footer.h"
#include "view/function_addresses.h"
#include "view/functions.h"
#include "view/names.h"

#include "scene_kit.h"
#include "unit.h"

enum {
	MAIN = 1,
	HOT,
	WARM,
	ADDRESS, /* which turns out to be HOT */
	FUNCTIONS,
	LINES = 100, /* of source */
	LINE_HOT = LINES,
	LINE_OTHER,
	LINE_WARM,
	LINE_MAIN,
	LINE_INLINED,
	LINE_INLINED_AGAIN,
	LINE_PENDING
};

/* The chains of the tests: main -> hot, main -> warm -> hot, main alone. */
enum {
	IN_MAIN = 1,
	IN_HOT,
	IN_WARM,
	IN_HOT_OF_WARM,
	NODES
};

static struct profile_node nodes[NODES] = {
	[IN_MAIN] = {.function = MAIN},
	[IN_HOT] = {.parent = IN_MAIN, .function = HOT},
	[IN_WARM] = {.parent = IN_MAIN, .function = WARM},
	[IN_HOT_OF_WARM] = {.parent = IN_WARM, .function = HOT},
};
static struct profile_entry entries[8];
static struct profile profile;
static bool is_found; /* what the address is */
static uint64_t forgotten_ns;
static const char *mark; /* of the address: why it has no name */
static struct function_names names;

/* Line 10 of warm was inlined in its line 20, and in line 30 of main. */
static struct function_name name_line(uint32_t number)
{
	static const struct function_name lines[] = {
		[LINE_HOT - LINES] = {.line = 1, .whole = HOT, .function = "hot"},
		[LINE_OTHER - LINES] = {.line = 2, .whole = HOT, .function = "hot"},
		[LINE_WARM - LINES] = {.line = 20, .whole = WARM, .function = "warm"},
		[LINE_MAIN - LINES] = {.line = 30, .whole = MAIN, .function = "main"},
		[LINE_INLINED - LINES] = {.line = 10,
					  .whole = WARM,
					  .inlined_in = LINE_WARM,
					  .function = "inlined"},
		[LINE_INLINED_AGAIN - LINES] = {.line = 10,
						.whole = MAIN,
						.inlined_in = LINE_MAIN,
						.function = "inlined"},
		[LINE_PENDING - LINES] = {.whole = MAIN, .function = "main"},
	};
	static char source[16];
	struct function_name name = lines[number - LINES];

	snprintf(source, sizeof(source), "a.c:%" PRIu32, name.line);
	name.same_as = number;
	name.object = "program";
	name.file = name.line > 0 ? "/src/a.c" : NULL;
	name.source = name.line > 0 ? source : "0x110";
	return name;
}

/* Where a test says so. */
static uint32_t find_line(void *context, uint32_t number, uint64_t at, uint64_t time_ns)
{
	return at >= LINES ? (uint32_t)at : number;
}

static struct function_name find(void *context, uint32_t number, uint64_t time_ns)
{
	static const char *const words[FUNCTIONS] = {
		[MAIN] = "main", [HOT] = "hot", [WARM] = "warm", [ADDRESS] = "0x401000"};

	if (time_ns < forgotten_ns)
		return (struct function_name){.function = "[forgotten]", .object = ""};
	if (number == ADDRESS && is_found)
		return (struct function_name){
			.same_as = HOT, .at = 0x128, .function = "hot", .object = "program"};
	if (number >= LINES)
		return name_line(number);
	return (struct function_name){
		.same_as = number,
		.function = words[number],
		.object = number == ADDRESS ? "" : "program",
		.mark = number == ADDRESS ? mark : NULL,
	};
}

static int set_up(void **state)
{
	struct scene *scene = scene_open();

	profile = (struct profile){.nodes = nodes, .node_count = NODES, .entries = entries};
	is_found = false;
	forgotten_ns = 0;
	mark = NULL;
	nodes[IN_HOT].function = HOT;
	names = (struct function_names){.find = find, .line = find_line};
	view_table_name_functions(scene->table, &names);
	scene->world.snapshot.profile = &profile;
	*state = scene;
	return 0;
}

static int tear_down(void **state)
{
	scene_close(*state);
	return 0;
}

static void sampled(int32_t pid, uint32_t node, uint32_t samples)
{
	entries[profile.entry_count++] = (struct profile_entry){
		.pid = pid,
		.tid = pid,
		.node = node,
		.cpu = RECORD_CPU_NONE,
		.samples = samples,
		.weight = samples * 10u,
	};
}

UNIT_TEST_OF(functions_have_what_is_theirs_and_what_they_call, struct scene *scene)
{
	sampled(7, IN_MAIN, 10);
	sampled(7, IN_HOT, 50);
	sampled(8, IN_WARM, 30);
	sampled(8, IN_HOT_OF_WARM, 10);
	assert_scene(scene, "functions", "self%,total%,samples,function,object",
		     "60.0 60.0 60 hot program, 30.0 40.0 30 warm program, "
		     "10.0 100.0 10 main program");
}

/* Of what calls itself the outermost call has all of it, once. */
UNIT_TEST_OF(functions_that_call_themselves_are_counted_once, struct scene *scene)
{
	nodes[IN_HOT].function = MAIN;
	sampled(7, IN_HOT, 10);
	sampled(7, IN_MAIN, 10);
	assert_scene(scene, "functions", "self%,total%,function", "100.0 100.0 main");
}

UNIT_TEST_OF(functions_of_an_address_join_those_of_its_name, struct scene *scene)
{
	nodes[IN_HOT].function = ADDRESS;
	sampled(7, IN_HOT, 30);
	sampled(7, IN_HOT_OF_WARM, 70);
	assert_scene(scene, "functions", "self%,function,object",
		     "70.0 hot program, 30.0 0x401000 -, 0.0 main program, 0.0 warm program");
	is_found = true;
	assert_scene(scene, "functions", "self%,samples,function",
		     "100.0 100 hot, 0.0 0 main, 0.0 0 warm");
}

UNIT_TEST_OF(functions_without_a_name_say_why, struct scene *scene)
{
	nodes[IN_HOT].function = ADDRESS;
	mark = ": no symbols";
	sampled(7, IN_HOT, 30);
	assert_scene(scene, "functions", "self%,function", "100.0 0x401000: no symbols, 0.0 main");
}

UNIT_TEST_OF(functions_are_those_of_the_processes_asked_for, struct scene *scene)
{
	static const int32_t pids[] = {8};

	sampled(7, IN_HOT, 50);
	sampled(8, IN_WARM, 30);
	scene->request.pids = pids;
	scene->request.pid_count = 1;
	assert_scene(scene, "functions", "self%,total%,function",
		     "100.0 100.0 warm, 0.0 100.0 main");
}

UNIT_TEST_OF(functions_are_those_of_a_thread, struct scene *scene)
{
	sampled(7, IN_HOT, 50);
	sampled(7, IN_WARM, 30);
	entries[1].tid = 71;
	scene->request.tid = 71;
	assert_scene(scene, "functions", "self%,function", "100.0 warm, 0.0 main");
}

/* What calls itself through another object has its total once. */
UNIT_TEST_OF(functions_are_summed_by_object, struct scene *scene)
{
	scene->form = FUNCTIONS_OBJECTS;
	nodes[IN_HOT].function = ADDRESS;
	sampled(7, IN_HOT, 30);
	sampled(7, IN_WARM, 50);
	sampled(8, IN_HOT_OF_WARM, 20);
	assert_scene(scene, "functions", "self%,total%,samples,object",
		     "70.0 100.0 70 program, 30.0 30.0 30 -");
}

UNIT_TEST_OF(functions_are_summed_by_thread, struct scene *scene)
{
	world_add(&scene->world, (struct task_spec){.pid = 7, .tid = 71, .name = "worker"});
	scene->form = FUNCTIONS_THREADS;
	sampled(7, IN_HOT, 30);
	sampled(7, IN_WARM, 50);
	sampled(0, IN_WARM, 5);
	entries[1].tid = 71;
	assert_scene(scene, "functions", "self%,samples,pid,tid,command",
		     "58.8 50 7 71 worker, 35.3 30 7 7 -, 5.9 5 0 0 idle");
}

UNIT_TEST_OF(functions_are_those_of_tasks_that_pass_the_filter, struct scene *scene)
{
	world_add(&scene->world, (struct task_spec){.pid = 7, .tid = 7, .name = "sh"});
	world_add(&scene->world, (struct task_spec){.pid = 8, .tid = 8, .name = "nginx"});
	sampled(7, IN_HOT, 30);
	sampled(8, IN_WARM, 50);
	sampled(9, IN_WARM, 50);
	scene->request.filter = "command = nginx";
	assert_scene(scene, "functions", "self%,samples,function", "100.0 50 warm, 0.0 0 main");
	scene->request.filter = "function = hot";
	assert_scene(scene, "functions", "self%,function", "23.1 hot");
	scene->request.filter = "function = hot || pid = 8";
	scene_build(scene, "functions");
	assert_string_equal(view_table_filter_unsupported(scene->table), "pid");
}

/* What && joins chooses samples where it is about tasks, and rows where it is about functions. */
UNIT_TEST_OF(functions_pass_a_filter_of_tasks_and_functions, struct scene *scene)
{
	world_add(&scene->world, (struct task_spec){.pid = 7, .tid = 7, .name = "sh"});
	world_add(&scene->world, (struct task_spec){.pid = 8, .tid = 8, .name = "nginx"});
	sampled(7, IN_HOT, 30);
	sampled(8, IN_WARM, 50);
	sampled(8, IN_HOT, 50);
	for (int again = 0; again < 2; again++) {
		scene->request.filter = "command = nginx && function = hot";
		assert_scene(scene, "functions", "self%,samples,function", "50.0 50 hot");
	}
	scene->request.filter = "self% > 40\ncommand ~ \"^n\" && warm";
	assert_scene(scene, "functions", "self%,samples,function", "50.0 50 warm");
	scene->request.filter = "(pid = 7 || pid = 8) && (hot || main)";
	assert_scene(scene, "functions", "self%,function", "61.5 hot, 0.0 main");
	scene->request.filter = "command = nginx";
	assert_scene(scene, "tasks", "pid", "8");
}

static void branched(uint32_t node, uint32_t times, uint64_t mispredicted)
{
	sampled(7, node, times);
	entries[profile.entry_count - 1].kind = SAMPLE_BRANCH;
	entries[profile.entry_count - 1].weight = mispredicted;
	entries[profile.entry_count - 1].branch.is_predictable = true;
}

/* Branches are in the function from which they lead, and are no samples. */
UNIT_TEST_OF(functions_have_the_share_of_their_branches_that_were_mispredicted, struct scene *scene)
{
	static const char columns[] = "self%,samples,mispredicted%,function";

	sampled(7, IN_HOT, 30);
	sampled(7, IN_WARM, 70);
	branched(IN_HOT, 30, 10); /* from main to hot */
	branched(IN_WARM, 10, 0);
	branched(IN_HOT_OF_WARM, 5, 5);
	assert_scene(scene, "functions", columns, "70.0 70 - warm, 30.0 30 - hot, 0.0 0 - main");
	scene->world.session.has_branches = true;
	assert_scene(scene, "functions", columns,
		     "70.0 70 100.0 warm, 30.0 30 - hot, 0.0 0 25.0 main");
	entries[2].branch.is_predictable = false; /* the processor does not say it */
	assert_scene(scene, "functions", columns,
		     "70.0 70 100.0 warm, 30.0 30 - hot, 0.0 0 0.0 main");
}

/* It is known where they are, though not how far behind the start of the function. */
UNIT_TEST_OF(functions_branches_that_look_alike_are_rows_of_their_own, struct scene *scene)
{
	scene->form = FUNCTIONS_BRANCHES;
	branched(IN_HOT, 30, 10);
	branched(IN_HOT, 20, 0);
	entries[1].at = 0x110;
	assert_scene(scene, "functions", "branch-times,branch-from,branch-to",
		     "30 main hot, 20 main hot");
	assert_int_not_equal(view_table_row(scene->table, 0)->id,
			     view_table_row(scene->table, 1)->id);
}

static bool shows_mispredicted(struct scene *scene)
{
	scene_build(scene, "functions");
	for (size_t i = 0; i < view_table_column_count(scene->table); i++)
		if (strcmp(view_table_column(scene->table, i)->name, "mispredicted%") == 0)
			return true;
	return false;
}

/* Those that a live view asks for by itself end with that view. */
UNIT_TEST_OF(functions_have_that_column_where_branches_are_recorded_or_asked_for,
	     struct scene *scene)
{
	sampled(7, IN_HOT, 30);
	scene->world.session.is_live = false;
	scene->world.session.sampling = SAMPLING_CYCLES;
	assert_false(shows_mispredicted(scene));
	scene->world.session.has_branches = true;
	assert_true(shows_mispredicted(scene));
	scene->world.session.is_live = true;
	assert_false(shows_mispredicted(scene));
	scene->world.session.sampling = SAMPLING_EVENTS;
	assert_true(shows_mispredicted(scene));
}

/* That of the samples, not the one on which the task was last. */
UNIT_TEST_OF(functions_are_those_on_a_cpu, struct scene *scene)
{
	world_add(&scene->world, (struct task_spec){.pid = 7, .tid = 7, .name = "sh"});
	sampled(7, IN_HOT, 30);
	entries[0].cpu = 1;
	sampled(7, IN_WARM, 50);
	entries[1].cpu = 2;
	sampled(9, IN_WARM, 10); /* gone */
	entries[2].cpu = 1;
	scene->request.filter = "cpu = 1";
	assert_scene(scene, "functions", "self%,samples,function",
		     "75.0 30 hot, 25.0 10 warm, 0.0 0 main");
	scene->request.filter = "cpu = 2 && command = sh && self% > 0";
	assert_scene(scene, "functions", "self%,samples,function", "100.0 50 warm");
	scene->request.filter = "cpu = 1 && ipc > 0";
	assert_scene(scene, "functions", "self%,function", "");
}

/* Cycles are no time, so both together are compared by time. */
UNIT_TEST_OF(functions_are_those_of_the_samples_asked_for, struct scene *scene)
{
	static const struct {
		enum view_samples samples;
		const char *rows;
	} cases[] = {
		{SAMPLES_ON_CPU, "100.0 100.0 50 hot, 0.0 100.0 0 main"},
		{SAMPLES_OFF_CPU, "75.0 75.0 30 warm, 25.0 25.0 10 hot, 0.0 100.0 0 main"},
		{SAMPLES_BLOCKED, "100.0 100.0 30 warm, 0.0 100.0 0 main"},
		{SAMPLES_PREEMPTED, "100.0 100.0 10 hot, 0.0 100.0 0 main"},
		{SAMPLES_BOTH, "60.0 60.0 30 warm, 40.0 40.0 60 hot, 0.0 100.0 0 main"},
		{SAMPLES_WAKERS, "100.0 100.0 3 warm, 0.0 100.0 0 main"},
	};

	sampled(7, IN_HOT, 50);
	entries[0].ns = 10000;
	sampled(7, IN_WARM, 30);
	entries[1].kind = SAMPLE_BLOCKED;
	entries[1].ns = 30000;
	sampled(7, IN_HOT, 10);
	entries[2].kind = SAMPLE_PREEMPTED;
	entries[2].ns = 10000;
	sampled(7, IN_WARM, 3);
	entries[3].kind = SAMPLE_WAKER;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].rows);
		scene->request.settings.samples = (int)cases[i].samples;
		assert_scene(scene, "functions", "self%,total%,samples,function", cases[i].rows);
	}
}

static bool is_seven(int32_t pid, const void *context)
{
	return pid == 7;
}

UNIT_TEST_OF(functions_are_an_estimate_where_not_each_switch_or_wakeup_was_sampled,
	     struct scene *scene)
{
	struct cell cell;

	sampled(7, IN_HOT, 300);
	entries[0].ns = 300;
	scene->world.session.off_cpu.are_estimates = true;
	scene->world.session.wakers.are_estimates = true;
	for (int samples = SAMPLES_ON_CPU; samples <= SAMPLES_WAKERS; samples++) {
		entries[0].kind = samples == SAMPLES_PREEMPTED ? SAMPLE_PREEMPTED
				  : samples == SAMPLES_ON_CPU  ? SAMPLE_ON_CPU
				  : samples == SAMPLES_WAKERS  ? SAMPLE_WAKER
							       : SAMPLE_BLOCKED;
		scene->request.settings.samples = (int)samples;
		assert_scene(scene, "functions", "self%,total%,samples,function",
			     "100.0 100.0 300 hot, 0.0 100.0 0 main");
		for (size_t i = 0; i < 4; i++) {
			view_table_cell(scene->table, 0, i, &cell);
			assert_int_equal(cell.is_estimate, samples != SAMPLES_ON_CPU && i < 2);
		}
	}
}

UNIT_TEST_OF(functions_by_some_occurrences_of_an_event_are_an_estimate, struct scene *scene)
{
	struct cell cell;

	sampled(7, IN_HOT, 300);
	scene->world.session.samples_are_estimates = true;
	assert_scene(scene, "functions", "self%,samples,function", "100.0 300 hot, 0.0 0 main");
	view_table_cell(scene->table, 0, 0, &cell);
	assert_true(cell.is_estimate);
}

UNIT_TEST_OF(functions_are_those_of_the_scope, struct scene *scene)
{
	sampled(7, IN_HOT, 50);
	sampled(8, IN_WARM, 30);
	scene->request.wants_pid = is_seven;
	assert_scene(scene, "functions", "self%,function", "100.0 hot, 0.0 main");
}

UNIT_TEST_OF(functions_are_those_of_a_user, struct scene *scene)
{
	world_add(&scene->world, (struct task_spec){.pid = 7, .tid = 7, .uid = 1000});
	world_add(&scene->world, (struct task_spec){.pid = 8, .tid = 8, .uid = 0});
	sampled(7, IN_HOT, 50);
	sampled(8, IN_WARM, 30);
	scene->request.uid = 1000;
	assert_scene(scene, "functions", "self%,function", "100.0 hot, 0.0 main");
}

/* --- where in a function */

/* At an address, or a line. */
static void sampled_at(int32_t pid, uint32_t node, uint64_t at, uint32_t samples)
{
	sampled(pid, node, samples);
	entries[profile.entry_count - 1].at = at;
}

static struct function_addresses find_addresses(const struct scene *scene, uint32_t number)
{
	struct function_addresses found = {0};

	functions_find_addresses(&found, &scene->request, NULL, &scene->world.snapshot, &names,
				 number);
	return found;
}

UNIT_TEST_OF(addresses_of_a_function_are_summed_over_calls_and_tasks, struct scene *scene)
{
	struct function_addresses found;

	sampled_at(7, IN_HOT, 0x118, 40);
	sampled(7, IN_HOT, 10);
	sampled_at(8, IN_HOT_OF_WARM, 0x110, 10);
	sampled_at(8, IN_HOT_OF_WARM, 0x118, 20);
	sampled_at(8, IN_WARM, 0x118, 20);
	found = find_addresses(scene, HOT);
	assert_int_equal(found.samples, 80);
	assert_int_equal(found.weight, 800);
	assert_int_equal(found.all_weight, 1000);
	assert_int_equal(found.count, 2);
	assert_int_equal(found.items[0].at, 0x110);
	assert_int_equal(found.items[0].samples, 10);
	assert_int_equal(found.items[1].samples, 60);
	assert_int_equal(found.items[1].weight, 600);
	function_addresses_fini(&found);
}

UNIT_TEST_OF(addresses_are_those_of_the_thread, struct scene *scene)
{
	struct function_addresses found;

	sampled_at(7, IN_HOT, 0x110, 50);
	sampled_at(7, IN_HOT_OF_WARM, 0x118, 30);
	entries[1].tid = 71;
	scene->request.tid = 71;
	found = find_addresses(scene, HOT);
	assert_int_equal(found.samples, 30);
	assert_int_equal(found.count, 1);
	assert_int_equal(found.items[0].at, 0x118);
	function_addresses_fini(&found);
}

/* All its samples were at one address, which is known by now. */
UNIT_TEST_OF(addresses_of_an_address_are_where_it_was_found, struct scene *scene)
{
	struct function_addresses found;

	nodes[IN_HOT].function = ADDRESS;
	is_found = true;
	sampled(7, IN_HOT, 50);
	sampled_at(7, IN_HOT_OF_WARM, 0x128, 20);
	found = find_addresses(scene, HOT);
	assert_int_equal(found.samples, 70);
	assert_int_equal(found.count, 1);
	assert_int_equal(found.items[0].at, 0x128);
	assert_int_equal(found.items[0].samples, 70);
	function_addresses_fini(&found);
}

/* --- by line of source */

UNIT_TEST_OF(functions_are_summed_by_line, struct scene *scene)
{
	scene->form = FUNCTIONS_LINES;
	nodes[IN_MAIN].at = LINE_MAIN;
	sampled_at(7, IN_HOT, LINE_HOT, 40);
	sampled_at(8, IN_HOT_OF_WARM, LINE_HOT, 20);
	sampled_at(7, IN_HOT, LINE_OTHER, 30);
	sampled_at(7, IN_MAIN, LINE_MAIN, 10);
	assert_scene(scene, "functions", "self%,total%,samples,line,function,object",
		     "60.0 60.0 60 a.c:1 hot program, 30.0 30.0 30 a.c:2 hot program, "
		     "10.0 100.0 10 a.c:30 main program, 0.0 20.0 0 - warm program");
	scene->request.filter = "line = a.c:2";
	assert_scene(scene, "functions", "self%,line", "30.0 a.c:2");
	nodes[IN_MAIN].at = 0;
}

/* It is one line wherever it was inlined, and each of those has what it took there. */
UNIT_TEST_OF(lines_that_were_inlined_are_one, struct scene *scene)
{
	scene->form = FUNCTIONS_LINES;
	sampled_at(7, IN_WARM, LINE_INLINED, 60);
	sampled_at(7, IN_MAIN, LINE_INLINED_AGAIN, 40);
	assert_scene(scene, "functions", "self%,total%,line,function",
		     "100.0 100.0 a.c:10 inlined, 0.0 60.0 - main, 0.0 60.0 a.c:20 warm, "
		     "0.0 40.0 a.c:30 main");
}

UNIT_TEST_OF(lines_that_are_not_known_are_addresses_or_functions, struct scene *scene)
{
	scene->form = FUNCTIONS_LINES;
	sampled_at(7, IN_HOT, 0x10, 60);
	sampled(8, IN_HOT, 10);
	sampled_at(7, IN_MAIN, LINE_PENDING, 30);
	assert_scene(scene, "functions", "self%,samples,line,function",
		     "70.0 70 - hot, 30.0 30 0x110 main, 0.0 0 - main");
}

/* --- */

UNIT_TEST_OF(functions_pass_a_filter_by_name_or_share, struct scene *scene)
{
	sampled(7, IN_HOT, 70);
	sampled(7, IN_WARM, 30);
	scene->request.filter = "WAR";
	assert_scene(scene, "functions", "self%,function", "30.0 warm");
	scene->request.filter = "self% > 50";
	assert_scene(scene, "functions", "self%,function", "70.0 hot");
	scene->request.filter = "function = \"main\"";
	assert_scene(scene, "functions", "total%,function", "100.0 main");
}

UNIT_TEST_OF(functions_where_nothing_is_known_are_one_row, struct scene *scene)
{
	sampled(7, 0, 5);
	assert_scene(scene, "functions", "self%,total%,function,object",
		     "100.0 100.0 (no stack) -");
}

UNIT_TEST_OF(functions_without_samples_are_none, struct scene *scene)
{
	scene->world.snapshot.profile = NULL;
	scene_build(scene, "functions");
	assert_int_equal(view_table_row_count(scene->table), 0);
}

/* --- the window */

static struct snapshot past;
static struct profile past_profile;
static struct profile_entry past_entry;

static size_t one_before(void *context, uint64_t before_ns, const struct snapshot **snapshots,
			 size_t most)
{
	snapshots[0] = &past;
	return 1;
}

static void keep_past(struct scene *scene, uint64_t ago_ns)
{
	past = scene->world.snapshot;
	past.time_ns -= ago_ns;
	past_entry = (struct profile_entry){
		.pid = 7, .tid = 7, .node = IN_WARM, .samples = 100, .weight = 1000};
	past_profile = profile;
	past_profile.entries = &past_entry;
	past_profile.entry_count = 1;
	past.profile = &past_profile;
	scene->request.past = one_before;
	scene->request.window_ns = 10000;
}

UNIT_TEST_OF(functions_are_summed_over_the_window, struct scene *scene)
{
	sampled(7, IN_HOT, 300);
	keep_past(scene, 9999);
	assert_scene(scene, "functions", "self%,samples,function",
		     "75.0 300 hot, 25.0 100 warm, 0.0 0 main");
	keep_past(scene, 10000);
	assert_scene(scene, "functions", "self%,samples,function", "100.0 300 hot, 0.0 0 main");
}

/* A number may mean another function since then. */
UNIT_TEST_OF(functions_of_before_names_were_forgotten_are_unknown, struct scene *scene)
{
	sampled(7, IN_HOT, 300);
	keep_past(scene, 5000);
	forgotten_ns = scene->world.snapshot.time_ns;
	assert_scene(scene, "functions", "self%,total%,function",
		     "75.0 75.0 hot, 25.0 25.0 (no stack), 0.0 75.0 main");
}

/* --- the line below */

static const struct view_row *row_above;

static const char *footer(struct scene *scene)
{
	strbuf_clear(&scene->out);
	find_list("functions")
		->write_footer(&scene->out, &(struct footer_input){
						    .request = &scene->request,
						    .snapshot = &scene->world.snapshot,
						    .session = &scene->world.session,
						    .first = row_above,
						    .width = 80,
					    });
	return strbuf_text(&scene->out);
}

UNIT_TEST_OF(functions_footer_says_how_many_samples_of_what, struct scene *scene)
{
	sampled(7, IN_HOT, 300);
	scene->world.session.sampling = SAMPLING_CLOCK;
	strcpy(scene->world.session.sampling_words, "cpu-clock, 997 Hz");
	assert_string_equal(footer(scene), "300 samples (cpu-clock, 997 Hz)");
	profile.lost = 4;
	profile.left_out = 2;
	keep_past(scene, 5000);
	assert_string_equal(footer(scene), "400 samples (cpu-clock, 997 Hz); 8 lost, 4 left out");
	scene->world.session.names_pending = 3;
	assert_string_equal(footer(scene), "400 samples (cpu-clock, 997 Hz); 8 lost, 4 left out, "
					   "3 names pending");
	scene->world.session.names_pending = 1;
	scene->world.session.not_unwound = 2;
	strcpy(scene->world.session.uncounted, "because");
	assert_string_equal(footer(scene), "400 samples (cpu-clock, 997 Hz); 8 lost, 4 left out, "
					   "2 stacks not unwound, 1 name pending, no IPC: because");
}

/* As many as are kept. */
static size_t many_before(void *context, uint64_t before_ns, const struct snapshot **snapshots,
			  size_t most)
{
	for (size_t i = 0; i < most; i++)
		snapshots[i] = &past;
	return most;
}

UNIT_TEST_OF(functions_footer_says_that_the_window_is_longer, struct scene *scene)
{
	scene->world.session.sampling = SAMPLING_CLOCK;
	keep_past(scene, 5000);
	scene->request.past = many_before;
	scene->request.window_ns = 0;
	assert_string_equal(footer(scene), "11900 samples, last 120 intervals");
	scene->request.window_ns = 5000;
	assert_string_equal(footer(scene), "0 samples in this window, W: a longer one");
}

UNIT_TEST_OF(functions_footer_says_what_the_rows_have_no_room_for, struct scene *scene)
{
	const struct function function = {.all_weight = 1000, .left_out_weight = 15};
	const struct view_row row = {.function = &function};

	row_above = &row;
	scene->world.session.sampling = SAMPLING_CLOCK;
	assert_string_equal(footer(scene),
			    "0 samples, 1.5 % in totals only: more than 131072 paths");
	row_above = NULL;
	assert_string_equal(footer(scene), "0 samples");
}

UNIT_TEST_OF(functions_footer_says_what_share_has_no_callers, struct scene *scene)
{
	static const struct {
		enum session_chains chains;
		enum view_samples samples;
		bool is_live;
		const char *line;
	} cases[] = {
		{CHAINS_BY_FRAME_POINTERS, SAMPLES_ON_CPU, false,
		 "0 samples, callers unknown: 71.5 % (no frame pointers)"},
		{CHAINS_BY_FRAME_POINTERS, SAMPLES_ON_CPU, true,
		 "0 samples, callers unknown: 71.5 % (no frame pointers: --call-graph dwarf)"},
		{CHAINS_BY_LBR, SAMPLES_ON_CPU, true,
		 "0 samples, callers unknown: 71.5 % (not in the processor's record: "
		 "--call-graph dwarf)"},
		{CHAINS_BY_STACKS, SAMPLES_ON_CPU, true,
		 "0 samples, callers unknown: 71.5 % (not unwound in time, no tables, or beyond "
		 "the "
		 "copy)"},
		{CHAINS_BY_STACKS, SAMPLES_OFF_CPU, true,
		 "OFF-CPU: 0 samples, callers unknown: 71.5 % (no frame pointers)"},
		{CHAINS_NOT_SAMPLED, SAMPLES_ON_CPU, false,
		 "0 samples, callers unknown: 71.5 % (recorded without --call-graph)"},
	};
	const struct function function = {.all_weight = 1000, .broken_weight = 715};
	const struct view_row row = {.function = &function};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].line);
		row_above = &row;
		scene->world.session.sampling = SAMPLING_CLOCK;
		scene->world.session.chains = cases[i].chains;
		scene->world.session.is_live = cases[i].is_live;
		scene->request.settings.samples = (int)cases[i].samples;
		assert_string_equal(footer(scene), cases[i].line);
	}
	row_above = NULL;
}

UNIT_TEST_OF(functions_footer_says_how_an_interpreter_names_its_functions, struct scene *scene)
{
	const struct function function = {.all_weight = 1000, .interpreted = "Python functions: x"};
	const struct view_row row = {.function = &function};

	row_above = &row;
	scene->world.session.sampling = SAMPLING_CLOCK;
	assert_string_equal(footer(scene), "0 samples, no names of Python functions: x");
	row_above = NULL;
}

/* How much of it was no sleep is said where both are shown together, why there is no IPC where only
 * samples with one are. */
UNIT_TEST_OF(functions_footer_says_how_it_is_off_the_cpu, struct scene *scene)
{
	static const struct {
		enum view_samples samples;
		const char *line;
	} cases[] = {
		{SAMPLES_ON_CPU, "0 samples (cpu-clock, 997 Hz), no IPC: because"},
		{SAMPLES_OFF_CPU, "OFF-CPU: 40 samples (each switch, 25.0 % waiting)"},
		{SAMPLES_WAKERS, "WAKERS: 3 samples (each wake-up)"},
		{SAMPLES_BLOCKED, "BLOCKED: 30 samples (each switch)"},
		{SAMPLES_PREEMPTED, "PREEMPTED: 10 samples (each switch)"},
		{SAMPLES_BOTH,
		 "40 samples (cpu-clock, 997 Hz; off-CPU: each switch, 25.0 % waiting)"},
	};

	scene->world.session.sampling = SAMPLING_CLOCK;
	strcpy(scene->world.session.sampling_words, "cpu-clock, 997 Hz");
	strcpy(scene->world.session.off_cpu.words, "each switch");
	strcpy(scene->world.session.wakers.words, "each wake-up");
	strcpy(scene->world.session.uncounted, "because");
	sampled(7, IN_WARM, 30);
	entries[0].kind = SAMPLE_BLOCKED;
	entries[0].ns = 30000;
	sampled(7, IN_HOT, 10);
	entries[1].kind = SAMPLE_PREEMPTED;
	entries[1].ns = 10000;
	sampled(7, IN_HOT, 3);
	entries[2].kind = SAMPLE_WAKER;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].line);
		scene->request.settings.samples = (int)cases[i].samples;
		assert_string_equal(footer(scene), cases[i].line);
	}
	strcpy(scene->world.session.sampling_words, "cycles");
	assert_string_equal(
		footer(scene),
		"40 samples (cycles; off-CPU: each switch, 25.0 % waiting), no IPC: because");
}

UNIT_TEST_OF(functions_footer_says_what_was_not_recorded, struct scene *scene)
{
	static const struct {
		enum view_samples samples;
		const char *line;
	} cases[] = {
		{SAMPLES_ON_CPU, "5 samples (cpu-clock, 997 Hz)"},
		{SAMPLES_OFF_CPU,
		 "not recorded: where tasks left the CPU (perftop -w FILE --samples off-cpu)"},
		{SAMPLES_WAKERS,
		 "not recorded: callers of wake-ups (perf record -a -g -e sched:sched_waking)"},
		{SAMPLES_BOTH, "5 samples (cpu-clock, 997 Hz; off-CPU: not recorded)"},
	};

	scene->world.session.is_live = false;
	scene->world.session.sampling = SAMPLING_CLOCK;
	strcpy(scene->world.session.sampling_words, "cpu-clock, 997 Hz");
	sampled(7, IN_HOT, 5);
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].line);
		scene->request.settings.samples = (int)cases[i].samples;
		assert_string_equal(footer(scene), cases[i].line);
	}
}

UNIT_TEST_OF(functions_footer_says_why_there_are_none, struct scene *scene)
{
	scene->world.snapshot.profile = NULL;
	scene->world.session.is_live = true;
	assert_string_equal(footer(scene), "no samples yet");
	strcpy(scene->world.session.sampling_words, "no samples: not permitted");
	assert_string_equal(footer(scene), "no samples: not permitted");
	scene->world.session.sampling_words[0] = '\0';
	scene->world.session.is_live = false;
	assert_string_equal(
		footer(scene),
		"no samples in this recording (perftop -w FILE -V functions, perf record)");
	scene->request.settings.calls = FUNCTIONS_BRANCHES;
	assert_string_equal(footer(scene), "no branches: they are in recordings of perf record -b");
	scene->world.session.is_live = true;
	assert_string_equal(footer(scene), "no branches yet");
	strcpy(scene->world.session.unbranched, "no branches: cycles: not permitted");
	assert_string_equal(footer(scene), "no branches: cycles: not permitted");
}

UNIT_TEST_OF(functions_next_list_has_branches_where_there_are_some, struct scene *scene)
{
	assert_int_equal(functions_next_list(FUNCTIONS_LINES, false), FUNCTIONS_LIST);
	assert_int_equal(functions_next_list(FUNCTIONS_LINES, true), FUNCTIONS_BRANCHES);
	assert_int_equal(functions_next_list(FUNCTIONS_BRANCHES, true), FUNCTIONS_LIST);
}

UNIT_MAIN(set_up, tear_down)
