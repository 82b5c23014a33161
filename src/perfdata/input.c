#include "perfdata/input.h"

#include <poll.h>

static void wait_for_more(const struct replay_input *input)
{
	struct pollfd waiting = {.fd = perfdata_fd(input->file), .events = POLLIN};

	if (waiting.fd >= 0)
		poll(&waiting, 1, -1);
}

static void read_ahead(struct replay_input *input)
{
	enum perfdata_result result;

	do {
		result = perfdata_next(input->file, &input->first);
		if (result == PERFDATA_WAIT)
			wait_for_more(input);
	} while (result != PERFDATA_RECORD && result != PERFDATA_END);
	input->has_first = result == PERFDATA_RECORD;
	input->is_ended = result == PERFDATA_END;
}

bool replay_input_open(struct replay_input *input, const char *path, struct error *error)
{
	*input = (struct replay_input){.file = perfdata_open(path, error)};
	if (!input->file)
		return false;
	if (perfdata_info(input->file)->is_pipe)
		read_ahead(input);
	return true;
}

void replay_input_close(struct replay_input *input)
{
	perfdata_close(input->file);
	*input = (struct replay_input){0};
}

enum perfdata_result replay_input_next(struct replay_input *input, struct perfdata_record *record)
{
	if (input->is_ended)
		return PERFDATA_END;
	if (!input->has_first)
		return perfdata_next(input->file, record);
	*record = input->first;
	input->has_first = false;
	return PERFDATA_RECORD;
}

bool replay_input_rewind(struct replay_input *input)
{
	if (!perfdata_rewind(input->file))
		return false;
	input->has_first = input->is_ended = false;
	return true;
}
