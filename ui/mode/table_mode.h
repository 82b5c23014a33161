#ifndef PERFTOP_TABLE_MODE_H
#define PERFTOP_TABLE_MODE_H

/* The columns of the view in a panel, with what they mean: one is chosen to order the rows by. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "widget/cursor.h"

struct sort_menu {
	struct cursor cursor; /* in the lines that are shown */
	char typed[32];       /* narrows them; as it was typed */
};

#endif
