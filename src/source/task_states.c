/*
 * The letters are those of ps, with some more in kernels before 4.14: x (dead), K and W, which only
 * go with others, and N, which is "no load".
 */
#include "source/task_states.h"

#include <stddef.h>

#include "event/tracepoint.h"

/* S, D, T and t have always had these bits, and so had the dead, whichever is which. */
static const struct tracepoint_flag always[] = {
	{1, 'S'}, {2, 'D'}, {4, 'T'}, {8, 't'}, {16, 'X'}, {32, 'X'}, {64, '?'}, {128, '?'},
};

static uint8_t state_of_letter(char letter)
{
	if (letter == 'x')
		letter = 'X';
	for (unsigned int state = TASK_STATE_RUNNABLE; state < TASK_STATES; state++)
		if (*task_state_name(state) == letter)
			return (uint8_t)state;
	return TASK_STATE_UNKNOWN;
}

static void add_state(struct task_states *states, const struct tracepoint_flag *flag)
{
	const int number = flag->bit != 0 ? __builtin_ctzll(flag->bit) : TASK_STATE_BITS;

	if (number >= TASK_STATE_BITS || flag->bit != UINT64_C(1) << number)
		return;
	states->known |= UINT32_C(1) << number;
	states->of[number] = state_of_letter(flag->letter);
	if (flag->letter == 'N')
		states->noload = UINT32_C(1) << number;
}

struct task_states task_states_parse(const char *format)
{
	struct task_states states = {0};
	struct tracepoint_flag flags[TASK_STATE_BITS];
	const size_t count = tracepoint_parse_flags(format, "prev_state", flags, TASK_STATE_BITS);

	for (size_t i = 0; i < count; i++)
		add_state(&states, &flags[i]);
	for (size_t i = 0; count == 0 && i < sizeof(always) / sizeof(always[0]); i++)
		add_state(&states, &always[i]);
	return states;
}
