#ifndef PERFTOP_VIEW_GETTER_PROCESS_H
#define PERFTOP_VIEW_GETTER_PROCESS_H

/* Facts that the system keeps account of (processes.h), of rows of tasks. As in getter.h. */

#include "view/getter.h"

struct getter_text get_source(const struct getter_input *in, const struct view_row *row);
struct getter_text get_state(const struct getter_input *in, const struct view_row *row);
struct getter_text get_start(const struct getter_input *in, const struct view_row *row);
double get_nice(const struct getter_input *in, const struct view_row *row);
double get_priority(const struct getter_input *in, const struct view_row *row);
double get_resident(const struct getter_input *in, const struct view_row *row); /* bytes */
double get_memory_pct(const struct getter_input *in, const struct view_row *row);
double get_lifetime_ns(const struct getter_input *in, const struct view_row *row);
double get_user_pct(const struct getter_input *in, const struct view_row *row);
double get_system_pct(const struct getter_input *in, const struct view_row *row);
double get_read_s(const struct getter_input *in, const struct view_row *row);    /* bytes */
double get_written_s(const struct getter_input *in, const struct view_row *row); /* bytes */

#endif
