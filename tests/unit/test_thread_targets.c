/* Which threads are sampled by themselves. */

#include <unistd.h>

#include "kernel/proc.h"
#include "source/target_pids.h"
#include "source/thread_targets.h"

#include "unit.h"

enum {
	MINE = 100,   /* has two threads */
	THEIRS = 200, /* another user's, with one */
	GUARDED = 300,
	CROWDED = 400,
	GONE = 500
};

static uid_t user;
static struct target_pids of;
static struct sampling_target targets[THREAD_TARGETS_MAX];
static size_t count;

uid_t __wrap_geteuid(void);
int64_t __wrap_proc_owner(int32_t pid);
bool __wrap_proc_is_guarded(int32_t pid);
bool __wrap_proc_walk(int32_t pid, bool (*visit)(int32_t id, void *context), void *context);

uid_t __wrap_geteuid(void)
{
	return user;
}

int64_t __wrap_proc_owner(int32_t pid)
{
	return pid == GONE ? -1 : pid == THEIRS ? 1001 : 1000;
}

bool __wrap_proc_is_guarded(int32_t pid)
{
	return pid == GUARDED;
}

bool __wrap_proc_walk(int32_t pid, bool (*visit)(int32_t id, void *context), void *context)
{
	const int threads = pid == CROWDED ? THREAD_TARGETS_MAX - 1 : pid == MINE ? 2 : 1;

	for (int i = 0; i < threads; i++)
		if (!visit(pid + i, context))
			break;
	return true;
}

static int set_up(void **state)
{
	user = 1000;
	of = (struct target_pids){.kind = TARGET_PIDS_LIST};
	return 0;
}

static int tear_down(void **state)
{
	target_pids_fini(&of);
	return 0;
}

static bool list(void)
{
	return thread_targets_list(targets, &count, &of);
}

UNIT_TEST(threads_are_those_of_the_processes)
{
	target_pids_add(&of, MINE);
	target_pids_add(&of, GONE);
	assert_true(list());
	assert_int_equal(count, 2);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(targets[i].tid, MINE + (int)i);
		assert_int_equal(targets[i].cpu, -1);
		assert_int_equal(targets[i].kind, SAMPLING_OFF_CPU);
		assert_null(targets[i].group);
	}
}

UNIT_TEST(threads_of_what_is_gone_are_none)
{
	target_pids_add(&of, GONE);
	assert_true(list());
	assert_int_equal(count, 0);
}

UNIT_TEST(threads_are_not_more_than_may_have_rings)
{
	target_pids_add(&of, CROWDED);
	assert_true(list());
	assert_int_equal(count, THREAD_TARGETS_MAX - 1);
	target_pids_add(&of, MINE);
	assert_false(list());
	assert_int_equal(count, 0);
}

UNIT_TEST(threads_that_may_not_be_watched_are_sampled_with_their_cpus)
{
	static const int32_t pids[] = {THEIRS, GUARDED};

	for (size_t i = 0; i < COUNT_OF(pids); i++) {
		set_up(NULL);
		target_pids_add(&of, pids[i]);
		assert_false(list());
		user = 0;
		assert_true(list());
		assert_int_equal(count, 1);
		tear_down(NULL);
	}
}

UNIT_MAIN(set_up, tear_down)
