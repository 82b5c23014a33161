/* What was counted between samples: whose it is, and whose it is not. */

#include "model/counts.h"
#include "model/layout.h"
#include "model/profile.h"
#include "model/record.h"
#include "model/sampled.h"
#include "model/stream.h"

#include "unit.h"

static struct layout layout;
static struct sampled sampled;
static struct profile_book book;
static uint64_t values[2];
static struct record_reading reading;

static int set_up(void **state)
{
	sampled = (struct sampled){0};
	book = (struct profile_book){0};
	layout_init(&layout);
	layout_add_counter(&layout, 0, layout_add_event(&layout, "cycles"));
	layout_add_counter(&layout, 0, layout_add_event(&layout, "instructions"));
	return 0;
}

static int tear_down(void **state)
{
	profile_book_fini(&book);
	sampled_fini(&sampled);
	layout_fini(&layout);
	return 0;
}

/* At a time all has been counted once for each ns, and instructions twice. */
static struct record at(uint64_t time_ns, uint64_t switches)
{
	values[0] = time_ns;
	values[1] = 2 * time_ns;
	reading = (struct record_reading){
		.sequence = switches,
		.enabled_ns = time_ns,
		.running_ns = time_ns,
		.values = values,
	};
	return (struct record){
		.kind = RECORD_SAMPLE,
		.pid = 7,
		.tid = 7,
		.time_ns = time_ns,
		.sample = {.weight = 1, .reading = &reading},
	};
}

/* Instructions between the sample before and this one; 0: it is not known. */
static uint64_t take(const struct record *record)
{
	struct slice slice;

	return sampled_take(&sampled, &layout, record, &slice) ? slice.delta[READING_VALUES + 1]
							       : 0;
}

static uint64_t take_at(uint64_t time_ns, uint64_t switches)
{
	const struct record record = at(time_ns, switches);

	return take(&record);
}

UNIT_TEST(sampled_take_the_first_one_knows_nothing)
{
	assert_int_equal(take_at(100, 1), 0);
	assert_int_equal(take_at(130, 1), 60);
	assert_int_equal(take_at(140, 1), 20);
}

UNIT_TEST(sampled_take_behind_a_switch_knows_nothing)
{
	take_at(100, 1);
	assert_int_equal(take_at(130, 2), 0);
	assert_int_equal(take_at(140, 2), 20);
}

UNIT_TEST(sampled_take_behind_lost_samples_knows_nothing)
{
	struct record record = at(130, 1);

	take_at(100, 1);
	record = at(130, 1);
	record.sample.lost = 1;
	assert_int_equal(take(&record), 0);
	assert_int_equal(take_at(140, 1), 20);
}

UNIT_TEST(sampled_take_keeps_cpus_and_threads_apart)
{
	struct record record = at(100, 1);

	take(&record);
	record.cpu = 1;
	assert_int_equal(take(&record), 0);
	record.sample.is_of_task = true;
	record.tid = 1;
	assert_int_equal(take(&record), 0);
	assert_int_equal(take_at(130, 1), 60);
}

UNIT_TEST(sampled_take_of_other_counters_begins_anew)
{
	take_at(100, 1);
	layout.groups[0].generation++;
	assert_int_equal(take_at(130, 1), 0);
	assert_int_equal(take_at(140, 1), 20);
}

UNIT_TEST(sampled_close_forgets_what_has_gone)
{
	take_at(100, 1);
	sampled_close(&sampled);
	assert_int_equal(take_at(130, 1), 60);
	sampled_close(&sampled);
	sampled_close(&sampled);
	assert_int_equal(sampled.streams.count, 0);
	assert_int_equal(take_at(140, 1), 0);
}

/* --- in the profile */

static void enter(uint64_t time_ns)
{
	const struct record record = at(time_ns, 1);
	struct slice slice;
	const bool is_counted = sampled_take(&sampled, &layout, &record, &slice);

	profile_book_take(&book, &record, is_counted ? &slice : NULL, 0);
}

UNIT_TEST(profile_credit_adds_what_its_samples_have)
{
	uint64_t counts[64] = {0};
	const struct profile *profile = &book.profile;

	enter(100);
	assert_false(profile_credit(profile, &profile->entries[0], &layout, counts));
	enter(130);
	enter(140);
	assert_int_equal(profile->entries[0].samples, 3);
	assert_true(layout_width(&layout) <= COUNT_OF(counts));
	assert_true(profile_credit(profile, &profile->entries[0], &layout, counts));
	assert_int_equal(counts[layout.counters[0].value_index], 40);
	assert_int_equal(counts[layout.counters[1].value_index], 80);
	assert_int_equal(counts[layout_group_index(&layout, 0)], 40);
	assert_int_equal(counts[QUANTITY_RUN_NS], 40);
	profile_book_clear(&book);
	assert_int_equal(book.profile.number_count, 0);
}

/* The group has other members since, or others come in the middle of the interval. */
UNIT_TEST(profile_credit_of_another_layout_is_nothing)
{
	uint64_t counts[64] = {0};
	const struct profile *profile = &book.profile;

	enter(100);
	enter(130);
	layout.groups[0].generation++;
	enter(140);
	enter(150);
	assert_false(profile_credit(profile, &profile->entries[0], &layout, counts));
	layout.groups[0].generation--;
	assert_true(profile_credit(profile, &profile->entries[0], &layout, counts));
	assert_int_equal(counts[layout.counters[0].value_index], 30);
}

UNIT_MAIN(set_up, tear_down)
