/*
 * Fuzz target: any bytes under any format. The first bytes of the input choose the
 * format, the rest is the record, and the same rest is also tried as the answer of read(2).
 */
#include "kernel/decode.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct {
		uint32_t sample_type, branch_type;
		uint16_t user_regs, intr_regs;
		uint8_t read_format, flags;
		uint16_t reserved;
	} choice;
	static struct decoded record;
	static struct decoded_read read;

	if (size < sizeof(choice))
		return 0;
	memcpy(&choice, data, sizeof(choice));
	data += sizeof(choice);
	size -= sizeof(choice);

	const struct decode_format format = {
		.sample_type = choice.sample_type,
		.read_format = choice.read_format,
		.branch_sample_type = choice.branch_type,
		.user_regs = choice.user_regs,
		.intr_regs = choice.intr_regs,
		.sample_id_all = choice.flags & 1,
	};
	const struct sample_offsets offsets = sample_offsets_of(&format);
	uint16_t record_size = (uint16_t)(size < UINT16_MAX ? size : UINT16_MAX);
	unsigned char *bytes = fuzz_copy(data, size);

	/* Mostly a size that agrees, so that the fuzzer gets beyond the first check. */
	if (size >= 8 && (choice.flags & 2) == 0)
		memcpy(bytes + 6, &record_size, sizeof(record_size));
	decode_record(&record, bytes, size, &format);
	decode_peek_id(bytes, size, &offsets);
	decode_peek_time(bytes, size, &offsets);
	decode_read(&read, bytes, size, format.read_format);
	free(bytes);
	return 0;
}
