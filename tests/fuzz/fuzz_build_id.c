/*
 * ELF notes: any bytes give a build id that stands among them, or none. Build with
 * -fsanitize=fuzzer,address,undefined.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata/build_ids.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const uint8_t *notes, size_t size)
{
	unsigned char id[BUILD_ID_MAX];
	uint8_t *copy = malloc(size > 0 ? size : 1); /* of its own, so that one byte more is seen */

	if (size > 0)
		memcpy(copy, notes, size);

	size_t length = build_id_find(copy, size, id);

	if (length > BUILD_ID_MAX || (length > 0 && memmem(copy, size, id, length) == NULL))
		abort();
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* a note's beginning, for most inputs would not get that far by themselves */
	static const uint8_t beginning[] = {4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0};
	uint8_t *notes = malloc(sizeof(beginning) + size);

	memcpy(notes, beginning, sizeof(beginning));
	if (size > 0)
		memcpy(notes + sizeof(beginning), data, size);
	check(data, size);
	check(notes, sizeof(beginning) + size);
	if (size > 0)
		notes[data[0] % sizeof(beginning)] = data[size - 1];
	check(notes, sizeof(beginning) + size);
	free(notes);
	return 0;
}
