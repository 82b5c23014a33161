#ifndef PERFTOP_TESTS_ERROR_NAME_H
#define PERFTOP_TESTS_ERROR_NAME_H

#include "base/error.h"

/* The name of a code as in error.def, for a test that fails. */
static inline const char *error_name(enum error_code code)
{
	static const char *const names[ERROR_COUNT] = {
#define ERROR(code, exit_status, sentence, hint) [ERROR_##code] = #code,
#include "base/error.def"
#undef ERROR
	};

	return names[code];
}

#endif
