/*
 * history [MILLION]: what keeping the last million of context switches costs.
 *
 * Switches of 4 CPUs with six events: slices of 3 to 133 us, 500 tasks. They come as they do from
 * rings: of each CPU all that it did in 100 ms, then the next CPU, then all is settled. Prints, in
 * CPU time, nanoseconds per switch added, nanoseconds per number of a scan of all, bytes per switch
 * and the milliseconds that a copy takes.
 */
#include "model/history.h"

#include "base/memory.h"
#include "model/layout.h"

#include "bench.h"

enum {
	CPUS = 4,
	TASKS = 500,
	CAPACITY = 1000000,
	ROUND_NS = 100000000,
	POOL = 1024,
	EVENTS = 6,
	WIDTH = QUANTITY_BUILTIN + EVENTS + 2 /* counting time and slices of the group */
};

struct maker {
	struct history *history;
	uint64_t random;
	uint64_t now_ns[CPUS];
	uint64_t actors[TASKS];
	struct switch_entry pool[POOL]; /* all but time and CPU; made before, used in turn */
	uint64_t counts[POOL][WIDTH];
	size_t next;
};

static void fill_counts(struct maker *maker, uint64_t slice_ns, uint64_t *counts)
{
	const uint64_t cycles = slice_ns * 3 + below(&maker->random, slice_ns);
	const uint64_t instructions = cycles / 4 * (1 + below(&maker->random, 8));
	uint64_t *own = counts + QUANTITY_BUILTIN;

	own[0] = below(&maker->random, 16) ? 0 : below(&maker->random, 40); /* page faults */
	own[1] = cycles;
	own[2] = instructions;
	own[3] = instructions / (20 + below(&maker->random, 100));  /* cache references */
	own[4] = own[3] / (1 + below(&maker->random, 20));          /* and misses */
	own[5] = instructions / (100 + below(&maker->random, 400)); /* branch misses */
	own[6] = slice_ns;
	own[7] = 1;
}

static void make_switch(struct maker *maker, struct switch_entry *entry, uint64_t *counts)
{
	const uint64_t slice_ns = 2000 + (UINT64_C(1) << (10 + below(&maker->random, 8)));
	const bool was_preempted = below(&maker->random, 8) == 0;

	*entry = (struct switch_entry){
		.slice_ns = slice_ns,
		.off_ns = was_preempted ? below(&maker->random, 4000000)
					: below(&maker->random, 1000000000),
		.wait_ns = below(&maker->random, was_preempted ? 4000000 : 100000),
		.prev = maker->actors[below(&maker->random, TASKS)],
		.next = maker->actors[below(&maker->random, TASKS)],
		.queued_by =
			was_preempted ? maker->actors[below(&maker->random, TASKS)] : ACTOR_UNKNOWN,
		.from_cpu = (int32_t)below(&maker->random, CPUS),
		.how = was_preempted ? SWITCH_PREEMPTED : SWITCH_BLOCKED,
		.next_was_preempted = was_preempted,
		.has_counts = true,
		.counts = counts,
	};
	fill_counts(maker, slice_ns, counts);
}

static void make_pool(struct maker *maker)
{
	for (size_t i = 0; i < POOL; i++)
		make_switch(maker, &maker->pool[i], maker->counts[i]);
}

/* Returns how many switches there were until then. */
static size_t feed_round(struct maker *maker, uint64_t end_ns)
{
	size_t count = 0;

	for (int32_t cpu = 0; cpu < CPUS; cpu++) {
		for (; maker->now_ns[cpu] < end_ns; count++) {
			struct switch_entry *entry = &maker->pool[maker->next++ % POOL];

			maker->now_ns[cpu] += entry->slice_ns;
			entry->time_ns = maker->now_ns[cpu];
			entry->cpu = cpu;
			history_add(maker->history, entry);
		}
	}
	history_settle(maker->history, end_ns);
	return count;
}

static double scan(const struct history *history, uint64_t *sum)
{
	const uint64_t first = history_first(history);
	const size_t count = (size_t)(history_end(history) - first);
	uint64_t *numbers = xcalloc(count, sizeof(*numbers));
	double start_ns = cpu_ns();

	for (int field = 0; field < HISTORY_FIELDS; field++) {
		history_numbers(history, first, count, (enum history_field)field, numbers);
		*sum += numbers[count / 2];
	}
	double took_ns = cpu_ns() - start_ns;
	free(numbers);
	return took_ns / (double)count / HISTORY_FIELDS;
}

static double copy(const struct history *history)
{
	double start_ns = cpu_ns();
	struct history *own = history_copy(history);
	double took_ns = cpu_ns() - start_ns;

	history_destroy(own);
	return took_ns;
}

int main(int argc, char **argv)
{
	const size_t wanted = (size_t)((argc > 1 ? atof(argv[1]) : 4) * 1e6);
	static struct maker maker = {.random = 1};
	size_t fed = 0;
	uint64_t sum = 0;

	maker.history = history_create(CAPACITY, WIDTH);
	for (size_t i = 0; i < TASKS; i++) {
		const struct snapshot_task task = {.id = i + 1, .pid = 1, .tid = 1, .name = "x"};

		maker.actors[i] = history_add_actor(maker.history, &task);
	}
	make_pool(&maker);
	double start_ns = cpu_ns();
	for (uint64_t end_ns = ROUND_NS; fed < wanted; end_ns += ROUND_NS)
		fed += feed_round(&maker, end_ns);
	const double took_ns = cpu_ns() - start_ns;
	scan(maker.history, &sum);

	const double kept = (double)(history_end(maker.history) - history_first(maker.history));
	printf("%.1f ns per switch, %.2f ns per number of a scan, %.1f bytes per switch, "
	       "%.2f ms per copy, %.0f switches in %.1f MB\n",
	       took_ns / (double)fed, scan(maker.history, &sum),
	       (double)history_bytes(maker.history) / kept, copy(maker.history) / 1e6, kept,
	       (double)history_bytes(maker.history) / 1e6);
	history_destroy(maker.history);
	return sum == 0;
}
