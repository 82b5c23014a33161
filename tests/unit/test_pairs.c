/* Who disturbs whom: pairs out of a history, and the rows that they are. */

#include "view/names.h"
#include "view/pairs.h"

#include "scene_kit.h"
#include "unit.h"

enum {
	US = 1000,
	MS = 1000000,
	CAPACITY = 40 * HISTORY_BLOCK
};

static uint64_t worker; /* an actor: 88/88 */

static int set_up(void **state)
{
	struct scene *scene = scene_open();

	scene_tell_two(scene, CAPACITY);
	worker = told_actor(&scene->told, 88, 88, "kworker/2:1");
	*state = scene;
	return 0;
}

static int tear_down(void **state)
{
	scene_close(*state);
	return 0;
}

/* The victim runs again. */
#define returned(scene_, victim_, taker_, off_, ...)                                               \
	switched(&(scene_)->told, .prev = (taker_), .next = (victim_), .queued_by = (taker_),      \
		 .off_ns = (off_), .wait_ns = (off_), .next_was_preempted = true, .from_cpu = -1,  \
		 __VA_ARGS__)

UNIT_TEST_OF(pairs_without_history_are_none, struct scene *scene)
{
	scene->request.history = NULL;
	scene_build(scene, "pairs");

	assert_int_equal(view_table_row_count(scene->table), 0);
}

/* clang-format off */
static const struct {
	const char *name;
	struct {
		int32_t victim, taker; /* tids; -1: unknown */
		uint64_t off_ns, time_ns;
		int32_t cpu, from_cpu; /* from 0: the same */
	} waits[4];
	const char *columns, *rows;
	enum view_by by;
	uint64_t window_ns;
} cases[] = {
	{"times and waits add up, the most lost first", {{7, 21, .off_ns = 30 * US}, {21, 88, .off_ns = 100 * US}, {21, 88, .off_ns = 300 * US}},
	 .columns = "victim,taker,times,lost,lost-mean,lost-worst", .rows = "nginx 21 kworker/2:1 88 2 400us 200us 300us, sh 7 nginx 21 1 30.0us 30.0us 30.0us"},
	{"unknown waits are left out", {{7, 21, .off_ns = SWITCH_NS_UNKNOWN}, {7, 21, .off_ns = 5 * US}}, .columns = "times,lost", .rows = "1 5.00us"},
	{"an unknown taker is a dash", {{7, -1, .off_ns = 5 * US}}, .columns = "victim,taker,lost", .rows = "sh 7 - 5.00us"},
	{"threads of one name are apart", {{21, 7, .off_ns = 5 * US}, {22, 7, .off_ns = 6 * US}}, .columns = "victim,lost", .rows = "nginx 22 6.00us, nginx 21 5.00us"},
	{"a task goes by its newest name", {{30, 21, .off_ns = 5 * US}, {31, 21, .off_ns = 6 * US}}, .columns = "victim,times,lost", .rows = "make 30 2 11.0us"},
	{"by name tasks are joined", {{21, 7, .off_ns = 5 * US}, {22, 7, .off_ns = 6 * US}, {7, 22, .off_ns = 7 * US}}, .columns = "victim,taker,times,lost", .rows = "nginx sh 2 11.0us, sh nginx 1 7.00us", .by = BY_NAME},
	{"by CPU: where the victim was pushed out", {{21, 7, .off_ns = 5 * US, .cpu = 3}, {21, 7, .off_ns = 6 * US, .cpu = 4}, {21, 7, .off_ns = 7 * US, .cpu = 4}},
	 .columns = "victim,taker,cpu,lost", .rows = "nginx 21 sh 7 4 13.0us, nginx 21 sh 7 3 5.00us", .by = BY_CPU},
	{"by CPU: before a migration", {{21, 7, .off_ns = 5 * US, .cpu = 1, .from_cpu = 6}}, .columns = "cpu,lost", .rows = "6 5.00us", .by = BY_CPU},
	{"on CPUs that are not known", {{7, 21, .off_ns = 30 * US, .cpu = -1}, {21, 7, .off_ns = 20 * US, .cpu = -1}}, .columns = "victim,taker,cpu,lost", .rows = "sh 7 nginx 21 - 30.0us, nginx 21 sh 7 - 20.0us", .by = BY_CPU},
	{"rates are per second of the window", {{7, 21, .off_ns = 1 * MS, .time_ns = 1000 * MS}, {7, 21, .off_ns = 2 * MS, .time_ns = 1100 * MS}, {7, 21, .off_ns = 3 * MS, .time_ns = 1500 * MS}}, .columns = "times/s,lost/s", .rows = "6.00 12.0ms"},
	{"one entry has no rate", {{7, 21, .off_ns = 2 * MS}}, .columns = "times/s,lost/s,lost", .rows = "- - 2.00ms"},
	{"what is older than the window is left out", {{7, 21, .off_ns = 1 * MS, .time_ns = 1000 * MS}, {7, 21, .off_ns = 2 * MS, .time_ns = 1500 * MS}, {7, 21, .off_ns = 4 * MS, .time_ns = 2000 * MS}},
	 .columns = "times,lost,lost/s", .rows = "1 4.00ms 8.00ms", .window_ns = 500 * MS},
	{"shares are of all pairs", {{7, 21, .off_ns = 30 * US}, {21, 88, .off_ns = 50 * US}, {21, 88, .off_ns = 20 * US}}, .columns = "victim,times%,lost%", .rows = "nginx 21 66.7 70.0, sh 7 33.3 30.0"},
	{"names are harmless", {{66, 67, .off_ns = 5 * US}}, .columns = "victim,taker", .rows = "\\x1B[2J\\x0A 66 67"},
	{"no metrics", {{7, 21, .off_ns = 10 * US}}, .columns = "ipc,sw/s,time,pid,command,busy", .rows = "- - - - - -"},
	{"nothing", {{0}}, .columns = "victim", .rows = "", .window_ns = MS},
};
/* clang-format on */

UNIT_TEST_WITH(pairs_are_as_expected, NULL, NULL)
{
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		uint64_t actors[100];
		struct scene *scene;

		begin_case(cases[i].name);
		set_up((void **)&scene);
		actors[7] = scene->sh;
		actors[21] = scene->nginx;
		actors[22] = told_actor(&scene->told, 20, 22, "nginx");
		actors[30] = told_actor(&scene->told, 30, 30, "sh");
		actors[31] = told_actor(&scene->told, 30, 30, "make");
		actors[66] = told_actor(&scene->told, 66, 66, "\x1b[2J\n");
		actors[67] = told_actor(&scene->told, 67, 67, "");
		actors[88] = worker;
		for (size_t j = 0; j < 4 && cases[i].waits[j].victim > 0; j++) {
			const int32_t taker = cases[i].waits[j].taker;
			const int32_t from = cases[i].waits[j].from_cpu;
			const uint64_t by = taker < 0 ? ACTOR_UNKNOWN : actors[taker];

			switched(&scene->told, .prev = by, .queued_by = by,
				 .next = actors[cases[i].waits[j].victim],
				 .off_ns = cases[i].waits[j].off_ns, .next_was_preempted = true,
				 .time_ns = cases[i].waits[j].time_ns, .cpu = cases[i].waits[j].cpu,
				 .from_cpu = from > 0 ? from : -1);
		}
		scene->request.by = cases[i].by;
		scene->request.window_ns = cases[i].window_ns;
		assert_scene(scene, "pairs", cases[i].columns, cases[i].rows);
		tear_down((void **)&scene);
	}
}

/* Until something shows wake-ups they are not recorded; preemptions are. */
UNIT_TEST_OF(pairs_of_wakeups_have_the_rates_of_their_time, struct scene *scene)
{
	switched(&scene->told, .prev = scene->nginx, .next = worker, .off_ns = 1 * MS,
		 .next_was_preempted = true, .time_ns = 1000 * MS, .from_cpu = -1);
	switched(&scene->told, .prev = scene->nginx, .next = scene->sh, .off_ns = 9 * MS,
		 .wait_ns = 5 * MS, .queued_by = scene->nginx, .time_ns = 1900 * MS,
		 .from_cpu = -1);
	switched(&scene->told, .prev = scene->nginx, .next = worker, .off_ns = 1 * MS,
		 .next_was_preempted = true, .time_ns = 2000 * MS, .from_cpu = -1);
	scene->world.snapshot.first_wake_ns = 1500 * MS;

	assert_scene(scene, "pairs", "wait-kind,times,times/s", "woken 1 2.00, preempted 2 2.00");
	scene->form = PAIRS_WAKERS;
	assert_scene(scene, "pairs", "wakee,times,times/s,delay/s", "sh 7 1 2.00 10.0ms");
}

UNIT_TEST_OF(pairs_are_not_made_of_sleepers, struct scene *scene)
{
	switched(&scene->told, .prev = scene->nginx, .next = scene->sh, .off_ns = MS,
		 .from_cpu = -1);
	scene_build(scene, "pairs");

	assert_int_equal(view_table_row_count(scene->table), 0);
}

/* Bytes of the number behind the only victim's name, which is not cut. */
static size_t tail_of_victim(struct scene *scene, enum view_by by)
{
	struct cell cell;

	scene->request.by = by;
	scene_build(scene, "pairs");
	assert_int_equal(view_table_row_count(scene->table), 1);
	view_table_cell(scene->table, 0, 0, &cell);
	return cell.tail;
}

UNIT_TEST_OF(pairs_have_numbers_behind_names_that_are_not_cut, struct scene *scene)
{
	const uint64_t victim = told_actor(&scene->told, 30, 4711, "pool 12");

	returned(scene, victim, scene->sh, 5 * US);

	assert_int_equal(tail_of_victim(scene, BY_TASK), strlen(" 4711"));
	assert_int_equal(tail_of_victim(scene, BY_CPU), strlen(" 4711"));
	assert_int_equal(tail_of_victim(scene, BY_NAME), 0);
}

UNIT_TEST_OF(pairs_show_the_cpu_by_cpu_only, struct scene *scene)
{
	returned(scene, scene->nginx, scene->sh, 5 * US);
	scene_build(scene, "pairs");
	assert_string_equal(view_table_column(scene->table, 2)->name, "wait-kind");
	assert_string_equal(view_table_column(scene->table, 3)->name, "times");
	assert_scene(scene, "pairs", "cpu", "-");

	scene->request.by = BY_CPU;
	scene->request.state.columns = (struct column_list){0};
	scene_build(scene, "pairs");
	assert_string_equal(view_table_column(scene->table, 3)->name, "cpu");
}

UNIT_TEST_OF(pairs_of_windows_that_follow_each_other_share_nothing, struct scene *scene)
{
	for (uint64_t i = 0; i < 10; i++)
		returned(scene, scene->sh, scene->nginx, (1 + i) * MS, .time_ns = (100 + i) * MS);
	scene->request.history_from = 0;
	scene->request.history_to = 4;
	assert_scene(scene, "pairs", "times,lost", "4 10.0ms");
	scene->request.history_from = 4;
	scene->request.history_to = 10;
	assert_scene(scene, "pairs", "times,lost,times/s", "6 45.0ms 1.00k");
}

UNIT_TEST_OF(pairs_of_what_is_not_settled_come_later, struct scene *scene)
{
	returned(scene, scene->sh, scene->nginx, 1 * MS);
	told_add(&scene->told, (struct switch_entry){
				       .prev = scene->nginx,
				       .next = scene->sh,
				       .queued_by = scene->nginx,
				       .off_ns = 2 * MS,
				       .next_was_preempted = true,
			       });
	scene->request.history_from = 0;
	scene->request.history_to = history_end(scene->told.history);

	assert_scene(scene, "pairs", "times,lost", "1 1.00ms");
}

static bool wants_88(int32_t pid, const void *context)
{
	return pid == 88;
}

/* What it lost is first, however little it is. */
UNIT_TEST_OF(pairs_of_a_process_have_it_on_either_side, struct scene *scene)
{
	scene->request.wants_pid = wants_88;
	returned(scene, scene->sh, scene->nginx, 10 * US);
	returned(scene, worker, scene->nginx, 20 * US);
	returned(scene, scene->sh, worker, 30 * US);

	assert_scene(scene, "pairs", "victim,taker",
		     "kworker/2:1 88 nginx 21, sh 7 kworker/2:1 88");
}

UNIT_TEST_OF(pairs_by_name_of_a_process_leave_out_its_namesakes, struct scene *scene)
{
	const int32_t pids[] = {20};
	const uint64_t namesake = told_actor(&scene->told, 40, 40, "nginx");

	scene->request.by = BY_NAME;
	scene->request.pids = pids;
	scene->request.pid_count = 1;
	returned(scene, scene->nginx, scene->sh, 10 * US);
	returned(scene, namesake, scene->sh, 20 * US);
	returned(scene, scene->nginx, scene->sh, 40 * US);

	assert_scene(scene, "pairs", "victim,times,lost", "nginx 2 50.0us");
}

/* What it lost to another one of its name is not what that lost to it, and comes first. */
UNIT_TEST_OF(pairs_by_name_of_a_process_tell_both_ways_apart, struct scene *scene)
{
	const int32_t pids[] = {20};
	const uint64_t namesake = told_actor(&scene->told, 40, 40, "nginx");

	scene->request.by = BY_NAME;
	scene->request.pids = pids;
	scene->request.pid_count = 1;
	returned(scene, namesake, scene->nginx, 40 * US);
	returned(scene, scene->nginx, namesake, 10 * US);
	returned(scene, scene->sh, scene->nginx, 60 * US);

	assert_scene(scene, "pairs", "victim,taker,lost,lost%",
		     "nginx nginx 10.0us 100.0, sh nginx 60.0us 60.0, nginx nginx 40.0us 40.0");
}

UNIT_TEST_OF(pairs_of_a_user_have_his_task_on_either_side, struct scene *scene)
{
	task(&scene->world, .pid = 88, .id = 88, .uid = 1000);
	task(&scene->world, .pid = 7, .id = 7, .uid = 0);
	scene->request.uid = 1000;
	returned(scene, scene->sh, scene->nginx, 10 * US);
	returned(scene, worker, scene->nginx, 20 * US);

	assert_scene(scene, "pairs", "victim,taker", "kworker/2:1 88 nginx 21");
}

UNIT_TEST_OF(pairs_filter_narrows_rows, struct scene *scene)
{
	returned(scene, scene->sh, scene->nginx, 10 * US);
	returned(scene, worker, scene->nginx, 20 * US);
	scene->request.filter = "lost < 15us";
	assert_scene(scene, "pairs", "victim", "sh 7");
	scene->request.filter = "kworker";
	assert_scene(scene, "pairs", "victim", "kworker/2:1 88");
}

/* Whoever else there is, and in whatever order they come. */
UNIT_TEST_OF(pairs_keep_their_ids, struct scene *scene)
{
	uint64_t id;

	returned(scene, worker, scene->sh, 20 * US);
	returned(scene, scene->sh, scene->nginx, 10 * US);
	scene_build(scene, "pairs");
	id = view_table_row(scene->table, 1)->id;
	returned(scene, scene->sh, scene->nginx, 50 * US);
	scene->request.history_from = 1;
	scene->request.history_to = 3;
	scene_build(scene, "pairs");

	assert_int_equal(view_table_row_count(scene->table), 1);
	assert_int_equal(view_table_index_of(scene->table, id), 0);
}

/* More pairs than are told apart; whatever is lost is in one of them. */
UNIT_TEST_OF(pairs_beyond_the_cap_are_one_at_the_end, struct scene *scene)
{
	const uint64_t count = PAIRS_MAX + 1000;
	uint64_t lost = 0, rows_lost = 0, times = 0;

	for (uint64_t i = 0; i < count; i++) {
		const int32_t tid = 1000 + (int32_t)i;

		returned(scene, told_actor(&scene->told, tid, tid, "child"), scene->sh, 1 + i);
		lost += 1 + i;
	}
	/* one that is known, and a pair that is not, of two that are */
	returned(scene, told_actor(&scene->told, 1000, 1000, "child"), scene->sh, 7);
	returned(scene, told_actor(&scene->told, 1000, 1000, "child"),
		 told_actor(&scene->told, 1001, 1001, "child"), 8);
	scene_build(scene, "pairs");

	assert_int_equal(view_table_row_count(scene->table), PAIRS_MAX + 1);
	for (size_t i = 0; i <= PAIRS_MAX; i++) {
		const struct pair *pair = view_table_row(scene->table, i)->pair;

		rows_lost += pair->lost_ns;
		times += pair->times;
		assert_int_equal(pair->is_others, i == PAIRS_MAX);
	}
	assert_int_equal(rows_lost, lost + 15);
	assert_int_equal(times, count + 2);
	assert_int_equal(view_table_row(scene->table, PAIRS_MAX)->pair->times, 1001);
	assert_string_equal(view_table_row(scene->table, PAIRS_MAX)->pair->victim_words, "others");

	/* nobody in particular is worst, though they lost most in all */
	const struct pair_query query = {
		.window = window_of(&(struct view_request){.history = scene->told.history})};
	struct pair_table *table = pair_table_create();
	pair_table_gather(table, &query);
	assert_int_equal(pair_table_worst(table)->lost_ns, PAIRS_MAX);
	pair_table_destroy(table);
}

/* Against what one entry after the other says. */
UNIT_TEST_OF(pairs_lose_what_the_entries_lost, struct scene *scene)
{
	const uint64_t actors[] = {scene->sh, scene->nginx, worker, ACTOR_UNKNOWN};
	const enum view_by by[] = {BY_TASK, BY_NAME, BY_CPU};
	uint64_t expected = 0, random = 1;

	for (int i = 0; i < 20000; i++) {
		random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
		const bool preempted = random >> 40 & 1;
		const uint64_t off_ns = random >> 41 & 7 ? random >> 50 : SWITCH_NS_UNKNOWN;

		switched(&scene->told, .prev = scene->sh, .next = actors[random >> 33 & 3],
			 .queued_by = preempted ? actors[random >> 35 & 3] : ACTOR_UNKNOWN,
			 .next_was_preempted = preempted, .off_ns = off_ns,
			 .cpu = (int32_t)(random >> 37 & 3), .from_cpu = -1);
		if (preempted && off_ns != SWITCH_NS_UNKNOWN)
			expected += off_ns;
	}
	for (size_t i = 0; i < 3; i++) {
		uint64_t lost = 0;

		scene->request.by = by[i];
		scene_build(scene, "pairs");
		for (size_t row = 0; row < view_table_row_count(scene->table); row++)
			lost += view_table_row(scene->table, row)->pair->lost_ns;
		assert_int_equal(lost, expected);
	}
}

/* Six blocks more, when four were looked at: of these, and of the next, nothing is left. */
static void go_on(void *context)
{
	struct scene *scene = context;

	if (history_first(scene->told.history) > 0)
		return;
	for (int i = 0; i < 6 * HISTORY_BLOCK; i++)
		switched(&scene->told, .prev = worker, .next = worker, .cpu = 1, .from_cpu = -1);
	assert_int_equal(history_first(scene->told.history), 5 * HISTORY_BLOCK);
}

/* The kworker that ran before a gap is not what ran behind it. */
UNIT_TEST_OF(pairs_behind_a_gap_know_nothing_of_what_ran_before, struct scene *scene)
{
	for (int i = 0; i < CAPACITY; i++) {
		const bool is_behind = i == 6 * HISTORY_BLOCK;

		switched(&scene->told, .prev = worker, .next = is_behind ? scene->nginx : worker,
			 .queued_by = is_behind ? scene->sh : ACTOR_UNKNOWN,
			 .next_was_preempted = is_behind, .off_ns = 30 * US,
			 .cpu = i >= 4 * HISTORY_BLOCK, .from_cpu = is_behind ? 0 : -1);
	}
	assert_scene(scene, "pairs", "victim,taker,lost", "nginx 21 kworker/2:1 88 30.0us");
	scene->request.meanwhile = go_on;
	scene->request.context = scene;
	assert_scene(scene, "pairs", "victim,taker,lost", "nginx 21 sh 7 30.0us");
}

/* --- which task woke which */

/* What was woken comes to the CPU. */
#define woken(scene_, wakee_, waker_, wait_, ...)                                                  \
	switched(&(scene_)->told, .prev = worker, .next = (wakee_), .queued_by = (waker_),         \
		 .off_ns = 1 * MS, .wait_ns = (wait_), .from_cpu = -1, __VA_ARGS__)

UNIT_TEST_OF(wakers_have_what_they_woke_and_its_delay, struct scene *scene)
{
	scene->form = PAIRS_WAKERS;
	woken(scene, scene->sh, scene->nginx, 30 * US);
	woken(scene, scene->sh, scene->nginx, 10 * US);
	woken(scene, scene->nginx, ACTOR_IDLE, 20 * US);
	assert_scene(scene, "pairs", "wakee,waker,times,delay,lost-mean,lost-worst",
		     "sh 7 nginx 21 2 40.0us 20.0us 30.0us, "
		     "nginx 21 interrupt 1 20.0us 20.0us 20.0us");
}

UNIT_TEST_OF(wakers_of_what_is_not_known_are_none, struct scene *scene)
{
	scene->form = PAIRS_WAKERS;
	woken(scene, scene->sh, ACTOR_UNKNOWN, 30 * US);
	woken(scene, scene->sh, scene->nginx, SWITCH_NS_UNKNOWN);
	returned(scene, scene->sh, scene->nginx, 30 * US);
	assert_scene(scene, "pairs", "wakee,waker", "");
}

/* By CPU: that on which it then runs. */
UNIT_TEST_OF(wakers_are_summed_as_takers_are, struct scene *scene)
{
	scene->form = PAIRS_WAKERS;
	woken(scene, scene->sh, scene->nginx, 30 * US, .cpu = 3);
	woken(scene, scene->sh, scene->nginx, 10 * US, .cpu = 4);
	scene->request.by = BY_NAME;
	assert_scene(scene, "pairs", "wakee,waker,lost", "sh nginx 40.0us");
	scene->request.by = BY_CPU;
	assert_scene(scene, "pairs", "wakee,cpu,lost", "sh 7 3 30.0us, sh 7 4 10.0us");
}

/* --- which lock */

/* What slept on a futex comes to the CPU, woken 10 us before. */
#define slept(scene_, waiter_, lock_, waker_, off_, time_)                                         \
	switched(&(scene_)->told, .prev = worker, .next = (waiter_), .queued_by = (waker_),        \
		 .off_ns = (off_) + 10 * US, .wait_ns = 10 * US, .from_cpu = -1, .lock = (lock_),  \
		 .time_ns = (time_) + 10 * US)

static struct variable_name name_variable(void *context, int32_t pid, uint64_t address)
{
	assert_int_equal(pid, 20);
	return address < 0x2000 ? (struct variable_name){.name = "queue",
							 .object = "nginx",
							 .offset = address - 0x1000}
				: (struct variable_name){.name = "", .object = "[heap]"};
}

static const struct function_names named = {.variable = name_variable};

UNIT_TEST_OF(locks_have_what_waited_and_the_wait_up_to_the_wakeup, struct scene *scene)
{
	const uint64_t thread = told_actor(&scene->told, 20, 22, "nginx");

	scene->form = PAIRS_LOCKS;
	view_table_name_functions(scene->table, &named);
	slept(scene, scene->nginx, 0x1000, thread, 2 * MS, 10 * MS);
	slept(scene, scene->nginx, 0x1000, thread, 4 * MS, 20 * MS);
	slept(scene, scene->nginx, 0x1018, thread, 3 * MS, 30 * MS);
	slept(scene, scene->nginx, 0x2000, thread, 1 * MS, 40 * MS);
	slept(scene, scene->nginx, 0, thread, 9 * MS, 50 * MS);          /* on no futex */
	slept(scene, scene->nginx, 0x1000, ACTOR_IDLE, 8 * MS, 60 * MS); /* up to its time limit */

	assert_scene(scene, "pairs", "lock,lock-address,waiter,holder,times,held,lost-worst",
		     "queue 0x1000 nginx 21 nginx 22 2 6.00ms 4.00ms, "
		     "queue+0x18 0x1018 nginx 21 nginx 22 1 3.00ms 3.00ms, "
		     "[heap] 0x2000 nginx 21 nginx 22 1 1.00ms 1.00ms");
	assert_scene(scene, "pairs", "victim,wakee,wait-kind,lost",
		     "- - - 6.00ms, - - - 3.00ms, - - - 1.00ms");
	scene->request.filter = "heap";
	assert_scene(scene, "pairs", "lock", "[heap]");
}

/* Threads of one process wait for the same one. */
UNIT_TEST_OF(locks_at_one_address_of_two_processes_are_two, struct scene *scene)
{
	scene->form = PAIRS_LOCKS;
	slept(scene, worker, 0x1000, scene->nginx, 4 * MS, 14 * MS);
	slept(scene, scene->sh, 0x1000, worker, 5 * MS, 15 * MS);

	assert_scene(scene, "pairs", "waiter,holder,held",
		     "sh 7 kworker/2:1 88 5.00ms, kworker/2:1 88 nginx 21 4.00ms");
}

/* The first wake-up is that of 21, which had it, the second one that of 22, which then got it. */
UNIT_TEST_OF(locks_are_held_from_one_wakeup_to_the_next, struct scene *scene)
{
	const uint64_t second = told_actor(&scene->told, 20, 22, "second");
	const uint64_t third = told_actor(&scene->told, 20, 23, "third");

	scene->form = PAIRS_LOCKS;
	slept(scene, second, 0x1000, scene->nginx, 3 * MS, 14 * MS);
	slept(scene, third, 0x1000, second, 5 * MS, 15 * MS);

	assert_scene(scene, "pairs", "waiter,holder,times,held",
		     "third 23 nginx 21 1 4.00ms, second 22 nginx 21 1 3.00ms, "
		     "third 23 second 22 1 1.00ms");
	scene->request.window_ns = 1 * MS - 20 * US; /* what is before it is noted */
	assert_scene(scene, "pairs", "waiter,holder,held",
		     "third 23 nginx 21 4.00ms, third 23 second 22 1.00ms");
}

/* It had the one lock and waited for the other one. */
UNIT_TEST_OF(locks_have_behind_them_those_for_which_their_holders_waited, struct scene *scene)
{
	const uint64_t second = told_actor(&scene->told, 20, 22, "second");
	const uint64_t third = told_actor(&scene->told, 20, 23, "third");

	scene->form = PAIRS_LOCKS;
	view_table_name_functions(scene->table, &named);
	slept(scene, third, 0x2000, ACTOR_IDLE, 1 * MS, 11 * MS);
	slept(scene, second, 0x1000, third, 3 * MS, 14 * MS);
	slept(scene, scene->nginx, 0x2000, second, 5 * MS, 15 * MS);
	slept(scene, third, 0x1000, second, 1 * MS, 30 * MS); /* when that waited for nothing */

	assert_scene(scene, "pairs", "lock,waiter,holder,chain",
		     "[heap] nginx 21 second 22 queue: third 23, "
		     "queue second 22 third 23 -, "
		     "queue third 23 second 22 -");
}

/* Of chosen tasks, too. */
UNIT_TEST_OF(locks_behind_are_those_of_others, struct scene *scene)
{
	scene->request.wants_pid = wants_88;
	scene->form = PAIRS_LOCKS;
	slept(scene, scene->nginx, 0x2000, scene->sh, 3 * MS, 14 * MS);
	slept(scene, worker, 0x1000, scene->nginx, 5 * MS, 15 * MS);

	assert_scene(scene, "pairs", "waiter,holder,times%,chain",
		     "kworker/2:1 88 nginx 21 100.0 0x2000: sh 7");
}

/* As the last time, which is not the same one for both. */
UNIT_TEST_OF(locks_behind_each_other_in_a_circle_end, struct scene *scene)
{
	const uint64_t second = told_actor(&scene->told, 20, 22, "second");

	scene->form = PAIRS_LOCKS;
	view_table_name_functions(scene->table, &named);
	for (uint64_t ms = 10; ms < 50; ms += 20) {
		slept(scene, second, 0x1000, scene->nginx, 2 * MS, ms * MS);
		slept(scene, scene->nginx, 0x2000, second, 4 * MS, (ms + 1) * MS);
		slept(scene, second, 0x1000, scene->nginx, 3 * MS, (ms + 2) * MS);
	}
	assert_scene(scene, "pairs", "lock,waiter,holder,chain",
		     "queue second 22 nginx 21 [heap]: second 22, "
		     "[heap] nginx 21 second 22 queue: nginx 21");
}

/* The one sleeps on that lock since then, and waits for the other one. */
#define PRESENT(waiter_, lock_, holder_, since_, ...)                                              \
	{                                                                                          \
		.waiter = (waiter_), .holder = (holder_), .lock = (lock_), .since_ns = (since_),   \
		__VA_ARGS__                                                                        \
	}

static void waits_by_100_ms(struct scene *scene, const struct snapshot_lock_wait *waits,
			    size_t count)
{
	scene->form = PAIRS_LOCKS;
	scene->world.snapshot.time_ns = 100 * MS;
	scene->world.snapshot.lock_waits = waits;
	scene->world.snapshot.lock_wait_count = count;
	view_table_name_functions(scene->table, &named);
}

/* What is lost per second is that of the time in which it can be known. */
UNIT_TEST_OF(locks_are_known_since_states_are_asked_for, struct scene *scene)
{
	slept(scene, scene->nginx, 0x1000, worker, 2 * MS, 50 * MS);
	slept(scene, scene->nginx, 0x1000, worker, 2 * MS, 80 * MS);
	slept(scene, scene->nginx, 0, worker, 9 * MS, 100 * MS - 10 * US); /* the window's end */
	waits_by_100_ms(scene, NULL, 0);
	scene->world.snapshot.states_since_ns = 60 * MS;
	assert_scene(scene, "pairs", "waiter,times,times/s,held/s", "nginx 21 1 25.0 50.0ms");
	scene->world.snapshot.states_since_ns = 200 * MS;
	assert_scene(scene, "pairs", "waiter", "");
}

UNIT_TEST_OF(locks_for_which_tasks_wait_now_are_with_those_before, struct scene *scene)
{
	const uint64_t second = told_actor(&scene->told, 20, 22, "second");
	const struct snapshot_lock_wait waits[] = {PRESENT(scene->nginx, 0x1000, second, 70 * MS)};

	slept(scene, scene->nginx, 0x1000, second, 2 * MS, 50 * MS);
	waits_by_100_ms(scene, waits, 1);
	assert_scene(scene, "pairs", "lock,waiter,holder,times,held,waits-now,lost-mean,chain",
		     "queue nginx 21 second 22 1 32.0ms 30.0ms 2.00ms -");
	/* a wait that goes on takes of a second what it takes in it */
	scene->world.snapshot.states_since_ns = 90 * MS;
	assert_scene(scene, "pairs", "lock,times,held,held/s,lost-worst", "queue 0 30.0ms 1.00s -");
	scene->world.snapshot.states_since_ns = 0;
	scene->form = PAIRS_WAKERS;
	assert_scene(scene, "pairs", "wakee,times", "nginx 21 1");
}

/* They wait for each other; what waits for one of them is not in the circle. */
UNIT_TEST_OF(locks_of_tasks_that_wait_for_each_other_are_a_deadlock, struct scene *scene)
{
	const uint64_t second = told_actor(&scene->told, 20, 22, "second");
	const uint64_t third = told_actor(&scene->told, 20, 23, "third");
	const struct snapshot_lock_wait waits[] = {
		PRESENT(scene->nginx, 0x1000, second, 10 * MS, .is_deadlock = true),
		PRESENT(second, 0x2000, scene->nginx, 20 * MS, .is_deadlock = true),
		PRESENT(third, 0x2000, scene->nginx, 30 * MS),
	};

	waits_by_100_ms(scene, waits, COUNT_OF(waits));
	assert_scene(scene, "pairs", "lock,waiter,holder,times,waits-now,chain",
		     "queue nginx 21 second 22 0 90.0ms deadlock; [heap]: nginx 21, "
		     "[heap] second 22 nginx 21 0 80.0ms deadlock; queue: second 22, "
		     "[heap] third 23 nginx 21 0 70.0ms queue: second 22; [heap]: nginx 21");
	scene->request.by = BY_NAME;
	assert_scene(scene, "pairs", "waiter,holder,chain",
		     "nginx second [heap]: nginx, second nginx queue: second, "
		     "third nginx queue: second; [heap]: nginx");
}

/* The one that has it now was woken by the one that had it before. */
UNIT_TEST_OF(locks_for_which_tasks_wait_now_are_held_from_one_wakeup_to_the_next,
	     struct scene *scene)
{
	const uint64_t second = told_actor(&scene->told, 20, 22, "second");
	const uint64_t third = told_actor(&scene->told, 20, 23, "third");
	const struct snapshot_lock_wait waits[] = {PRESENT(scene->nginx, 0x1000, second, 10 * MS),
						   PRESENT(third, 0x1000, second, 85 * MS)};

	slept(scene, second, 0x1000, third, 20 * MS, 80 * MS);
	waits_by_100_ms(scene, waits, COUNT_OF(waits));
	assert_scene(scene, "pairs", "waiter,holder,times,held,waits-now",
		     "nginx 21 third 23 0 70.0ms 70.0ms, nginx 21 second 22 0 20.0ms 20.0ms, "
		     "second 22 third 23 1 20.0ms -, third 23 second 22 0 15.0ms 15.0ms");
}

UNIT_TEST_OF(lock_that_a_task_has_itself_is_a_deadlock, struct scene *scene)
{
	const struct snapshot_lock_wait waits[] = {
		PRESENT(scene->nginx, 0x1000, scene->nginx, 10 * MS, .is_deadlock = true)};

	waits_by_100_ms(scene, waits, 1);
	assert_scene(scene, "pairs", "waiter,holder,chain", "nginx 21 nginx 21 deadlock");
}

/* A list of columns holds for all forms. */
UNIT_TEST_OF(wakers_are_no_takers, struct scene *scene)
{
	scene->form = PAIRS_WAKERS;
	woken(scene, scene->sh, scene->nginx, 30 * US);
	assert_scene(scene, "pairs", "victim,taker,wakee,waker", "- - sh 7 nginx 21");
	scene->form = PAIRS_TAKERS;
	returned(scene, worker, scene->nginx, 30 * US);
	assert_scene(scene, "pairs", "victim,taker,wait-kind,wakee,waker",
		     "kworker/2:1 88 nginx 21 preempted - -, sh 7 - woken - -");
}

/* Who runs while a task that was woken waits for the CPU takes it, and idle does not. */
UNIT_TEST_OF(pairs_have_takers_after_wakeups, struct scene *scene)
{
	scene->request.filter = "wait-kind = woken";
	switched(&scene->told, .prev = scene->sh, .next = worker, .time_ns = 1 * MS,
		 .from_cpu = -1);
	switched(&scene->told, .prev = worker, .next = scene->nginx, .slice_ns = 2 * MS,
		 .from_cpu = 5, .time_ns = 3 * MS, .off_ns = 9 * MS, .wait_ns = 1 * MS,
		 .queued_by = scene->sh);
	assert_scene(scene, "pairs", "victim,taker,wait-kind,lost",
		     "nginx 21 kworker/2:1 88 woken 1.00ms");
	switched(&scene->told, .prev = scene->nginx, .next = ACTOR_IDLE, .slice_ns = 1 * MS,
		 .time_ns = 4 * MS, .from_cpu = -1);
	switched(&scene->told, .prev = ACTOR_IDLE, .next = scene->sh, .slice_ns = 2 * MS,
		 .time_ns = 6 * MS, .off_ns = 5 * MS, .wait_ns = 1 * MS, .from_cpu = -1);
	assert_scene(scene, "pairs", "victim", "nginx 21");
}

UNIT_TEST_OF(pair_table_worst_has_lost_most, struct scene *scene)
{
	struct pair_table *table = pair_table_create();
	const struct pair_query query = {
		.window = window_of(&(struct view_request){.history = scene->told.history})};

	returned(scene, scene->sh, scene->nginx, 10 * US);
	returned(scene, worker, scene->nginx, 20 * US);
	returned(scene, scene->nginx, scene->sh, 30 * US);
	returned(scene, worker, scene->sh, 25 * US);
	pair_table_gather(table, &query);
	assert_null(pair_table_worst(table));

	const struct pair_query all = {
		.window = window_of(&(struct view_request){.history = scene->told.history})};
	pair_table_gather(table, &all);
	assert_int_equal(pair_table_worst(table)->lost_ns, 30 * US);
	pair_table_destroy(table);
}

/* sh is outside, two of nginx in one container, the worker has ended. */
UNIT_TEST_OF(pairs_by_container_are_own_or_foreign, struct scene *scene)
{
	struct world *world = &scene->world;
	const uint64_t other = told_actor(&scene->told, 20, 22, "nginx");
	const uint64_t cron = told_actor(&scene->told, 30, 30, "cron");

	task(world, .pid = 7, .id = 7)->cgroup = "/user.slice";
	task(world, .pid = 30, .id = 30)->cgroup = "/system.slice";
	task(world, .pid = 20, .tid = 21, .id = 21)->cgroup = "/lxc/web";
	task(world, .pid = 20, .tid = 22, .id = 22)->cgroup = "/lxc/web/init.scope";
	returned(scene, scene->nginx, other, 5 * US);
	returned(scene, scene->nginx, scene->sh, 4 * US);
	returned(scene, scene->sh, cron, 3 * US);
	returned(scene, scene->sh, worker, 2 * US);
	assert_scene(scene, "pairs", "victim,taker,relation",
		     "nginx 21 nginx 22 own, nginx 21 sh 7 foreign, sh 7 cron 30 own, "
		     "sh 7 kworker/2:1 88 -");
	scene->request.by = BY_CONTAINER;
	returned(scene, other, scene->nginx, 1 * US);
	assert_scene(scene, "pairs", "victim,taker,relation,times",
		     "web web own 2, web (no container) foreign 1, "
		     "(no container) (no container) own 1, (no container) (unknown) - 1");
	assert_int_equal(view_table_needs(scene->table),
			 COLUMN_NEEDS_LIMITS | COLUMN_NEEDS_WAKEUPS);
	scene->request.by = BY_NAME;
	returned(scene, scene->sh, scene->nginx, 30 * US);
	returned(scene, cron, scene->sh, 40 * US);
	task(world, .pid = 31, .id = 31)->cgroup = "/lxc/web";
	returned(scene, told_actor(&scene->told, 31, 31, "cron"), scene->sh, 10 * US);
	assert_scene(scene, "pairs", "victim,taker,relation,times",
		     "cron sh both 2, sh nginx foreign 1, nginx nginx own 2, nginx sh foreign 1, "
		     "sh cron own 1, sh kworker/2:1 - 1");
}

/* nginx is below a limit up to 500 ms: what it waited for then may have been that. */
UNIT_TEST_OF(pairs_name_the_limit_that_may_have_held_a_victim_back, struct scene *scene)
{
	const struct snapshot_cgroup cgroups[] = {
		{.path = "/a", .limited_ns = 500 * MS},
		{.path = "/a/web"},
		{.path = "/b"},
	};

	scene->world.snapshot.cgroups = cgroups;
	scene->world.snapshot.cgroup_count = COUNT_OF(cgroups);
	task(&scene->world, .pid = 20, .tid = 21, .id = 21)->cgroup = "/a/web";
	task(&scene->world, .pid = 7, .id = 7)->cgroup = "/b";
	returned(scene, scene->sh, scene->nginx, 10 * MS, .time_ns = 100 * MS);
	returned(scene, scene->nginx, scene->sh, 9 * MS, .time_ns = 200 * MS);
	switched(&scene->told, .prev = scene->sh, .next = scene->nginx, .off_ns = 30 * MS,
		 .wait_ns = 8 * MS, .from_cpu = -1, .time_ns = 300 * MS);
	returned(scene, scene->nginx, scene->sh, 7 * MS, .time_ns = 600 * MS);
	assert_scene(scene, "pairs", "victim,taker,wait-kind,times",
		     "sh 7 nginx 21 preempted 1, nginx 21 sh 7 limit? 1, "
		     "nginx 21 - limit? 1, nginx 21 sh 7 preempted 1");
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
