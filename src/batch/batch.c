/* The table of formats. */

#include "batch/batch.h"

#include "base/list.h"
#include "model/session.h"
#include "model/snapshot.h"

#define FORMAT(name_, help_, ...)                                                                  \
	{.name = #name_, .help = help_, .write = name_##_write, __VA_ARGS__},
static const struct batch_format formats[] = {
#include "batch/formats.def"
};
#undef FORMAT

enum {
	FORMAT_COUNT = sizeof(formats) / sizeof(formats[0])
};

const struct batch_format *batch_find(const char *name)
{
	return named_find(formats, FORMAT_COUNT, sizeof(formats[0]), name);
}

void batch_names(char *text, size_t size)
{
	named_list(formats, FORMAT_COUNT, sizeof(formats[0]), text, size);
}

/* Of tasks alone a sum is known where it is of each of them. */
uint32_t batch_unknown(const struct batch_input *input)
{
	const struct snapshot *snapshot = input->snapshot;
	uint32_t unknown = input->session->unknown | snapshot->unknown;

	for (size_t i = 0; i < snapshot->task_count && snapshot->cpu_count == 0; i++)
		if (snapshot->tasks[i].has_run)
			unknown |= snapshot->tasks[i].unknown;
	return unknown;
}

const struct batch_format *batch_table(size_t *count)
{
	*count = FORMAT_COUNT;
	return formats;
}
