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
	assert_int_equal(record.kind, RECORD_SWITCH_OUT);
	assert_true(record.ctx_switch.preempted);
	assert_int_equal(record.ctx_switch.other_pid, 10);
	assert_int_equal(record.ctx_switch.other_tid, 11);
	assert_int_equal(record.tid, 8);

	decoded.ctx_switch.out = false;
	assert_true(convert(&decoded, &record));
	assert_int_equal(record.kind, RECORD_SWITCH_IN);
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
		{DECODED_AUX, RECORD_KINDS, 0, 0},
		{DECODED_CGROUP, RECORD_KINDS, 0, 0},
		{DECODED_NAMESPACES, RECORD_KINDS, 0, 0},
		{DECODED_KSYMBOL, RECORD_KINDS, 0, 0},
		{DECODED_AUX_OUTPUT_HW_ID, RECORD_KINDS, 0, 0},
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

UNIT_MAIN(NULL, NULL)
