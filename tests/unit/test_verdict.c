/* What is wrong, in a line: each rule with what meets it and what is near it, and when it holds. */
#include <stdlib.h>
#include <string.h>

#include "model/profile.h"
#include "view/names.h"
#include "view/verdict.h"

#include "snapshot_builder.h"
#include "unit.h"

/* Two CPUs, half idle, and what /proc would say. */
struct scene {
	struct world world;
	struct verdict verdict;
	struct snapshot_cgroup cgroup;
	const char *function;
	bool is_recorded; /* what is of the present alone cannot be asked */
	bool are_at_lock;
	double system_pct;
	uint64_t waited_ns; /* of every task, in each interval */
	bool are_niced;
	int asked; /* times, for anything */
	int32_t own_pid;
	uint64_t swapped_bytes; /* in each interval */
	int32_t scope_pid;      /* 0: all */
	const struct function_names *names;
};

static struct scene *scene;

static int setup(void **state)
{
	(void)state;
	scene = calloc(1, sizeof(*scene));
	world_init(&scene->world);
	scene->world.snapshot.unknown = LAYOUT_STATES;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	world_fini(&scene->world);
	free(scene);
	return 0;
}

static bool say_run_delay(void *context, int32_t pid, int32_t tid, uint64_t *wait_ns)
{
	scene->asked++;
	*wait_ns = scene->waited_ns * scene->world.snapshot.sequence;
	return scene->waited_ns > 0;
}

static bool say_function(void *context, int32_t pid, int32_t tid, char *name, size_t size)
{
	scene->asked++;
	snprintf(name, size, "%s", scene->function ? scene->function : "");
	return scene->function;
}

static bool say_lock(void *context, int32_t pid, int32_t tid)
{
	scene->asked++;
	return scene->are_at_lock;
}

static bool say_usage(void *context, int32_t pid, int32_t tid, struct rule_usage *usage)
{
	scene->asked++;
	usage->nice = scene->are_niced ? 5 : 0;
	usage->system_pct = scene->system_pct;
	return true;
}

static bool say_swapped_in(void *context, uint64_t *bytes)
{
	scene->asked++;
	*bytes = scene->swapped_bytes * scene->world.snapshot.sequence;
	return true;
}

static bool wants_pid(int32_t pid, const void *scope)
{
	return pid == *(const int32_t *)scope;
}

/* The same interval. */
static const char *judge_again(void)
{
	struct rule_input input = {
		.snapshot = &scene->world.snapshot,
		.metrics = scene->world.metrics,
		.session = &scene->world.session,
		.names = scene->names,
		.witness = {say_run_delay, say_function, say_lock, say_usage, say_swapped_in, NULL,
			    scene->own_pid},
		.wants_pid = scene->scope_pid != 0 ? wants_pid : NULL,
		.scope = &scene->scope_pid,
		.scope_number = (unsigned int)scene->scope_pid,
	};

	if (scene->is_recorded)
		input.witness = (struct rule_witness){0};
	verdict_take(&scene->verdict, &input);
	return scene->verdict.line;
}

/* The same happens in one more interval. */
static const char *judge(void)
{
	struct snapshot *snapshot = &scene->world.snapshot;

	snapshot->sequence++;
	snapshot->time_ns += snapshot->interval_ns;
	return judge_again();
}

/* What holds after so many intervals. */
static const char *judge_for(int intervals)
{
	while (intervals-- > 1)
		judge();
	return judge();
}

static void be_idle(void)
{
	scene->world.snapshot.task_count = 0;
	scene->world.snapshot.exited_count = 0;
	scene->world.snapshot.cgroup_count = 0;
}

/* All CPUs are busy. */
static void be_busy(void)
{
	for (size_t i = 0; i < 2; i++)
		scene->world.cpus[i].idle =
			world_vector(&scene->world, (struct counts_spec){.run_ms = 1});
}

/* In a twentieth of a second so many processes of so many ms each. */
static void plant_processes(int count, uint64_t run_ms)
{
	scene->world.snapshot.interval_ns = 50 * WORLD_NS_PER_MS;
	task(&scene->world, .pid = 7, .id = 77, .name = "hook.sh", .run_ms = 1);
	task(&scene->world, .pid = 99, .id = 99, .parent_id = 77, .name = "sh", .is_new = true,
	     .is_exited = true);
	for (int i = 0; i < count; i++)
		task(&scene->world, .pid = 100 + i, .id = 100 + (uint64_t)i,
		     .parent_id = i > 2 ? 77 : 99, .is_new = true, .is_exited = true,
		     .run_ms = run_ms);
	scene->world.snapshot.exited_count = (size_t)count + 1;
}

static void plant_wait(uint64_t queued_ms, uint64_t run_ms)
{
	task(&scene->world, .pid = 8, .name = "audio", .run_ms = run_ms,
	     .counts = {.switches = 100, .preemptions = 10, .queued_ms = queued_ms});
	task(&scene->world, .pid = 9, .name = "backup", .run_ms = 850);
}

static void plant_threads(int count, uint64_t switches, uint64_t run_ms)
{
	for (int i = 0; i < count; i++)
		task(&scene->world, .pid = 20, .tid = 20 + i, .name = i ? "worker" : "app",
		     .run_ms = run_ms, .counts = {.switches = switches, .preemptions = 0});
}

static void plant_cgroup(enum stall_number number, uint64_t value)
{
	scene->cgroup = (struct snapshot_cgroup){
		.path = "/shop.slice", .span_ns = 1000000000, .known = STALL_ALL};
	scene->cgroup.interval[STALL_PERIODS] = 10;
	scene->cgroup.interval[STALL_THROTTLED] = 3000000; /* of several CPUs */
	scene->cgroup.interval[number] = value;
	scene->world.snapshot.cgroups = &scene->cgroup;
	scene->world.snapshot.cgroup_count = 1;
}

UNIT_TEST(verdict_of_quiet_machine_is_empty)
{
	task(&scene->world, .pid = 7, .name = "sh", .run_ms = 20, .counts = {.switches = 30});

	assert_string_equal(judge_for(5), "");
	assert_null(scene->verdict.proof);
	assert_false(scene->verdict.wants_cgroups);
}

UNIT_TEST(verdict_names_what_starts_short_processes)
{
	plant_processes(13, 1);

	assert_string_equal(judge(), ""); /* it may be over soon */
	assert_string_equal(judge(), "hook.sh starts 280 processes/s, 14 % of the machine");
	assert_string_equal(scene->verdict.proof[0], "group-by parent");
}

UNIT_TEST(verdict_of_a_compilation_is_empty)
{
	plant_processes(13, 5);

	assert_string_equal(judge_for(3), "");
}

UNIT_TEST(verdict_does_not_blame_the_parent_of_a_starter_that_has_ended)
{
	plant_processes(13, 1);
	task(&scene->world, .pid = 1, .id = 1, .name = "init", .run_ms = 1);
	scene->world.tasks[0].is_exited = true;
	scene->world.tasks[0].parent_id = 1;

	assert_string_equal(judge_for(3), "");
}

UNIT_TEST(verdict_names_a_limit_at_once)
{
	plant_cgroup(STALL_PERIODS_THROTTLED, 8);

	assert_string_equal(judge(), "/shop.slice is held by its CPU limit 80 % of the time");
}

UNIT_TEST(verdict_names_what_waits_for_memory)
{
	plant_cgroup(STALL_MEMORY_SOME, 400000);

	assert_string_equal(judge_for(2), "tasks of /shop.slice wait for memory 40 % of the time");
}

UNIT_TEST(verdict_names_a_wait_and_what_ran_meanwhile)
{
	be_busy();
	plant_wait(95, 30);

	assert_string_equal(judge_for(2), "audio waits 9.5 % of the time for a CPU: backup");
}

UNIT_TEST(verdict_names_a_wait_that_only_proc_knows)
{
	be_busy();
	plant_wait(0, 30);
	scene->waited_ns = 200 * WORLD_NS_PER_MS;

	assert_string_equal(judge_for(2), ""); /* since when it has waited is not known at first */
	assert_string_equal(judge(), "audio waits 20.0 % of the time for a CPU: backup");
}

UNIT_TEST(verdict_of_a_task_that_gives_way_is_empty)
{
	be_busy();
	plant_wait(95, 30);
	scene->are_niced = true;

	assert_string_equal(judge_for(3), "");
}

UNIT_TEST(verdict_asks_proc_for_little)
{
	task(&scene->world, .pid = 7, .name = "sh", .run_ms = 20, .counts = {.switches = 30});
	judge_for(5);
	assert_int_equal(scene->asked, 0);

	be_busy();
	scene->waited_ns = 200 * WORLD_NS_PER_MS;
	for (int i = 0; i < 5; i++)
		plant_wait(100, 30);
	judge_for(2);
	scene->asked = 0;
	judge_for(RULE_ASKED_FOR); /* whether they give way is asked once */
	assert_in_range(scene->asked, RULE_ASKED_FOR * RULE_DELAYS,
			RULE_ASKED_FOR * RULE_DELAYS + 5);
}

UNIT_TEST(verdict_looks_at_active_tasks_alone)
{
	const uint32_t active[] = {1};

	be_busy();
	plant_wait(95, 30);
	scene->world.snapshot.active = active;
	scene->world.snapshot.active_count = 1;

	assert_string_equal(judge_for(3), ""); /* the one that waits is said to be none of them */
}

UNIT_TEST(verdict_of_a_wait_behind_several_is_empty)
{
	be_busy();
	task(&scene->world, .pid = 8, .name = "audio", .run_ms = 30,
	     .counts = {.switches = 100, .preemptions = 10, .queued_ms = 95});
	task(&scene->world, .pid = 9, .name = "cc1", .run_ms = 480);
	task(&scene->world, .pid = 10, .name = "cc1", .run_ms = 480);

	assert_string_equal(judge_for(3), "");
}

UNIT_TEST(verdict_of_fair_waits_is_empty)
{
	be_busy();
	plant_wait(95, 400); /* it uses much itself */
	for (int i = 0; i < 4; i++)
		task(&scene->world, .pid = 30 + i, .name = "cc1", .run_ms = 500,
		     .counts = {.switches = 50,
				.preemptions = 50,
				.preempted_ms = 500,
				.queued_ms = 500});

	assert_string_equal(judge_for(3), "");
	assert_true(scene->verdict.wants_cgroups);
}

UNIT_TEST(verdict_names_a_wait_while_another_cpu_idles)
{
	const struct counts_spec idle = {.run_ms = 950};

	task(&scene->world, .pid = 8, .name = "victim", .run_ms = 500,
	     .counts = {.switches = 50, .preemptions = 50, .preempted_ms = 500});
	task(&scene->world, .pid = 9, .name = "thief", .run_ms = 500);
	assert_string_equal(judge_for(3), "");

	scene->world.cpus[1].idle = world_vector(&scene->world, idle);
	assert_string_equal(judge_for(2), "victim waits 50.0 % of the time for a CPU: thief");
}

UNIT_TEST(verdict_names_threads_that_wait_for_a_lock)
{
	scene->are_at_lock = true;
	plant_threads(4, 2000, 200);

	assert_string_equal(judge_for(2), "4 threads of app contend for a lock, 8000 waits/s");
	assert_string_equal(scene->verdict.proof[1], "functions PID");
	assert_int_equal(scene->verdict.pid, 20);
}

UNIT_TEST(verdict_of_threads_that_wait_for_work_is_empty)
{
	plant_threads(4, 2000, 200);

	assert_string_equal(judge_for(3), "");
}

UNIT_TEST(verdict_names_two_at_a_lock_as_such)
{
	scene->are_at_lock = true;
	plant_threads(2, 50000, 300);

	assert_string_equal(judge_for(2), "2 threads of app contend for a lock, 100000 waits/s");
}

UNIT_TEST(verdict_names_two_that_wake_each_other)
{
	plant_threads(2, 50000, 300);

	assert_string_equal(judge_for(2), "app and worker wake each other 50000 times/s");
}

UNIT_TEST(verdict_names_page_faults)
{
	task(&scene->world, .pid = 7, .name = "mapper", .run_ms = 900,
	     .counts = {.faults = 250000});

	assert_string_equal(judge_for(2), "mapper has 250000 page faults/s");
}

UNIT_TEST(verdict_of_faults_beside_work_is_empty)
{
	scene->system_pct = 30;
	task(&scene->world, .pid = 7, .name = "cc1plus", .run_ms = 900,
	     .counts = {.faults = 60000});
	assert_string_equal(judge_for(3), "");

	scene->system_pct = 90; /* where each takes long; it is asked anew some intervals later */
	assert_string_equal(judge_for(RULE_ASKED_FOR + 1), "cc1plus has 60000 page faults/s");
}

static void plant_disk(void)
{
	task(&scene->world, .pid = 7, .name = "syncer", .run_ms = 10, .last_cpu = 1,
	     .counts = {.switches = 100, .uninterruptible_ms = 600});
}

UNIT_TEST(verdict_names_what_waits_for_the_disk)
{
	scene->function = "jbd2_log_wait_commit";
	scene->waited_ns = 1;
	plant_disk();
	task(&scene->world, .pid = 8, .name = "jbd2", .is_kernel_thread = true,
	     .counts = {.uninterruptible_ms = 900});
	assert_string_equal(judge(), ""); /* it may have waited for a CPU */
	assert_string_equal(judge(), "syncer waits 60 % of the time for the disk");

	scene->function = NULL; /* it runs when it is looked at */
	assert_string_equal(judge_for(9), "syncer waits 60 % of the time for the disk");
}

UNIT_TEST(verdict_of_a_recording_does_not_name_the_disk)
{
	scene->is_recorded = true;
	plant_disk();
	assert_string_equal(judge_for(3),
			    "syncer sleeps uninterruptibly 60 % of the time (state D)");
}

/* A parent in vfork(2) is in state D, too, and waits for its child. */
static void judges_by_states(void)
{
	uint64_t *counts;

	scene->world.snapshot.unknown = 0;
	plant_disk();
	assert_string_equal(judge_for(3), "");
	counts = (uint64_t *)scene->world.snapshot.tasks[0].interval;
	counts[QUANTITY_DISK_NS] = 500 * WORLD_NS_PER_MS;
	assert_string_equal(judge_for(3), "syncer waits 50 % of the time for the disk");
}

UNIT_TEST(verdict_with_states_names_the_disk)
{
	scene->function = "do_fsync"; /* is not asked for */
	scene->waited_ns = 1;
	judges_by_states();
}

UNIT_TEST(verdict_of_a_recording_with_states_names_the_disk)
{
	scene->is_recorded = true;
	judges_by_states();
}

UNIT_TEST(verdict_of_other_uninterruptible_sleeps_is_empty)
{
	scene->function = "synchronize_rcu_expedited";
	scene->waited_ns = 1;
	plant_disk();

	assert_string_equal(judge_for(3), "");
	scene->function = NULL; /* it runs when it is looked at */
	assert_string_equal(judge_for(3), "");
}

UNIT_TEST(verdict_of_a_sleep_that_was_never_seen_names_what_it_may_be)
{
	scene->waited_ns = 1;
	plant_disk();

	assert_string_equal(judge(), "");
	assert_string_equal(judge(), "syncer waits 60 % of the time for the disk, or a lock");
	scene->function = "synchronize_rcu_expedited";
	assert_string_equal(judge_for(9), "");
}

UNIT_TEST(verdict_knows_where_a_task_sleeps_before_that_is_much)
{
	scene->function = "synchronize_rcu_expedited";
	scene->waited_ns = 1;
	task(&scene->world, .pid = 7, .name = "syncer", .run_ms = 20,
	     .counts = {.switches = 100, .uninterruptible_ms = 150});
	judge_for(8);
	assert_int_equal(scene->asked, 2 * 8 + 2); /* its wait, swap; where: now and then */

	scene->function = NULL; /* it runs when it is looked at */
	be_idle();
	plant_disk();
	assert_string_equal(judge_for(3), "");
}

UNIT_TEST(verdict_tells_the_disk_from_the_cpu_after_it)
{
	scene->function = "jbd2_log_wait_commit";
	scene->waited_ns = 500 * WORLD_NS_PER_MS;
	be_busy();
	plant_disk();
	task(&scene->world, .pid = 9, .name = "hog", .last_cpu = 1, .run_ms = 850);

	assert_string_equal(judge(), "");
	assert_string_equal(judge_for(2), "syncer waits 50.0 % of the time for a CPU: hog");
}

UNIT_TEST(verdict_names_what_misses_its_caches)
{
	task(&scene->world, .pid = 7, .name = "chaser", .run_ms = 900,
	     .counts = {.cycles = 1000000, .instructions = 100000, .misses = 4000});

	assert_string_equal(judge_for(2),
			    "chaser waits for memory, 40 cache misses per 1000 instructions");
}

static void plant_clock(uint64_t mhz)
{
	task(&scene->world, .pid = 7, .name = "app", .run_ms = 900,
	     .counts = {.cycles = 900 * 1000 * mhz, .instructions = 900 * 1000 * mhz});
}

UNIT_TEST(verdict_names_a_clock_that_is_half_of_what_it_was)
{
	plant_clock(3400);
	assert_string_equal(judge_for(3), "");

	be_idle();
	plant_clock(2100); /* several cores at once are slower than one */
	assert_string_equal(judge_for(3), "");

	be_idle();
	plant_clock(1200);
	assert_string_equal(judge_for(2),
			    "busy CPUs run at 1.2 GHz, 3.4 before: heat, or a power limit");
	assert_string_equal(scene->verdict.proof[1], "sort ghz");
}

UNIT_TEST(verdict_of_a_clock_that_was_seen_once_is_empty)
{
	plant_clock(1200);
	judge_for(2);

	be_idle();
	plant_clock(9000);
	judge();
	be_idle();
	plant_clock(1200);

	assert_string_equal(judge_for(3), "");
}

UNIT_TEST(verdict_of_a_clock_of_stolen_time_is_empty)
{
	const uint64_t stolen_ns = 80 * WORLD_NS_PER_MS;
	const struct cpu_times times[2] = {{.stolen_ns = stolen_ns}, {.stolen_ns = stolen_ns}};

	plant_clock(3400);
	judge_for(3);
	scene->world.snapshot.cpu_times = times;
	scene->world.snapshot.cpu_time_count = 2;
	be_idle();
	plant_clock(1200);

	assert_string_equal(judge_for(3), "");
}

UNIT_TEST(verdict_of_the_clock_of_user_mode_is_empty)
{
	scene->world.session.scope = SCOPE_TASKS;
	plant_clock(3400);
	judge_for(3);
	be_idle();
	plant_clock(1200); /* the rest of the time it was in the kernel */

	assert_string_equal(judge_for(3), "");
}

/* Of the process with more of them; what only waits behind one is not in it. */
UNIT_TEST(verdict_names_threads_that_wait_for_each_other)
{
	static const struct snapshot_lock_wait waits[] = {
		{.pid = 9, .is_deadlock = true},
		{.pid = 7, .is_deadlock = true},
		{.pid = 7, .is_deadlock = true},
		{.pid = 7},
	};

	task(&scene->world, .pid = 7, .name = "server");
	task(&scene->world, .pid = 9, .name = "tool");
	scene->world.snapshot.lock_waits = waits;
	scene->world.snapshot.lock_wait_count = COUNT_OF(waits);

	assert_string_equal(judge(), "2 threads of server wait for each other's locks, a deadlock");
	assert_string_equal(scene->verdict.proof[0], "pairs locks");
	assert_int_equal(scene->asked, 0);
	scene->scope_pid = 9;
	assert_string_equal(judge(), "a thread of tool waits for a lock that it has itself");
	scene->world.snapshot.lock_waits = &waits[3];
	scene->world.snapshot.lock_wait_count = 1;
	assert_string_equal(judge_for(3), "");
}

UNIT_TEST(verdict_names_swapping_where_something_waits)
{
	scene->swapped_bytes = 12000000;
	assert_string_equal(judge_for(3), "");
	assert_int_equal(scene->asked, 0);

	plant_disk();
	scene->function = "do_swap_page";
	assert_string_equal(judge(), ""); /* since when is not known at first */
	assert_string_equal(judge(), "12 MB/s are read back from swap: too little memory");
	assert_string_equal(scene->verdict.proof[1], "sort rss");
}

UNIT_TEST(verdict_of_little_that_is_swapped_is_empty)
{
	scene->swapped_bytes = 400000;
	scene->function = "do_swap_page";
	plant_disk();

	assert_string_equal(judge_for(4), "");
}

UNIT_TEST(verdict_of_another_scope_is_true_at_once)
{
	be_busy();
	plant_wait(95, 30);
	task(&scene->world, .pid = 7, .name = "mapper", .run_ms = 500,
	     .counts = {.faults = 250000});
	assert_string_equal(judge_for(2), "mapper has 250000 page faults/s; "
					  "audio waits 9.5 % of the time for a CPU: backup");

	scene->scope_pid = 8;
	assert_string_equal(judge_again(), "audio waits 9.5 % of the time for a CPU: backup");

	scene->scope_pid = 9;
	assert_string_equal(judge_again(), "");

	scene->scope_pid = 0;
	assert_string_not_equal(judge_again(), "");
}

/* It has run in each period, until it reached the limit. */
UNIT_TEST(verdict_of_a_limit_says_for_how_long_it_held)
{
	plant_cgroup(STALL_PERIODS_THROTTLED, 10);
	scene->cgroup.interval[STALL_THROTTLED] = 450000;
	assert_string_equal(judge(), "/shop.slice is held by its CPU limit 45 % of the time");

	scene->cgroup.known &= ~(1u << STALL_THROTTLED);
	assert_string_equal(judge(), "/shop.slice is held by its CPU limit 100 % of the time");
}

UNIT_TEST(verdict_of_a_scope_has_its_own_limits)
{
	plant_cgroup(STALL_PERIODS_THROTTLED, 8);
	task(&scene->world, .pid = 7, .name = "app", .run_ms = 20);
	scene->world.tasks[0].cgroup = "/shop.slice/web";
	task(&scene->world, .pid = 8, .name = "other", .run_ms = 20);
	scene->world.tasks[1].cgroup = "/shop.slices";
	scene->scope_pid = 7;
	assert_string_equal(judge(), "/shop.slice is held by its CPU limit 80 % of the time");

	scene->scope_pid = 8;
	assert_string_equal(judge(), "");
}

UNIT_TEST(verdict_names_what_a_hypervisor_takes)
{
	const uint64_t stolen_ns = 300 * WORLD_NS_PER_MS;
	const struct cpu_times times[2] = {{.stolen_ns = stolen_ns}, {.stolen_ns = stolen_ns}};

	scene->world.snapshot.cpu_times = times;
	scene->world.snapshot.cpu_time_count = 2;
	assert_string_equal(judge_for(2), "the hypervisor takes 30 % of the CPUs' time");
}

static struct function_name name_function(void *context, uint32_t number, uint64_t time_ns)
{
	const bool is_hot = number < 20; /* addresses of one */

	return (struct function_name){.same_as = is_hot ? 7 : number,
				      .function = is_hot ? "hot_loop" : "other",
				      .reason = number == 30 ? "no symbols" : NULL};
}

UNIT_TEST(verdict_names_a_hot_function_where_samples_are_taken)
{
	static const struct function_names names = {.find = name_function};
	struct profile_node nodes[] = {{0}, {.function = 7}, {.function = 8}, {.function = 20}};
	struct profile_entry entries[] = {
		{.pid = 7, .node = 1, .samples = 40, .ns = 400 * WORLD_NS_PER_MS},
		{.pid = 7, .node = 2, .samples = 40, .ns = 400 * WORLD_NS_PER_MS},
		{.pid = 7, .node = 3, .samples = 20, .ns = 200 * WORLD_NS_PER_MS},
		{.pid = 7, .node = 3, .kind = SAMPLE_BLOCKED, .samples = 1, .ns = UINT32_MAX},
		{.pid = 8, .node = 1, .samples = 9, .ns = 9 * WORLD_NS_PER_MS},
	};
	const struct profile profile = {
		.nodes = nodes, .node_count = 4, .entries = entries, .entry_count = 5};

	task(&scene->world, .pid = 7, .name = "app", .run_ms = 900);
	scene->names = &names;
	assert_string_equal(judge_for(3), "");

	scene->world.snapshot.profile = &profile;
	assert_string_equal(judge_for(2), "app spends 80 % of its CPU time in hot_loop");
	assert_int_equal(scene->verdict.pid, 7);

	entries[2].ns = 800 * WORLD_NS_PER_MS;
	assert_string_equal(judge_for(2), "app spends 50 % of its CPU time in hot_loop");
	entries[2].ns = UINT64_C(4000) * WORLD_NS_PER_MS;
	assert_string_equal(judge_for(9), "app spends 83 % of its CPU time in other");

	nodes[3].function = 30; /* which one is not known */
	assert_string_equal(judge_for(3), "");
}

UNIT_TEST(verdict_has_the_worst_first)
{
	scene->function = "submit_bio_wait";
	scene->waited_ns = 1;
	task(&scene->world, .pid = 7, .name = "syncer", .run_ms = 10,
	     .counts = {.switches = 100, .uninterruptible_ms = 300});
	plant_cgroup(STALL_PERIODS_THROTTLED, 8);
	assert_string_equal(judge_for(3), "/shop.slice is held by its CPU limit 80 % of the time; "
					  "syncer waits 30 % of the time for the disk");
	assert_string_equal(scene->verdict.proof[0], "group-by cgroup");

	plant_cgroup(STALL_PERIODS_THROTTLED, 2);
	assert_string_equal(judge_for(2), "syncer waits 30 % of the time for the disk; "
					  "/shop.slice is held by its CPU limit 20 % of the time");
}

UNIT_TEST(verdict_stays_until_it_was_better_for_some_intervals)
{
	plant_cgroup(STALL_PERIODS_THROTTLED, 8);
	assert_string_not_equal(judge(), "");

	scene->cgroup.interval[STALL_PERIODS] = 100; /* below the value that it begins with */
	assert_string_equal(judge_for(9), "/shop.slice is held by its CPU limit 8 % of the time");

	be_idle();
	assert_string_not_equal(judge_for(2), "");
	assert_string_equal(judge(), "");
}

UNIT_TEST(verdict_of_an_interval_that_does_not_follow_is_about_it_alone)
{
	plant_threads(2, 50000, 300);
	assert_string_equal(judge(), "");

	scene->world.snapshot.time_ns += 100 * scene->world.snapshot.interval_ns;
	assert_string_not_equal(judge(), "");

	be_idle();
	scene->world.snapshot.time_ns -= 100 * scene->world.snapshot.interval_ns;
	assert_string_equal(judge(), "");
}

UNIT_TEST(verdict_of_an_interval_that_was_looked_at_is_the_same)
{
	plant_threads(2, 50000, 300);
	judge();
	for (int i = 0; i < 3; i++) {
		scene->world.snapshot.time_ns -= scene->world.snapshot.interval_ns;
		assert_string_equal(judge(), "");
	}
}

UNIT_TEST(verdict_does_not_name_perftop)
{
	task(&scene->world, .pid = 7, .name = "perftop", .run_ms = 900,
	     .counts = {.faults = 250000});
	task(&scene->world, .pid = 8, .name = "perftop-symbols", .run_ms = 900,
	     .counts = {.faults = 250000});
	scene->own_pid = 7;

	assert_string_equal(judge_for(3), "");
}

UNIT_TEST(verdict_has_names_without_control_characters)
{
	task(&scene->world, .pid = 7, .name = "a\x1b[2J\xff", .run_ms = 900,
	     .counts = {.faults = 250000});

	assert_string_equal(judge_for(2), "a\\x1B[2J\\xFF has 250000 page faults/s");
}

UNIT_MAIN(setup, teardown)
