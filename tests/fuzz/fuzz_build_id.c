/*
 * Fuzz target: ELF notes. Any bytes give a build id that is among them, or none.
 */
#include "fuzz.h"
#include "perfdata/build_ids.h"

static void check(const uint8_t *notes, size_t size)
{
	unsigned char id[BUILD_ID_MAX];
	uint8_t *copy = fuzz_copy(notes, size);
	const size_t length = build_id_find(copy, size, id);

	require(length <= BUILD_ID_MAX);
	require(length == 0 || memmem(copy, size, id, length) != NULL);
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* a note's beginning, for most inputs would not get that far by themselves */
	static const uint8_t beginning[] = {4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0};
	uint8_t *notes = malloc(sizeof(beginning) + size);

	require(notes != NULL);
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
