/*
 * Any text is either a formula, which then has a value, or refused with a position inside
 * the text and a sentence. Build with -fsanitize=fuzzer,address,undefined.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/formula.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
	if (!holds)
		abort();
}

static void evaluate(const struct formula *formula, size_t size)
{
	double *values = calloc(size + 1, sizeof(*values));
	size_t names = 0;

	while (formula_name(formula, names)) {
		values[names] = (double)names - 2;
		names++;
	}
	require(names <= size);

	double value = formula_eval(formula, values);
	require(value - value == 0 || value != value); /* finite or NaN */
	free(values);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = calloc(size + 1, 1);
	char message[FORMULA_ERROR_MAX] = "";
	size_t position = SIZE_MAX;

	if (size)
		memcpy(text, data, size);
	struct formula *formula = formula_create(text, &position, message);
	if (formula)
		evaluate(formula, size);
	else
		require(position <= strlen(text) && message[0] != '\0');
	formula_destroy(formula);
	free(text);
	return 0;
}
