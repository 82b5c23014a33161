#include "term/terminfo.h"

#include <stddef.h>
#include <string.h>

static const struct {
	const char *type; /* of TERM */
	const char *description;
} table[] = {
#include "terminfo_table.h"
	{NULL, NULL},
};

const char *terminfo_description(const char *type)
{
	size_t i = 0;

	while (table[i].type && strcmp(table[i].type, type) != 0)
		i++;
	return table[i].description;
}
