/* The states that sched_switch reports, as the formats of several kernels name them. */

#include "source/task_states.h"

#include "fake_sched_switch.h"
#include "unit.h"

static const char LETTERS_4_13[] = FAKE_SWITCH_FORMAT_OF(
	"REC->prev_state & (2048-1) ? __print_flags(REC->prev_state & (2048-1), \"|\", { 1, \"S\"} "
	", "
	"{ 2, \"D\" }, { 4, \"T\" }, { 8, \"t\" }, { 16, \"Z\" }, { 32, \"X\" }, { 64, \"x\" }, "
	"{ 128, \"K\" }, { 256, \"W\" }, { 512, \"P\" }, { 1024, \"N\" })");

static const char NOTHING_KNOWN[] = FAKE_SWITCH_FORMAT_OF("REC->prev_state");

UNIT_TEST(task_states_are_those_of_the_format)
{
	static const struct {
		const char *format;
		uint32_t bits;
		const char *is;
	} cases[] = {
		{FAKE_SWITCH_FORMAT, 0, "R"},    {FAKE_SWITCH_FORMAT, 0x100, "R"},
		{FAKE_SWITCH_FORMAT, 1, "S"},    {FAKE_SWITCH_FORMAT, 2, "D"},
		{FAKE_SWITCH_FORMAT, 4, "T"},    {FAKE_SWITCH_FORMAT, 8, "t"},
		{FAKE_SWITCH_FORMAT, 0x10, "X"}, {FAKE_SWITCH_FORMAT, 0x20, "Z"},
		{FAKE_SWITCH_FORMAT, 0x40, "P"}, {FAKE_SWITCH_FORMAT, 0x80, "I"},
		{LETTERS_4_13, 0, "R"},          {LETTERS_4_13, 0x800, "R"},
		{LETTERS_4_13, 1, "S"},          {LETTERS_4_13, 2, "D"},
		{LETTERS_4_13, 0x82, "D"},  /* killable */
		{LETTERS_4_13, 0x402, "I"}, /* TASK_IDLE */
		{LETTERS_4_13, 0x84, "T"},       {LETTERS_4_13, 0x88, "t"},
		{LETTERS_4_13, 16, "Z"},         {LETTERS_4_13, 32, "X"},
		{LETTERS_4_13, 64, "X"},         {LETTERS_4_13, 512, "P"},
		{LETTERS_4_13, 0x80, ""},        {NOTHING_KNOWN, 0, "R"},
		{NOTHING_KNOWN, 0x800, "R"},     {NOTHING_KNOWN, 1, "S"},
		{NOTHING_KNOWN, 2, "D"},         {NOTHING_KNOWN, 8, "t"},
		{NOTHING_KNOWN, 16, "X"},        {NOTHING_KNOWN, 32, "X"},
		{NOTHING_KNOWN, 64, ""},         {"", 2, "D"},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const struct task_states states = task_states_parse(cases[i].format);

		begin_case(cases[i].is);
		assert_string_equal(task_state_name(task_states_find(&states, cases[i].bits)),
				    cases[i].is);
	}
}

/* What is no bit by itself is no state, and neither is one that the field has no room for. */
UNIT_TEST(task_states_parse_passes_over_what_is_no_bit)
{
	const struct task_states states = task_states_parse(FAKE_SWITCH_FORMAT_OF(
		"__print_flags(REC->prev_state & 0xff, \"|\", { 0x03, \"D\" }, { 0, \"T\" }, "
		"{ 0x4, \"TT\" }, { , \"S\" }, { 0x10, \"Z\" })"));

	assert_int_equal(states.known, 0x10);
	assert_string_equal(task_state_name(task_states_find(&states, 0x10)), "Z");
}

UNIT_MAIN(NULL, NULL)
