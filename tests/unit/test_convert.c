/* Records of the kernel as records of the model. */

#include "kernel/decode.h"
#include "model/record.h"
#include "source/convert.h"

#include "unit.h"

static bool convert(const struct decoded *decoded, struct record *record)
{
	static char name[8];

	*record = (struct record){.cpu = 3, .pid = 7, .tid = 8, .time_ns = 9};
	return convert_record(decoded, name, sizeof(name), record);
}

UNIT_TEST(convert_switch_tells_direction_and_other)
{
	struct decoded decoded = {.type = DECODED_SWITCH_CPU_WIDE};
	struct record record;

	decoded.ctx_switch = (struct decoded_switch){
		.out = true, .preempted = true, .other_pid = 10, .other_tid = 11};
	assert_true(convert(&decoded, &record));
	assert_int_equal(record.kind, RECORD_SWITCH);
	assert_true(record.ctx_switch.knows_how);
	assert_true(record.ctx_switch.preempted);
	assert_int_equal(record.ctx_switch.next_pid, 10);
	assert_int_equal(record.ctx_switch.next_tid, 11);
	assert_int_equal(record.tid, 8);

	decoded.ctx_switch.out = false;
	assert_true(convert(&decoded, &record));
	assert_int_equal(record.kind, RECORD_SWITCH);
	assert_false(record.ctx_switch.knows_how);
	assert_int_equal(record.ctx_switch.next_pid, 7);
	assert_int_equal(record.ctx_switch.next_tid, 8);
	assert_int_equal(record.pid, 10);
	assert_int_equal(record.tid, 11);
}

UNIT_TEST(convert_gives_the_model_what_it_has_use_for)
{
	static const struct {
		enum decoded_type type;
		enum record_kind kind; /* RECORD_KINDS: none */
		int32_t pid, tid;
	} cases[] = {
		{DECODED_FORK, RECORD_FORK, 20, 21},
		{DECODED_EXIT, RECORD_EXIT, 20, 21},
		{DECODED_LOST, RECORD_LOST, 7, 8},
		{DECODED_LOST_SAMPLES, RECORD_LOST, 7, 8},
		{DECODED_THROTTLE, RECORD_THROTTLED, 7, 8},
		{DECODED_MMAP, RECORD_KINDS, 0, 0},
		{DECODED_UNTHROTTLE, RECORD_KINDS, 0, 0},
		{DECODED_READ, RECORD_KINDS, 0, 0},
		{DECODED_SAMPLE, RECORD_KINDS, 0, 0},
		{DECODED_MMAP2, RECORD_KINDS, 0, 0},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct decoded decoded = {.type = cases[i].type};
		struct record record;

		if (cases[i].kind == RECORD_LOST)
			decoded.lost.lost = 12;
		else if (cases[i].pid == 20)
			decoded.fork = (struct decoded_fork){
				.pid = 20, .tid = 21, .parent_pid = 22, .parent_tid = 23};
		print_message("case: type %u\n", cases[i].type);
		assert_int_equal(convert(&decoded, &record), cases[i].kind != RECORD_KINDS);
		if (cases[i].kind == RECORD_KINDS)
			continue;
		assert_int_equal(record.kind, cases[i].kind);
		assert_int_equal(record.pid, cases[i].pid);
		assert_int_equal(record.tid, cases[i].tid);
		assert_int_equal(record.cpu, 3);
		assert_int_equal(record.time_ns, 9);
		if (cases[i].kind == RECORD_LOST)
			assert_int_equal(record.lost, 12);
		if (cases[i].pid == 20) {
			assert_int_equal(record.fork.parent_pid, 22);
			assert_int_equal(record.fork.parent_tid, 23);
		}
	}
}

UNIT_TEST(convert_name_is_copied_cut_and_ended)
{
	static const char bytes[] = "longer name than that";
	struct decoded decoded = {.type = DECODED_COMM};
	struct record record;

	decoded.comm = (struct decoded_comm){
		.pid = 20, .tid = 21, .name = bytes, .name_length = 5, .exec = true};
	assert_true(convert(&decoded, &record));
	assert_int_equal(record.kind, RECORD_COMM);
	assert_int_equal(record.tid, 21);
	assert_string_equal(record.comm.name, "longe");
	assert_true(record.comm.exec);

	decoded.comm.name_length = 16;
	assert_true(convert(&decoded, &record));
	assert_string_equal(record.comm.name, "longer ");
}

/* clang-format off */
static const struct {
	const char *name;
	uint64_t words[8];
	uint16_t misc;
	uint16_t kernel, user; /* frames */
	uint64_t first;
} chains[] = {
	{"kernel and user", {(uint64_t)DECODED_CONTEXT_KERNEL, 11, 12, (uint64_t)DECODED_CONTEXT_USER, 21}, DECODED_MISC_KERNEL, 2, 1, 99},
	{"user only",       {(uint64_t)DECODED_CONTEXT_USER, 21, 22}, DECODED_MISC_USER, 0, 2, 99},
	{"without marks",   {21, 22}, DECODED_MISC_USER, 0, 2, 99},
	{"a guest's are no addresses of ours", {(uint64_t)-2560, 31, (uint64_t)DECODED_CONTEXT_USER, 21}, DECODED_MISC_USER, 0, 1, 99},
	{"a hypervisor's as well", {(uint64_t)DECODED_CONTEXT_HYPERVISOR, 31, (uint64_t)DECODED_CONTEXT_KERNEL, 11}, DECODED_MISC_KERNEL, 1, 0, 99},
	{"the kernel's behind the user's are left out", {(uint64_t)DECODED_CONTEXT_USER, 21, (uint64_t)DECODED_CONTEXT_KERNEL, 11}, DECODED_MISC_USER, 0, 1, 99},
	{"precise in the user's code, interrupted in the kernel", {(uint64_t)DECODED_CONTEXT_KERNEL, 11, 12, (uint64_t)DECODED_CONTEXT_USER, 21, 22}, DECODED_MISC_USER, 0, 2, 99},
	{"the same of a chain without the user's part", {(uint64_t)DECODED_CONTEXT_KERNEL, 11, 12}, DECODED_MISC_USER, 0, 1, 99},
	{"precise in the kernel, interrupted in the user's code", {(uint64_t)DECODED_CONTEXT_USER, 21, 22}, DECODED_MISC_KERNEL, 1, 2, 99},
	{"no chain: the place itself", {0}, DECODED_MISC_KERNEL, 1, 0, 99},
	{"marks alone: the place itself", {(uint64_t)DECODED_CONTEXT_USER}, DECODED_MISC_USER, 0, 1, 99},
	{"in a guest: not known", {0}, 5, 0, 0, 0},
};
/* clang-format on */

UNIT_TEST(convert_sample_has_the_frames_of_its_chain)
{
	for (size_t i = 0; i < COUNT_OF(chains); i++) {
		struct decoded decoded = {
			.type = DECODED_SAMPLE,
			.misc = chains[i].misc,
			.id.has = DECODED_HAS_CALLCHAIN,
			.sample = {.ip = 99, .callchain = chains[i].words},
		};
		uint64_t frames[SAMPLE_FRAMES_MAX];
		struct record record;

		begin_case(chains[i].name);
		while (chains[i].words[decoded.sample.callchain_count] != 0)
			decoded.sample.callchain_count++;
		convert_sample(&decoded, frames, &record);
		assert_int_equal(record.kind, RECORD_SAMPLE);
		assert_int_equal(record.sample.kernel_count, chains[i].kernel);
		assert_int_equal(record.sample.count, chains[i].kernel + chains[i].user);
		if (record.sample.count > 0)
			assert_int_equal(frames[0], chains[i].first);
	}
}

UNIT_TEST(convert_sample_is_cut_where_there_is_no_more_room)
{
	uint64_t words[2 * SAMPLE_FRAMES_MAX], frames[SAMPLE_FRAMES_MAX];
	struct decoded decoded = {
		.misc = DECODED_MISC_USER,
		.id.has = DECODED_HAS_CALLCHAIN,
		.sample = {.callchain = words, .callchain_count = COUNT_OF(words)},
	};
	struct record record;

	for (size_t i = 0; i < COUNT_OF(words); i++)
		words[i] = i + 1;
	convert_sample(&decoded, frames, &record);
	assert_int_equal(record.sample.count, SAMPLE_FRAMES_MAX);
	assert_int_equal(frames[SAMPLE_FRAMES_MAX - 1], SAMPLE_FRAMES_MAX);
}

/* clang-format off */
static const struct {
	const char *name;
	uint64_t words[4];
	uint64_t branches[12];
	uint16_t misc;
	bool has_no_stack;
	uint16_t count;
	uint64_t frames[5];
} call_stacks[] = {
	{"user",            {21, 22}, {51, 50, 0, 61, 60, 0}, DECODED_MISC_USER, false, 3, {99, 52, 62}},
	{"kernel and user", {(uint64_t)DECODED_CONTEXT_KERNEL, 11, (uint64_t)DECODED_CONTEXT_USER, 21}, {51, 50, 0}, DECODED_MISC_KERNEL, false, 3, {99, 50, 52}},
	{"a kernel thread", {(uint64_t)DECODED_CONTEXT_KERNEL, 11}, {51, 50, 0}, DECODED_MISC_KERNEL, false, 1, {99}},
	{"no call",         {21, 22}, {0}, DECODED_MISC_USER, false, 2, {99, 22}},
	{"branches taken",  {21, 22}, {51, 50, 0}, DECODED_MISC_USER, true, 2, {99, 22}},
};
/* clang-format on */

UNIT_TEST(convert_sample_has_the_calls_that_the_processor_recorded)
{
	for (size_t i = 0; i < COUNT_OF(call_stacks); i++) {
		struct decoded decoded = {
			.misc = call_stacks[i].misc,
			.id.has = DECODED_HAS_CALLCHAIN,
			.sample = {.ip = 99,
				   .callchain = call_stacks[i].words,
				   .branches.bytes = call_stacks[i].branches,
				   .has_call_stack = !call_stacks[i].has_no_stack},
		};
		struct decoded_sample *sample = &decoded.sample;
		uint64_t frames[SAMPLE_FRAMES_MAX];
		struct record record;

		begin_case(call_stacks[i].name);
		while (sample->callchain_count < 4 &&
		       call_stacks[i].words[sample->callchain_count] != 0)
			sample->callchain_count++;
		while (call_stacks[i].branches[3 * sample->branch_count] != 0)
			sample->branch_count++;
		convert_sample(&decoded, frames, &record);
		assert_int_equal(record.sample.count, call_stacks[i].count);
		assert_memory_equal(frames, call_stacks[i].frames,
				    call_stacks[i].count * sizeof(*frames));
	}
}

UNIT_TEST(convert_sample_cuts_calls_where_there_is_no_more_room)
{
	uint64_t branches[3 * 2 * SAMPLE_FRAMES_MAX], frames[SAMPLE_FRAMES_MAX];
	const uint64_t word = 21;
	struct decoded decoded = {
		.misc = DECODED_MISC_USER,
		.id.has = DECODED_HAS_CALLCHAIN,
		.sample = {.ip = 99,
			   .callchain = &word,
			   .callchain_count = 1,
			   .branches.bytes = branches,
			   .branch_count = 2 * SAMPLE_FRAMES_MAX,
			   .has_call_stack = true},
	};
	struct record record;

	for (size_t i = 0; i < COUNT_OF(branches); i++)
		branches[i] = i;
	convert_sample(&decoded, frames, &record);
	assert_int_equal(record.sample.count, SAMPLE_FRAMES_MAX);
	assert_int_equal(frames[SAMPLE_FRAMES_MAX - 1], 3 * (SAMPLE_FRAMES_MAX - 2) + 1);
}

/* What is left alone by a record without a chain is that of another one. */
UNIT_TEST(convert_sample_without_a_chain_does_not_look_at_it)
{
	struct decoded decoded = {
		.misc = DECODED_MISC_USER,
		.sample = {.ip = 99, .callchain = NULL, .callchain_count = 50},
	};
	uint64_t frames[SAMPLE_FRAMES_MAX];
	struct record record;

	convert_sample(&decoded, frames, &record);
	assert_int_equal(record.sample.count, 1);
	assert_int_equal(frames[0], 99);
}

UNIT_MAIN(NULL, NULL)
