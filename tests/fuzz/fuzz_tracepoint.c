/*
 * The format file of a tracepoint and the raw data of its samples: any text gives either a number's
 * place or a refusal, and a number is read from within the data only.
 */
#include "event/tracepoint.h"
#include "fuzz.h"

static void check_raw(const struct tracepoint_field *field, const uint8_t *data, size_t size)
{
	uint8_t *raw = fuzz_copy(data, size);
	int64_t value = 0;
	bool reaches = field->offset <= size && size - field->offset >= field->size;

	require(tracepoint_read_field(field, raw, size, &value) == reaches);
	require(field->is_signed || field->size == 8 || value >= 0);
	free(raw);
}

static void check_format(const char *text, const uint8_t *data, size_t size)
{
	struct tracepoint_field field;

	if (!tracepoint_parse_field(text, "pid", &field))
		return;
	require(field.size == 1 || field.size == 2 || field.size == 4 || field.size == 8);
	require(field.offset <= 65535);
	check_raw(&field, data, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char beginning[] = "\tfield:pid_t pid;\toffset:";
	char *text = fuzz_text(beginning, data, size);

	check_format(text, data, size);
	check_format(text + sizeof(beginning) - 1, data, size);
	for (size_t bytes = 1; bytes <= 8 && size > 0; bytes *= 2)
		check_raw(&(struct tracepoint_field){.offset = data[0], .size = bytes}, data, size);
	free(text);
	return 0;
}
