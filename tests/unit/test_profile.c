/* Samples of an interval: nothing is counted twice, nothing is lost unsaid, memory is bounded. */

#include "model/profile.h"

#include "model_kit.h"
#include "unit.h"

enum {
	FRAMES_MAX = 12,
	TASKS = 5,
	FUNCTIONS = 7,
	SAMPLES = 20000
};

static struct profile_book book;

static int set_up(void **state)
{
	book = (struct profile_book){0};
	return 0;
}

static int tear_down(void **state)
{
	profile_book_fini(&book);
	return 0;
}

static uint32_t draw(uint32_t *random, uint32_t below)
{
	*random = *random * 1664525u + 1013904223u;
	return (*random >> 8) % below;
}

static struct record sample_of(int32_t tid, const uint64_t *frames, size_t count, uint64_t weight)
{
	return (struct record){
		.kind = RECORD_SAMPLE,
		.cpu = 0,
		.pid = 7,
		.tid = tid,
		.time_ns = 1000,
		.sample = {.frames = frames, .count = (uint16_t)count, .weight = weight},
	};
}

static void take(int32_t tid, const uint64_t *frames, size_t count, uint64_t weight)
{
	const struct record record = sample_of(tid, frames, count, weight);

	profile_book_take(&book, &record, NULL, 0);
}

UNIT_TEST(profile_keeps_time_off_the_cpu_apart)
{
	const uint64_t frames[] = {2, 1};
	const struct profile *profile = &book.profile;

	for (int kind = SAMPLE_ON_CPU; kind <= SAMPLE_PREEMPTED; kind++) {
		struct record record = sample_of(7, frames, 2, 10);

		record.sample.kind = (enum sample_kind)kind;
		record.sample.ns = 1000u * (unsigned int)(kind + 1);
		profile_book_take(&book, &record, NULL, 0);
		profile_book_take(&book, &record, NULL, 0);
	}
	assert_int_equal(profile->entry_count, 3);
	assert_int_equal(profile->node_count, 1 + 2);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(profile->entries[i].kind, i);
		assert_int_equal(profile->entries[i].samples, 2);
		assert_int_equal(profile->entries[i].ns, 2000 * (i + 1));
	}
}

/* The function at a depth of an entry's chain, 0: the innermost; 0: the chain is over. */
static uint32_t function_at(const struct profile *profile, const struct profile_entry *entry,
			    size_t depth)
{
	uint32_t node = entry->node;

	while (depth-- > 0 && node != 0)
		node = profile->nodes[node].parent;
	return node != 0 ? profile->nodes[node].function : 0;
}

/* Weights of different events are not added. */
UNIT_TEST(profile_begins_anew_where_samples_are_of_another_event)
{
	const uint64_t frames[] = {2, 1};
	struct record record = sample_of(7, frames, 2, 5);

	take(7, frames, 2, 1000);
	record.sample.by = 3;
	profile_book_take(&book, &record, NULL, 0);
	profile_book_take(&book, &record, NULL, 0);

	assert_int_equal(book.profile.by, 3);
	assert_int_equal(book.profile.entry_count, 1);
	assert_int_equal(book.profile.entries[0].samples, 2);
	assert_int_equal(book.profile.entries[0].weight, 10);
}

UNIT_TEST(profile_keeps_accesses_to_memory_apart)
{
	const uint64_t frames[] = {2};
	struct record record = sample_of(7, frames, 1, 30);
	const struct profile *profile = &book.profile;

	record.sample.kind = SAMPLE_MEMORY;
	record.sample.ns = 1;
	record.sample.address = 0x1000;
	record.sample.access = (struct memory_access){.source = ACCESS_L1};
	profile_book_take(&book, &record, NULL, 0);
	profile_book_take(&book, &record, NULL, 0);
	record.sample.access.source = ACCESS_L2;
	profile_book_take(&book, &record, NULL, 0);
	record.sample.address = 0x1040;
	profile_book_take(&book, &record, NULL, 0);
	assert_int_equal(profile->entry_count, 3);
	assert_int_equal(profile->entries[0].samples, 2);
	assert_int_equal(profile->entries[0].weight, 60);
	assert_int_equal(profile->entries[0].ns, 2);
	assert_int_equal(profile->entries[1].access.source, ACCESS_L2);
	assert_int_equal(profile->entries[2].address, 0x1040);

	/* they are of no event: the first sample of one does not end them */
	record = sample_of(7, frames, 1, 5);
	record.sample.by = 3;
	profile_book_take(&book, &record, NULL, 0);
	assert_int_equal(profile->entry_count, 4);
}

UNIT_TEST(profile_has_each_chain_of_each_task_once)
{
	const uint64_t one[] = {3, 2, 1}, two[] = {2, 1};
	const struct profile *profile = &book.profile;

	take(7, one, 3, 10);
	take(8, one, 3, 20);
	take(7, two, 2, 30);
	take(7, one, 3, 40);
	assert_int_equal(profile->entry_count, 3);
	assert_int_equal(profile->node_count, 1 + 3);
	assert_int_equal(profile->entries[0].samples, 2);
	assert_int_equal(profile->entries[0].weight, 50);
	assert_int_equal(profile->entries[1].tid, 8);
	assert_int_equal(profile->entries[2].weight, 30);
	for (size_t depth = 0; depth < 4; depth++)
		assert_int_equal(function_at(profile, &profile->entries[0], depth), 3 - depth);
	assert_int_equal(function_at(profile, &profile->entries[2], 0), 2);
}

/* Of each task and innermost function: what was fed. */
UNIT_TEST(profile_books_balance)
{
	uint64_t fed[TASKS][FUNCTIONS] = {{0}}, samples = 0;
	uint32_t random = 4711;

	for (int interval = 0; interval < 3; interval++) {
		memset(fed, 0, sizeof(fed));
		samples = 0;
		for (int i = 0; i < SAMPLES; i++) {
			uint64_t frames[FRAMES_MAX];
			const size_t count = 1 + draw(&random, FRAMES_MAX);
			const uint32_t task = draw(&random, TASKS), weight = draw(&random, 1000);

			for (size_t j = 0; j < count; j++)
				frames[j] = 1 + draw(&random, FUNCTIONS - 1);
			take((int32_t)task, frames, count, weight);
			fed[task][frames[0]] += weight;
		}
		for (size_t i = 0; i < book.profile.entry_count; i++) {
			const struct profile_entry *entry = &book.profile.entries[i];

			fed[entry->tid][function_at(&book.profile, entry, 0)] -= entry->weight;
			samples += entry->samples;
		}
		for (size_t i = 0; i < TASKS; i++)
			for (size_t j = 0; j < FUNCTIONS; j++)
				assert_int_equal(fed[i][j], 0);
		assert_int_equal(samples + book.profile.left_out, SAMPLES);
		profile_book_clear(&book);
		assert_true(profile_is_empty(&book.profile));
	}
}

UNIT_TEST(profile_parents_come_before_what_they_call)
{
	uint32_t random = 4712;

	for (int i = 0; i < SAMPLES; i++) {
		uint64_t frames[FRAMES_MAX];
		const size_t count = 1 + draw(&random, FRAMES_MAX);

		for (size_t j = 0; j < count; j++)
			frames[j] = 1 + draw(&random, FUNCTIONS);
		take(7, frames, count, 1);
	}
	for (size_t i = 1; i < book.profile.node_count; i++)
		assert_true(book.profile.nodes[i].parent < i);
}

UNIT_TEST(profile_beyond_the_bounds_is_left_out_and_counted)
{
	const uint64_t samples = PROFILE_NODES_MAX / SAMPLE_FRAMES_MAX + 100;
	uint64_t frames[SAMPLE_FRAMES_MAX], sum = 0, number = 1;

	for (uint64_t i = 0; i < samples; i++) {
		for (size_t j = 0; j < SAMPLE_FRAMES_MAX; j++)
			frames[j] = number++;
		take(7, frames, SAMPLE_FRAMES_MAX, 2);
	}
	for (size_t i = 0; i < book.profile.entry_count; i++)
		sum += book.profile.entries[i].samples;
	assert_true(book.profile.node_count <= PROFILE_NODES_MAX);
	assert_true(book.profile.left_out > 0);
	assert_int_equal(sum + book.profile.left_out, samples);
	assert_int_equal(book.profile.left_out_weight, 2 * book.profile.left_out);
}

UNIT_TEST(profile_of_too_many_tasks_leaves_some_out)
{
	const uint64_t frame = 1;

	for (int32_t tid = 1; tid <= PROFILE_ENTRIES_MAX + 5; tid++)
		take(tid, &frame, 1, 1);
	assert_int_equal(book.profile.entry_count, PROFILE_ENTRIES_MAX);
	assert_int_equal(book.profile.left_out, 5);
}

UNIT_TEST(profile_counts_what_was_lost_and_where_it_was_unknown)
{
	struct record record = sample_of(7, NULL, 0, 0);

	record.sample.lost = 3;
	profile_book_take(&book, &record, NULL, 0);
	assert_int_equal(book.profile.lost, 3);
	assert_int_equal(book.profile.entry_count, 0);
	take(7, NULL, 0, 5);
	assert_int_equal(book.profile.entry_count, 1);
	assert_int_equal(book.profile.entries[0].node, 0);
	assert_int_equal(book.profile.entries[0].weight, 5);
}

/* Samples at the same address and on the same CPU are together. */
UNIT_TEST(profile_has_addresses_and_cpus)
{
	const uint64_t frame = 5, at[] = {0x110, 0x118, 0x110, 0x110};
	const int32_t cpus[] = {1, 1, 1, 2};
	struct record record;

	for (size_t i = 0; i < COUNT_OF(at); i++) {
		record = sample_of(7, &frame, 1, 9);
		record.sample.at = &at[i];
		record.cpu = cpus[i];
		profile_book_take(&book, &record, NULL, 0);
	}
	assert_int_equal(book.profile.node_count, 2);
	assert_int_equal(book.profile.entry_count, 3);
	assert_int_equal(book.profile.entries[0].at, 0x110);
	assert_int_equal(book.profile.entries[0].samples, 2);
	assert_int_equal(book.profile.entries[0].weight, 18);
	assert_int_equal(book.profile.entries[2].at, 0x110);
	assert_int_equal(book.profile.entries[2].cpu, 2);
}

/* A function that calls from two places is there twice. */
UNIT_TEST(profile_has_addresses_of_calls)
{
	const uint64_t frames[] = {5, 4}, at[] = {0x110, 0x210}, other[] = {0x118, 0x218};
	struct record record = sample_of(7, frames, 2, 9);

	record.sample.at = at;
	profile_book_take(&book, &record, NULL, 0);
	record.sample.at = other;
	profile_book_take(&book, &record, NULL, 0);
	assert_int_equal(book.profile.node_count, 5);
	assert_int_equal(book.profile.nodes[1].function, 4);
	assert_int_equal(book.profile.nodes[1].at, 0x210);
	assert_int_equal(book.profile.nodes[2].at, 0);
	assert_int_equal(book.profile.nodes[3].at, 0x218);
}

UNIT_TEST(profile_of_too_many_addresses_keeps_the_samples)
{
	const uint64_t frame = 5;
	struct record record = sample_of(7, &frame, 1, 1);
	const struct profile_entry *last;

	for (uint64_t at = 1; at <= PROFILE_ADDRESSES_MAX + 5; at++) {
		record.sample.at = &at;
		profile_book_take(&book, &record, NULL, 0);
	}
	last = &book.profile.entries[PROFILE_ADDRESSES_MAX];
	assert_int_equal(book.profile.entry_count, PROFILE_ADDRESSES_MAX + 1);
	assert_int_equal(last->at, 0);
	assert_int_equal(last->samples, 5);
	assert_int_equal(book.profile.left_out, 0);
}

/* --- in the model */

UNIT_TEST(model_interval_has_its_own_samples)
{
	struct model *model = kit_model(1);
	const uint64_t frames[] = {5, 4}, at[] = {0x110, 0x210};
	struct record record = sample_of(7, frames, 2, 9);
	const struct snapshot *snapshot;
	struct snapshot *copy;

	record.sample.at = at;
	model_feed(model, &record);
	snapshot = model_close_interval(model, 2000);
	assert_non_null(snapshot->profile);
	copy = snapshot_copy(snapshot);
	snapshot = model_close_interval(model, 3000);
	assert_null(snapshot->profile);
	model_destroy(model);
	assert_int_equal(copy->profile->entry_count, 1);
	assert_int_equal(copy->profile->entries[0].weight, 9);
	assert_int_equal(copy->profile->entries[0].at, 0x110);
	assert_int_equal(function_at(copy->profile, &copy->profile->entries[0], 1), 4);
	snapshot_destroy(copy);
}

UNIT_TEST(model_counts_wakers_to_the_task_they_wake)
{
	struct model *model = kit_model(1);
	const uint64_t frame = 5;
	struct record record = sample_of(7, &frame, 1, 9);
	const struct profile *profile;

	model_feed(model, &(struct record){.kind = RECORD_PROCINFO,
					   .cpu = RECORD_CPU_NONE,
					   .pid = 20,
					   .tid = 21,
					   .time_ns = 900,
					   .procinfo = {.parent_pid = -1, .uid = -1, .cpu = -1}});
	record.sample.kind = SAMPLE_WAKER;
	record.sample.wakee_tid = 21;
	model_feed(model, &record);
	record.sample.wakee_tid = 99; /* not known to the model */
	model_feed(model, &record);
	profile = model_close_interval(model, 2000)->profile;
	assert_int_equal(profile->entry_count, 2);
	assert_int_equal(profile->entries[0].kind, SAMPLE_WAKER);
	assert_int_equal(profile->entries[0].pid, 20);
	assert_int_equal(profile->entries[0].tid, 21);
	assert_int_equal(profile->entries[0].weight, 9);
	assert_int_equal(profile->entries[1].pid, RECORD_TASK_UNKNOWN);
	assert_int_equal(profile->entries[1].tid, 99);
	model_destroy(model);
}

UNIT_TEST(model_start_forgets_samples)
{
	struct model *model = kit_model(1);
	const uint64_t frame = 5;
	const struct record record = sample_of(7, &frame, 1, 9);

	model_feed(model, &record);
	model_start(model, 1500);
	assert_null(model_close_interval(model, 2000)->profile);
	model_destroy(model);
}

UNIT_MAIN(set_up, tear_down)
