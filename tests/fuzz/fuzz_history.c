/*
 * Whatever is put into a history in whatever order, widened, copied and settled: it gives back what
 * was put in. Input: one byte of settings, then steps of the kit. Few inputs may fill blocks, so
 * that the others are quick.
 */
#include "../unit/history_kit.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct history_kit kit;

	if (size == 0)
		return 0;
	kit_init(&kit, 1 + data[0] / 64u * 3000, QUANTITY_BUILTIN + data[0] % 4u, data[0]);
	kit.most = data[0] % 64 ? 500 : 30000;
	for (size_t at = 1; at + KIT_STEP_BYTES <= size; at += KIT_STEP_BYTES)
		kit_step(&kit, data + at);
	kit_fini(&kit);
	return 0;
}
