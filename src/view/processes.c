/* A cache by task identity. Entries that were not used in an interval are dropped after it. */

#include "view/processes.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/units.h"
#include "model/snapshot.h"

struct process_entry {
	struct process_now now;
	uint64_t sequence; /* of the interval it was asked in */
	uint64_t time_ns;  /* its end */
	bool is_known;
};

struct processes {
	struct map entries; /* by id; owned */
	processes_asker *ask;
	void *context;
	uint64_t sequence, time_ns; /* of what is shown */
	uint64_t newest;            /* interval that was ever shown */
	bool threads, wants_io;
	double memory_bytes; /* of the machine */
};

struct processes *processes_create(void)
{
	struct processes *processes = xcalloc(1, sizeof(*processes));

	processes->memory_bytes = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
	return processes;
}

void processes_destroy(struct processes *processes)
{
	if (!processes)
		return;
	map_fini_with(&processes->entries, free);
	free(processes);
}

void processes_ask(struct processes *processes, processes_asker *ask, void *context)
{
	processes->ask = ask;
	processes->context = context;
}

/* Drops entries that were not used in the last interval. */
static void drop_old(struct processes *processes, uint64_t before)
{
	struct map kept = {0};

	for (const struct map_slot *each = NULL; (each = map_next(&processes->entries, each));) {
		struct process_entry *entry = each->value;

		if (entry->sequence < before)
			free(entry);
		else
			map_put(&kept, each->key, entry);
	}
	map_fini(&processes->entries);
	processes->entries = kept;
}

void processes_begin(struct processes *processes, const struct snapshot *snapshot, bool threads)
{
	if (processes->threads != threads)
		map_fini_with(&processes->entries, free);
	processes->threads = threads;
	if (snapshot->sequence > processes->newest) {
		drop_old(processes, processes->newest);
		processes->newest = snapshot->sequence;
	}
	processes->sequence = snapshot->sequence;
	processes->time_ns = snapshot->time_ns;
}

static void write_start(char start[static 8], int64_t start_s)
{
	const time_t then = (time_t)start_s, now = time(NULL);
	const time_t day = (time_t)24 * 60 * 60;
	struct tm local;

	if (!localtime_r(&then, &local) ||
	    strftime(start, 8, now - then < day ? "%H:%M" : "%b%d", &local) == 0)
		start[0] = '\0';
}

/* The growth of a sum per second. NaN: there is no earlier value. */
static double rate_of_growth(uint64_t now, uint64_t before, double seconds)
{
	return seconds > 0 && now >= before ? (double)(now - before) / seconds : NAN;
}

static void take_account(struct processes *processes, struct process_entry *entry,
			 const struct process_account *account)
{
	struct process_now *now = &entry->now;
	const struct process_account before = now->account;
	const double seconds =
		entry->is_known ? (double)(processes->time_ns - entry->time_ns) / NS_PER_S : NAN;

	now->account = *account;
	now->priority = account->priority;
	now->nice = account->nice;
	now->resident_bytes = (double)account->resident_bytes;
	now->lifetime_ns = (double)(account->user_ns + account->system_ns);
	now->user_pct = 100 * rate_of_growth(account->user_ns, before.user_ns, seconds * NS_PER_S);
	now->system_pct =
		100 * rate_of_growth(account->system_ns, before.system_ns, seconds * NS_PER_S);
	now->read_s = now->written_s = NAN;
	if (account->has_io && before.has_io) {
		now->read_s = rate_of_growth(account->read_bytes, before.read_bytes, seconds);
		now->written_s =
			rate_of_growth(account->written_bytes, before.written_bytes, seconds);
	}
	now->memory_pct = 100 * (double)account->resident_bytes / processes->memory_bytes;
	now->state[0] = account->state;
	now->state[1] = '\0';
	write_start(now->start, account->start_s);
}

const struct process_now *processes_find(struct processes *processes,
					 const struct snapshot_task *task)
{
	struct process_account account;
	struct process_entry *entry;
	bool is_known;

	if (!processes || !processes->ask || !task || task->is_exited)
		return NULL;
	entry = map_get(&processes->entries, task->id);
	if (entry && entry->sequence == processes->sequence)
		return entry->is_known ? &entry->now : NULL;
	/* past values are not available */
	if (processes->sequence != processes->newest)
		return NULL;
	if (!entry) {
		entry = xcalloc(1, sizeof(*entry));
		map_put(&processes->entries, task->id, entry);
	}
	is_known = processes->ask(processes->context, task->pid, processes->threads ? task->tid : 0,
				  processes->wants_io, &account);
	if (is_known)
		take_account(processes, entry, &account);
	entry->is_known = is_known;
	entry->sequence = processes->sequence;
	entry->time_ns = processes->time_ns;
	return is_known ? &entry->now : NULL;
}

void processes_want_io(struct processes *processes)
{
	if (processes)
		processes->wants_io = true;
}
