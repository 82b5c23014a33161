#ifndef PERFTOP_TESTS_UNIT_H
#define PERFTOP_TESTS_UNIT_H

/* What every test of a unit includes: cmocka, what that needs, and the language's own headers. */

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Members of an array. */
#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

/* Names the case of a table that is tried now, so that a failure says which it was. */
static inline void begin_case(const char *name)
{
	print_message("case: %s\n", name);
}

#endif
