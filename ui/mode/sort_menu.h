#ifndef PERFTOP_SORT_MENU_H
#define PERFTOP_SORT_MENU_H

/* The columns of the view in a panel, with what they mean: one is chosen to order the rows by. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "widget/cursor.h"

struct app;

struct sort_menu {
	bool is_open;
	struct cursor cursor; /* in the lines that are shown */
	char typed[32];       /* narrows them; as it was typed */
};

void sort_menu_open(struct app *app);
void sort_menu_key(struct app *app, uint32_t key);

/* A column's line was clicked: it is chosen; the chosen one is sorted by. */
void sort_menu_point(struct app *app, size_t line);

#endif
