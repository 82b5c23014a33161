/* Samples and mappings of files of perf record: what functions are made of. Times in milliseconds.
 */

#include <sys/utsname.h>

#include "base/memory.h"
#include "model/session.h"

#include "fake_perfdata.h"
#include "perfdata/build_ids.h"
#include "perfdata/replaying.h"
#include "unit.h"

#define MS UINT64_C(1000000)

enum {
	PLACES = OF_CPUS | HAS_IP | HAS_PERIOD,
	CHAINS = PLACES | HAS_CALLCHAIN,
	TRACES = CHAINS | DECODED_HAS_RAW,
	STACKS = PLACES | DECODED_HAS_REGS_USER | DECODED_HAS_STACK_USER,
	SEEN_MAX = 16
};

/* What the source delivered of samples and mappings, in its order. */
static struct seen {
	struct record record;
	uint64_t frames[4];
	char file[32];
	struct decoded_mmap mmap;
	struct record_stack stack;
	uint64_t registers[4], top;
} seen[SEEN_MAX];
static size_t seen_count;

static void note_stack(struct seen *made, const struct record_stack *stack)
{
	if (!stack)
		return;
	assert_in_range(stack->register_count, 1, 4);
	made->stack = *stack;
	memcpy(made->registers, stack->registers, stack->register_count * sizeof(uint64_t));
	memcpy(&made->top, stack->bytes, sizeof(made->top));
}

static void note(const struct record *record)
{
	struct seen *made = &seen[seen_count++];

	assert_in_range(seen_count, 1, SEEN_MAX);
	*made = (struct seen){.record = *record};
	if (record->kind == RECORD_SAMPLE) {
		assert_in_range(record->sample.count, 0, 4);
		memcpy(made->frames, record->sample.frames,
		       record->sample.count * sizeof(uint64_t));
		note_stack(made, record->sample.stack);
	} else if (record->kind == RECORD_MAPPING && record->mapping.change == MAPPING_ADDED) {
		made->mmap = *record->mapping.added;
		memcpy(made->file, made->mmap.file, made->mmap.file_length);
	}
}

static struct source *open_file(void)
{
	const struct replay_request request = {.path = "perf.data", .interval_ns = 1000 * MS};
	struct source *source = replay_create(&request, NULL);

	assert_non_null(source);
	return source;
}

static struct session play(void)
{
	struct source *source = open_file();
	const struct session session = source->session;
	struct record record;

	seen_count = 0;
	while (!source_is_finished(source)) {
		source_tick(source);
		while (source_next(source, &record))
			if (record.kind == RECORD_SAMPLE || record.kind == RECORD_MAPPING ||
			    record.kind == RECORD_WAKEUP)
				note(&record);
	}
	source_destroy(source);
	return session;
}

UNIT_TEST(replay_samples_are_those_of_the_event_that_counts_time)
{
	struct session session;

	fake_event("page-faults", PAGE_FAULTS, PLACES)->period = 1;
	fake_event("cpu-clock:u", CPU_CLOCK, PLACES)->period = 100;
	fake_sample(0, MADE(.time = 100 * MS, .tid = 7, .ip = 0x10, .period = 1));
	fake_sample(1, MADE(.time = 110 * MS, .tid = 7, .ip = 0x20, .period = 100));
	session = play();

	assert_int_equal(seen_count, 1);
	assert_int_equal(seen[0].record.tid, 7);
	assert_int_equal(seen[0].record.time_ns, 110 * MS);
	assert_int_equal(seen[0].record.sample.weight, 100);
	assert_int_equal(seen[0].record.sample.ns, 100);
	assert_int_equal(seen[0].record.sample.count, 1);
	assert_int_equal(seen[0].record.sample.kernel_count, 0);
	assert_int_equal(seen[0].frames[0], 0x20);
	assert_int_equal(session.sampling, SAMPLING_CLOCK);
	assert_string_equal(session.sampling_words, "cpu-clock:u, each 100; one of 2 events");
}

UNIT_TEST(replay_samples_without_an_event_that_counts_time_are_those_of_the_first)
{
	struct session session;

	fake_event("dummy:HG", DUMMY, PLACES);
	fake_event("page-faults", PAGE_FAULTS, PLACES)->is_frequency = true;
	fake.events[1].period = 4000;
	fake_sample(1, MADE(.time = 100 * MS, .tid = 7, .ip = 0x10, .period = 3));
	session = play();

	assert_int_equal(seen_count, 1);
	assert_int_equal(seen[0].record.sample.weight, 3);
	assert_int_equal(seen[0].record.sample.ns, 0);
	assert_int_equal(session.sampling, SAMPLING_EVENTS);
	assert_string_equal(session.sampling_words, "page-faults, 4000 Hz");
}

/* {cpu-clock,page-faults}:S; the period may be what the kernel has in mind for the next. */
UNIT_TEST(replay_samples_with_a_reading_weigh_what_was_counted)
{
	fake_event("cpu-clock", CPU_CLOCK, PLACES | HAS_READ)->period = 1000;
	fake_event("page-faults", PAGE_FAULTS, PLACES | HAS_READ)->leader = 0;
	fake_sample(0, MADE(.time = 100 * MS, .tid = 7, .ip = 0x10, .period = 1, .values = {300, 5},
			    .value_count = 2));
	fake_sample(0, MADE(.time = 101 * MS, .tid = 8, .ip = 0x20, .period = 90000,
			    .values = {900, 6}, .value_count = 2));
	play();

	assert_int_equal(seen_count, 2);
	assert_int_equal(seen[0].record.sample.weight, 300);
	assert_int_equal(seen[1].record.sample.weight, 600);
	assert_int_equal(seen[1].record.sample.ns, 600);
}

UNIT_TEST(replay_samples_of_cycles_take_the_time_between_two)
{
	struct perfdata_event *cycles = fake_event("cycles", 0, PLACES);

	cycles->type = 0; /* hardware */
	cycles->is_frequency = true;
	cycles->period = 4000;
	fake_sample(0, MADE(.time = 100 * MS, .tid = 7, .ip = 0x10, .period = 900000));
	play();

	assert_int_equal(seen_count, 1);
	assert_int_equal(seen[0].record.sample.weight, 900000);
	assert_int_equal(seen[0].record.sample.ns, 250000);
}

UNIT_TEST(replay_samples_without_addresses_are_none)
{
	fake_event("cpu-clock", CPU_CLOCK, OF_CPUS | HAS_PERIOD);
	fake_sample(0, MADE(.time = 100 * MS, .tid = 7, .period = 3));

	assert_int_equal(play().sampling, SAMPLING_OFF);
	assert_int_equal(seen_count, 0);
}

UNIT_TEST(replay_samples_have_their_calls)
{
	static const uint64_t chain[] = {(uint64_t)-128, 0xffff0010, (uint64_t)-512, 0x10, 0x20};

	fake_event("cpu-clock", CPU_CLOCK, CHAINS);
	fake_sample(0, MADE(.time = 100 * MS, .tid = 7, .period = 5, .chain = chain,
			    .chain_count = COUNT_OF(chain)));
	play();

	assert_int_equal(seen_count, 1);
	assert_int_equal(seen[0].record.sample.count, 3);
	assert_int_equal(seen[0].record.sample.kernel_count, 1);
	assert_int_equal(seen[0].frames[0], 0xffff0010);
	assert_int_equal(seen[0].frames[2], 0x20);
}

/* --call-graph dwarf: the registers and the stack go with the sample. */
/* All its raw data are which task is woken. */
char *__wrap_perfdata_find_format(const struct perfdata_info *info, uint64_t number)
{
	struct strbuf text = {0};

	strbuf_printf(&text,
		      "name: %s\nID: %d\nformat:\n\tfield:pid_t pid;\toffset:0;\tsize:4;"
		      "\tsigned:1;\n\nprint fmt: \"\"\n",
		      number == 375   ? "sched_waking"
		      : number == 376 ? "sched_wakeup_new"
				      : "sched_wakeup",
		      (int)number);
	return text.text;
}

UNIT_TEST(replay_samples_of_wake_ups_have_the_task_that_is_woken)
{
	static const uint64_t chain[] = {(uint64_t)-128, 0xffff0010, (uint64_t)-512, 0x10};
	static const uint32_t nine = 9, none = UINT32_MAX;
	struct session session;

	fake_event("cpu-clock", CPU_CLOCK, CHAINS);
	fake_event("sched:sched_waking", 375, TRACES)->type = TRACEPOINT;
	fake.events[1].period = 1;
	fake_sample(1, MADE(.time = 100 * MS, .tid = 7, .period = 1, .chain = chain,
			    .chain_count = COUNT_OF(chain), .raw = &nine));
	fake_sample(1, MADE(.time = 110 * MS, .tid = 7, .period = 1, .raw = &none));
	session = play();

	assert_int_equal(seen_count, 1);
	assert_int_equal(seen[0].record.tid, 7);
	assert_int_equal(seen[0].record.sample.kind, SAMPLE_WAKER);
	assert_int_equal(seen[0].record.sample.wakee_tid, 9);
	assert_int_equal(seen[0].record.sample.weight, 1);
	assert_int_equal(seen[0].record.sample.kernel_count, 1);
	assert_int_equal(seen[0].frames[1], 0x10);
	assert_true(session.wakers.are_taken && !session.wakers.are_estimates);
	assert_string_equal(session.wakers.words, "each wake-up");
	fake.events[1].period = 5;
	session = play();
	assert_true(session.wakers.are_estimates);
	assert_string_equal(session.wakers.words, "one of 5 wake-ups");
}

static void assert_wakers(const int32_t *wakers, size_t most)
{
	size_t count = 0;

	for (size_t i = 0; i < seen_count; i++)
		if (seen[i].record.kind == RECORD_WAKEUP && count++ < most)
			assert_int_equal(seen[i].record.wakeup.waker_tid, wakers[count - 1]);
	assert_int_equal(count, most);
}

/* The third byte has flags: in a soft interrupt it is not the running task that wakes. */
UNIT_TEST(replay_wake_ups_have_the_task_that_wakes)
{
	static const uint32_t nine = 9, in_interrupt = 9 | 0x10 << 16;

	fake_event("sched:sched_waking", 375, TRACES)->type = TRACEPOINT;
	fake_event("sched:sched_wakeup_new", 376, TRACES)->type = TRACEPOINT;
	fake_sample(0, MADE(.time = 100 * MS, .tid = 7, .period = 1, .raw = &nine));
	fake_sample(0, MADE(.time = 110 * MS, .tid = 7, .period = 1, .raw = &in_interrupt));
	fake_sample(1, MADE(.time = 120 * MS, .tid = 6, .period = 1, .raw = &nine));
	play();
	assert_wakers((const int32_t[]){7, 0, 6}, 3);
}

/* sched_wakeup is of where a wake-up ends, which may be another CPU. */
UNIT_TEST(replay_wake_ups_that_have_ended_do_not_have_it)
{
	static const uint32_t nine = 9;

	fake_event("sched:sched_wakeup", 377, TRACES)->type = TRACEPOINT;
	fake_event("sched:sched_wakeup_new", 376, TRACES)->type = TRACEPOINT;
	fake_sample(0, MADE(.time = 100 * MS, .tid = 7, .period = 1, .raw = &nine));
	play();
	assert_wakers((const int32_t[]){RECORD_TASK_UNKNOWN}, 1);
}

/* perf shows them so, too. */
UNIT_TEST(replay_samples_of_wake_ups_alone_are_the_profile_as_well)
{
	static const uint32_t nine = 9;

	fake_event("sched:sched_waking", 375, TRACES)->type = TRACEPOINT;
	fake_sample(0, MADE(.time = 100 * MS, .tid = 7, .period = 1, .ip = 0x10, .raw = &nine));

	assert_int_equal(play().sampling, SAMPLING_EVENTS);
	assert_int_equal(seen_count, 2);
	assert_int_equal(seen[0].record.sample.kind, SAMPLE_ON_CPU);
	assert_int_equal(seen[1].record.sample.kind, SAMPLE_WAKER);
}

UNIT_TEST(replay_samples_have_their_stack)
{
	uint64_t record[] = {
		0,
		10 /* id */,
		0x10,
		7 | UINT64_C(7) << 32,
		100 * MS,
		0,
		5,
		2 /* ABI */,
		0xb0,
		0x5b,
		16 /* bytes */,
		0x1111,
		0x2222,
		8 /* of them were used */,
	};
	const struct {
		uint32_t type;
		uint16_t misc, size;
	} header = {DECODED_SAMPLE, DECODED_MISC_USER, sizeof(record)};
	struct perfdata_event *event = fake_event("cpu-clock", CPU_CLOCK, STACKS);

	memcpy(record, &header, sizeof(header));
	event->format.user_regs = 1 << 6 | 1 << 7;
	fake_bytes(0, record, sizeof(record), 100 * MS);
	play();

	assert_int_equal(seen_count, 1);
	assert_int_equal(seen[0].frames[0], 0x10);
	assert_int_equal(seen[0].stack.mask, 1 << 6 | 1 << 7);
	assert_int_equal(seen[0].stack.register_count, 2);
	assert_int_equal(seen[0].registers[1], 0x5b);
	assert_int_equal(seen[0].stack.size, 8);
	assert_int_equal(seen[0].top, 0x1111);
}

/* What was there before has no time, and comes first. */
UNIT_TEST(replay_mappings_come_before_the_samples_in_them)
{
	fake_event("cpu-clock", CPU_CLOCK, PLACES);
	fake_sample(0, MADE(.time = 110 * MS, .tid = 7, .ip = 0x10, .period = 1));
	fake_mapping(0, 0x20000, MADE(.time = 105 * MS, .tid = 7, .name = "/lib/b"));
	fake_mapping(0, 0x10000, MADE(.tid = 7, .name = "/bin/a"));
	fake_round();
	play();

	assert_int_equal(seen_count, 3);
	assert_string_equal(seen[0].file, "/bin/a");
	assert_int_equal(seen[0].record.pid, 7);
	assert_int_equal(seen[0].mmap.address, 0x10000);
	assert_false(seen[0].mmap.has_build_id);
	assert_string_equal(seen[1].file, "/lib/b");
	assert_int_equal(seen[2].record.kind, RECORD_SAMPLE);
}

UNIT_TEST(replay_mappings_have_the_build_ids_of_the_file)
{
	static const char entry[] = "pid.0123456789abcdefghij\24...[kernel.kallsyms]";
	struct build_ids *ids = build_ids_create();

	build_ids_take(ids, 1 << 15, entry, sizeof(entry));
	fake.info.build_ids = ids;
	fake_event("cpu-clock", CPU_CLOCK, PLACES);
	fake_mapping(0, 0x10000, MADE(.tid = -1, .name = "[kernel.kallsyms]_text"));
	fake_sample(0, MADE(.time = 110 * MS, .tid = 7, .ip = 0x10, .period = 1));
	play();

	assert_true(seen[0].mmap.has_build_id);
	assert_int_equal(seen[0].mmap.build_id_size, 20);
	assert_memory_equal(seen[0].mmap.build_id, "0123456789abcdefghij", 20);
	build_ids_destroy(ids);
}

static uint64_t inode_recorded_on(const char *host)
{
	struct decoded_mmap mmap = {.inode = 5, .file = "/bin/a", .file_length = 6};

	snprintf(fake.info.host, sizeof(fake.info.host), "%s", host);
	replay_complete_mapping(NULL, &mmap);
	return mmap.inode;
}

UNIT_TEST(replay_inodes_of_another_machine_say_nothing)
{
	struct utsname here;
	char other[sizeof(here.nodename) + 1];

	assert_int_equal(uname(&here), 0);
	snprintf(other, sizeof(other), "%sx", here.nodename);
	assert_int_equal(inode_recorded_on(here.nodename), 5);
	assert_int_equal(inode_recorded_on(""), 5);
	assert_int_equal(inode_recorded_on(other), 0);
}

UNIT_TEST(replay_exec_takes_the_mappings_away)
{
	fake_event("cpu-clock", CPU_CLOCK, PLACES);
	fake_sample(0, MADE(.time = 100 * MS, .tid = 7, .ip = 0x10, .period = 1));
	fake_comm(0, MADE(.time = 110 * MS, .tid = 7, .name = "other"));
	fake_comm(0, MADE(.time = 120 * MS, .tid = 7, .name = "program", .exec = true));
	play();

	assert_int_equal(seen_count, 2);
	assert_int_equal(seen[1].record.kind, RECORD_MAPPING);
	assert_int_equal(seen[1].record.mapping.change, MAPPING_EXEC);
	assert_int_equal(seen[1].record.pid, 7);
}

UNIT_MAIN(fake_clear, NULL)
