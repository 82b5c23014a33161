/*
 * Any file is searched for a function without harm: either it has one, inside the file's code, or
 * there is a sentence. Inputs are run as files themselves, and as changes to one that is right:
 * three bytes each, a place and what is put there.
 */
#include "base/error.h"

#include "../unit/made_elf.h"
#include "fuzz.h"
#include "symbol/probe_place.h"

static void search(char *image, size_t size)
{
	static const char *const symbols[] = {"main", "shown", "old",    "twice", "",
					      "mian", "0xa00", "shown@", "@",     "0x"};

	for (size_t i = 0; i < COUNT_OF(symbols); i++) {
		const struct probe_request request = {.symbol = symbols[i], .offset = i == 3};
		struct error error = {0};
		uint64_t offset = UINT64_MAX;

		if (made_elf_find(&request, image, size, &offset, &error))
			require(offset <= INT64_MAX && error.code == ERROR_NONE);
		else
			require(offset == UINT64_MAX && error.text[0] != '\0');
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct made_elf *elf = malloc(sizeof(*elf));
	char *image = fuzz_copy(data, size);

	require(elf != NULL);
	made_elf_init(elf);
	for (size_t i = 0; i + 2 < size && i < 60; i += 3)
		elf->bytes[(data[i] * 256u + data[i + 1]) % MADE_BYTES] = (char)data[i + 2];
	search(elf->bytes, sizeof(elf->bytes));
	search(image, size);
	free(elf);
	free(image);
	return 0;
}
