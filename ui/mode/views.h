#ifndef PERFTOP_VIEWS_H
#define PERFTOP_VIEWS_H

/* The views there are, those that are lists (view/) and those that are drawn here. */

#include "view/table.h"

extern const struct view_list all_views;

#endif
