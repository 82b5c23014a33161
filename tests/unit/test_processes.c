/* What the system keeps account of for tasks: asked once an interval, and of the present only. */

#include <math.h>

#include "model/snapshot.h"
#include "view/processes.h"

#include "unit.h"

static const uint64_t SECOND = 1000000000;

struct kit {
	struct processes *processes;
	struct snapshot snapshot;
	struct snapshot_task task;
	struct process_account answer;
	bool is_gone;
	unsigned int asked;
	int32_t asked_tid;
	bool asked_io;
};

static bool answer(void *context, int32_t pid, int32_t tid, bool wants_io,
		   struct process_account *account)
{
	struct kit *kit = context;

	kit->asked++;
	kit->asked_tid = tid;
	kit->asked_io = wants_io;
	*account = kit->answer;
	account->has_io = wants_io;
	return !kit->is_gone && pid == 7;
}

static int set_up(void **state)
{
	struct kit *kit = calloc(1, sizeof(*kit));

	kit->processes = processes_create();
	kit->task = (struct snapshot_task){.id = 70, .pid = 7, .tid = 7};
	kit->answer = (struct process_account){.state = 'S', .nice = -5, .priority = 15};
	processes_ask(kit->processes, answer, kit);
	*state = kit;
	return 0;
}

static int tear_down(void **state)
{
	struct kit *kit = *state;

	processes_destroy(kit->processes);
	free(kit);
	return 0;
}

static void begin(struct kit *kit, uint64_t sequence, bool threads)
{
	kit->snapshot.sequence = sequence;
	kit->snapshot.time_ns = sequence * SECOND;
	processes_begin(kit->processes, &kit->snapshot, threads);
}

static const struct process_now *find(struct kit *kit)
{
	return processes_find(kit->processes, &kit->task);
}

UNIT_TEST_OF(account_is_asked_for_once_an_interval, struct kit *kit)
{
	begin(kit, 1, false);
	assert_string_equal(find(kit)->state, "S");
	assert_int_equal(find(kit)->account.nice, -5);
	assert_int_equal(kit->asked, 1);
	begin(kit, 1, false); /* the table is built again */
	find(kit);
	assert_int_equal(kit->asked, 1);
	begin(kit, 2, false);
	find(kit);
	assert_int_equal(kit->asked, 2);
}

UNIT_TEST_OF(shares_and_rates_are_since_it_was_asked_before, struct kit *kit)
{
	begin(kit, 1, false);
	processes_want_io(kit->processes);
	assert_true(isnan(find(kit)->user_pct));
	kit->answer.user_ns = SECOND;
	kit->answer.system_ns = SECOND / 2;
	kit->answer.read_bytes = 8192;
	begin(kit, 2, false);
	assert_true(find(kit)->user_pct == 100);
	assert_true(find(kit)->system_pct == 50);
	assert_true(find(kit)->read_s == 8192);
	assert_true(find(kit)->written_s == 0);
	assert_true(kit->asked_io);
}

UNIT_TEST_OF(of_an_interval_that_is_over_nothing_is_asked, struct kit *kit)
{
	begin(kit, 1, false);
	find(kit);
	begin(kit, 2, false);
	find(kit);
	begin(kit, 1, false);
	assert_null(find(kit));
	assert_int_equal(kit->asked, 2);
	kit->task.is_exited = true;
	begin(kit, 3, false);
	assert_null(find(kit));
	assert_int_equal(kit->asked, 2);
}

UNIT_TEST_OF(thread_is_asked_for_where_rows_are_threads, struct kit *kit)
{
	kit->task.tid = 9;
	begin(kit, 1, false);
	find(kit);
	assert_int_equal(kit->asked_tid, 0);
	begin(kit, 1, true);
	find(kit);
	assert_int_equal(kit->asked_tid, 9);
}

UNIT_TEST_OF(what_may_not_be_seen_is_not_known, struct kit *kit)
{
	kit->is_gone = true;
	begin(kit, 1, false);
	assert_null(find(kit));
	assert_null(find(kit));
	assert_int_equal(kit->asked, 1);
	assert_null(processes_find(NULL, &kit->task));
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
