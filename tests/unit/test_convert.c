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

UNIT_TEST(convert_life_is_about_the_one_who_is_born_or_ends)
{
	static const enum decoded_type types[] = {DECODED_FORK, DECODED_EXIT};
	static const enum record_kind kinds[] = {RECORD_FORK, RECORD_EXIT};

	for (size_t i = 0; i < 2; i++) {
		struct decoded decoded = {.type = types[i]};
		struct record record;

		decoded.fork = (struct decoded_fork){
			.pid = 20, .tid = 21, .parent_pid = 22, .parent_tid = 23};
		assert_true(convert(&decoded, &record));
		assert_int_equal(record.kind, kinds[i]);
		assert_int_equal(record.pid, 20);
		assert_int_equal(record.tid, 21);
		assert_int_equal(record.fork.parent_pid, 22);
		assert_int_equal(record.fork.parent_tid, 23);
		assert_int_equal(record.cpu, 3);
		assert_int_equal(record.time_ns, 9);
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

UNIT_TEST(convert_lost_tells_how_many)
{
	static const enum decoded_type types[] = {DECODED_LOST, DECODED_LOST_SAMPLES};

	for (size_t i = 0; i < 2; i++) {
		struct decoded decoded = {.type = types[i]};
		struct record record;

		decoded.lost.lost = 12;
		assert_true(convert(&decoded, &record));
		assert_int_equal(record.kind, RECORD_LOST);
		assert_int_equal(record.lost, 12);
	}
}

UNIT_TEST(convert_what_the_model_has_no_use_for_is_left_out)
{
	static const enum decoded_type types[] = {DECODED_MMAP,    DECODED_UNTHROTTLE,
						  DECODED_READ,    DECODED_SAMPLE,
						  DECODED_MMAP2,   DECODED_AUX,
						  DECODED_CGROUP,  DECODED_NAMESPACES,
						  DECODED_KSYMBOL, DECODED_AUX_OUTPUT_HW_ID};

	for (size_t i = 0; i < COUNT_OF(types); i++) {
		struct decoded decoded = {.type = types[i]};
		struct record record;

		assert_false(convert(&decoded, &record));
	}
}

UNIT_TEST(convert_throttling_is_told)
{
	struct decoded decoded = {.type = DECODED_THROTTLE};
	struct record record;

	assert_true(convert(&decoded, &record));
	assert_int_equal(record.kind, RECORD_THROTTLED);
}

UNIT_MAIN(NULL, NULL)
