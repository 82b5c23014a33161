#ifndef PERFTOP_VIEW_FACT_PROCESS_H
#define PERFTOP_VIEW_FACT_PROCESS_H

/* Facts that the system keeps account of (processes.h), of rows of tasks. As in fact.h. */

#include "view/fact.h"

struct fact_words fact_source(const struct facts *facts, const struct view_row *row);
struct fact_words fact_state(const struct facts *facts, const struct view_row *row);
struct fact_words fact_start(const struct facts *facts, const struct view_row *row);
double fact_nice(const struct facts *facts, const struct view_row *row);
double fact_priority(const struct facts *facts, const struct view_row *row);
double fact_resident(const struct facts *facts, const struct view_row *row); /* bytes */
double fact_memory_pct(const struct facts *facts, const struct view_row *row);
double fact_lifetime_ns(const struct facts *facts, const struct view_row *row);
double fact_user_pct(const struct facts *facts, const struct view_row *row);
double fact_system_pct(const struct facts *facts, const struct view_row *row);
double fact_read_s(const struct facts *facts, const struct view_row *row);    /* bytes */
double fact_written_s(const struct facts *facts, const struct view_row *row); /* bytes */

#endif
