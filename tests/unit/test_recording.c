/* Every record that a model can get must come out of a recording as it was. */

#include <linux/perf_event.h>

#include "base/stall.h"
#include "source/target_pids.h"

#include "perfdata/notes.h"
#include "recording_kit.h"
#include "unit.h"

enum {
	CPUS = 4,
	MEMBERS = 3,
	GROUPS = 3,
	TRIES = 20000
};

static uint32_t draw(uint32_t *random, uint32_t below)
{
	*random ^= *random << 13;
	*random ^= *random >> 17;
	*random ^= *random << 5;
	return *random % below;
}

/* Group 0 has three members, group 1 one, group 2 none. */
static void make_layout(struct layout *layout)
{
	layout_init(layout);
	for (size_t i = 0; i < MEMBERS; i++) {
		char name[24];

		snprintf(name, sizeof(name), "event%zu", i);
		layout_add_counter(layout, 0, layout_add_event(layout, name));
	}
	layout_add_counter(layout, layout_add_group(layout, 0, 1), 1);
	layout_add_group(layout, 0, 1);
}

static struct recording_kit *kit; /* of the test that runs */

static int set_up(void **state)
{
	struct layout layout;

	make_layout(&layout);
	kit = recording_kit_create(CPUS, &layout);
	layout_fini(&layout);
	kit->delivered = kit->notes = 0;
	return 0;
}

static int tear_down(void **state)
{
	recording_kit_destroy(kit);
	return 0;
}

static void assert_same_text(const char *a, const char *b)
{
	if (a == NULL || b == NULL)
		assert_ptr_equal(a, b);
	else
		assert_string_equal(a, b);
}

static void assert_same_reading(const struct record_reading *a, const struct record_reading *b,
				size_t values)
{
	assert_int_equal(a->group, b->group);
	assert_int_equal(a->restarts, b->restarts);
	assert_int_equal(a->has_switch_records, b->has_switch_records);
	assert_int_equal(a->sequence, b->sequence);
	assert_int_equal(a->enabled_ns, b->enabled_ns);
	assert_int_equal(a->running_ns, b->running_ns);
	for (size_t i = 0; i < values; i++)
		assert_int_equal(a->values[i], b->values[i]);
}

static size_t values_of(const struct layout *layout, const struct record_reading *reading)
{
	return reading->group < layout->group_count ? layout->groups[reading->group].count : 0;
}

/* But for the name, which is there only where it is news. */
static void assert_same_readings(const struct layout *layout, const struct record_switch *a,
				 const struct record_switch *b)
{
	assert_int_equal(a->reading_count, b->reading_count);
	for (size_t i = 0; i < a->reading_count; i++)
		assert_same_reading(&a->readings[i], &b->readings[i],
				    values_of(layout, &a->readings[i]));
	if (b->name)
		assert_memory_equal(a->name, b->name, strlen(b->name));
}

/* What a kind of record has besides a reading: where, and what it may be. */
struct detail {
	unsigned int kinds;
	enum {
		ID,
		FLAG,
		NUMBER,
		FEW,    /* 0 to 2 */
		CHANGE, /* of what is mapped, but for what is added */
		HOW,    /* a flag, where it is known how who leaves does so */
		STATE,  /* of who leaves: runnable where it is preempted, and only there */
		TEXT
	} what;
	size_t offset, size;
	size_t text_max;
};

#define MEMBER(member) offsetof(struct record, member), sizeof(((struct record *)0)->member)

enum {
	DETAILS_TEXT_MAX = 4000,
	OF_SWITCH = 1u << RECORD_SWITCH,
	OF_LIFE = 1u << RECORD_FORK | 1u << RECORD_EXIT,
	OF_COMM = 1u << RECORD_COMM,
	OF_PROCINFO = 1u << RECORD_PROCINFO,
	OF_COUNT = 1u << RECORD_SWITCH_COUNT,
	OF_ESTIMATE = 1u << RECORD_ESTIMATE
};

static const struct detail DETAILS[] = {
	{OF_SWITCH, ID, MEMBER(ctx_switch.next_pid), 0},
	{OF_SWITCH, ID, MEMBER(ctx_switch.next_tid), 0},
	{OF_SWITCH, FLAG, MEMBER(ctx_switch.knows_how), 0},
	{OF_SWITCH, HOW, MEMBER(ctx_switch.preempted), 0},
	{OF_SWITCH, STATE, MEMBER(ctx_switch.state), 0},
	{OF_LIFE, ID, MEMBER(fork.parent_pid), 0},
	{OF_LIFE, ID, MEMBER(fork.parent_tid), 0},
	{OF_COMM, TEXT, MEMBER(comm.name), TASK_NAME_MAX},
	{OF_COMM, FLAG, MEMBER(comm.exec), 0},
	{OF_PROCINFO, TEXT, MEMBER(procinfo.name), 100},
	{OF_PROCINFO, TEXT, MEMBER(procinfo.command_line), DETAILS_TEXT_MAX},
	{OF_PROCINFO, TEXT, MEMBER(procinfo.cgroup), 200},
	{OF_PROCINFO, ID, MEMBER(procinfo.session), 0},
	{OF_PROCINFO, ID, MEMBER(procinfo.parent_pid), 0},
	{OF_PROCINFO, NUMBER, MEMBER(procinfo.uid), 0},
	{OF_PROCINFO, ID, MEMBER(procinfo.cpu), 0},
	{OF_PROCINFO, FLAG, MEMBER(procinfo.is_kernel_thread), 0},
	{OF_COUNT, NUMBER, MEMBER(switch_count.voluntary), 0},
	{OF_COUNT, NUMBER, MEMBER(switch_count.involuntary), 0},
	{1u << RECORD_LOST, FEW, MEMBER(lost), 0},
	{1u << RECORD_RUN_DELAY, NUMBER, MEMBER(run_delay.wait_ns), 0},
	{OF_ESTIMATE, NUMBER, MEMBER(estimate.group), 0},
	{OF_ESTIMATE, NUMBER, MEMBER(estimate.member), 0},
	{OF_ESTIMATE, NUMBER, MEMBER(estimate.value), 0},
	{OF_ESTIMATE, NUMBER, MEMBER(estimate.run_ns), 0},
	{1u << RECORD_SHED, NUMBER, MEMBER(shed), 0},
	{1u << RECORD_CPU_TIMES, NUMBER, MEMBER(cpu_times.stolen_ns), 0},
	{1u << RECORD_CPU_TIMES, NUMBER, MEMBER(cpu_times.idle_ns), 0},
	{1u << RECORD_CPU_TIMES, NUMBER, MEMBER(cpu_times.user_ns), 0},
	{1u << RECORD_CPU_TIMES, NUMBER, MEMBER(cpu_times.system_ns), 0},
	{1u << RECORD_CPU_TIMES, NUMBER, MEMBER(cpu_times.irq_ns), 0},
	{1u << RECORD_SITE, NUMBER, MEMBER(site.place), 0},
	{1u << RECORD_SITE, NUMBER, MEMBER(site.argument), 0},
	{1u << RECORD_SITE, FLAG, MEMBER(site.is_other), 0},
	{1u << RECORD_SLEEP, NUMBER, MEMBER(sleep.kind), 0},
	{1u << RECORD_SLEEP, FLAG, MEMBER(sleep.is_of_call), 0},
	{1u << RECORD_SLEEP, NUMBER, MEMBER(sleep.until_ns), 0},
	{1u << RECORD_SLEEP, NUMBER, MEMBER(sleep.lock), 0},
	{1u << RECORD_SLEEP, NUMBER, MEMBER(sleep.holder_tid), 0},
	{1u << RECORD_SLEEP, NUMBER, MEMBER(sleep.site.place), 0},
	{1u << RECORD_SLEEP, NUMBER, MEMBER(sleep.site.argument), 0},
	{1u << RECORD_SLEEP, FLAG, MEMBER(sleep.site.is_other), 0},
	{1u << RECORD_SLEEP, NUMBER, MEMBER(sleep.state), 0},
	{1u << RECORD_SLEEP, FLAG, MEMBER(sleep.is_of_several), 0},
	{1u << RECORD_CPU_USE, NUMBER, MEMBER(cpu_use.user_ns), 0},
	{1u << RECORD_CPU_USE, NUMBER, MEMBER(cpu_use.system_ns), 0},
	{1u << RECORD_INTERRUPT, FEW, MEMBER(interrupt.kind), 0},
	{1u << RECORD_INTERRUPT, FLAG, MEMBER(interrupt.is_entry), 0},
	{1u << RECORD_INTERRUPT, NUMBER, MEMBER(interrupt.number), 0},
	{1u << RECORD_INTERRUPT, TEXT, MEMBER(interrupt.name), INTERRUPT_NAME_MAX},
	{1u << RECORD_SLICE, NUMBER, MEMBER(slice.place), 0},
	{1u << RECORD_SLICE, FEW, MEMBER(slice.news), 0},
	{1u << RECORD_SLICE, NUMBER, MEMBER(slice.value), 0},
	{1u << RECORD_SAMPLE, NUMBER, MEMBER(sample.lost), 0},
	{1u << RECORD_MAPPING, CHANGE, MEMBER(mapping.change), 0},
	{1u << RECORD_MAPPING, ID, MEMBER(mapping.parent_pid), 0},
};

static const char *text_at(const struct record *record, const struct detail *detail)
{
	const char *text;

	memcpy(&text, (const char *)record + detail->offset, sizeof(text));
	return text;
}

static void assert_same_stalls(const struct record_stalls *a, const struct record_stalls *b)
{
	assert_string_equal(a->cgroup, b->cgroup);
	assert_int_equal(a->known, b->known);
	assert_memory_equal(a->numbers, b->numbers, STALL_NUMBERS * sizeof(*a->numbers));
}

static void assert_same_details(const struct layout *layout, const struct record *a,
				const struct record *b)
{
	if (a->kind == RECORD_READING)
		assert_same_reading(&a->reading, &b->reading, values_of(layout, &a->reading));
	if (a->kind == RECORD_SWITCH)
		assert_same_readings(layout, &a->ctx_switch, &b->ctx_switch);
	if (a->kind == RECORD_STALLS)
		assert_same_stalls(&a->stalls, &b->stalls);
	for (size_t i = 0; i < COUNT_OF(DETAILS); i++) {
		const struct detail *detail = &DETAILS[i];

		if ((detail->kinds >> a->kind & 1) == 0)
			continue;
		if (detail->what == TEXT)
			assert_same_text(text_at(a, detail), text_at(b, detail));
		else
			assert_memory_equal((const char *)a + detail->offset,
					    (const char *)b + detail->offset, detail->size);
	}
}

static void assert_same_record(const struct layout *layout, const struct record *a,
			       const struct record *b)
{
	assert_int_equal(a->kind, b->kind);
	assert_int_equal(a->cpu, b->cpu);
	assert_int_equal(a->pid, b->pid);
	assert_int_equal(a->tid, b->tid);
	assert_int_equal(a->time_ns, b->time_ns);
	assert_same_details(layout, a, b);
}

/* Writes one record; it must be the one thing that comes out. */
static void assert_comes_out(const struct record *record)
{
	const size_t delivered = kit->delivered;

	recording_write(kit->writer, record);
	assert_int_equal(kit->delivered, delivered + 1);
	assert_int_equal(kit->result, RECORDING_RECORD);
	assert_same_record(&kit->reader->layout, record, &kit->record);
}

/* The same, and whether perf sees it as a record of its own. */
static bool comes_out_as_note(const struct record *record)
{
	const size_t notes = kit->notes;

	assert_comes_out(record);
	return kit->notes > notes;
}

static uint64_t any_number(uint32_t *random)
{
	const uint64_t wide = (uint64_t)draw(random, UINT32_MAX) << 32 | draw(random, UINT32_MAX);

	return wide >> draw(random, 64);
}

static int32_t any_id(uint32_t *random)
{
	return (int32_t)draw(random, 50) - 1;
}

static const char *any_text(uint32_t *random, char *text, size_t size)
{
	const size_t length = draw(random, (uint32_t)size);

	for (size_t i = 0; i < length; i++)
		text[i] = (char)(1 + draw(random, 255));
	text[length] = '\0';
	return draw(random, 8) == 0 ? NULL : text;
}

struct texts {
	char texts[3][DETAILS_TEXT_MAX];
	size_t count;                   /* that are used */
	uint64_t values[STALL_NUMBERS]; /* as many as a reading has, or more */
	struct record_reading readings[GROUPS];
	uint64_t reading_values[GROUPS][MEMBERS];
};

static void make_stalls(uint32_t *random, struct texts *texts, struct record_stalls *stalls)
{
	for (size_t i = 0; i < STALL_NUMBERS; i++)
		texts->values[i] = any_number(random);
	*stalls = (struct record_stalls){
		.cgroup = "/system.slice",
		.known = draw(random, STALL_ALL + 1),
		.numbers = texts->values,
	};
}

static void make_reading(uint32_t *random, uint64_t *values, struct record_reading *reading)
{
	for (size_t i = 0; i < MEMBERS; i++)
		values[i] = any_number(random);
	*reading = (struct record_reading){
		.group = (uint16_t)draw(random, GROUPS),
		.restarts = draw(random, 8) == 0,
		.has_switch_records = draw(random, 8) == 0,
		.sequence = any_number(random),
		.enabled_ns = any_number(random),
		.running_ns = any_number(random),
		.values = values,
	};
}

/* Of some groups. */
static void make_readings(uint32_t *random, struct texts *texts, struct record_switch *ctx_switch)
{
	ctx_switch->reading_count = (uint16_t)draw(random, GROUPS + 1);
	ctx_switch->readings = texts->readings;
	for (size_t i = 0; i < ctx_switch->reading_count; i++) {
		make_reading(random, texts->reading_values[i], &texts->readings[i]);
		texts->readings[i].group = (uint16_t)i;
		texts->readings[i].restarts = texts->readings[i].has_switch_records = false;
	}
	if (draw(random, 4) == 0)
		ctx_switch->name = "a name of 16 byt";
}

static void put_number(void *at, size_t size, uint64_t number)
{
	const uint8_t byte = (uint8_t)number;
	const uint16_t half = (uint16_t)number;
	const uint32_t word = (uint32_t)number;
	const void *const from[] = {&byte, &half, &word, &number};

	memcpy(at, from[__builtin_ctzll(size)], size);
}

static uint64_t any_state(uint32_t *random, bool preempted)
{
	const uint32_t blocked = draw(random, TASK_STATES - TASK_STATE_RUNNABLE);

	if (preempted)
		return TASK_STATE_RUNNABLE;
	return blocked == 0 ? TASK_STATE_UNKNOWN : TASK_STATE_RUNNABLE + blocked;
}

static void make_details(uint32_t *random, struct texts *texts, struct record *record)
{
	texts->count = 0;
	if (record->kind == RECORD_READING)
		make_reading(random, texts->values, &record->reading);
	if (record->kind == RECORD_SWITCH)
		make_readings(random, texts, &record->ctx_switch);
	if (record->kind == RECORD_STALLS)
		make_stalls(random, texts, &record->stalls);
	for (size_t i = 0; i < COUNT_OF(DETAILS); i++) {
		const struct detail *detail = &DETAILS[i];
		uint64_t number = 0;

		if ((detail->kinds >> record->kind & 1) == 0)
			continue;
		if (detail->what == ID)
			number = (uint64_t)any_id(random);
		else if (detail->what == FLAG || detail->what == FEW)
			number = draw(random, detail->what == FLAG ? 2 : 3);
		else if (detail->what == HOW)
			number = record->ctx_switch.knows_how && draw(random, 2);
		else if (detail->what == CHANGE)
			number = MAPPING_EXEC + draw(random, MAPPING_EXITED);
		else if (detail->what == NUMBER)
			number = any_number(random);
		else if (detail->what == STATE)
			number = record->ctx_switch.knows_how
					 ? any_state(random, record->ctx_switch.preempted)
					 : (uint64_t)TASK_STATE_UNKNOWN;
		else
			number = (uintptr_t)any_text(random, texts->texts[texts->count++],
						     detail->text_max);
		put_number((char *)record + detail->offset, detail->size, number);
	}
}

/* Of a task's own counters a switch has one side and no readings. What is known of a site has its
 * place. */
static void make_possible(struct record *record)
{
	const bool is_switch = record->kind == RECORD_SWITCH;
	struct record_switch *ctx_switch = &record->ctx_switch;

	if ((is_switch || record->kind == RECORD_READING) && record->cpu >= CPUS)
		record->cpu = 0;
	if (record->time_ns == 0)
		record->time_ns = 1;
	if (record->kind == RECORD_COMM && !record->comm.name)
		record->comm.name = "";
	if (record->kind == RECORD_THROTTLED)
		record->throttled_ns %= record->time_ns;
	if (record->kind == RECORD_SLEEP && record->sleep.site.place % 2 == 0) {
		record->sleep.site = (struct record_site){0};
		record->sleep.state = 0;
		record->sleep.is_of_several = false;
	}
	if (!is_switch || record->cpu != RECORD_CPU_NONE)
		return;
	ctx_switch->reading_count = 0;
	if (ctx_switch->knows_how)
		ctx_switch->next_pid = ctx_switch->next_tid = RECORD_TASK_UNKNOWN;
	else
		record->pid = record->tid = RECORD_TASK_UNKNOWN;
}

UNIT_TEST(recording_any_record_comes_out_as_it_was)
{
	uint32_t random = 4711;
	static struct texts texts;

	for (int i = 0; i < TRIES; i++) {
		struct record record = {
			.kind = (enum record_kind)draw(&random, RECORD_KINDS),
			.cpu = (int32_t)draw(&random, CPUS + 3) - 1,
			.pid = any_id(&random),
			.tid = any_id(&random),
			/* mostly in order */
			.time_ns = draw(&random, 20) == 0 ? any_number(&random) / 2
							  : UINT64_C(1) << 62 | (uint64_t)i,
		};

		make_details(&random, &texts, &record);
		make_possible(&record);
		assert_comes_out(&record);
	}
}

/* A switch of CPU 1, with a reading. */
static struct record switch_at(uint64_t time_ns, int32_t tid, const char *name)
{
	static const uint64_t values[MEMBERS] = {1, 2, 3};
	static const struct record_reading reading = {.values = values};

	return (struct record){
		.kind = RECORD_SWITCH,
		.cpu = 1,
		.pid = tid,
		.tid = tid,
		.time_ns = time_ns,
		.ctx_switch = {.next_pid = 9,
			       .next_tid = 9,
			       .knows_how = true,
			       .state = TASK_STATE_SLEEPING,
			       .name = name,
			       .readings = &reading,
			       .reading_count = 1},
	};
}

/* It comes out with the name of the task that leaves. */
static bool is_named(const struct record *leave)
{
	assert_comes_out(leave);
	return kit->record.ctx_switch.name != NULL;
}

/* Once, and again after a loss. */
UNIT_TEST(recording_names_who_leaves_where_that_is_news)
{
	struct record leave = switch_at(100, 8, "a name of 16 byt");
	const struct record lost = {.kind = RECORD_LOST, .cpu = 1, .time_ns = 101, .lost = 1};
	const struct record other = {.kind = RECORD_WAKEUP, .cpu = 1, .tid = 9, .time_ns = 102};

	assert_true(is_named(&leave));
	assert_false(is_named(&leave));
	recording_write(kit->writer, &lost);
	recording_write(kit->writer, &other);
	leave.time_ns = 103;
	assert_true(is_named(&leave));
	leave.pid = RECORD_TASK_UNKNOWN;
	assert_false(is_named(&leave));
	leave.tid = RECORD_TASK_UNKNOWN; /* it has ended */
	assert_true(is_named(&leave));
	leave.pid = leave.tid = 0;
	assert_false(is_named(&leave));
}

/* What was left out, or lost, is known when records of other CPUs may still be older. */
UNIT_TEST(recording_names_who_leaves_until_it_is_later_than_a_loss)
{
	struct record leave = switch_at(100, 8, "name");
	const struct record losses[] = {
		{.kind = RECORD_LOST, .cpu = 1, .time_ns = 101, .lost = 1},
		{.kind = RECORD_SHED, .cpu = RECORD_CPU_NONE, .time_ns = 150},
	};

	for (size_t i = 0; i < 2; i++) {
		const struct record other = {
			.kind = RECORD_YIELD, .cpu = 2, .tid = 9, .time_ns = 200 + i};
		const struct record later = {
			.kind = RECORD_EXIT, .cpu = 2, .tid = 9, .time_ns = 200 + i};

		recording_write(kit->writer, &later);
		recording_write(kit->writer, &other);
		recording_write(kit->writer, &losses[i]);
		assert_true(is_named(&leave));
		assert_true(is_named(&leave));
		leave.time_ns = 250 + i;
		assert_true(is_named(&leave));
		assert_false(is_named(&leave));
		leave.time_ns = 200;
	}
}

/* The next task with its number has a name of its own, and one that exits is written anew. */
UNIT_TEST(recording_names_who_leaves_anew_where_the_number_is_anothers)
{
	const struct record born = {.kind = RECORD_FORK, .cpu = 1, .pid = 7, .tid = 8};
	const struct record end = {.kind = RECORD_EXIT, .cpu = 1, .pid = 7, .tid = 8};
	struct record leave = switch_at(100, 8, "first");

	assert_true(is_named(&leave));
	assert_false(is_named(&leave));
	leave.ctx_switch.state = TASK_STATE_DEAD; /* its last words */
	is_named(&leave);
	leave.ctx_switch.name = "second";
	leave.ctx_switch.state = TASK_STATE_SLEEPING;
	assert_true(is_named(&leave));
	recording_write(kit->writer, &born); /* its end was lost */
	assert_true(is_named(&leave));
	recording_write(kit->writer, &end); /* the rest of it may be of the next interval */
	assert_true(is_named(&leave));
	assert_true(is_named(&leave));
}

UNIT_TEST(recording_common_records_are_perfs_own)
{
	const uint64_t values[MEMBERS] = {1, 2, 3};
	const struct record records[] = {
		switch_at(100, 8, NULL),
		{.kind = RECORD_READING,
		 .cpu = 1,
		 .pid = -1,
		 .tid = -1,
		 .time_ns = 100,
		 .reading = {.restarts = true, .values = values}},
		{.kind = RECORD_READING,
		 .cpu = -1,
		 .pid = 7,
		 .tid = 8,
		 .time_ns = 100,
		 .reading = {.restarts = true, .has_switch_records = true, .values = values}},
		{.kind = RECORD_SWITCH,
		 .cpu = 1,
		 .pid = 7,
		 .tid = 8,
		 .time_ns = 101,
		 .ctx_switch = {.knows_how = true,
				.preempted = true,
				.state = TASK_STATE_RUNNABLE}},
		{.kind = RECORD_SWITCH,
		 .cpu = 1,
		 .pid = 7,
		 .tid = 8,
		 .time_ns = 101,
		 .ctx_switch = {.next_pid = -1,
				.next_tid = -1,
				.knows_how = true,
				.state = TASK_STATE_IDLE}},
		{.kind = RECORD_SWITCH,
		 .cpu = 1,
		 .pid = 7,
		 .tid = 8,
		 .time_ns = 101,
		 .ctx_switch = {.next_pid = 7, .next_tid = 8}},
		{.kind = RECORD_SWITCH, .cpu = 3, .pid = -1, .tid = -1, .time_ns = 101},
		{.kind = RECORD_FORK, .cpu = 0, .pid = 9, .tid = 9, .time_ns = 102, .fork = {7, 8}},
		{.kind = RECORD_EXIT, .cpu = 0, .pid = 9, .tid = 9, .time_ns = 103, .fork = {7, 8}},
		{.kind = RECORD_COMM,
		 .cpu = 0,
		 .pid = 7,
		 .tid = 8,
		 .time_ns = 104,
		 .comm = {"a\033b\377", true}},
		{.kind = RECORD_LOST, .cpu = 2, .pid = -1, .tid = -1, .time_ns = 105, .lost = 12},
		{.kind = RECORD_THROTTLED, .cpu = 2, .pid = 7, .tid = 8, .time_ns = 106},
	};

	for (size_t i = 0; i < COUNT_OF(records); i++)
		assert_false(comes_out_as_note(&records[i]));
}

/* Where the task leaves perf has no record for: a note behind the switch says it. */
UNIT_TEST(recording_switch_with_a_site_is_followed_by_that)
{
	struct record leave = switch_at(100, 8, NULL), site = leave;

	leave.ctx_switch.site =
		(struct record_site){.place = 0x401000, .argument = 3, .is_other = true};
	site.kind = RECORD_SITE;
	site.site = leave.ctx_switch.site;
	recording_write(kit->writer, &leave);

	assert_int_equal(kit->delivered, 2);
	assert_same_record(&kit->reader->layout, &site, &kit->record);
}

UNIT_TEST(recording_what_perf_would_misunderstand_is_a_note)
{
	const struct record records[] = {
		/* nothing was lost: who runs is doubtful */
		{.kind = RECORD_LOST, .cpu = 2, .pid = -1, .tid = -1, .time_ns = 105},
	};

	for (size_t i = 0; i < COUNT_OF(records); i++)
		assert_true(comes_out_as_note(&records[i]));
}

/* It is of a CPU that was not there when the file was begun, or of a group that is closed. */
UNIT_TEST(recording_reading_without_an_event_is_left_out)
{
	const uint64_t values[MEMBERS] = {1, 2, 3};
	const struct record records[] = {
		{.kind = RECORD_READING,
		 .cpu = CPUS,
		 .time_ns = 105,
		 .reading = {.values = values}},
		{.kind = RECORD_READING,
		 .cpu = 1,
		 .time_ns = 105,
		 .reading = {.group = GROUPS, .values = values}},
	};

	for (size_t i = 0; i < COUNT_OF(records); i++)
		recording_write(kit->writer, &records[i]);
	assert_int_equal(kit->delivered, 0);
}

UNIT_TEST(recording_what_is_shown_to_perf_does_not_come_out)
{
	recording_show_process(kit->writer, 7, 7, 1);
	recording_show_comm(kit->writer, 7, 8, "name");
	assert_int_equal(kit->decoded.type, DECODED_COMM);
	assert_int_equal(kit->delivered, 0);
	assert_int_equal(kit->shown_ns, 0);
}

static void assert_is_mapped(int32_t pid, const struct decoded_mmap *mapping)
{
	const struct record *record = &kit->record;

	assert_int_equal(kit->result, RECORDING_RECORD);
	assert_int_equal(record->kind, RECORD_MAPPING);
	assert_int_equal(record->pid, pid);
	assert_int_equal(record->mapping.change, MAPPING_ADDED);
	assert_int_equal(record->mapping.added->pid, pid);
	assert_int_equal(record->mapping.added->address, mapping->address);
	assert_int_equal(record->mapping.added->length, mapping->length);
	assert_int_equal(record->mapping.added->page_offset, mapping->page_offset);
	assert_string_equal(record->mapping.added->file, mapping->file);
}

/* Of what runs already, and of what is mapped while it is sampled. */
UNIT_TEST(recording_mappings_come_out)
{
	const struct decoded_mmap mapping = {
		.pid = 9,
		.tid = 9,
		.address = 0x400000,
		.length = 0x1000,
		.page_offset = 0x2000,
		.file = "/bin/true",
		.file_length = 9,
	};
	const struct record added = {
		.kind = RECORD_MAPPING,
		.cpu = 1,
		.pid = 9,
		.tid = 9,
		.time_ns = 100,
		.mapping.added = &mapping,
	};

	recording_show_mapping(kit->writer, 7, &mapping);
	assert_is_mapped(7, &mapping);
	assert_int_equal(kit->shown_ns, 0);
	recording_write(kit->writer, &added);
	assert_is_mapped(9, &mapping);
	assert_int_equal(kit->shown_ns, 100);
	assert_int_equal(kit->notes, 0);
}

static struct record any_sample(uint32_t *random, uint64_t frames[static SAMPLE_FRAMES_MAX])
{
	const uint16_t count = (uint16_t)draw(random, SAMPLE_FRAMES_MAX + 1);

	for (size_t i = 0; i < count; i++)
		frames[i] = any_number(random) / 2;
	return (struct record){
		.kind = RECORD_SAMPLE,
		.cpu = (int32_t)draw(random, CPUS),
		.pid = any_id(random),
		.tid = any_id(random),
		.time_ns = 1000 + draw(random, 1000), /* in no order */
		.sample =
			{
				.frames = frames,
				.count = count,
				.kernel_count = (uint16_t)draw(random, count + 1u),
				.weight = 1 + any_number(random) / 2,
			},
	};
}

UNIT_TEST(recording_samples_come_out_as_they_were)
{
	uint64_t frames[SAMPLE_FRAMES_MAX];
	uint32_t random = 4712;

	recording_kit_sampler(kit, WRITER_CYCLES_SAMPLES);
	for (int i = 0; i < TRIES / 10; i++) {
		const struct record record = any_sample(&random, frames);
		const struct record_sample *sample = &kit->record.sample;

		assert_comes_out(&record);
		assert_int_equal(sample->count, record.sample.count);
		assert_int_equal(sample->kernel_count, record.sample.kernel_count);
		assert_int_equal(sample->weight, record.sample.weight);
		assert_memory_equal(sample->frames, frames, sample->count * sizeof(*frames));
	}
	assert_int_equal(kit->notes, 0);
}

UNIT_TEST(recording_sample_by_cycles_stands_for_time_as_they_were_taken)
{
	static const struct {
		uint32_t hz;
		uint64_t ns;
	} cases[] = {{250, 4000000}, {0, 0}};
	struct session session = {.sampling = SAMPLING_CYCLES};
	const uint64_t frame = 0x401000;
	const struct record record = {
		.kind = RECORD_SAMPLE,
		.cpu = 1,
		.pid = 7,
		.tid = 8,
		.time_ns = 100,
		.sample = {.frames = &frame, .count = 1, .weight = 5},
	};

	recording_kit_sampler(kit, WRITER_CYCLES_SAMPLES);
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		session.sampling_hz = cases[i].hz;
		recording_write_session(kit->writer, &session);
		assert_comes_out(&record);
		assert_int_equal(kit->record.sample.weight, 5);
		assert_int_equal(kit->record.sample.ns, cases[i].ns);
	}
}

UNIT_TEST(recording_samples_of_an_event_represent_occurrences_and_no_time)
{
	struct session session = {.sampling = SAMPLING_EVENTS, .sampling_event = "page-faults"};
	const uint64_t frame = 0x401000;
	const struct record record = {
		.kind = RECORD_SAMPLE,
		.cpu = 1,
		.pid = 7,
		.tid = 8,
		.time_ns = 100,
		.sample = {.frames = &frame, .count = 1, .weight = 5},
	};
	const struct writer_event *event =
		recording_writer_sampler(kit->writer, WRITER_EVENT_SAMPLES, "page-faults");

	assert_string_equal(event->name, "page-faults");
	kit->kinds[kit->event_count++] = event->kind;
	recording_write_session(kit->writer, &session);
	assert_string_equal(kit->reader->session.sampling_event, "page-faults");
	assert_comes_out(&record);
	assert_int_equal(kit->record.sample.weight, 5);
	assert_int_equal(kit->record.sample.ns, 0);
	assert_null(recording_writer_sampler(kit->writer, WRITER_EVENT_SAMPLES, "page-faults"));
	assert_non_null(recording_writer_sampler(kit->writer, WRITER_EVENT_SAMPLES, "others"));
}

UNIT_TEST(recording_wakers_come_out_with_the_task_they_wake)
{
	const uint64_t frames[] = {0xffff1, 0x401};
	const struct record record = {
		.kind = RECORD_SAMPLE,
		.cpu = 1,
		.pid = 7,
		.tid = 8,
		.time_ns = 100,
		.sample = {.kind = SAMPLE_WAKER,
			   .frames = frames,
			   .count = 2,
			   .kernel_count = 1,
			   .wakee_tid = 0x12345,
			   .weight = 5},
	};
	const struct record_sample *sample = &kit->record.sample;

	recording_kit_sampler(kit, WRITER_CLOCK_SAMPLES);
	recording_kit_sampler(kit, WRITER_WAKER_SAMPLES);
	assert_comes_out(&record);
	assert_int_equal(kit->notes, 0);
	assert_int_equal(kit->record.tid, 8);
	assert_int_equal(sample->kind, SAMPLE_WAKER);
	assert_int_equal(sample->wakee_tid, 0x12345);
	assert_int_equal(sample->weight, 5);
	assert_int_equal(sample->ns, 0);
	assert_int_equal(sample->count, 2);
	assert_int_equal(sample->kernel_count, 1);
	assert_null(recording_writer_sampler(kit->writer, WRITER_WAKER_SAMPLES, NULL));
}

UNIT_TEST(recording_branches_come_out_with_what_is_said_of_them)
{
	const uint64_t ends[] = {0x401000, 0xffffffff81000010};
	struct record record = {
		.kind = RECORD_SAMPLE,
		.cpu = 1,
		.pid = 7,
		.tid = 8,
		.time_ns = 100,
		.sample = {.kind = SAMPLE_BRANCH,
			   .frames = ends,
			   .count = 2,
			   .weight = 1,
			   .ns = 20,
			   .branch = {.type = 17,
				      .privilege = 2,
				      .is_in_transaction = true,
				      .is_predictable = true}},
	};
	const struct record_sample *sample = &kit->record.sample;

	recording_kit_sampler(kit, WRITER_CLOCK_SAMPLES);
	recording_kit_sampler(kit, WRITER_BRANCH_SAMPLES);
	assert_comes_out(&record);
	assert_int_equal(kit->notes, 0);
	assert_int_equal(sample->kind, SAMPLE_BRANCH);
	assert_int_equal(sample->count, 2);
	assert_int_equal(sample->frames[0], 0x401000);
	assert_true(sample->frames[1] == 0xffffffff81000010);
	assert_int_equal(sample->weight, 1);
	assert_int_equal(sample->ns, 20);
	assert_memory_equal(&sample->branch, &record.sample.branch, sizeof(sample->branch));
	record.sample.weight = 0; /* it was predicted */
	assert_comes_out(&record);
	assert_int_equal(sample->kind, SAMPLE_BRANCH);
	assert_int_equal(sample->weight, 0);
	assert_true(sample->branch.is_predictable);
}

/* What the processor says of an access is written as it was, a latency of 0 is one that is not
 * known, and what has no address at all is in no function. */
UNIT_TEST(recording_accesses_come_out_as_the_kernel_wrote_them)
{
	const uint64_t frame = 0xffffffff81000010;
	const uint64_t data_src = PERF_MEM_S(OP, LOAD) | PERF_MEM_S(LVL, HIT) |
				  PERF_MEM_S(LVL, L3) | PERF_MEM_S(SNOOP, HITM) |
				  PERF_MEM_S(TLB, MISS);
	struct record record = {
		.kind = RECORD_SAMPLE,
		.cpu = 1,
		.pid = 7,
		.tid = 8,
		.time_ns = 100,
		.sample = {.kind = SAMPLE_MEMORY,
			   .frames = &frame,
			   .count = 1,
			   .kernel_count = 1,
			   .weight = 90,
			   .ns = 1,
			   .data_src = data_src,
			   .address = 0x7f1000000048},
	};
	const struct record_sample *sample = &kit->record.sample;
	size_t notes;

	/* that the machine could sample them is not said: they are not in it */
	recording_write_session(kit->writer, &(struct session){.has_accesses = true});
	assert_false(kit->reader->session.has_accesses);
	recording_write_session(kit->writer, &(struct session){.sampling = SAMPLING_EVENTS,
							       .sampling_event = "mem-loads",
							       .samples_are_accesses = true});
	assert_true(kit->reader->session.has_accesses);
	recording_kit_sampler(kit, WRITER_ACCESS_SAMPLES);
	assert_comes_out(&record);
	assert_int_equal(kit->record.tid, 8);
	assert_int_equal(sample->kind, SAMPLE_MEMORY);
	assert_int_equal(sample->count, 1);
	assert_int_equal(sample->kernel_count, 1);
	assert_true(sample->frames[0] == frame);
	assert_int_equal(sample->weight, 90);
	assert_int_equal(sample->ns, 1);
	assert_true(sample->data_src == data_src);
	assert_true(sample->address == record.sample.address);
	assert_int_equal(sample->access.source, ACCESS_L3);
	assert_int_equal(sample->access.operation, ACCESS_LOAD);
	assert_int_equal(sample->access.flags, ACCESS_TLB_KNOWN | ACCESS_TLB_MISS |
						       ACCESS_SNOOP_KNOWN | ACCESS_HITM |
						       ACCESS_LOCK_KNOWN);
	record.sample.weight = record.sample.ns = record.sample.address = 0;
	record.sample.count = record.sample.kernel_count = 0;
	record.sample.lost = 3; /* goes before it */
	notes = kit->notes;
	recording_write(kit->writer, &record);
	assert_int_equal(kit->notes, notes + 1);
	assert_int_equal(sample->kind, SAMPLE_MEMORY);
	assert_int_equal(sample->count, 0);
	assert_int_equal(sample->ns, 0);
	assert_int_equal(sample->address, 0);
	assert_null(recording_writer_sampler(kit->writer, WRITER_ACCESS_SAMPLES, "made"));
	/* they are in it, though not of now */
	recording_write_session(kit->writer, &(struct session){.has_accesses = true});
	assert_true(kit->reader->session.has_accesses);
}

/* Its group's counters go with it, and perf does not see them as those of the sample. */
UNIT_TEST(recording_sample_has_its_reading)
{
	const uint64_t frame = 0x401000, values[LAYOUT_GROUP_MEMBERS_MAX] = {70, 80, 90};
	const struct record_reading reading = {
		.sequence = 6, .enabled_ns = 500, .running_ns = 400, .values = values};
	const struct record record = {
		.kind = RECORD_SAMPLE,
		.time_ns = 100,
		.sample = {.frames = &frame, .count = 1, .weight = 5, .reading = &reading},
	};
	const struct record_reading *read;

	recording_kit_sampler(kit, WRITER_CLOCK_SAMPLES);
	recording_write(kit->writer, &record);
	read = kit->record.sample.reading;
	assert_int_equal(kit->delivered, 1);
	assert_int_equal(kit->record.kind, RECORD_SAMPLE);
	assert_non_null(read);
	assert_int_equal(read->group, 0);
	assert_int_equal(read->sequence, 6);
	assert_int_equal(read->enabled_ns, 500);
	assert_int_equal(read->running_ns, 400);
	assert_memory_equal(read->values, values,
			    kit->reader->layout.groups[0].count * sizeof(*values));
	recording_write(kit->writer,
			&(struct record){.kind = RECORD_SAMPLE,
					 .time_ns = 101,
					 .sample = {.frames = &frame, .count = 1, .weight = 5}});
	assert_null(kit->record.sample.reading);
}

UNIT_TEST(recording_throttling_has_its_length)
{
	recording_write(
		kit->writer,
		&(struct record){.kind = RECORD_THROTTLED, .time_ns = 100, .throttled_ns = 40});
	assert_int_equal(kit->notes, 0);
	assert_int_equal(kit->record.kind, RECORD_THROTTLED);
	assert_int_equal(kit->record.time_ns, 100);
	assert_int_equal(kit->record.throttled_ns, 40);
}

UNIT_TEST(recording_sample_with_losses_says_these_first)
{
	const uint64_t frame = 0x401000;
	struct record record = {
		.kind = RECORD_SAMPLE,
		.time_ns = 100,
		.sample = {.frames = &frame, .count = 1, .weight = 5, .lost = 3},
	};

	recording_kit_sampler(kit, WRITER_CLOCK_SAMPLES);
	recording_write(kit->writer, &record);
	assert_int_equal(kit->delivered, 2);
	assert_int_equal(kit->notes, 1);
	assert_int_equal(kit->record.sample.lost, 0);
	assert_int_equal(kit->record.sample.weight, 5);
	record.sample = (struct record_sample){.lost = 3};
	recording_write(kit->writer, &record);
	assert_int_equal(kit->record.sample.lost, 3);
	assert_int_equal(kit->record.sample.count, 0);
}

UNIT_TEST(recording_facts_show_the_name_to_perf)
{
	const struct record record = {.kind = RECORD_PROCINFO,
				      .cpu = -1,
				      .pid = 7,
				      .tid = 8,
				      .time_ns = 5,
				      .procinfo = {.name = "sh"}};

	assert_comes_out(&record);
	assert_int_equal(kit->decoded.type, DECODED_COMM);
	assert_string_equal(kit->decoded.comm.name, "sh");
	assert_int_equal(kit->decoded.comm.tid, 8);
}

UNIT_TEST(recording_interval_comes_out_as_it_was)
{
	struct recording_interval tick = {
		.time_ns = UINT64_MAX - 1,
		.wall_offset_ns = -5,
		.is_partial = true,
		.is_start = true,
		.own_cpu_ns = 1,
		.own_rss_bytes = UINT64_C(1) << 40,
		.own_descriptors = 77,
	};

	recording_write_interval(kit->writer, &tick);
	assert_int_equal(kit->result, RECORDING_INTERVAL);
	assert_int_equal(kit->tick.time_ns, tick.time_ns);
	assert_int_equal(kit->tick.wall_offset_ns, -5);
	assert_true(kit->tick.is_partial && kit->tick.is_start);
	assert_int_equal(kit->tick.own_cpu_ns, 1);
	assert_int_equal(kit->tick.own_rss_bytes, tick.own_rss_bytes);
	assert_int_equal(kit->tick.own_descriptors, 77);
	assert_int_equal(kit->tick.own_switch_ns, 0);

	tick.own_switch_ns = 1250;
	tick.own_samples_ns = 77;
	recording_write_interval(kit->writer, &tick);
	assert_int_equal(kit->tick.own_descriptors, 77);
	assert_int_equal(kit->tick.own_switch_ns, 1250);
	assert_int_equal(kit->tick.own_samples_ns, 77);
	assert_int_equal(kit->tick.own_budget_mpct, 0);

	tick.own_budget_mpct = 1000;
	tick.own_counting_mpct = 41300;
	recording_write_interval(kit->writer, &tick);
	assert_int_equal(kit->tick.own_switch_ns, 1250);
	assert_int_equal(kit->tick.own_budget_mpct, 1000);
	assert_int_equal(kit->tick.own_counting_mpct, 41300);
}

static void assert_same_events(const struct layout *a, const struct layout *b)
{
	assert_int_equal(a->event_count, b->event_count);
	for (size_t i = 0; i < a->event_count; i++) {
		assert_string_equal(a->events[i].name, b->events[i].name);
		assert_int_equal(a->events[i].state, b->events[i].state);
		assert_int_equal(a->events[i].is_contended, b->events[i].is_contended);
		assert_int_equal(a->events[i].is_estimate, b->events[i].is_estimate);
		assert_int_equal(a->events[i].is_removed, b->events[i].is_removed);
		assert_int_equal(a->events[i].is_clock, b->events[i].is_clock);
		assert_string_equal(a->events[i].reason, b->events[i].reason);
		assert_string_equal(a->events[i].unit, b->events[i].unit);
		assert_memory_equal(&a->events[i].scale, &b->events[i].scale, sizeof(double));
	}
}

static void assert_same_groups(const struct layout *a, const struct layout *b)
{
	assert_int_equal(a->group_count, b->group_count);
	for (size_t i = 0; i < a->group_count; i++) {
		const struct event_group *one = &a->groups[i], *other = &b->groups[i];

		assert_int_equal(one->count, other->count);
		for (size_t k = 0; k < one->count; k++)
			assert_int_equal(one->counters[k], other->counters[k]);
		assert_int_equal(one->kind, other->kind);
		assert_int_equal(one->rotation, other->rotation);
		assert_int_equal(one->is_open, other->is_open);
		assert_int_equal(one->is_reported, other->is_reported);
		assert_int_equal(one->needs_counters, other->needs_counters);
		assert_int_equal(one->generation, other->generation);
		assert_int_equal(one->value_index, other->value_index);
		assert_int_equal(one->slices_index, other->slices_index);
	}
}

static void assert_same_layout(const struct layout *a, const struct layout *b)
{
	assert_same_events(a, b);
	assert_same_groups(a, b);
	assert_int_equal(a->counter_count, b->counter_count);
	for (size_t i = 0; i < a->counter_count; i++) {
		assert_int_equal(a->counters[i].event, b->counters[i].event);
		assert_int_equal(a->counters[i].group, b->counters[i].group);
		assert_int_equal(a->counters[i].is_live, b->counters[i].is_live);
		assert_int_equal(a->counters[i].value_index, b->counters[i].value_index);
	}
	assert_int_equal(a->kind_count, b->kind_count);
	for (size_t i = 0; i < a->kind_count; i++) {
		assert_string_equal(a->kinds[i].name, b->kinds[i].name);
		assert_int_equal(a->kinds[i].clock, b->kinds[i].clock);
	}
	assert_int_equal(a->width, b->width);
}

static void dress_up(struct event *event, size_t i)
{
	event->state = (enum event_state)(i % 4);
	event->is_contended = i % 3 == 0;
	event->is_estimate = i % 5 == 0;
	event->is_removed = i % 7 == 0;
	event->is_clock = i % 2 == 0;
	event->scale = 1.0 / (double)(i + 3);
	snprintf(event->reason, sizeof(event->reason), "because of \"%zu\"\xff\n", i);
	snprintf(event->unit, sizeof(event->unit), "\xc2\xb5J");
}

/* So many that their text takes several notes. */
UNIT_TEST(recording_long_layout_comes_out_as_it_was)
{
	struct layout layout;

	make_layout(&layout);
	layout.kind_count = 2;
	layout.kinds[1].clock = (uint16_t)layout_add_group(&layout, 1, 0);
	snprintf(layout.kinds[1].name, sizeof(layout.kinds[1].name), "cpu_atom");
	for (size_t i = 0; i < 500; i++) {
		char name[200];

		snprintf(name, sizeof(name), "%0150zu\xfe", i);
		layout_add_event(&layout, name);
	}
	for (size_t i = 0; i < layout.event_count; i++)
		dress_up(&layout.events[i], i);
	layout_add_counter(&layout, 1, 300);
	layout.groups[0].needs_counters = true;
	layout.groups[1].is_reported = true;
	layout_close_group(&layout, 2);

	recording_kit_layout(kit, &layout);

	assert_true(kit->notes > 2);
	assert_int_equal(kit->result, RECORDING_LAYOUT);
	assert_same_layout(&layout, &kit->reader->layout);
	layout_fini(&layout);
}

UNIT_TEST(recording_session_comes_out_as_it_was)
{
	struct session session = {
		.scope = SCOPE_TASKS,
		.scope_words = "own tasks \xff\x01",
		.scope_reason = "why",
		.scope_remedy = "how",
		.pmu_words = "what",
		.has_pmu = true,
		.is_live = true,
		.wall_offset_ns = -7,
		.cpu_count = 3,
		.is_partial = true,
		.queue = QUEUE_RUN_DELAY,
		.queue_words = "\xe2\x82\xac",
		.has_yields = true,
		.has_states = true,
		.sampling = SAMPLING_CYCLES,
		.samples_are_estimates = true,
		.sampling_hz = 250,
		.off_cpu.are_taken = true,
		.off_cpu.pid = 4711,
		.wakers.are_taken = true,
		.wakers.are_estimates = true,
		.wakers.words = "1 of 7 wake-ups",
		.others = "perf stat (pid 7)",
		.unknown = 0x81,
	};
	const struct session *read;

	recording_write_session(kit->writer, &session);
	assert_int_equal(kit->result, RECORDING_SESSION);
	read = &kit->reader->session;
	assert_int_equal(read->scope, SCOPE_TASKS);
	assert_string_equal(read->scope_words, session.scope_words);
	assert_string_equal(read->scope_reason, session.scope_reason);
	assert_string_equal(read->scope_remedy, ""); /* it was for that time */
	assert_string_equal(read->pmu_words, session.pmu_words);
	assert_string_equal(read->queue_words, session.queue_words);
	assert_string_equal(read->others, session.others);
	assert_true(read->has_pmu && read->is_live && read->is_partial && read->has_yields &&
		    read->has_states);
	assert_false(read->is_estimated);
	assert_int_equal(read->sampling, SAMPLING_CYCLES);
	assert_true(read->samples_are_estimates);
	assert_int_equal(read->sampling_hz, 250);
	assert_true(read->off_cpu.are_taken);
	assert_int_equal(read->off_cpu.pid, 4711);
	assert_true(read->wakers.are_taken && read->wakers.are_estimates);
	assert_string_equal(read->wakers.words, session.wakers.words);
	assert_int_equal(read->wall_offset_ns, -7);
	assert_int_equal(read->cpu_count, 3);
	assert_int_equal(read->queue, QUEUE_RUN_DELAY);
	assert_int_equal(read->unknown, 0x81);
}

/* Readings of a group that has changed are of other events of the file. */
UNIT_TEST(recording_scope_comes_out_as_it_was)
{
	struct target_pids targets = {.kind = TARGET_PIDS_TREE};
	const struct target_pids *read;

	for (int32_t pid = 1; pid < 30000; pid += 2) /* more than a note has room for */
		target_pids_add(&targets, pid);
	recording_write_targets(kit->writer, &targets);
	assert_int_equal(kit->result, RECORDING_TARGETS);
	read = &kit->reader->targets;
	assert_int_equal(read->kind, TARGET_PIDS_TREE);
	assert_int_equal(read->pids.count, targets.pids.count);
	assert_true(target_pids_has(read, 29999));
	assert_false(target_pids_has(read, 2));
	target_pids_fini(&targets);
}

UNIT_TEST(recording_users_come_out_as_they_were)
{
	char longest[300];

	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	assert_null(recording_reader_user(kit->reader, 1000));
	recording_write_user(kit->writer, 1000, "ben");
	recording_write_user(kit->writer, 0, "toor");
	recording_write_user(kit->writer, 1, longest); /* no user is called so */
	assert_string_equal(recording_reader_user(kit->reader, 1000), "ben");
	assert_string_equal(recording_reader_user(kit->reader, 0), "toor");
	assert_null(recording_reader_user(kit->reader, 1));
	assert_int_equal(recording_reader_find_user(kit->reader, "ben"), 1000);
	assert_int_equal(recording_reader_find_user(kit->reader, "root"), -1);
	recording_write_user(kit->writer, 1000, "anna");
	assert_string_equal(recording_reader_user(kit->reader, 1000), "anna");
}

UNIT_TEST(recording_changed_group_gets_events_of_its_own)
{
	const uint64_t values[MEMBERS + 1] = {1, 2, 3, 4};
	const struct record record = {
		.kind = RECORD_READING, .cpu = 1, .time_ns = 9, .reading = {.values = values}};
	const size_t before = kit->event_count;
	struct layout layout;

	make_layout(&layout);
	layout_add_counter(&layout, 0, layout_add_event(&layout, "late"));
	recording_kit_layout(kit, &layout);
	assert_int_equal(kit->event_count, before + 1 + MEMBERS + 1);
	assert_string_equal(kit->newest, "late");
	assert_false(comes_out_as_note(&record));
	assert_int_equal(kit->decoded.counts.read.count, 1 + MEMBERS + 1);
	layout_fini(&layout);
}

/* A file may say anything; a model that was given this would read what is not there. */
UNIT_TEST(recording_layout_that_does_not_follow_is_passed_over)
{
	struct layout layout;

	make_layout(&layout);
	kit->result = RECORDING_NOTHING;
	layout.groups[0].count++; /* of the same generation */
	layout.groups[0].counters[MEMBERS] = 0;
	recording_write_layout(kit->writer, &layout);
	layout.groups[0].count--;
	layout.width--;
	recording_write_layout(kit->writer, &layout);
	layout.width++;
	layout.groups[0].counters[0] = 999;
	recording_write_layout(kit->writer, &layout);
	layout.groups[0].counters[0] = 0;
	layout.counters[0].value_index = layout.width;
	recording_write_layout(kit->writer, &layout);
	layout.counters[0].value_index = 0;
	layout.counters[1].group = 1; /* and yet a member of group 0 */
	recording_write_layout(kit->writer, &layout);
	layout.counters[1].group = 0;
	layout.kinds[0].clock = GROUPS;
	recording_write_layout(kit->writer, &layout);
	assert_int_equal(kit->result, RECORDING_NOTHING);
	assert_int_equal(kit->reader->layout.group_count, GROUPS);
	assert_int_equal(kit->reader->left_out, 6);
	layout_fini(&layout);
}

UNIT_TEST(recording_reading_of_another_number_of_members_is_passed_over)
{
	const uint64_t values[MEMBERS] = {1, 2, 3};
	const struct record record = {
		.kind = RECORD_READING, .cpu = 1, .time_ns = 9, .reading = {.values = values}};
	struct record out;
	struct recording_interval tick;

	assert_comes_out(&record);
	kit->decoded.counts.read.count--;
	assert_int_equal(recording_read(kit->reader, &kit->decoded, false, &out, &tick),
			 RECORDING_NOTHING);
	kit->decoded.counts.read.count++;
	kit->decoded.counts.read.ids[0]++;
	assert_int_equal(recording_read(kit->reader, &kit->decoded, false, &out, &tick),
			 RECORDING_RECORD);
	kit->decoded.counts.read.ids[0] += 1 << 20;
	assert_int_equal(recording_read(kit->reader, &kit->decoded, false, &out, &tick),
			 RECORDING_NOTHING);
	assert_int_equal(kit->reader->left_out, 2);
}

/* For each CPU there is room for a reading of each group. */
UNIT_TEST(recording_switch_of_a_cpu_that_cannot_be_is_left_out)
{
	struct record record = switch_at(9, 7, NULL);

	record.ctx_switch.reading_count = 0;
	record.cpu = 8191;
	assert_comes_out(&record);
	record.cpu = 8192;
	recording_write(kit->writer, &record);
	assert_int_equal(kit->delivered, 1);
	assert_true(kit->reader->left_out > 0);
}

/* Of its own size, so that a sanitizer sees what is read behind it. */
static enum recording_result read_note(const unsigned char *bytes, size_t size)
{
	struct decoded decoded = {.type = DECODED_SAMPLE, .id.has = DECODED_HAS_RAW};
	unsigned char *copy = xcalloc(1, size);
	enum recording_result result;
	struct record record;
	struct recording_interval tick;

	if (size > 0)
		memcpy(copy, bytes, size);
	decoded.sample.raw = (struct decoded_bytes){copy, size};
	result = recording_read(kit->reader, &decoded, true, &record, &tick);
	if (result == RECORDING_RECORD && record.kind == RECORD_PROCINFO &&
	    record.procinfo.command_line)
		assert_true(strlen(record.procinfo.command_line) < size);
	free(copy);
	return result;
}

/* Every beginning of a note, and every one with a bit turned. */
UNIT_TEST(recording_broken_note_is_survived)
{
	/* facts of tid 8: a command line of 7 letters behind numbers */
	static const unsigned char note[] = {
		1,   'a', 0,   0,   61,  0,   0,   0,   255, 255, 255, 255, 7, 0,   0,   0,
		8,   0,   0,   0,   5,   0,   0,   0,   0,   0,   0,   0,   1, 0,   0,   0,
		0,   0,   0,   0,   0,   0,   0,   0,   2,   0,   0,   0,   0, 255, 255, 255,
		255, 7,   0,   0,   0,   's', 'l', 'e', 'e', 'p', ' ', '1', 0, 6,   0,   0,
		0,   255, 255, 255, 255, 0,   0,   0,   0,   0,   0,   0,   0,
	};
	const size_t length = 8 + 61;

	assert_int_equal(read_note(note, length), RECORDING_RECORD);
	for (size_t size = 0; size < length; size++)
		assert_int_equal(read_note(note, size), RECORDING_NOTHING);
	assert_int_equal(kit->reader->left_out, length);
	for (size_t bit = 0; bit < 8 * length; bit++) {
		unsigned char turned[sizeof(note)];

		memcpy(turned, note, sizeof(note));
		turned[bit / 8] ^= (unsigned char)(1u << bit % 8);
		read_note(turned, length);
	}
}

UNIT_MAIN(set_up, tear_down)
