/* A task's page, line by line. */

#include <locale.h>
#include <time.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "model/profile.h"
#include "model/snapshot.h"
#include "model/timing.h"
#include "view/names.h"
#include "view/table.h"
#include "view/task_page.h"
#include "view/text_marks.h"

#include "switch_builder.h"
#include "unit.h"

enum {
	US = 1000,
	MS = 1000000,
	CPU_LINES = 8
};

struct scene {
	struct world world;
	struct told_switches told;
	struct task_page_input input;
	struct view_table *table;
	struct strbuf page;
	struct timing timing;
	uint64_t nginx, helper, sh; /* actors: 20/20, 20/21, 7/7 */
};

static int set_up(void **state)
{
	static struct scene scene;

	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return -1;
	setenv("TZ", "UTC", 1);
	tzset();
	scene = (struct scene){0};
	world_init(&scene.world);
	scene.world.session.wall_offset_ns = 0;
	scene.world.session.queue = QUEUE_WAKEUPS;
	strcpy(scene.world.session.queue_words, "run-queue waits from sched_waking");
	told_init(&scene.told, HISTORY_BLOCK);
	scene.nginx = told_actor(&scene.told, 20, 20, "nginx");
	scene.helper = told_actor(&scene.told, 20, 21, "helper");
	scene.sh = told_actor(&scene.told, 7, 7, "sh");
	scene.table = view_table_create(scene.world.columns);
	scene.input = (struct task_page_input){
		.pid = 20,
		.tid = 20,
		.snapshot = &scene.world.snapshot,
		.session = &scene.world.session,
		.metrics = scene.world.metrics,
		.history = scene.told.history,
		.columns = scene.world.columns,
		.table = scene.table,
		.width = 100,
	};
	*state = &scene;
	return 0;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	strbuf_fini(&scene->page);
	timing_fini(&scene->timing);
	view_table_destroy(scene->table);
	told_fini(&scene->told);
	world_fini(&scene->world);
	return 0;
}

static bool write_page(struct scene *scene)
{
	strbuf_clear(&scene->page);
	return task_page_write(&scene->page, &scene->input);
}

/* The page has these whole lines, one below the other. */
static void assert_shown(const struct scene *scene, const char *lines)
{
	const char *page = strbuf_text(&scene->page);
	const size_t length = strlen(lines);

	for (const char *at = page; (at = strstr(at, lines)); at++)
		if ((at == page || at[-1] == '\n') && at[length] == '\n')
			return;
	fail_msg("there is no \"%s\" in\n%s", lines, page);
}

/* It is written now, and has them. */
static void assert_page(struct scene *scene, const char *lines)
{
	assert_true(write_page(scene));
	assert_shown(scene, lines);
}

/* The same, `below` lines below the line that begins so. */
static void assert_line(const struct scene *scene, const char *beginning, size_t below,
			const char *lines)
{
	const char *at = strbuf_text(&scene->page);

	while (strncmp(at, beginning, strlen(beginning)) != 0) {
		at += strcspn(at, "\n");
		if (*at == '\0' || at[1] == '\0')
			fail_msg("no line begins with \"%s\" in\n%s", beginning,
				 strbuf_text(&scene->page));
		at++;
	}
	while (below-- > 0)
		at = strchr(at, '\n') + 1;
	if (strncmp(at, lines, strlen(lines)) != 0 || at[strlen(lines)] != '\n')
		fail_msg("there is not \"%s\" but\n%s", lines, at);
}

/* nginx is pushed out by sh for 5 ms, comes back on CPU 1, and sleeps. */
static void add_switches(struct scene *scene)
{
	switched(&scene->told, .time_ns = 1000 * MS, .cpu = 0, .prev = scene->nginx,
		 .how = SWITCH_PREEMPTED, .slice_ns = 2 * MS, .next = scene->sh,
		 .off_ns = SWITCH_NS_UNKNOWN, .wait_ns = SWITCH_NS_UNKNOWN, .from_cpu = -1,
		 .has_counts = true,
		 .counts = told_counts(
			 &scene->told, 2 * MS,
			 (struct counts_spec){.instructions = 3000000, .cycles = 2000000}));
	switched(&scene->told, .time_ns = 1005 * MS, .cpu = 1, .prev = ACTOR_IDLE,
		 .how = SWITCH_IDLE, .slice_ns = 9 * MS, .next = scene->nginx, .off_ns = 5 * MS,
		 .wait_ns = 5 * MS, .next_was_preempted = true, .queued_by = scene->sh,
		 .from_cpu = 0);
	switched(&scene->told, .time_ns = 1006 * MS, .cpu = 1, .prev = scene->nginx,
		 .how = SWITCH_BLOCKED, .slice_ns = 1 * MS, .next = ACTOR_IDLE, .from_cpu = -1);
}

UNIT_TEST_OF(page_of_nobody_is_none, struct scene *scene)
{
	assert_false(write_page(scene));
	assert_string_equal(strbuf_text(&scene->page), "");
	scene->input.history = NULL;
	assert_false(write_page(scene));
}

/* The actors of the scene. */
enum {
	NGINX = ACTOR_FIRST,
	HELPER,
	SH
};

/* clang-format off */
#define LEFT(left_, ns_, ...) {.prev = (left_), .slice_ns = (ns_), __VA_ARGS__ __VA_OPT__(, ) .from_cpu = -1}
#define COUNTED {{.pid = 20, .name = "nginx", .run_ms = 100, .counts = {.cycles = 123456789, .instructions = 5}}}
#define JAVA {{.pid = 20, .name = "java", .run_ms = 100, .command_line = "/usr/lib/java-17-openjdk-amd64/bin/java -Xmx2g 1234567"}}
#define PLACED {{.pid = 20, .name = "nginx", .uid = 33, .parent_pid = 1, .last_cpu = 1, .run_ms = 100}}
#define NOT_COUNTED "  CPU %               –        –        –\n  IPC                 –        –        –"

static const struct {
	const char *name;
	const char *shown[4]; /* whole lines, one below the other */
	struct task_spec tasks[3];
	struct switch_entry slices[3]; /* from no CPU */
	struct {
		const char *beginning;
		size_t below;
		const char *lines;
	} at[2]; /* assert_line() */
	bool has_switches, ascii, no_wakeups;
	int width;
	int32_t tid;
} cases[] = {
	{"a process in the interval",
	 {"# nginx 20: ran in this interval\n  command  nginx: worker\n  user 33          parent 1        threads 2        last on CPU 1",
	  "# the interval, 1.00s; 1:01.10 on the CPUs since the start\n  history  no switches\n  run-queue waits from sched_waking",
	  "# intervals           now      min      max  last 1 s, its threads summed\n  CPU %            30.0     30.0     30.0  ▃\n  IPC              1.50     1.50     1.50  █",
	  "  SW/s             10.0     10.0     10.0  █\n  PRE/s            4.00     4.00     4.00  █\n  MIGR/s              0        0        0  ▁"},
	 .tasks = {{.pid = 20, .name = "nginx", .command_line = "nginx: worker", .uid = 33, .parent_pid = 1, .last_cpu = 1, .run_ms = 200, .total_ms = 61000,
	   .counts = {.switches = 6, .preemptions = 4, .instructions = 3000, .cycles = 2000}},
	  {.pid = 20, .tid = 21, .name = "helper", .run_ms = 100, .counts = {.switches = 4, .instructions = 3000, .cycles = 2000}}, {.pid = 7, .name = "sh", .run_ms = 100}}},
	{"who was idle", {"# nginx 20: did not run in this interval"}, .tasks = {{.pid = 20, .name = "nginx", .is_idle = true}}},
	{"who was idle while another thread ran", {"# nginx 20: main thread idle; other threads ran"},
	 .tasks = {{.pid = 20, .name = "nginx", .is_idle = true}, {.pid = 20, .tid = 21, .name = "helper", .run_ms = 100}}},
	{"who waited", {"# nginx 20: runnable but did not run in this interval"}, .tasks = {{.pid = 20, .name = "nginx", .is_idle = true, .counts.preempted_ms = 1000}}},
	{"a thread without the others",
	 {"# helper 21, thread of 20: ran in this interval", "  slices in the history                   1   7.00us   7.00us   7.00us   7.00us",
	  "# intervals           now      min      max  last 1 s\n  CPU %            10.0     10.0     10.0  ▁"},
	 .tasks = {{.pid = 20, .name = "nginx", .run_ms = 200}, {.pid = 20, .tid = 21, .name = "helper", .run_ms = 100}}, .slices = {LEFT(NGINX, 5000), LEFT(HELPER, 7000)}, .tid = 21},
	{"threads that ended earlier are not in the interval",
	 {"  CPU %            20.0     20.0     20.0  ▂", "# the interval, 1.00s; 0:00.70 on the CPUs since the start"},
	 .tasks = {{.pid = 20, .name = "nginx", .run_ms = 200}, {.pid = 20, .tid = 21, .run_ms = 500, .is_exited = true, .is_held = true}}},
	{"forgotten threads count", {"# the interval, 1.00s; 0:03.20 on the CPUs since the start"}, .tasks = {{.pid = 20, .run_ms = 200, .reaped_ms = 3000}}},
	{"a held task", {"# nginx 20: ended", NOT_COUNTED}, .tasks = {{.pid = 20, .name = "nginx", .run_ms = 200, .is_exited = true, .is_held = true}}},
	{"how far the history reaches", {"  history  the switches of the last 6.00ms"}, .has_switches = true},
	{"run-queue waits", {"  run-queue waits in the history          1   5.00ms   5.00ms   5.00ms   5.00ms"}, .has_switches = true},
	{"run-queue waits without wake-ups", {"  run-queue waits in the history          –        –        –        –        –", "  preempted waits in the history          1   5.00ms   5.00ms   5.00ms   5.00ms"},
	 .has_switches = true, .no_wakeups = true},
	{"what wakes it is not known without them", .at = {{"# ran while it waited for a CPU", 2, "  nginx 20  sh 7        1  5.00ms   100.0  5.00ms  5.00ms  preempted"},
	  {"# woken by", 1, "  run-queue waits from sched_waking"}}, .has_switches = true, .no_wakeups = true},
	{"who is known from the history alone",
	 {"# nginx 20: no longer there; shown from the history", NOT_COUNTED, "  slices in the history                   2   1.50ms   1.00ms   2.00ms   2.00ms"}, .has_switches = true},
	{"and has exited there", {"# nginx 20: exited; shown from the history"}, .has_switches = true, .slices = {LEFT(NGINX, 1000, .how = SWITCH_EXITED)}},
	{"a thread, too", {"# helper 21, thread of 20: exited; shown from the history"}, .slices = {LEFT(HELPER, 1000, .how = SWITCH_EXITED)}, .tid = 21},
	{"but not where its number is used again", {"# helper 21, thread of 20: no longer there; shown from the history"},
	 .slices = {LEFT(HELPER, 1000, .how = SWITCH_EXITED), {.next = HELPER, .from_cpu = -1}}, .tid = 21},
	{"on a CPU that is not known", .at = {{"# on CPU", 1, "  –           100.0 %   3.00ms    100.0 %   3.00ms"}}, .slices = {LEFT(NGINX, 3 * MS, .cpu = -1)}},
	{"lengths", .at = {{"# distribution", 1, "    FROM   SLICES SLICES           PWAITS PREEMPTED       RQWAITS RUN QUEUE"},
	  {"   128ns", 0, "   128ns        1 #######               0                       0"}}, .has_switches = true, .slices = {LEFT(NGINX, 1 * MS), LEFT(NGINX, 200)}, .ascii = true},
	{"lengths of waits", .at = {{"  4.19ms", 0, "  4.19ms        0                       1 ##############        1 ##############"}}, .has_switches = true, .ascii = true},
	{"a whole line", .at = {{"# raw event counts", 1, "  cycles                       counting           123456789           123456789"}}, .tasks = COUNTED, .width = 79},
	{"a cut one has no part of a number", .at = {{"# raw event counts", 1, "  cycles                       counting           123456789           …"}}, .tasks = COUNTED, .width = 78},
	{"but part of a word", .at = {{"# raw event counts", 1, "  cycles                       counti…"}}, .tasks = COUNTED, .width = 38},
	{"in ASCII", .at = {{"# raw event counts", 1, "  cycles                       coun..."}}, .tasks = COUNTED, .width = 38, .ascii = true},
	{"a cut command keeps digits of paths", {"  command  /usr/lib/java-17-o…"}, .tasks = JAVA, .width = 30},
	{"and whole words", {"  command  /usr/lib/java-17-openjdk-amd64/bin/java -X…"}, .tasks = JAVA, .width = 54},
	{"but no part of a number", {"  command  /usr/lib/java-17-openjdk-amd64/bin/java -Xmx2g …"}, .tasks = JAVA, .width = 62},
	{"items go on in the next line", {"  user 33          parent 1\n  threads 1        last on CPU 1"}, .tasks = PLACED, .width = 40},
	{"what /proc says is marked", {"# intervals           now      min      max  last 1 s\n  CPU %            10.0~    10.0     10.0  ▁"}, .tasks = {{.pid = 20, .run_ms = 100, .is_from_proc = true}}},
	{"who disturbs it and whom it disturbs",
	 .at = {{"# ran while it waited for a CPU", 1, "  VICTIM    TAKER   TIMES    LOST  LOST %    MEAN   WORST  KIND\n  nginx 20  sh 7        1  5.00ms   100.0  5.00ms  5.00ms  preempted\n# waited for a CPU while it ran, the last 6.04ms"},
	  {"# waited for a CPU while it ran", 2, "  sh 7    helper 21       1  40.0us   100.0  40.0us  40.0us  preempted\n# woken by, the last 6.04ms"}},
	 .has_switches = true, .slices = {LEFT(HELPER, 0, .next = SH, .next_was_preempted = true, .queued_by = HELPER, .off_ns = 40 * US)}},
	{"last switches",
	 .at = {{"# last switches", 1, "             TIME CPU  PREV      HOW          RAN  IPC OFF-CPU  NEXT\n  00:00:01.006000   1  nginx 20  blocked   1.00ms    –     0ns  idle\n  00:00:01.005000   1  idle      –         9.00ms    –  5.00ms  nginx 20\n"
	   "  00:00:01.000000   0  nginx 20  preempted 2.00ms 1.50       –  sh 7"}}, .has_switches = true},
	{"a slice whose length is not known", {"  slices in the history                   0        –        –        –        –"}, .at = {{"# last switches", 2, "  00:00:01.000000   0  nginx 20  blocked      –    –     0ns  –"}},
	 .slices = {LEFT(NGINX, SWITCH_NS_UNKNOWN, .time_ns = 1000 * MS, .how = SWITCH_BLOCKED)}},
};
/* clang-format on */

UNIT_TEST_WITH(page_is_as_expected, NULL, NULL)
{
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct scene *scene;

		begin_case(cases[i].name);
		set_up((void **)&scene);
		assert_true(scene->nginx == NGINX && scene->helper == HELPER && scene->sh == SH);
		for (size_t j = 0; j < 3 && cases[i].tasks[j].pid > 0; j++)
			world_add(&scene->world, cases[i].tasks[j]);
		if (cases[i].has_switches)
			add_switches(scene);
		for (size_t j = 0; j < 3 && cases[i].slices[j].from_cpu < 0; j++)
			told_switch(&scene->told, cases[i].slices[j]);
		if (cases[i].no_wakeups)
			scene->world.session.queue = QUEUE_RUN_DELAY;
		scene->input.ascii = cases[i].ascii;
		scene->input.width = cases[i].width > 0 ? cases[i].width : 100;
		scene->input.tid = cases[i].tid > 0 ? cases[i].tid : 20;
		assert_true(write_page(scene));
		for (size_t j = 0; j < 4 && cases[i].shown[j]; j++)
			assert_shown(scene, cases[i].shown[j]);
		for (size_t j = 0; j < 2 && cases[i].at[j].lines; j++)
			assert_line(scene, cases[i].at[j].beginning, cases[i].at[j].below,
				    cases[i].at[j].lines);
		tear_down((void **)&scene);
	}
}

/* Headings in this order. */
static void assert_headings(const struct scene *scene, const char *const *headings)
{
	const char *at = strbuf_text(&scene->page);

	for (; *headings; headings++) {
		const char *next = strstr(at, *headings);

		if (!next)
			fail_msg("no \"%s\" is in\n%s", *headings, at);
		at = next + 1;
	}
}

UNIT_TEST_OF(page_begins_with_why_it_does_not_run, struct scene *scene)
{
	static const char *const headings[] = {
		"# nginx 20:", "# off the CPU", "# ran while it waited for a CPU",
		"# woken by",  "# intervals",   "# the interval",
		NULL};
	const struct snapshot *past = &scene->world.snapshot;

	task(&scene->world, .pid = 20, .name = "nginx", .run_ms = 200);
	add_switches(scene);
	scene->input.past = &past;
	scene->input.past_count = 1;
	assert_true(write_page(scene));
	assert_headings(scene, headings);
}

/* Without the command, which is in the row, and without what is not known. */
UNIT_TEST_OF(page_of_some_lines_has_what_is_known, struct scene *scene)
{
	task(&scene->world, .pid = 20, .name = "nginx", .run_ms = 200, .command_line = "nginx -g");
	add_switches(scene);
	scene->input.lines = 5;
	assert_true(write_page(scene));
	assert_string_equal(strbuf_text(&scene->page),
			    "# nginx 20: ran in this interval\n"
			    "# ran while it waited for a CPU, the last 6.00ms\n"
			    "  VICTIM    TAKER   TIMES    LOST  LOST %    MEAN   WORST  KIND\n"
			    "  nginx 20  sh 7        1  5.00ms   100.0  5.00ms  5.00ms  preempted\n"
			    "# intervals           now      min      max  last 1 s\n"
			    "  CPU %            20.0     20.0     20.0  ▂\n");
	scene->input.lines = 6;
	assert_true(write_page(scene));
	assert_null(strstr(strbuf_text(&scene->page), "# the interval"));
}

/* However much of the history there is, which may be hundreds of thousands of switches. */
UNIT_TEST_OF(page_of_some_lines_looks_at_the_end_of_the_history, struct scene *scene)
{
	enum {
		SWITCHES = 70000,
		LOOKED_AT = 32768
	};

	told_fini(&scene->told);
	told_init(&scene->told, 4 * LOOKED_AT);
	scene->nginx = told_actor(&scene->told, 20, 20, "nginx");
	scene->input.history = scene->told.history;
	task(&scene->world, .pid = 20, .name = "nginx", .run_ms = 200);
	for (uint64_t i = 1; i <= SWITCHES; i++)
		switched(&scene->told, .time_ns = i * MS, .prev = scene->nginx, .slice_ns = 1 * US,
			 .next = scene->nginx, .queued_by = scene->nginx, .wait_ns = 1 * US,
			 .from_cpu = -1);
	scene->input.lines = 5;
	assert_true(write_page(scene));
	assert_line(scene, "# ran while it waited for a CPU", 0,
		    "# ran while it waited for a CPU, the last 32.8s");
	scene->input.lines = 0;
	assert_true(write_page(scene));
	assert_line(scene, "# ran while it waited for a CPU", 0,
		    "# ran while it waited for a CPU, the last 1 min 10 s");
}

UNIT_TEST_OF(page_tells_of_waits_and_their_source, struct scene *scene)
{
	struct snapshot_task *task = task(&scene->world, .pid = 20, .run_ms = 200);
	uint64_t counts[WORLD_WIDTH];

	memcpy(counts, task->interval, sizeof(counts));
	counts[QUANTITY_PREEMPTED_NS] = 12 * MS;
	counts[QUANTITY_OFF_NS] = 700 * MS;
	counts[QUANTITY_QUEUED_NS] = 15 * MS;
	counts[QUANTITY_WAKEUP_NS] = 3 * MS;
	counts[QUANTITY_WAKEUPS] = 60;
	counts[QUANTITY_UNINTERRUPTIBLE_NS] = 30 * MS;
	task->interval = counts;

	assert_page(scene, "  PWAIT %          1.20     1.20     1.20  ▁\n"
			   "  RQWAIT %         1.50     1.50     1.50  ▁\n"
			   "  OFF %            70.0     70.0     70.0  ▆\n"
			   "  DWAIT %          3.00     3.00     3.00  ▁");
	assert_shown(scene, "  WAKE           50.0us   50.0us   50.0us  █");
	assert_shown(scene, "  run-queue waits from sched_waking");
}

UNIT_TEST_OF(page_of_an_idle_task_says_why_it_sleeps, struct scene *scene)
{
	task(&scene->world, .pid = 20, .name = "nginx", .is_idle = true);
	scene->input.asleep_in = "hrtimer_nanosleep";
	assert_page(scene, "# nginx 20: did not run in this interval, sleeps now: sleep "
			   "(hrtimer_nanosleep)");
	assert_shown(scene, "  OFF %               –        –        –\n"
			    "  DWAIT %             0        0        0  ▁");
	scene->input.asleep_in = "some_driver_wait";
	assert_page(scene,
		    "# nginx 20: did not run in this interval, sleeps now: some_driver_wait");
}

UNIT_TEST_OF(page_of_a_task_that_ran_says_nothing_of_now, struct scene *scene)
{
	task(&scene->world, .pid = 20, .name = "nginx", .run_ms = 200);
	scene->input.asleep_in = "hrtimer_nanosleep";
	assert_page(scene, "# nginx 20: ran in this interval");
}

UNIT_TEST_OF(page_has_the_namespaces_that_are_not_perftops, struct scene *scene)
{
	task(&scene->world, .pid = 20, .run_ms = 200);
	scene->input.namespaces = "";
	assert_true(write_page(scene));
	assert_null(strstr(strbuf_text(&scene->page), "namespaces"));
	scene->input.namespaces = "mnt 4026532445, net 4026532449";
	scene->world.session.is_live = false;
	assert_page(scene, "  namespaces other than those of process 1: mnt 4026532445, net "
			   "4026532449");
	scene->world.session.is_live = true;
	assert_page(scene, "  namespaces other than those of perftop: mnt 4026532445, net "
			   "4026532449");
}

UNIT_TEST_OF(page_has_what_holds_back_the_cgroup_of_the_task, struct scene *scene)
{
	struct snapshot *snapshot = &scene->world.snapshot;
	const struct snapshot_cgroup cgroups[] = {
		{.path = "/a", .span_ns = 100 * MS, .known = STALL_ALL},
		{.path = "/a/web",
		 .span_ns = 100 * MS,
		 .known = STALL_ALL & ~(1 << STALL_IO_SOME),
		 .interval = {[STALL_THROTTLED] = 25000, [STALL_MEMORY_SOME] = 500}},
	};
	struct snapshot_task *task = task(&scene->world, .pid = 20, .run_ms = 200);

	snapshot->cgroups = cgroups;
	snapshot->cgroup_count = COUNT_OF(cgroups);
	task->cgroup = "/a/web";
	assert_page(scene,
		    "  THROT %     25.0   PSI CPU      0.0   PSI MEM      0.5   PSI IO         –\n"
		    "  cgroup   /a/web\n"
		    "  run-queue waits from sched_waking");
	scene->input.width = 40;
	assert_page(scene, "  THROT %     25.0   PSI CPU      0.0\n"
			   "  PSI MEM      0.5   PSI IO         –");
	scene->input.width = 20;
	assert_page(scene, "  THROT %     25.0\n"
			   "  PSI CPU      0.0\n"
			   "  PSI MEM      0.5\n"
			   "  PSI IO         –");
	task->cgroup = "/b";
	assert_true(write_page(scene));
	assert_null(strstr(strbuf_text(&scene->page), "cgroup"));
}

UNIT_TEST_OF(page_says_where_a_limit_may_have_held_the_task_back, struct scene *scene)
{
	const struct snapshot_cgroup cgroup = {.path = "/a", .limited_ns = 2000 * MS};

	scene->world.snapshot.cgroups = &cgroup;
	scene->world.snapshot.cgroup_count = 1;
	task(&scene->world, .pid = 20, .id = 20, .run_ms = 200)->cgroup = "/a";
	add_switches(scene);
	assert_true(write_page(scene));
	assert_non_null(strstr(strbuf_text(&scene->page), "limit?"));
}

UNIT_TEST_OF(page_tells_what_a_busy_thread_of_the_core_costs, struct scene *scene)
{
	struct snapshot_task *task = task(&scene->world, .pid = 20, .run_ms = 200);
	uint64_t counts[WORLD_WIDTH];

	memcpy(counts, task->interval, sizeof(counts));
	counts[QUANTITY_SMT_ALONE_NS] = 150 * MS;
	counts[QUANTITY_SMT_BESIDE_NS] = 50 * MS;
	counts[QUANTITY_SMT_ALONE_CYCLES] = 100;
	counts[QUANTITY_SMT_ALONE_INSTRUCTIONS] = 220;
	task->interval = counts;

	assert_page(scene, "  SMT %            25.0     25.0     25.0  ▃\n"
			   "  IPC-1T           2.20     2.20     2.20  █\n"
			   "  IPC-2T              –        –        –");
	/* where it is not known nothing is said */
	scene->world.snapshot.unknown |= LAYOUT_SMT;
	assert_true(write_page(scene));
	assert_null(strstr(strbuf_text(&scene->page), "SMT %"));
}

/* Of a pid that is used again each process has a page of its own, and without a word the newest. */
UNIT_TEST_OF(page_of_a_number_used_again_is_of_one_process, struct scene *scene)
{
	task(&scene->world, .pid = 20, .id = 30, .name = "newer", .run_ms = 5);
	task(&scene->world, .pid = 20, .tid = 21, .id = 31, .name = "newer", .run_ms = 100);
	task(&scene->world, .pid = 20, .tid = 22, .id = 11, .name = "older", .run_ms = 200,
	     .is_exited = true);
	task(&scene->world, .pid = 20, .id = 10, .name = "older", .run_ms = 50, .is_exited = true);
	assert_page(scene, "# newer 20: ran in this interval");
	assert_non_null(strstr(strbuf_text(&scene->page), "CPU %            10.5 "));
	scene->input.id = 10;
	assert_page(scene, "# older 20: exited in this interval");
	assert_non_null(strstr(strbuf_text(&scene->page), "CPU %            25.0 "));
}

/* What has its number now is not it: the page stays that of the history. */
UNIT_TEST_OF(page_does_not_become_that_of_the_next_one_of_its_number, struct scene *scene)
{
	add_switches(scene);
	task(&scene->world, .pid = 20, .id = 30, .name = "newer", .run_ms = 5);
	scene->input.id = 20;
	assert_page(scene, "# nginx 20: no longer there; shown from the history");
	scene->input.id = 0;
	assert_page(scene, "# newer 20: ran in this interval");
}

/* The last wait began before the history did; that it slept is known of the first one only. From
 * its wake-up on it slept no more. */
UNIT_TEST_OF(page_tells_sleeps_from_disk_waits, struct scene *scene)
{
	static const struct {
		uint64_t off_ns;
		uint8_t state; /* in which it leaves again */
		uint64_t wait_ns;
	} runs[] = {
		{.off_ns = 900 * MS, .state = TASK_STATE_SLEEPING},
		{.off_ns = 20 * MS, .state = TASK_STATE_DISK_SLEEP},
		{.off_ns = 4 * MS, .state = TASK_STATE_DISK_SLEEP},
		{.off_ns = 8 * MS, .wait_ns = 2 * MS},
		{.off_ns = 50 * MS, .state = TASK_STATE_RUNNABLE},
		{.off_ns = 70 * MS, .state = TASK_STATE_DISK_SLEEP},
		{.off_ns = SWITCH_NS_UNKNOWN, .state = TASK_STATE_SLEEPING},
	};

	for (size_t i = 0; i < COUNT_OF(runs); i++) {
		switched(&scene->told, .prev = ACTOR_IDLE, .how = SWITCH_IDLE, .next = scene->nginx,
			 .off_ns = runs[i].off_ns, .wait_ns = runs[i].wait_ns, .from_cpu = 0);
		switched(&scene->told, .prev = scene->nginx, .next = ACTOR_IDLE,
			 .how = runs[i].state == TASK_STATE_RUNNABLE ? SWITCH_PREEMPTED
								     : SWITCH_BLOCKED,
			 .state = runs[i].state, .from_cpu = -1);
	}

	assert_page(
		scene,
		"  sleeps (S) in the history               1   20.0ms   20.0ms   20.0ms   20.0ms\n"
		"  uninterruptible (D) in history          2   5.00ms   4.00ms   6.00ms   6.00ms");
	assert_non_null(strstr(strbuf_text(&scene->page), "blocked D"));
	assert_non_null(strstr(strbuf_text(&scene->page), "blocked S"));
	assert_non_null(strstr(strbuf_text(&scene->page), "preempted  "));
}

UNIT_TEST_OF(page_shows_what_is_not_known_as_a_dash, struct scene *scene)
{
	task(&scene->world, .pid = 20, .name = "nginx", .uid = -1, .parent_pid = -1, .last_cpu = -1,
	     .run_ms = 200, .unknown = (1u << QUANTITY_BUILTIN) - 1);
	scene->world.session.queue = QUEUE_UNKNOWN;
	scene->world.session.has_pmu = false;
	scene->world.session.queue_words[0] = '\0';
	scene->input.history = NULL;

	assert_true(write_page(scene));
	assert_line(scene, "# nginx", 2,
		    "  user –           parent –        threads 1        last on CPU –");
	assert_shown(scene, "# the interval, 1.00s; – on the CPUs since the start\n"
			    "  history  no switches\n"
			    "  run-queue waits: not requested");
	assert_shown(scene, NOT_COUNTED);
	assert_shown(scene, "  SW/s                –        –        –\n"
			    "  PRE/s               –        –        –\n"
			    "  MIGR/s              –        –        –\n"
			    "  FAULT/s             0        0        0  ▁");
	assert_shown(scene, "  WAKE                –        –        –");
	assert_line(scene, "# woken by", 1, "  run-queue waits: not requested");
	scene->world.session.is_partial = true;
	assert_true(write_page(scene));
	assert_line(scene, "# woken by", 1,
		    "  how long tasks wait is unknown: they also run on CPUs that are not watched");
	assert_line(scene, "# last switches", 1, "  –");
	scene->input.history_lack = "no history is kept";
	assert_true(write_page(scene));
	assert_line(scene, "# ran while it waited for a CPU", 1, "  no history is kept");
	assert_line(scene, "# woken by", 1, "  no history is kept");
	assert_line(scene, "# last switches", 1, "  no history is kept");
	assert_line(scene, "# stacks off the CPU", 1, "  –");
	scene->input.history_lack = NULL;
	scene->world.session.is_live = false;
	assert_true(write_page(scene));
	assert_line(scene, "  history", 1, "  run-queue waits are not in this recording");
	assert_shown(
		scene,
		"  slices in the history                   –        –        –        –        –");
	assert_shown(scene, "  history  no switches");
	assert_line(scene, "# distribution", 1, "  –");
	assert_shown(scene, "# moves to another CPU in the history: –");
	scene->input.ascii = true;
	assert_page(scene, "# moves to another CPU in the history: -");
	assert_shown(scene, "  SW/s                -        -        -");
}

UNIT_TEST_OF(page_lengths_of_the_interval_are_from_its_timing, struct scene *scene)
{
	struct snapshot_task *task = task(&scene->world, .pid = 20, .run_ms = 200);

	for (uint64_t i = 1; i <= 4; i++)
		distribution_add(&scene->timing.of[TIMING_SLICES], i * MS);
	distribution_add(&scene->timing.of[TIMING_WAKEUPS], 30 * US);
	task->timing = &scene->timing;

	assert_true(write_page(scene));
	assert_line(
		scene, "# slices and waits", 1,
		"  slices in the interval                  4   2.50ms   2.00ms   4.00ms   4.00ms\n"
		"  preempted waits in the interval         0        –        –        –        –\n"
		"  wake-up waits in the interval           1   30.0us   30.0us   30.0us   30.0us");

	scene->world.session.queue = QUEUE_RUN_DELAY;
	write_page(scene);
	assert_line(
		scene, "# slices and waits", 3,
		"  wake-up waits in the interval           –        –        –        –        –");
}

UNIT_TEST_OF(page_estimates_the_cost_of_cold_caches, struct scene *scene)
{
	struct snapshot_task *task = task(&scene->world, .pid = 20, .run_ms = 200);

	scene->timing.cold = (struct timing_part){
		.slices = 20, .ns = 1000 * US, .instructions = 1000000, .cycles = 1000000};
	scene->timing.late = (struct timing_part){
		.slices = 20, .ns = 40 * MS, .instructions = 78000000, .cycles = 40000000};
	task->timing = &scene->timing;

	assert_page(scene, "  C-IPC       1.00'  W-IPC       2.00'  COLD %      50.0'");

	scene->timing.cold.slices = 15;
	assert_true(write_page(scene));
	assert_null(strstr(strbuf_text(&scene->page), "COLD"));
}

UNIT_TEST_OF(page_takes_the_name_that_it_had_last, struct scene *scene)
{
	add_switches(scene);
	switched(&scene->told, .prev = told_actor(&scene->told, 20, 20, "renamed"),
		 .slice_ns = 1000, .from_cpu = -1);
	assert_page(scene, "# renamed 20: no longer there; shown from the history");
}

/* Three intervals; it was not there in the second one. */
UNIT_TEST_OF(page_shows_metrics_over_the_past, struct scene *scene)
{
	struct snapshot *past[3];
	const struct snapshot *const *list = (const struct snapshot *const *)past;

	task(&scene->world, .pid = 20, .name = "nginx", .run_ms = 800,
	     .counts = {.instructions = 1000, .cycles = 2000});
	past[0] = snapshot_copy(&scene->world.snapshot);
	scene->world.snapshot.task_count = 0;
	scene->world.snapshot.time_ns += 1000 * MS;
	past[1] = snapshot_copy(&scene->world.snapshot);
	scene->world.snapshot.time_ns += 1000 * MS;
	task(&scene->world, .pid = 20, .name = "nginx", .run_ms = 300,
	     .counts = {.instructions = 4000, .cycles = 2000});
	task(&scene->world, .pid = 20, .tid = 21, .name = "helper", .run_ms = 100);
	past[2] = snapshot_copy(&scene->world.snapshot);
	scene->input.past = list;
	scene->input.past_count = 3;
	scene->input.snapshot = past[2];

	assert_page(scene,
		    "# intervals           now      min      max  last 3 s, its threads summed\n"
		    "  CPU %            40.0     40.0     80.0  \u2587 \u2584");
	assert_shown(scene, "  IPC              2.00     0.50     2.00  \u2583 \u2588");
	scene->input.ascii = true;
	assert_true(write_page(scene));
	assert_line(scene, "# intervals", 1, "  CPU %            40.0     40.0     80.0  % =");

	scene->input.past_count = 0;
	assert_true(write_page(scene));
	assert_line(scene, "# intervals", 1, "  CPU %            40.0     40.0     40.0  =");
	for (size_t i = 0; i < 3; i++)
		snapshot_destroy(past[i]);
}

/* It was taken out, and is counted again. */
UNIT_TEST_OF(page_shows_nothing_of_intervals_in_which_an_event_was_not_counted, struct scene *scene)
{
	bool *is_removed = &scene->world.layout.events[INSTRUCTIONS].is_removed;
	struct snapshot *past[3];

	task(&scene->world, .pid = 20, .name = "nginx", .run_ms = 800,
	     .counts = {.instructions = 1000, .cycles = 2000});
	for (int i = 0; i < 3; i++) {
		*is_removed = i == 1;
		scene->world.snapshot.time_ns += 1000 * MS;
		past[i] = snapshot_copy(&scene->world.snapshot);
	}
	scene->input.past = (const struct snapshot *const *)past;
	scene->input.past_count = 3;
	scene->input.snapshot = past[2];
	assert_true(write_page(scene));
	assert_line(scene, "# intervals", 2,
		    "  IPC              0.50     0.50     0.50  \u2588 \u2588");
	for (size_t i = 0; i < 3; i++)
		snapshot_destroy(past[i]);
}

static void assert_mark(const struct text_marks *marks, size_t line, int column, int columns,
			int goodness)
{
	for (size_t i = 0; i < marks->count; i++) {
		const struct text_mark *mark = &marks->marks[i];

		if (mark->line == line && mark->column == column) {
			assert_int_equal(mark->columns, columns);
			assert_int_equal(mark->goodness, goodness);
			return;
		}
	}
	fail_msg("no mark at column %d of line %zu", column, line);
}

/* The number of the line that begins so. */
static size_t line_number(const struct scene *scene, const char *beginning)
{
	const char *text = strbuf_text(&scene->page);
	size_t number = 0;

	for (; strncmp(text, beginning, strlen(beginning)) != 0; number++)
		text = strchr(text, '\n') + 1;
	return number;
}

/* IPC was 0.20 twice, then 3.00: the worst and the best. Misses are not counted. */
UNIT_TEST_OF(page_marks_what_is_good_or_bad, struct scene *scene)
{
	const uint64_t instructions[] = {400, 400, 6000};
	struct snapshot *past[3];
	struct text_marks marks = {0};

	for (int i = 0; i < 3; i++) {
		scene->world.snapshot.task_count = 0;
		scene->world.snapshot.time_ns += 1000 * MS;
		task(&scene->world, .pid = 20, .name = "nginx", .run_ms = 800,
		     .counts = {.instructions = instructions[i], .cycles = 2000});
		past[i] = snapshot_copy(&scene->world.snapshot);
	}
	scene->input.past = (const struct snapshot *const *)past;
	scene->input.past_count = 3;
	scene->input.snapshot = past[2];
	scene->input.marks = &marks;

	assert_true(write_page(scene));
	const size_t ipc = line_number(scene, "# intervals") + 2;
	assert_line(scene, "# intervals", 2,
		    "  IPC              3.00     0.20     3.00  \u2581\u2581\u2588");
	assert_mark(&marks, ipc, 14, 9, 4);
	assert_mark(&marks, ipc, 24, 8, 0);
	assert_mark(&marks, ipc, 32, 9, 4);
	assert_mark(&marks, ipc, 43, 2, 0);
	assert_mark(&marks, ipc, 45, 1, 4);
	assert_mark(&marks, line_number(scene, "  MISS %"), 14, 9, -1);
	assert_mark(&marks, line_number(scene, "# threads") + 2, 26, 4, 4);

	/* cut off before the number: it has no mark; nor has what follows lost its place */
	scene->input.width = 30;
	assert_true(write_page(scene));
	assert_line(scene, "# intervals", 2, "  IPC              3.00     …");
	const size_t cut = line_number(scene, "# intervals") + 2;
	assert_mark(&marks, cut, 14, 9, 4);
	for (size_t i = 0; i < marks.count; i++)
		assert_true(marks.marks[i].line != cut || marks.marks[i].column == 14);
	text_marks_fini(&marks);
	for (size_t i = 0; i < 3; i++)
		snapshot_destroy(past[i]);
}

/* Counts of another layout stand in other places. */
UNIT_TEST_OF(page_leaves_out_the_past_of_another_layout, struct scene *scene)
{
	struct snapshot *past[2];
	const struct snapshot *const *list = (const struct snapshot *const *)past;

	task(&scene->world, .pid = 20, .name = "nginx", .run_ms = 800);
	past[0] = snapshot_copy(&scene->world.snapshot);
	past[1] = snapshot_copy(&scene->world.snapshot);
	((struct layout *)(uintptr_t)past[0]->layout)->width--;
	scene->input.past = list;
	scene->input.past_count = 2;

	assert_true(write_page(scene));
	assert_line(scene, "# intervals", 1, "  CPU %            80.0     80.0     80.0   \u2587");
	snapshot_destroy(past[0]);
	snapshot_destroy(past[1]);
}

UNIT_TEST_OF(page_lists_the_threads_that_ran_most, struct scene *scene)
{
	task(&scene->world, .pid = 20, .name = "nginx", .run_ms = 100, .total_ms = 61000,
	     .last_cpu = 1, .counts = {.instructions = 3000, .cycles = 2000, .switches = 8});
	task(&scene->world, .pid = 20, .tid = 21, .name = "helper", .run_ms = 200, .last_cpu = 0,
	     .is_exited = true);
	for (int32_t tid = 30; tid < 40; tid++)
		task(&scene->world, .pid = 20, .tid = tid, .name = "sleeper", .is_idle = true);
	task(&scene->world, .pid = 7, .name = "sh", .run_ms = 300);

	assert_page(scene, "# threads\n"
			   "      TID  COMMAND  CPU %  IPC MISS %  SW/s PRE/s RUN TIME CPU\n"
			   "       21  helper    20.0    –      –     0     0  0:00.20   0  ended\n"
			   "       20  nginx     10.0 1.50      –  8.00     0  1:01.00   1");
	assert_line(scene, "# threads", 12, "  and 2 more");
}

UNIT_TEST_OF(page_says_why_it_is_not_known_why_it_sleeps, struct scene *scene)
{
	add_switches(scene);
	scene->world.session.is_live = true;
	assert_true(write_page(scene));
	assert_line(scene, "# off the CPU", 1, "  nothing yet");
	strcpy(scene->world.session.off_cpu.words, "not sampled: no right");
	assert_true(write_page(scene));
	assert_line(scene, "# off the CPU", 1, "  not sampled: no right");
	assert_line(scene, "# off the CPU", 0, "# off the CPU");
}

/* Of other intervals it is not known for how long it was off. */
UNIT_TEST_OF(page_counts_intervals_in_which_it_was_sampled_off_the_cpu, struct scene *scene)
{
	static const struct {
		bool has_off_cpu;
		int32_t pid;
	} intervals[] = {{true, 7}, {false, 0}, {true, 0}, {true, 20}};
	enum {
		PAST = COUNT_OF(intervals)
	};
	struct profile_entry entry = {
		.pid = 20, .tid = 20, .kind = SAMPLE_PREEMPTED, .samples = 2, .ns = 5 * MS};
	struct profile profile = {.entries = &entry, .entry_count = 1};
	struct snapshot *now = &scene->world.snapshot, past[PAST];
	const struct snapshot *list[PAST];

	task(&scene->world, .pid = 20, .name = "nginx", .run_ms = 800);
	now->profile = &profile;
	for (size_t i = 0; i < PAST; i++) {
		past[i] = *now;
		past[i].has_off_cpu = intervals[i].has_off_cpu;
		past[i].off_cpu_pid = intervals[i].pid;
		list[i] = &past[i];
	}
	scene->input.snapshot = &past[PAST - 1];
	scene->input.past = list;
	scene->input.past_count = PAST;
	assert_page(scene, "# off the CPU, the last 2.00s            share      time     times\n"
			   "  preempted                            100.0    10.0ms         4");
	scene->world.session.off_cpu.are_estimates = true;
	assert_true(write_page(scene));
	assert_line(scene, "# off the CPU", 0,
		    "# off the CPU, the last 2.00s           share~     time~   samples");
	scene->input.snapshot = now;
	scene->input.past_count = 0;
	assert_true(write_page(scene));
	assert_line(scene, "# off the CPU", 1, "  nothing yet");
}

/*
 * All threads of the process are woken. Tasks of a name count together, one that is alone in having
 * it goes by its number, too; what it does to others is apart from what is done to it.
 */
UNIT_TEST_OF(page_names_what_wakes_it_most, struct scene *scene)
{
	const uint64_t other = told_actor(&scene->told, 9, 9, "sh");
	const uint64_t namesake = told_actor(&scene->told, 8, 8, "nginx");
	const struct told_wait {
		uint64_t came, by, wait_ns;
	} waits[] = {
		{scene->nginx, ACTOR_IDLE, 9 * MS},    {scene->nginx, scene->sh, 1 * MS},
		{scene->nginx, other, 3 * MS},         {scene->sh, other, 7 * MS},
		{scene->nginx, ACTOR_UNKNOWN, 7 * MS}, {scene->nginx, scene->sh, SWITCH_NS_UNKNOWN},
		{scene->nginx, namesake, 2 * MS},      {namesake, scene->nginx, 5 * MS},
		{namesake, scene->nginx, 3 * MS},      {namesake, scene->helper, 5 * MS},
	};

	for (size_t i = 0; i < COUNT_OF(waits); i++)
		switched(&scene->told, .prev = scene->sh, .next = waits[i].came,
			 .queued_by = waits[i].by, .off_ns = 100 * MS, .wait_ns = waits[i].wait_ns,
			 .from_cpu = -1);
	assert_true(write_page(scene));
	assert_line(scene, "# woken by", 1,
		    "  WAKEE  WAKER       TIMES TIMES %   DELAY    MEAN   WORST\n"
		    "  nginx  sh              2    50.0  4.00ms  2.00ms  3.00ms\n"
		    "  nginx  interrupt       1    25.0  9.00ms  9.00ms  9.00ms\n"
		    "  nginx  nginx           1    25.0  2.00ms  2.00ms  2.00ms");
	assert_line(scene, "# it wakes", 1,
		    "  WAKEE  WAKER       TIMES TIMES %   DELAY    MEAN   WORST\n"
		    "  nginx  nginx           2    66.7  8.00ms  4.00ms  5.00ms\n"
		    "  nginx  helper 21       1    33.3  5.00ms  5.00ms  5.00ms");
}

/* Before states were asked for nothing is known of locks. */
UNIT_TEST_OF(locks_of_a_page_are_those_since_states_are_asked_for, struct scene *scene)
{
	for (uint64_t at_ns = 1000 * MS; at_ns <= 1010 * MS; at_ns += 5 * MS)
		switched(&scene->told, .time_ns = at_ns, .prev = scene->sh, .next = scene->nginx,
			 .lock = 0x1000, .queued_by = scene->helper, .off_ns = 2 * MS,
			 .wait_ns = 1 * MS, .from_cpu = -1);
	scene->world.snapshot.time_ns = 1010 * MS;
	scene->world.snapshot.states_since_ns = 1004 * MS;
	assert_true(write_page(scene));
	assert_line(scene, "# waits for locks", 0, "# waits for locks, the last 6.00ms");
}

UNIT_TEST_OF(page_sums_more_than_32_bits_of_nanoseconds_on_a_cpu, struct scene *scene)
{
	scene->world.snapshot.time_ns = 9000 * (uint64_t)MS;
	for (uint64_t end_ms = 3000; end_ms <= 6000; end_ms += 3000)
		switched(&scene->told, .time_ns = end_ms * MS, .cpu = 0, .prev = scene->nginx,
			 .slice_ns = 3000 * (uint64_t)MS, .from_cpu = -1);
	assert_true(write_page(scene));
	assert_line(scene, "# on CPU", 1, "  0               – %      0ns    100.0 %    6.00s");
}

UNIT_TEST_OF(page_sums_the_cpus_beyond_the_first, struct scene *scene)
{
	scene->world.snapshot.cpu_count = 0;
	scene->world.snapshot.time_ns = 5000 * (uint64_t)MS;
	for (int cpu = 0; cpu < CPU_LINES + 2; cpu++)
		switched(&scene->told, .time_ns = (uint64_t)(4500 + cpu) * MS, .cpu = cpu,
			 .prev = scene->nginx, .slice_ns = (uint64_t)(20 - cpu) * MS,
			 .from_cpu = -1);
	assert_true(write_page(scene));
	assert_line(scene, "# on CPU", 1, "  0            12.9 %   20.0ms     12.9 %   20.0ms");
	assert_line(scene, "# on CPU", CPU_LINES + 1,
		    "  others       14.8 %   23.0ms     14.8 %   23.0ms");
}

UNIT_TEST_OF(page_lists_events_as_they_were_counted, struct scene *scene)
{
	struct event *denied = &scene->world.layout.events[CACHE_MISSES];

	denied->state = EVENT_DENIED;
	strcpy(denied->reason, "nobody may");
	scene->world.layout.events[BRANCH_MISSES].is_removed = true;
	task(&scene->world, .pid = 20, .name = "nginx", .run_ms = 100,
	     .counts = {.cycles = 123456789, .instructions = 5});
	assert_true(write_page(scene));
	assert_line(
		scene, "# raw event counts", 1,
		"  cycles                       counting           123456789           123456789");
	assert_line(
		scene, "# raw event counts", 4,
		"  cache-misses                 denied                     –                   –  "
		"nobody may\n"
		"  page-faults                  counting                   0                   0");
}

UNIT_TEST_OF(page_counts_moves_from_cpu_to_cpu, struct scene *scene)
{
	for (int i = 0; i < 3; i++)
		switched(&scene->told, .next = scene->nginx, .cpu = 2, .from_cpu = 1);
	switched(&scene->told, .next = scene->nginx, .cpu = 1, .from_cpu = 2);
	switched(&scene->told, .next = scene->nginx, .cpu = 1, .from_cpu = 1);
	switched(&scene->told, .next = scene->nginx, .cpu = 1, .from_cpu = -1);
	switched(&scene->told, .next = scene->sh, .cpu = 5, .from_cpu = 1);

	assert_page(scene, "# moves to another CPU in the history: 4\n"
			   "  from CPU 1    to CPU 2              3\n"
			   "  from CPU 2    to CPU 1              1");
}

UNIT_TEST_OF(page_keeps_the_moves_that_happened_most, struct scene *scene)
{
	for (int to = 1; to <= 8; to++)
		for (int i = 0; i < to; i++)
			switched(&scene->told, .next = scene->nginx, .cpu = to, .from_cpu = 0);
	assert_page(scene, "# moves to another CPU in the history: 36\n"
			   "  from CPU 0    to CPU 8              8");
	assert_line(scene, "# moves", 5, "  from CPU 0    to CPU 4              4");
}

UNIT_TEST_OF(page_lines_fit_the_screen_and_are_harmless, struct scene *scene)
{
	const uint64_t bad = told_actor(&scene->told, 66, 66, "\x1b[2J\xff\n#");

	switched(&scene->told, .prev = bad, .next = scene->nginx, .queued_by = bad,
		 .next_was_preempted = true, .off_ns = 5, .from_cpu = -1);
	switched(&scene->told, .prev = scene->nginx, .next = bad, .slice_ns = 5, .from_cpu = -1);
	task(&scene->world, .pid = 20, .name = "a\nb", .command_line = "\x1b]0;\a\n#日本語",
	     .run_ms = 1);
	for (int ascii = 0; ascii < 2; ascii++) {
		scene->input.ascii = ascii == 1;
		for (scene->input.width = 0; scene->input.width < 200; scene->input.width++) {
			assert_true(write_page(scene));
			for (char *line = scene->page.text; *line;) {
				char *end = strchr(line, '\n');

				*end = '\0';
				assert_true(text_width(line) <= (size_t)scene->input.width);
				for (const char *c = line; *c; c++) {
					assert_true((unsigned char)*c >= 0x20);
					assert_true(ascii == 0 || (unsigned char)*c < 0x7f);
				}
				line = end + 1;
			}
		}
	}
	scene->input.ascii = true;
	assert_page(scene, "# a\\x0Ab 20: ran in this interval\n"
			   "  command  \\x1B]0;\\x07\\x0A#???");
	assert_line(scene, "# ran while it waited for a CPU", 2,
		    "  nginx 20  \\x1B[2J\\xFF\\x0A# 66       1     5ns   100.0     5ns     5ns  "
		    "preempted");
}

UNIT_TEST_OF(page_shows_so_many_switches_and_no_more, struct scene *scene)
{
	for (uint64_t i = 1; i <= 25; i++)
		switched(&scene->told, .time_ns = i * MS, .prev = scene->nginx, .slice_ns = 1000,
			 .next = ACTOR_IDLE, .from_cpu = -1);
	assert_true(write_page(scene));
	assert_line(scene, "# last switches", 2,
		    "  00:00:00.025000   0  nginx 20  –   1.00us    –     0ns  idle");
	assert_line(scene, "# last switches", 21,
		    "  00:00:00.006000   0  nginx 20  –   1.00us    –     0ns  idle");
	assert_line(
		scene, "# last switches", 22,
		"# raw event counts              state       in the interval     since the start");
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
